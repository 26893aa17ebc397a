"""Which messages a prompt holds, with the whole engine."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.domain.context import HistoryRow, prepare_all, select_context
from chimein_gui.domain.ids import AccountId, MessageId, PeerId
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.engine.context.selection import steady_begin
from tests.fakes.clock import VirtualClock
from tests.support.group_room import AT_ONCE, NORA, PEOPLE, GroupRoom, group_room, shipped_model, texts

NOW = VirtualClock().now()
MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0
ASKED = "Nora, what do you think?"


def now_s() -> float:
    return VirtualClock().now().timestamp()


async def test_the_prompt_holds_just_what_the_choice_includes(here: GroupRoom) -> None:
    old = [(5 * DAY - 60 * n, ("Ida", "Wen")[n % 2], f"{('Wen', 'Ida')[n % 2]}, sail number {n}") for n in range(20)]
    new = [(900.0 - 40 * n, ("Ben", "Leo")[n % 2], f"{('Leo', 'Ben')[n % 2]}, goal number {n}") for n in range(20)]
    lines = [*old, *new]
    here.group.said(*lines)
    held = texts(await here.call("Ben"))
    rows = [HistoryRow(n + 1, now_s() - at, str(PEOPLE[name]), text, name) for n, (at, name, text) in enumerate(lines)]
    trigger = HistoryRow(41, now_s(), str(PEOPLE["Ben"]), "@bot what do you think?", "Ben")
    choices = select_context(rows, trigger, shipped_model(), prepare_all(rows, shipped_model()))
    assert 1 < len(held) < 41
    assert held == [*(rows[one.message_id - 1].text for one in choices if one.included), ASKED]


async def test_a_tag_that_replies_to_a_message_three_days_old_has_it(here: GroupRoom) -> None:
    (old,) = here.group.said((3 * DAY, "Wen", "We need a name for the ferry, something with wind"))
    here.group.said(*((40 * MINUTE - 30 * n, "Ben" if n % 2 else "Leo", f"goal number {n}!") for n in range(30)))
    prompt = await here.call("Priya", "Nora, your idea?", reply_to=old)
    assert "We need a name for the ferry, something with wind" in texts(prompt)
    (anchor,) = [section.text for section in prompt.sections if section.title == "Reply anchor"]
    assert f"message {old}, by ⟦name: Wen⟧" in anchor
    span = (await here.graph()).span
    assert [one.reason for one in span.choices if one.message_id == old] == ["anchor"]


async def test_an_anchor_that_is_not_stored_is_fetched(here: GroupRoom) -> None:
    connected, here.group.online = here.group.online, {}  # nobody tells the client
    (old,) = here.group.said((3 * DAY, "Wen", "the key lies under the blue boat"))
    here.group.online = connected
    here.group.said((HOUR, "Ben", "hello"))
    prompt = await here.call("Tom", "Nora, which boat?", reply_to=old)
    assert "the key lies under the blue boat" in texts(prompt)


async def test_history_before_the_first_message_is_fetched_before_the_first_plan(tmp_path: Path) -> None:
    async with group_room(tmp_path, spec=replace(NORA, group_history=500)) as here:
        connected, here.group.online = here.group.online, {}
        here.group.said(*((DAY - n, "Ben", f"line {n}") for n in range(40)))
        here.group.online = connected
        held = texts(await here.call("Tom"))
        assert held == [*(f"line {n}" for n in range(40)), ASKED]
        assert (await here.graph()).trigger_ids == (MessageId(41),)


@pytest.mark.parametrize("changes_last", [True, False])
async def test_history_n_takes_the_newest_and_the_anchor_beside_or_before_them(
    tmp_path: Path, changes_last: bool
) -> None:
    preferences = replace(AT_ONCE, changes_last=changes_last)
    async with group_room(tmp_path, spec=replace(NORA, group_history=3), preferences=preferences) as here:
        here.group.said(*((HOUR - n, "Ben", f"line {n}") for n in range(10)))
        prompt = await here.call("Tom", reply_to=2)
        assert texts(prompt) == [*([] if changes_last else ["line 1"]), "line 8", "line 9", ASKED]
        assert ("> line 1\n" in prompt.last_block) is changes_last
        span = (await here.graph()).span
        assert [number for number in range(1, 12) if span.holds(MessageId(number))] == [2, 9, 10, 11]


@pytest.mark.parametrize("gap", [1, 9])
def test_a_history_that_slides_begins_at_the_same_message_for_a_while_and_cuts_no_album(gap: int) -> None:
    chance = random.Random(gap)
    ids = list(itertools.accumulate(chance.randint(1, gap) for _ in range(400)))
    hello = Message(MessageKey(AccountId(1), PeerId(7), MessageId(1)), None, "Ben", out=False, sent_at=NOW, text="hi")
    said = [
        replace(hello, key=replace(hello.key, message_id=MessageId(number)), grouped_id=place // 3)
        for place, number in enumerate(ids)
    ]
    begins = []
    for last in range(41, len(said)):
        newest = said[last - 41 : last]
        place = steady_begin(newest, 40)
        assert 1 <= place <= 11
        assert newest[place].grouped_id != newest[place - 1].grouped_id
        begins.append(newest[place].key.message_id)
    assert begins == sorted(begins)
    moves = sum(one != two for one, two in itertools.pairwise(begins))
    assert moves < len(begins) / 4
    assert steady_begin([replace(one, grouped_id=1) for one in newest], 40) == 1


async def test_the_plan_keeps_every_choice_with_its_reason(here: GroupRoom) -> None:
    here.group.said((10 * MINUTE, "Tom", "the tent is dry"), (5 * MINUTE, "Priya", "then we pack the tent, Tom"))
    await here.call("Tom", "Nora, shall we pack the tent?")
    span = (await here.graph()).span
    assert [one.message_id for one in span.choices] == [1, 2]
    assert [one.reason for one in span.choices] == ["link", "link"]
    assert all(50 <= one.percent <= 100 for one in span.choices)  # as "link" says
    assert span.chosen == (*(one.message_id for one in span.choices if one.included), 3)
    (draft,) = (await here.room.engine.queries.approvals()).rows
    assert (draft.context_held, draft.context_of) == (len(span.chosen), 3)
