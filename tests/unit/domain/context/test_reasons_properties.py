"""Over chats of any kind each reason is true, told by an oracle of its own."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chimein_gui.domain.context import HISTORY, Choice, HistoryRow, LinkModel, Reason, prepare_all, select_context
from tests.unit.domain.context.chats import HOUR, NOW

LOOKBACK = 20
WORDS = ("boat", "sail", "ana: boat?", "@ben the oven", "bread", "ben, and you?", "so", "", "thanks", "where?")
STATES = st.sampled_from(["", "", "", "", "", "deleted", "is_service", "topic"])

LINES = st.tuples(
    st.sampled_from([5.0, 60.0, 600.0, HOUR, HOUR + 1, 30 * HOUR]),  # since the line before
    st.sampled_from(["ana", "ben", "cleo"]),
    st.sampled_from(WORDS),
    st.integers(-3, 12),  # so many lines back is what it replies to, if it does
    STATES,
)


def a_row(number: int, at: float, line: tuple[float, str, str, int, str]) -> HistoryRow:
    _, who, text, back, status_words = line
    row = HistoryRow(number, at, who, text, who, reply_to=number - back if back > 0 else None)
    if status_words == "topic":
        return replace(row, thread_id=7)
    return replace(row, deleted=status_words == "deleted", is_service=status_words == "is_service")


def a_chat(lines: list[tuple[float, str, str, int, str]], older: int) -> list[HistoryRow]:
    """The lines with the last of them now; before them so many more that nobody replies to but by chance."""
    early = [
        HistoryRow(n, NOW - 240 * HOUR + 30 * n, ("ana", "ben")[n % 2], "tea", thread_id=(None, None, 7)[n % 3])
        for n in range(older)
    ]
    rows, at = early, NOW - sum(line[0] for line in lines)
    for number, line in enumerate(lines, older):
        at += line[0]
        rows.append(a_row(number, at, line))
    return rows


def ancestors(history: list[HistoryRow], trigger: HistoryRow) -> list[int]:
    """What the trigger replies to, what that replies to, and so on."""
    parents = {row.message_id: row.reply_to for row in [*history, trigger]}
    found: list[int] = []
    number = trigger.reply_to
    while number is not None and number in parents:
        found.append(number)
        number = parents[number]
    return found


def is_in_session(history: list[HistoryRow], trigger: HistoryRow, place: int) -> bool:
    times = [row.sent_at for row in history[place:]] + [trigger.sent_at]
    gaps = [later - before for before, later in pairwise(times)]
    return len(gaps) <= LOOKBACK and max(gaps) <= HOUR


def check_reason(choice: Choice, history: list[HistoryRow], place: int, trigger: HistoryRow, *, by_links: bool) -> None:
    row, chain = history[place], ancestors(history, trigger)
    is_gone, is_near = row.deleted or row.is_service, is_in_session(history, trigger, place)
    is_beyond, is_elsewhere = place < len(history) - HISTORY, row.thread_id != trigger.thread_id
    assert (choice.reason is Reason.ANCHOR) == (row.message_id == trigger.reply_to)
    assert (choice.reason is Reason.REPLY_CHAIN) == (row.message_id in chain[1:] and not is_gone)
    assert (choice.reason is Reason.GONE) == (is_gone and row.message_id not in chain[:1])
    if row.message_id in chain:
        assert choice.probability == 1.0
        assert choice.included or is_gone
        return
    if is_gone:
        return
    assert (choice.reason is Reason.BEYOND_LOOKBACK) == is_beyond
    told = {
        Reason.BEYOND_LOOKBACK: not choice.included and choice.probability == 0.0,
        Reason.OTHER_TOPIC: not choice.included and is_elsewhere,
        Reason.OTHER_THREAD: not choice.included and by_links and not is_elsewhere,
        Reason.OTHER_SESSION: not choice.included and not by_links and not is_near and not is_elsewhere,
        Reason.SAME_SESSION: choice.included and is_near and (not by_links or choice.probability < 0.5),
        Reason.LINK: choice.included and by_links and (choice.probability >= 0.5 or not is_near),
    }
    assert told[choice.reason]


@settings(
    max_examples=120, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    lines=st.lists(LINES, min_size=2, max_size=45),
    older=st.sampled_from([0, 0, 0, HISTORY - 10]),
    by_links=st.booleans(),
)
def test_each_reason_is_true(
    model: LinkModel, lines: list[tuple[float, str, str, int, str]], older: int, *, by_links: bool
) -> None:
    *history, last = a_chat(lines, older)
    trigger = replace(last, deleted=False, is_service=False)
    prepared = prepare_all(history, model) if by_links and len(history) % 2 else None
    choices = select_context(history, trigger, model if by_links else None, prepared)
    assert [one.message_id for one in choices] == [row.message_id for row in history]
    for place, choice in enumerate(choices):
        check_reason(choice, history, place, trigger, by_links=by_links)
