"""`select_context` takes whatever people and machines write: it never raises, and its promises hold."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chimein_gui.domain.context import HistoryRow, LinkModel, Reason, prepare, select_context

TEXTS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [
            "",
            " ",
            "\ud800 lone surrogate",
            "\u202eright to left",
            "@",
            "@@ana,, :",
            ": , ;",
            "🦊: hi 🦊",
            "ana: " * 2000,
            "字" * 5000,
            "ก็ได้ครับ พรุ่งนี้",
            "?" * 9000,
            "\x00\x01",
            "https://example.org/a?b=c",
        ]
    ),
)
NAMES = st.sampled_from(["", "ana", "Ana 🦊", "🦊", "@ana", "ана", "李雷", "a" * 500, "well", "\ud800"])
ROWS = st.builds(
    HistoryRow,
    message_id=st.integers(0, 15),
    sent_at=st.one_of(st.floats(-1e10, 1e12, allow_nan=False), st.sampled_from([0.0, 1e9, 1e9 + 1])),
    sender=NAMES,
    text=TEXTS,
    sender_name=NAMES,
    aliases=st.lists(NAMES, max_size=3).map(tuple),
    reply_to=st.one_of(st.none(), st.integers(-1, 20)),
    thread_id=st.sampled_from([None, None, 1, 2**40]),
    is_bot=st.booleans(),
    is_service=st.booleans(),
    out=st.booleans(),
    media_kind=st.sampled_from(["", "photo"]),
    edited=st.booleans(),
    deleted=st.booleans(),
    forwarded=st.booleans(),
    mentions=st.lists(NAMES, max_size=2).map(tuple),
)
IN = {Reason.ANCHOR, Reason.REPLY_CHAIN, Reason.LINK, Reason.SAME_SESSION}

many = settings(
    max_examples=150, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@many
@given(history=st.lists(ROWS, max_size=14), trigger=ROWS, has_model=st.booleans())
def test_anything_may_stand_in_a_chat(
    model: LinkModel, history: list[HistoryRow], trigger: HistoryRow, has_model: bool
) -> None:
    used = model if has_model else None
    choices = select_context(history, trigger, used)
    assert [choice.message_id for choice in choices] == [row.message_id for row in history]
    assert all(0.0 <= choice.probability <= 1.0 for choice in choices)
    assert all(choice.included == (choice.reason in IN) for choice in choices)
    assert sum(choice.reason is Reason.ANCHOR for choice in choices) <= 1
    known = {row.message_id for row in history}
    assert (trigger.reply_to in known) == any(choice.reason is Reason.ANCHOR for choice in choices)
    for row, choice in zip(history, choices, strict=True):
        if row.deleted or row.is_service:
            assert not choice.included or choice.reason is Reason.ANCHOR
        elif row.thread_id != trigger.thread_id:
            assert choice.reason in {Reason.OTHER_TOPIC, Reason.ANCHOR, Reason.REPLY_CHAIN, Reason.LINK}
    assert choices == select_context(history, trigger, used)


@many
@given(history=st.lists(ROWS, min_size=1, max_size=14), trigger=ROWS)
def test_anything_may_be_prepared(model: LinkModel, history: list[HistoryRow], trigger: HistoryRow) -> None:
    prepared = None
    for row in history:
        prepared = prepare(row, prepared, model)
    choices = select_context(history, trigger, model, prepared)
    assert [choice.message_id for choice in choices] == [row.message_id for row in history]


@pytest.mark.parametrize("at", [float("inf"), float("-inf"), float("nan"), 1e300])
def test_times_that_are_none_do_not_break_it(model: LinkModel, at: float) -> None:
    history = [HistoryRow(1, 5.0, "ana", "hello"), HistoryRow(2, at, "ben", "hi"), HistoryRow(3, 7.0, "ana", "so?")]
    choices = select_context(history, HistoryRow(4, 8.0, "ana", "@bot"), model)
    assert all(0.0 <= choice.probability <= 1.0 for choice in choices)
