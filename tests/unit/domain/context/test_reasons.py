"""The reason that each message gets is the true one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chimein_gui.domain.context import (
    HISTORY,
    Choice,
    HistoryRow,
    LinkModel,
    Reason,
    prepare,
    prepare_all,
    select_context,
)
from chimein_gui.domain.context.digest import FLAGS, digest
from chimein_gui.domain.context.prepared import ask
from chimein_gui.domain.context.second_stage import second_stage
from tests.unit.domain.context.chats import chat, included, tag


def test_what_was_prepared_from_further_back_brings_nothing_from_there(model: LinkModel) -> None:
    talk = [
        HistoryRow(n, 10.0 * n, ("ana", "ben")[n % 2], f"boat {n}", reply_to=n - 1 if n else None) for n in range(70)
    ]
    rest = [
        HistoryRow(n, 10.0 * n, ("cleo", "dov")[n % 2], f"oven {n}, dov", reply_to=n - 1 if n > 70 else None)
        for n in range(70, 375)
    ]
    asks = HistoryRow(375, 3750.0, "ana", "ben: boat 69?", reply_to=69)
    rows, prepared = [*talk, *rest, asks], None
    for row in rows:
        prepared = prepare(row, prepared, model)
    assert prepared is not None
    assert len(prepared.rows) == 376
    history, trigger = rows[-HISTORY:], HistoryRow(376, 3760.0, "ana", "@bot what do you think?", reply_to=375)
    assert history[0].message_id > 69
    assert included(select_context(history, trigger, model, prepared)) == [375]
    whole = select_context(rows, trigger, model, prepared)
    assert [one.message_id for one in whole if one.included and one.reason is Reason.LINK] == []


@pytest.mark.parametrize(
    ("fields", "flag"),
    [
        ({"media_kind": "photo"}, "media"),
        ({"forwarded": True}, "forwarded"),
        ({"is_bot": True}, "bot"),
        ({"is_service": True}, "service"),
        ({"mentions": ("ana",)}, "marked"),
    ],
)
def test_what_a_row_is_beside_its_text_is_a_signal(fields: dict[str, object], flag: str) -> None:
    row = HistoryRow(1, 0.0, "ana", "the boat")
    assert digest(replace(row, **fields)).flags == digest(row).flags | 1 << FLAGS.index(flag)  # type: ignore[arg-type]


def test_a_service_message_is_nothing_to_continue(model: LinkModel) -> None:
    """What is said after Telegram's own line continues what was said before it."""
    history = chat((400, "Ana", "Ben: is the boat dry?"), (300, "Ben", "Ana: the boat is wet"), (200, "Ana", "boat"))
    history[2] = replace(history[2], is_service=True)
    asked = ask(prepare_all(history, model), tag("Ana", "Ben: which boat, @bot?"))
    chances = dict(zip(asked.places.tolist(), asked.links.tolist(), strict=False))
    assert chances[2] < 1e-6
    assert chances[1] > 0.5


def test_a_new_name_is_heard_of_from_then_on(model: LinkModel) -> None:
    history = chat(
        (900, "Ana", "the boat is dry"),
        (800, "Ben", "the oven is hot"),
        (700, "Ana", "and the sail is torn"),
        (600, "Ben", "so is the bread"),
        (500, "Cleo", "Zora: is the sail torn for good?"),
    )
    history[2] = replace(history[2], sender_name="Zora")
    trigger = tag("Cleo", "@bot what about Zora and that?")
    renamed = {one.message_id: one.probability for one in select_context(history, trigger, model)}
    history[2] = replace(history[2], sender_name="Ana")
    before = {one.message_id: one.probability for one in select_context(history, trigger, model)}
    assert renamed[102] > before[102] + 0.05


def test_what_stage_two_rescues_is_linked_and_what_it_leaves_keeps_its_reason() -> None:
    rows = (
        Choice(1, True, 0.9, Reason.LINK),
        Choice(2, True, 0.45, Reason.SAME_SESSION),
        Choice(3, True, 0.9, Reason.LINK),
        Choice(4, False, 0.3, Reason.OTHER_THREAD),
        Choice(5, True, 0.4, Reason.SAME_SESSION),
        Choice(6, True, 0.4, Reason.LINK),
    )
    boat, oven = (1.0, 0.1, 0.0), (0.0, 0.1, 1.0)
    found = second_stage(rows, {1: boat, 2: boat, 3: boat, 4: boat, 5: oven, 6: oven})
    assert [one.included for one in found] == [True] * 4 + [False] * 2
    assert [one.reason for one in found] == [
        Reason.LINK,
        Reason.SAME_SESSION,
        Reason.LINK,
        Reason.LINK,
        Reason.OTHER_THREAD,
        Reason.OTHER_THREAD,
    ]
