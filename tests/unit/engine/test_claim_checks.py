"""Each check of a claim by itself, both ways, and their order."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from chimein_gui.domain.approvals import Approval, AskReason, Rule
from chimein_gui.domain.chats import Chat, ChatInfo, ChatKind, MuteState, TrustLevel
from chimein_gui.domain.ids import (
    AccountId,
    AgentId,
    ApprovalId,
    ChatId,
    GraphId,
    LedgerId,
    PeerId,
    RandomId,
    Revision,
    TaskId,
)
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.prompt.spans import PromptSpan
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import ApprovalState, LedgerState, Origin, TaskKind, TaskStatus
from chimein_gui.engine.ports import GraphRow, GraphStanding, LedgerRow, TaskRow
from chimein_gui.engine.sending import claim_checks as gates
from chimein_gui.engine.sending.claim_checks import BETWEEN_PARTS_GATES, GATES, REPEAT_GATES, first_hindrance
from chimein_gui.engine.sending.claim_view import ClaimView

NOW = datetime(2026, 11, 20, 14, tzinfo=UTC)
OPERATOR = "operator"


def ago(**units: float) -> datetime:
    return NOW - timedelta(**units)


def ahead(**units: float) -> datetime:
    return NOW + timedelta(**units)


APPROVAL = Approval(
    approval_id=ApprovalId(1),
    task_id=TaskId(2),
    graph_id=GraphId(3),
    chat_id=ChatId(4),
    agent_id=AgentId(5),
    account_id=AccountId(6),
    peer_id=PeerId(7),
    agent_name="Nora",
    chat_title="Marta",
    state=ApprovalState.APPROVED,
    task_status=TaskStatus.APPROVED,
    version=2,
    text="hello",
    draft_text="hello",
    reply_to_id=None,
    reasons=(),
    seen_up_to=Revision(10),
    created_at=ago(minutes=5),
    changed_at=Revision(10),
    due_at=ago(seconds=1),
    decided_at=ago(minutes=1),
    decided_by=OPERATOR,
)
ROW = LedgerRow(
    LedgerId(8),
    ApprovalId(1),
    ChatId(4),
    version=2,
    part=0,
    random_id=RandomId(9),
    state=LedgerState.PREPARED,
    origin=Origin.PLAN,
    kind=TaskKind.SEND,
    text="hello",
    reply_to_id=None,
)
CHAT = Chat(ChatId(4), AgentId(5), ChatInfo(AccountId(6), PeerId(7), ChatKind.DM, "Marta"))
GRAPH = GraphRow(
    GraphId(3),
    ChatId(4),
    Origin.PLAN,
    GraphStanding.CURRENT,
    None,
    (),
    PromptSpan(),
    "",
    (),
    False,
    None,
    ago(minutes=5),
)
BESIDE = replace(GRAPH, standing=GraphStanding.BESIDE)
TASK = TaskRow(TaskId(2), ChatId(4), GraphId(3), TaskKind.SEND, TaskStatus.APPROVED, (), 1, (), 0, None, None)
LEAVES = ClaimView(APPROVAL, TASK, CHAT, GRAPH, (ROW,), NOW, Preferences(), TrustLevel.REVIEW)
"""Nothing speaks against it."""

Change = Callable[[ClaimView], ClaimView]


def on(view: ClaimView, **approval: Any) -> ClaimView:
    """Change the view's approval."""
    return replace(view, approval=replace(view.approval, **approval))


def rows(*states: LedgerState, version: int = 2) -> tuple[LedgerRow, ...]:
    return tuple(replace(ROW, part=part, state=state, version=version) for part, state in enumerate(states))


def taken_over(until: datetime) -> Change:
    return lambda view: replace(view, chat=replace(view.chat, takeover_until=until))


PREPARED, UNKNOWN = LedgerState.PREPARED, LedgerState.UNKNOWN
OVERDUE = Preferences().misfire_s


def after_the_sleep(view: ClaimView) -> ClaimView:
    return on(replace(view, awake_since=ago(milliseconds=500)), decided_at=ago(milliseconds=400))


AT_ONCE = Preferences(undo_s=0, typing_base_s=0, typing_s_per_60=0)
COUNTDOWN: dict[str, Any] = {"decided_by": Rule.COUNTDOWN_TRUST}

HINDERED: dict[str, list[tuple[str, Change]]] = {
    "hold": [("held", lambda v: replace(v, hold=Note(NoteKind.HELD, "lunch")))],
    "takeover": [
        ("of a rule's decision", lambda v: on(taken_over(ahead(minutes=20))(v), decided_by=Rule.AUTO_TRUST)),
        ("after the operator's decision", taken_over(ahead(minutes=29, seconds=30))),
    ],
    "off/observe": [
        ("off", lambda v: replace(v, trust=TrustLevel.OFF)),
        ("observe", lambda v: replace(v, trust=TrustLevel.OBSERVE)),
    ],
    "rule no longer holds": [("limited", lambda v: replace(v, broken_rule=(AskReason.LIMITED, AskReason.REVIEW)))],
    "muted": [("muted", lambda v: replace(v, mute=MuteState.MUTED))],
    "mute not told": [("the look-up failed", lambda v: replace(v, mute=MuteState.UNTOLD))],
    "version": [
        ("of the only request", lambda v: replace(v, requests=rows(PREPARED, version=1))),
        ("of a later part", lambda v: replace(v, requests=(ROW, replace(ROW, part=1, version=1)))),
        ("no request at all", lambda v: replace(v, requests=())),
    ],
    "stale": [
        ("changed after the decision", lambda v: on(v, changed_at=Revision(11))),
        ("turned 12 hours since", lambda v: on(v, created_at=ago(hours=12))),
    ],
    "caps": [("reached", lambda v: replace(v, cap=Note(NoteKind.CAP_OF_CHAT, number=20)))],
    "misfire": [
        ("overdue", lambda v: on(v, due_at=ago(seconds=OVERDUE + 1))),
        ("overdue since it was postponed to", lambda v: on(v, due_at=None, postponed_until=ago(seconds=OVERDUE + 1))),
    ],
    "offline or catching up": [("offline", lambda v: replace(v, can_send=False))],
    "server wait": [("told", lambda v: replace(v, server_wait_until=ahead(minutes=20)))],
    "mute look-up": [("under way", lambda v: replace(v, mute=MuteState.AWAITED))],
    "another send": [("sending or unknown", lambda v: replace(v, another_on_its_way=True))],
    "predecessor": [("open", lambda v: replace(v, predecessor_settled=False))],
    "quiet hours": [("quiet", lambda v: replace(v, quiet_until=ahead(hours=9)))],
    "open editor": [("editing", lambda v: replace(v, is_editing=True))],
    "unwatched": [
        ("the undo ran out in a sleep", lambda v: replace(v, awake_since=NOW)),
        ("the countdown too", lambda v: on(replace(v, awake_since=ago(milliseconds=1)), **COUNTDOWN)),
        ("the program has just started", lambda v: on(replace(v, automatic_from=ahead(seconds=9)), **COUNTDOWN)),
    ],
    "due_at": [("later", lambda v: on(v, due_at=ahead(seconds=1)))],
    "postponed": [("later", lambda v: on(v, postponed_until=ahead(hours=1)))],
    "upload": [("its file is not there", lambda v: replace(v, lacks_file=True))],
}
"""For each gate: what alone hinders a send there."""

PASSES: dict[str, list[tuple[str, Change]]] = {
    "takeover": [
        ("it is over", taken_over(NOW)),
        ("the operator decided after his own message", taken_over(ahead(minutes=20))),
        ("it is his own message", lambda v: on(taken_over(ahead(minutes=30))(v), origin=Origin.OPERATOR)),
    ],
    "off/observe": [
        ("the operator wrote it", lambda v: on(replace(v, trust=TrustLevel.OFF), origin=Origin.OPERATOR)),
        ("he asked for it beside the plan", lambda v: replace(v, trust=TrustLevel.OBSERVE, graph=BESIDE)),
    ],
    "version": [
        ("a repeated request keeps its number", lambda v: replace(v, requests=rows(UNKNOWN, version=1))),
        ("all parts are of it", lambda v: replace(v, requests=rows(PREPARED, PREPARED))),
    ],
    "stale": [
        ("the operator wrote it", lambda v: on(v, changed_at=Revision(11), origin=Origin.OPERATOR)),
        ("he saw the change", lambda v: on(v, changed_at=Revision(11), seen_up_to=Revision(11))),
        ("it is younger than 12 hours", lambda v: on(v, created_at=ago(hours=11, minutes=59))),
        ("it was old when he decided", lambda v: on(v, created_at=ago(hours=12, minutes=2))),
    ],
    "misfire": [
        ("15 minutes late", lambda v: on(v, due_at=ago(seconds=OVERDUE))),
        ("postponed beyond its time", lambda v: on(v, due_at=ago(hours=2), postponed_until=ago(seconds=1))),
        ("nobody knows yet when it is due", lambda v: on(v, due_at=None)),
    ],
    "offline or catching up": [
        ("a shutdown needs no way to Telegram", lambda v: on(replace(v, can_send=False), kind=TaskKind.SHUTDOWN))
    ],
    "unwatched": [
        ("it was due before, and decided after", after_the_sleep),
        ("it was due when all were awake", lambda v: replace(v, awake_since=ago(seconds=2))),
        ("a part has left", lambda v: replace(v, awake_since=NOW, has_begun=True)),
        ("nothing can be undone", lambda v: replace(v, awake_since=NOW, preferences=AT_ONCE)),
        ("the operator's own yes needs no start to be over", lambda v: replace(v, automatic_from=ahead(seconds=9))),
    ],
    "due_at": [("right now", lambda v: on(v, due_at=NOW))],
    "postponed": [("until now", lambda v: on(v, postponed_until=NOW))],
}
"""For each gate: what looks like a hindrance and is none."""


def cases(table: dict[str, list[tuple[str, Change]]]) -> list[Any]:
    return [pytest.param(name, change, id=f"{name}: {words}") for name, some in table.items() for words, change in some]


def test_an_approved_send_leaves_when_nothing_speaks_against_it() -> None:
    assert first_hindrance(LEAVES) is None


@pytest.mark.parametrize(("name", "change"), cases(HINDERED))
def test_a_gate_hinders_and_no_other_does(name: str, change: Change) -> None:
    view = change(LEAVES)
    found = first_hindrance(view)
    assert found is not None
    assert found[0].name == name
    assert found[1].note
    others = tuple(gate for gate in GATES if gate.name != name)
    assert first_hindrance(view, others) is None


@pytest.mark.parametrize(("name", "change"), cases(PASSES))
def test_a_gate_lets_pass(name: str, change: Change) -> None:
    assert first_hindrance(change(LEAVES)) is None


EXCLUDE_EACH_OTHER = {
    ("misfire", "server wait"),
    ("misfire", "due_at"),
    ("misfire", "postponed"),
    ("unwatched", "due_at"),
    ("unwatched", "postponed"),
    *itertools.combinations(("muted", "mute not told", "mute look-up"), 2),
}
"""What waits or is not due is not overdue, and its time has not run out; of a mute one thing is known."""


def test_of_two_gates_the_first_decides() -> None:
    assert [gate.name for gate in GATES] == list(HINDERED), "each has a case, and theirs is the order"
    told = {}
    for first, second in set(itertools.combinations(HINDERED, 2)) - EXCLUDE_EACH_OTHER:
        view = HINDERED[second][0][1](HINDERED[first][0][1](LEAVES))
        found = first_hindrance(view)
        shut = {gate.name for gate in GATES if gate.test(view) is not None}
        told[first, second] = (found[0].name if found is not None else None, shut)
    assert {pair: what for pair, what in told.items() if what != (pair[0], set(pair))} == {}


@pytest.mark.parametrize(
    ("name", "again"),
    [
        ("server wait", ahead(minutes=20)),
        ("predecessor", None),
        ("quiet hours", ahead(hours=9)),
        ("due_at", ahead(seconds=1)),
        ("postponed", ahead(hours=1)),
        ("upload", None),
    ],
)
def test_when_to_look_again(name: str, again: datetime | None) -> None:
    found = first_hindrance(HINDERED[name][0][1](LEAVES))
    assert found is not None
    assert found[1].look_again_at == again


OWN = on(LEAVES, origin=Origin.OPERATOR)
GUARD_DRAFTS = {"takeover", "off/observe", "stale"}
"""Gates that guard the agent's drafts; those of rules do not meet an operator's decision anyway."""


@pytest.mark.parametrize("name", HINDERED)
def test_the_operators_own_message_passes_only_what_guards_the_agents_drafts(name: str) -> None:
    found = first_hindrance(HINDERED[name][0][1](OWN))
    assert (found[0].name if found is not None else None) == (None if name in GUARD_DRAFTS else name)


def test_what_forbids_a_repetition_or_the_next_part_hangs_on_no_display_name() -> None:
    once_more = [gates.taken_over, gates.switched_off, gates.rule_gone]
    once_more += [gates.muted, gates.mute_untold, gates.other_version, gates.stale]
    assert [gate.test for gate in REPEAT_GATES] == once_more
    next_part = [gates.held, gates.taken_over, gates.switched_off, gates.rule_gone, gates.muted]
    assert [gate.test for gate in BETWEEN_PARTS_GATES] == next_part
    assert set(REPEAT_GATES) | set(BETWEEN_PARTS_GATES) <= set(GATES)
