"""The data that the gates of a claim check, read once in its transaction.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.chats import MuteState
from chimein_gui.domain.notes import Note
from chimein_gui.domain.tasks import LedgerState, TaskStatus
from chimein_gui.engine.approvals.admission import rule_reasons
from chimein_gui.engine.core.environment import EVER
from chimein_gui.engine.policy.hold_check import hold_note, mute_of
from chimein_gui.engine.policy.server_waits import waits_until
from chimein_gui.engine.policy.timing import quiet_until
from chimein_gui.engine.policy.trust import cap_reached, rule_still_holds, trust_now
from chimein_gui.engine.tasks.transitions import LEFT, settled

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat, TrustLevel
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import GraphRow, LedgerRow, TaskRow, Transaction

ON_ITS_WAY = frozenset({TaskStatus.SENDING, TaskStatus.UNKNOWN})
"""States of another send during which a chat can't claim."""

OPEN_REQUEST = frozenset({LedgerState.PREPARED, LedgerState.UNKNOWN})
"""States of a request that a claim may change to `sending`."""


@dataclass(frozen=True, slots=True)
class ClaimView:
    """An approved send with everything that decides whether it may start.

    Attributes:
        approval: The send.
        task: Its step.
        chat: Its conversation.
        graph: Its plan.
        requests: Its open requests, by part: prepared, or with an unknown outcome.
        now: Aware UTC.
        preferences: Adjustable behaviour.
        trust: The active level.
        hold: Note of the active hold; None without one.
        broken_rule: Why the rule would not decide so now, strongest first; empty for the operator's decisions.
        cap: The cap that is reached; None if none is, and for the operator's decisions.
        can_send: The account is connected and has caught up.
        server_wait_until: End of Telegram's wait; or None.
        another_on_its_way: Another send of the chat is sending or unknown.
        predecessor_settled: The step before it is done or skipped.
        quiet_until: End of the current quiet hours, aware UTC; None outside of them, and for the operator's decisions.
        mute: State of the chat's mute, in DMs only; HEARD for the operator's decisions.
        is_editing: An editor is open in the chat, and this send is automatic.
        has_begun: A part was sent, or may have been.
        lacks_file: Its file is not uploaded yet.
        awake_since: Since when the operator could stop sends, aware UTC.
        automatic_from: Earliest time of automatic sends after the start, aware UTC.
    """

    approval: Approval
    task: TaskRow
    chat: Chat
    graph: GraphRow
    requests: tuple[LedgerRow, ...]
    now: datetime
    preferences: Preferences
    trust: TrustLevel
    hold: Note | None = None
    broken_rule: tuple[AskReason, ...] = ()
    cap: Note | None = None
    can_send: bool = True
    server_wait_until: datetime | None = None
    another_on_its_way: bool = False
    predecessor_settled: bool = True
    quiet_until: datetime | None = None
    is_editing: bool = False
    has_begun: bool = False
    awake_since: datetime = EVER
    automatic_from: datetime = EVER
    mute: MuteState = MuteState.HEARD
    lacks_file: bool = False

    @property
    def leaves_at(self) -> datetime | None:
        """Return when it was due, or the end of its postponement if that is later."""
        due, postponed = self.approval.due_at, self.approval.postponed_until
        return due if postponed is None else postponed if due is None else max(due, postponed)


def view_of(tx: Transaction, approval: Approval, environment: TransactionEnvironment) -> ClaimView:
    """Read an approved send and everything that its gates check."""
    now, preferences = environment.now(), environment.preferences
    chat, task = tx.chats.get(approval.chat_id), tx.tasks.get(approval.task_id)
    graph = tx.graphs.get(approval.graph_id)
    rows = tx.ledger.of_approval(approval.approval_id)
    by_rule, hours, begun = approval.by_rule, chat.settings.quiet_hours, _has_begun(rows)
    return ClaimView(
        approval=approval,
        task=task,
        chat=chat,
        graph=graph,
        requests=tuple([row for row in rows if row.state in OPEN_REQUEST]),
        now=now,
        preferences=preferences,
        trust=trust_now(chat, now),
        hold=hold_note(tx, environment, approval.account_id, approval.chat_id),
        broken_rule=_broken_rule(tx, approval, chat, graph, now) if by_rule else (),
        cap=cap_reached(tx, chat, preferences, now) if by_rule and not begun else None,
        can_send=environment.can_send(approval.account_id),
        server_wait_until=waits_until(tx, approval, now),
        another_on_its_way=_another_on_its_way(tx, approval),
        predecessor_settled=settled(tx, task.depends_on),
        quiet_until=quiet_until(hours, environment.zone_of(approval.agent_id), now) if by_rule and hours else None,
        is_editing=by_rule and environment.is_editing(approval.chat_id),
        has_begun=begun,
        awake_since=environment.awake_since(),
        automatic_from=environment.automatic_from(),
        mute=mute_of(environment, chat) if by_rule else MuteState.HEARD,
        lacks_file=approval.file is not None and not environment.is_uploaded(approval.approval_id),
    )


def _broken_rule(
    tx: Transaction, approval: Approval, chat: Chat, graph: GraphRow, now: datetime
) -> tuple[AskReason, ...]:
    reasons = rule_reasons(tx, chat, approval.kind, approval.text, graph, now)
    holds = rule_still_holds(approval.decided_by, trust_now(chat, now))
    return reasons if reasons or holds else (AskReason.REVIEW,)


def _has_begun(rows: tuple[LedgerRow, ...]) -> bool:
    """Return whether a part was claimed, so that the caps have counted the send."""
    return any(row.claimed_at is not None and row.state in LEFT for row in rows)


def _another_on_its_way(tx: Transaction, approval: Approval) -> bool:
    others = [task.status for task in tx.tasks.current_of_chat(approval.chat_id) if task.task_id != approval.task_id]
    return not ON_ITS_WAY.isdisjoint(others)
