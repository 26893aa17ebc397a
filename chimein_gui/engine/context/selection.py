"""Chooses the messages of a plan's prompt, in the transaction that begins the plan.

See docs/behaviour.md, "Choosing the messages". Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chimein_gui.domain.accounts.group_moves import LARGEST_ID
from chimein_gui.domain.chats import ChatKind, PinKind
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.prompt.left_out import LeftOut, LeftOutKind
from chimein_gui.domain.prompt.spans import ContextChoice, PromptSpan
from chimein_gui.engine.context.prepared_rows import rows_of, self_identity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.chats import Chat, ContextPin
    from chimein_gui.domain.context import Choice, HistoryRow, LinkModel
    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.context.prepared_rows import PreparedRows, SelfIdentity
    from chimein_gui.engine.ports import Transaction

LATER = 100
"""Number of messages after the target that are candidates, too."""

MOST_TRIGGERS = 6
"""Number of the newest unanswered triggers for which the choice is made; older ones are in the prompt anyway."""

LONGEST_CHAIN = 20
"""Maximum number of messages up a chain of replies that are fetched beyond the candidates."""

STEPS = 4
"""A fixed history that slides begins at the same message until then, and drops up to this fraction of it at once."""

MOST_MESSAGES = 500
"""Maximum number of messages in a prompt, whatever the preferences are."""


@dataclass(frozen=True, slots=True)
class Context:
    """The choice for one plan.

    Attributes:
        messages: The messages in the prompt, oldest first.
        considered: All messages considered, oldest first, including `messages`.
        choices: The reason for each considered message, for the trace; empty if the history is taken unchanged.
        beside: Messages that the prompt quotes beside its history.
        lost_pins: Number of messages pinned in that are not in it, because they are gone or the history is fixed.
        has_older: The chat has messages that were not considered, older ones or some between them.
        limit: Maximum number of messages in the prompt, without its triggers.
    """

    messages: tuple[Message, ...]
    considered: tuple[Message, ...]
    choices: tuple[Choice, ...] = ()
    beside: tuple[Message, ...] = ()
    lost_pins: int = 0
    has_older: bool = False
    limit: int = MOST_MESSAGES

    def holding(self, taken: Collection[int], choices: Iterable[Choice]) -> Context:
        """Return the same with other messages; if they are too many, the triggers, anchors, pins and the newest others.

        Args:
            taken: Ids of the chosen messages, including the triggers.
            choices: The reason for each message but the triggers; those over the limit count as beyond the look-back.
        """
        from chimein_gui.domain.context import Reason

        by_id = {one.message_id: one for one in choices}
        firm = (Reason.ANCHOR, Reason.PINNED_IN, Reason.INCLUDED_ONCE)
        fixed = {one.message_id for one in by_id.values() if one.reason in firm}
        kept = fixed.union(taken) - (by_id.keys() - fixed)
        others = sorted(set(taken) - kept)
        over = set(others[: max(0, len(others) + len(kept) - self.limit)])
        by_id.update((one, by_id[one]._replace(included=False, reason=Reason.BEYOND_LOOKBACK)) for one in over)
        kept.update(others)
        kept -= over
        whole = self._parts_beside(kept)
        by_id.update((one, by_id[one]._replace(included=True)) for one in whole & by_id.keys())
        kept |= whole
        messages = tuple(one for one in self.considered if int(one.key.message_id) in kept)
        return replace(self, messages=messages, choices=tuple(by_id.values()))

    def _parts_beside(self, kept: Collection[int]) -> set[int]:
        """Return the other parts of albums that are held in part, because an album is one message."""
        parts = [one for one in self.considered if one.grouped_id is not None and not one.deleted]
        albums = {one.grouped_id for one in parts if int(one.key.message_id) in kept}
        return {int(one.key.message_id) for one in parts if one.grouped_id in albums}

    @property
    def is_partial(self) -> bool:
        """Return whether the chat has messages that the prompt lacks, so that the model may look them up."""
        if self.has_older or self.considered is self.messages:
            return self.has_older
        taken = {message.key.message_id for message in self.messages}
        return any(
            not (message.deleted or message.is_service) and message.key.message_id not in taken
            for message in self.considered
        )

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """Return what is not in the prompt, with the reasons."""
        is_fixed = not self.choices
        counted = {} if is_fixed else self._not_chosen()
        if self.lost_pins:
            counted[LeftOutKind.PIN_UNUSED if is_fixed else LeftOutKind.PIN_GONE] = self.lost_pins
        if is_fixed and self.has_older:
            counted[LeftOutKind.OLDER] = len(self.messages)
        if not counted:
            return ()
        return tuple(LeftOut(kind, number=counted[kind]) for kind in LeftOutKind if kind in counted)

    def _not_chosen(self) -> dict[LeftOutKind, int]:
        from chimein_gui.domain.context import Reason

        kinds = {Reason.PINNED_OUT: LeftOutKind.PINNED_OUT, Reason.BEYOND_LOOKBACK: LeftOutKind.OVER_LIMIT}
        return Counter(
            kinds.get(one.reason, LeftOutKind.OTHERS)
            for one in self.choices
            if not one.included and one.reason is not Reason.GONE
        )

    def span(self, extra: Sequence[MessageId] = ()) -> PromptSpan:
        """Return which messages are in the prompt; `extra` are in it in addition to its history."""
        ids = [message.key.message_id for message in self.considered]
        span = PromptSpan(min(ids), max(ids)) if ids else PromptSpan()
        if self.choices:
            chosen = tuple(message.key.message_id for message in self.messages)
            traced = tuple(
                ContextChoice(MessageId(one.message_id), one.included, round(100 * one.probability), str(one.reason))
                for one in self.choices
            )
            span = replace(span, chosen=chosen, choices=traced)
        beyond = tuple([number for number in extra if not span.holds(number)])
        return replace(span, extra=beyond) if beyond else span


class ContextChooser:
    """Chooses by the rules of an agent's file: a number of messages of history, or those that belong together."""

    def __init__(self, model: LinkModel | None = None, prepared: PreparedRows | None = None) -> None:
        """Create the service with rows prepared at ingest. Without a model, gaps of time separate sessions."""
        self._model = model
        self._prepared = prepared

    def choose(
        self,
        tx: Transaction,
        chat: Chat,
        spec: AgentSpec,
        trigger_ids: tuple[MessageId, ...],
        preferences: Preferences,
    ) -> Context:
        """Choose the messages of a prompt.

        Args:
            tx: The transaction that begins the plan.
            chat: The conversation.
            spec: The agent's file, for its `Context`.
            trigger_ids: Unanswered messages, oldest first; the last is the target.
            preferences: The maximum number of messages of history, and whether its beginning is to stay for a while.
        """
        limit = preferences.history_limit
        wanted = spec.dm_history if chat.info.kind is ChatKind.DM else spec.group_history
        targets = [one for number in trigger_ids if (one := _get(tx, chat, number)) is not None and not one.deleted]
        if wanted is not None or not targets:
            count = limit if wanted is None else min(wanted, limit)
            return _history(tx, chat, targets, count, is_steady=preferences.changes_last)
        return self._belonging(tx, chat, targets, limit)

    def _belonging(self, tx: Transaction, chat: Chat, targets: list[Message], limit: int) -> Context:
        from chimein_gui.domain.context import HISTORY, Reason, union

        account, peer = chat.info.account_id, chat.info.peer_id
        recent = tx.messages.before(account, peer, before_id=None, limit=HISTORY + LATER)
        earlier = _preceding(tx, chat, targets[-MOST_TRIGGERS:], recent)
        recent = _with(recent, earlier)
        near = {one.key.message_id for one in recent}
        recent = _with(recent, _chains(tx, chat, targets, recent))
        me = self_identity(tx, chat)
        rows = rows_of(recent, me)
        chosen = [self._before(chat, rows, target, me) for target in targets[-MOST_TRIGGERS:]]
        chosen.append(self._after(rows, targets[-1], me))
        asked = {int(target.key.message_id) for target in targets}
        choices = tuple(
            one for one in union(chosen) if one.message_id not in asked and one.reason is not Reason.BEYOND_LOOKBACK
        )
        recent = _with(recent, _pinned_beyond(tx, chat, recent))
        choices = _with_pins(choices, chat.settings.pins, {int(one.key.message_id): one for one in recent}, asked)
        lost_pins = len(_pinned_in(chat) - asked - {one.message_id for one in choices if one.included})
        taken = asked.union(one.message_id for one in choices if one.included)
        looked_at = asked.union(one.message_id for one in choices)
        considered = tuple(one for one in _with(recent, targets) if int(one.key.message_id) in looked_at)
        oldest = next((one for one in considered if one.key.message_id in near), None)
        has_older = bool(earlier) or _has_older(tx, oldest)
        begun = Context((), considered, lost_pins=lost_pins, has_older=has_older, limit=limit)
        return begun.holding(taken, choices)

    def _before(self, chat: Chat, rows: list[HistoryRow], target: Message, me: SelfIdentity) -> tuple[Choice, ...]:
        """Choose among the messages before a trigger."""
        from chimein_gui.domain.context import select_context

        number = int(target.key.message_id)
        history = [row for row in rows if row.message_id < number]
        kept = None if self._prepared is None else self._prepared.before(chat.chat_id, target.key.message_id)
        return select_context(history, rows_of([target], me)[0], self._model, kept)

    def _after(self, rows: list[HistoryRow], target: Message, me: SelfIdentity) -> tuple[Choice, ...]:
        """Choose among the messages that came after the target: those that would be chosen if it came now."""
        number = int(target.key.message_id)
        if not rows or rows[-1].message_id <= number:
            return ()
        choices = would_take(rows, rows_of([target], me)[0], self._model)
        return tuple(one for one in choices if one.message_id > number)


def would_take(rows: Sequence[HistoryRow], target: HistoryRow, model: LinkModel | None) -> tuple[Choice, ...]:
    """Choose as if the target came after the newest message.

    Args:
        rows: The chat, oldest first; the target may be among them.
        target: The newest trigger.
        model: The weights.
    """
    from chimein_gui.domain.context import HISTORY, select_context

    others = [row for row in rows if row.message_id != target.message_id][-HISTORY:]
    if not others:
        return ()
    moved = replace(
        target,
        message_id=max(target.message_id, others[-1].message_id) + 1,
        sent_at=max(target.sent_at, others[-1].sent_at),
    )
    return select_context(others, moved, model)


def _history(tx: Transaction, chat: Chat, targets: list[Message], count: int, *, is_steady: bool) -> Context:
    """Take the newest messages; also the triggers and the message that the target replies to, even if older.

    If the begin is to be steady, that message stands beside the history: before it, it would displace all that two
    prompts have in common.
    """
    newest = tx.messages.before(chat.info.account_id, chat.info.peer_id, before_id=None, limit=count + 1)
    messages, has_older = newest[-count:] if count else (), len(newest) > count
    if has_older and is_steady:
        messages = newest[steady_begin(newest, count) :]
    anchor = None
    if targets and targets[-1].reply_to_id is not None:
        anchor = _get(tx, chat, targets[-1].reply_to_id)
    first = messages[0].key.message_id if messages else LARGEST_ID
    beyond = [one for one in (*targets, anchor) if one is not None and one.key.message_id < first and not one.deleted]
    beside = tuple(one for one in beyond if one is anchor) if is_steady else ()
    held = _with(messages, [one for one in beyond if one not in beside])
    lost_pins = len(_pinned_in(chat) - {int(one.key.message_id) for one in (*held, *beside) if not one.deleted})
    return Context(held, messages, beside=beside, lost_pins=lost_pins, has_older=has_older)


def steady_begin(newest: Sequence[Message], count: int) -> int:
    """Return the place of the message with which a history of at most `count` messages begins.

    Among the oldest fraction it is the one with the least hash, which stays the least for a while when newer messages
    come. It depends on the messages alone, so every builder of the same prompt finds the same one. No album is cut.

    Args:
        newest: The newest messages, one more than `count`.
        count: Maximum number of messages.
    """
    places = range(1, 2 + count // STEPS)
    whole = [
        place
        for place in places
        if newest[place].grouped_id is None or newest[place].grouped_id != newest[place - 1].grouped_id
    ]
    return min(whole or (1,), key=lambda place: int(newest[place].key.message_id) * _GOLDEN % _WORD)


_GOLDEN, _WORD = 0x9E3779B97F4A7C15, 1 << 64
"""Fibonacci hashing: near numbers get hashes far from each other."""


def _preceding(tx: Transaction, chat: Chat, targets: list[Message], recent: Sequence[Message]) -> list[Message]:
    """Fetch the messages before triggers that have many later messages, without those that are already there."""
    from chimein_gui.domain.context import HISTORY

    if len(recent) < HISTORY + LATER:
        return []  # that is the whole chat
    ids = [message.key.message_id for message in recent]
    found: dict[MessageId, Message] = {}
    for target in targets:
        number = target.key.message_id
        if bisect_left(ids, number) < HISTORY:
            account, peer = chat.info.account_id, chat.info.peer_id
            before = tx.messages.before(account, peer, before_id=number, limit=HISTORY)
            found.update((one.key.message_id, one) for one in before if one.key.message_id < ids[0])
    return list(found.values())


def _chains(tx: Transaction, chat: Chat, targets: list[Message], recent: Sequence[Message]) -> list[Message]:
    """Fetch the messages that the triggers reply to, and those that these reply to, if older than the candidates."""
    known = {message.key.message_id: message for message in recent}
    found: list[Message] = []
    for target in targets:
        number, steps = target.reply_to_id, 0
        while number is not None and steps < LONGEST_CHAIN:
            message = known.get(number) or _get(tx, chat, number)
            if message is None:
                break
            if number not in known:
                known[number] = message
                found.append(message)
            number, steps = message.reply_to_id, steps + 1
    return found


def _with(messages: Sequence[Message], more: Sequence[Message]) -> tuple[Message, ...]:
    """Merge messages into others by their ids, each once."""
    known = {message.key.message_id for message in messages}
    missing = {message.key.message_id: message for message in more if message.key.message_id not in known}
    if not missing:
        return tuple(messages)
    return tuple(sorted((*messages, *missing.values()), key=lambda message: message.key.message_id))


def _pinned_in(chat: Chat) -> set[MessageId]:
    return {pin.message_id for pin in chat.settings.pins if pin.kind is not PinKind.OUT}


def _pinned_beyond(tx: Transaction, chat: Chat, recent: Sequence[Message]) -> list[Message]:
    """Fetch the messages that are pinned in and older than the candidates."""
    wanted = sorted(_pinned_in(chat))
    if not wanted:
        return []
    known = {message.key.message_id for message in recent}
    found = (_get(tx, chat, number) for number in wanted if number not in known)
    return [message for message in found if message is not None]


def _with_pins(
    choices: tuple[Choice, ...], pins: Sequence[ContextPin], known: Mapping[int, Message], asked: Collection[int]
) -> tuple[Choice, ...]:
    """Let the operator's pins replace choices; triggers stay in, and what is gone stays out."""
    from chimein_gui.domain.context import Choice, Reason

    if not pins:
        return choices
    reasons = {
        PinKind.IN: Reason.PINNED_IN,
        PinKind.OUT: Reason.PINNED_OUT,
        PinKind.ONCE: Reason.INCLUDED_ONCE,
    }
    by_id = {one.message_id: one for one in choices}
    for pin in pins:
        number = int(pin.message_id)
        message = known.get(number)
        if number in asked or message is None or message.deleted or message.is_service:
            continue
        before, is_in = by_id.get(number), pin.kind is not PinKind.OUT
        if before is not None or is_in:
            by_id[number] = Choice(number, is_in, 0.0 if before is None else before.probability, reasons[pin.kind])
    return tuple(by_id[number] for number in sorted(by_id))


def forget_used_pins(tx: Transaction, begun: Chat) -> bool:
    """Remove the one-time pins that a stored plan was made with; return whether there were any.

    Args:
        tx: The transaction that stores the plan.
        begun: The chat as it was when the plan began; later pins are for the next plan.
    """
    used = {pin for pin in begun.settings.pins if pin.kind is PinKind.ONCE}
    if used:
        settings = tx.chats.settings_of(begun.chat_id)
        left = tuple(pin for pin in settings.pins if pin not in used)
        tx.chats.set_settings(begun.chat_id, replace(settings, pins=left))
    return bool(used)


def _has_older(tx: Transaction, oldest: Message | None) -> bool:
    """Return whether the chat of a message has older ones."""
    if oldest is None:
        return False
    key = oldest.key
    return bool(tx.messages.before(key.account_id, key.peer_id, before_id=key.message_id, limit=1))


def _get(tx: Transaction, chat: Chat, number: MessageId) -> Message | None:
    return tx.messages.get(MessageKey(chat.info.account_id, chat.info.peer_id, number))
