"""The operator's own messages as the agent: they pass the ledger like all sends, but not the trust gate.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import OPERATOR, Approval, Verdict
from chimein_gui.domain.chats import Unsent
from chimein_gui.domain.errors import GatewayError, NotConnectedError, Refusal, RefusedError
from chimein_gui.domain.failpoints import Failpoint, Reach, pass_by
from chimein_gui.domain.messages import MessageKey, utf16_length
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.plans.outgoing_files import MAX_CAPTION_UNITS, FileToSend
from chimein_gui.domain.plans.planned_steps import PlannedStep
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.tasks import Origin, TaskKind, TaskStatus
from chimein_gui.engine.approvals.admission import storing_problem, text_problem
from chimein_gui.engine.approvals.approve import approve
from chimein_gui.engine.operator.resend import add_beside, requested
from chimein_gui.engine.policy.hold_check import hold_note
from chimein_gui.engine.ports import DecisionRecord
from chimein_gui.engine.text.markdown import formatted
from chimein_gui.engine.triggers.takeover import begin_takeover

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId, ChatId, MessageId
    from chimein_gui.domain.plans.outgoing_files import OutgoingFile
    from chimein_gui.engine.accounts.directory import AccountDirectory
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import OutgoingFiles, Transaction


class AgentStickers:
    """Looks up the sticker sets and single stickers of an agent's file."""

    def __init__(self, directory: AccountDirectory) -> None:
        """`directory` has the agents and their gateways."""
        self._directory = directory

    async def load(self, agent_id: AgentId) -> tuple[StickerRef, ...]:
        """Return the stickers that the agent may send, single ones first. Failed look-ups are left out.

        Raises:
            NotFoundError: There is no such agent.
            NotConnectedError: Its account is not connected.
        """
        entry = self._directory.entry(agent_id)
        gateway = entry.gateway
        if gateway is None or not gateway.is_up():
            raise NotConnectedError(Note(ConnectionReason.NOT_CONNECTED))
        spec, found = self._directory.spec_of(agent_id), dict[int, StickerRef]()
        for set_name, name in spec.stickers:
            try:
                sticker = await gateway.find_sticker(set_name, name)
            except GatewayError:
                continue
            if sticker is not None:
                found.setdefault(sticker.document_id, sticker)
        for set_name in spec.sticker_sets:
            try:
                listed = await gateway.sticker_set(set_name)
            except GatewayError:
                continue
            for sticker in listed:
                found.setdefault(sticker.document_id, sticker)
        return tuple(found.values())


WRITE = "Write"
"""Name of the operator's own messages in the decision log."""

KEPT_FOR = timedelta(hours=1)
"""How long the file of a rejected send is kept, because the operator may restore the send."""


@dataclass(frozen=True, slots=True)
class Written:
    """The result of writing a message.

    Attributes:
        approval: The card of the message; None if nothing was stored.
        explanation: Why it was not stored, or what it waits for; None if it is on its way.
        asks: The chat is held, or accepted no messages the last time. With `confirm` the message is stored all the
            same; under a hold it leaves after the operator confirms it in the review that the release opens.
    """

    approval: Approval | None
    explanation: Note | None = None
    asks: bool = False


class FileCopies:
    """Keeps the copies of files that are to be sent, from the operator's press until no send needs them."""

    def __init__(self, files: OutgoingFiles | None) -> None:
        self._files = files
        self._new: set[str] = set()

    async def take(self, file: FileToSend, caption: str) -> OutgoingFile:
        """Copy a file; `end` must be called once it is stored or not.

        Raises:
            RefusedError: The file or its caption cannot be sent.
        """
        if self._files is None:
            raise RefusedError("no store of files", Refusal.NO_FILES)
        if utf16_length(formatted(caption)[0].strip()) > MAX_CAPTION_UNITS:
            raise RefusedError("The caption is too long.", Refusal.CAPTION_TOO_LONG)
        copy = await self._files.take(file)
        self._new.add(copy.stored_as)
        return copy

    async def end(self, copy: OutgoingFile, *, is_needed: bool) -> None:
        """Leave a copy to the send that was stored with it, or remove it."""
        self._new.discard(copy.stored_as)
        if not is_needed and self._files is not None:
            await self._files.drop(copy.stored_as)

    async def sweep(self, needed: Iterable[str]) -> None:
        """Remove the copies that are neither needed nor new."""
        if self._files is not None:
            await self._files.sweep(frozenset(needed) | self._new)


class Composer:
    """Stores the operator's own messages and unsent texts."""

    def __init__(
        self,
        unit: UnitOfWork,
        environment: TransactionEnvironment,
        reach: Reach = pass_by,
        files: OutgoingFiles | None = None,
    ) -> None:
        """`files` stores copies of the files that are sent."""
        self._unit = unit
        self._environment = environment
        self._reach = reach
        self.copies = FileCopies(files)

    async def write(
        self,
        chat_id: ChatId,
        text: str,
        *,
        client_id: str,
        reply_to_id: MessageId | None = None,
        confirm: bool = False,
        attached: StickerRef | FileToSend | None = None,
        together_with: Callable[[Transaction], list[EngineEvent]] | None = None,
    ) -> Written:
        """Send a message as the agent, which pauses in this chat from now on.

        Args:
            chat_id: The conversation.
            text: Markdown; longer than one message is split.
            client_id: Made by the caller; repeating a press with the same one is a no-op.
            reply_to_id: The message it answers, or None; an id that is not in the chat is ignored.
            confirm: The operator was asked because of a hold and has confirmed.
            attached: A sticker replaces the text; a file is copied and takes the text as its caption.
            together_with: Runs in the same transaction if the message is stored (writer); nothing is if it raises.

        Raises:
            NotFoundError: There is no such chat.
            RefusedError: The file cannot be sent.
            StoreError: Nothing was stored.
        """
        copy = await self.copies.take(attached, text) if isinstance(attached, FileToSend) else None
        sticker = attached if isinstance(attached, StickerRef) else None
        kind = TaskKind.FILE if copy is not None else TaskKind.STICKER if sticker is not None else TaskKind.SEND
        step = PlannedStep(kind, text.strip() if sticker is None else sticker.name, reply_to_id, sticker, file=copy)
        work = partial(self._write, chat_id=chat_id, step=step, client_id=client_id, confirm=confirm)

        def whole(tx: Transaction) -> tuple[list[EngineEvent], tuple[Written, bool]]:
            written, events = work(tx)
            further = together_with(tx) if events and together_with is not None else ()
            return [*events, *further], (written, bool(events))

        written, _ = await self._unit.run(whole, committed=self._stored)
        if copy is not None:
            await self.copies.end(copy, is_needed=written.approval is not None and written.approval.file == copy)
        return written

    def _stored(self, result: tuple[Written, bool]) -> None:
        _, is_stored = result
        if is_stored:
            self._reach(Failpoint.DECISION_COMMITTED)

    async def sweep(self) -> None:
        """Remove the copies that no send needs any more."""
        since = self._environment.now() - KEPT_FOR
        needed = await self._unit.read(lambda tx: tx.approvals.files(since))
        await self.copies.sweep(needed)

    async def keep(self, unsent: Unsent) -> None:
        """Store unsent text of a chat, so that a crash does not lose it; an empty text deletes it.

        Raises:
            StoreError: The text was not stored.
        """
        await self._unit.write(lambda tx: tx.chats.keep_unsent(unsent))

    async def load_kept(self) -> tuple[Unsent, ...]:
        """Return the unsent texts, by chat.

        Raises:
            StoreError: The texts could not be read.
        """
        return await self._unit.read(lambda tx: tx.chats.unsent())

    def _write(
        self,
        tx: Transaction,
        *,
        chat_id: ChatId,
        step: PlannedStep,
        client_id: str,
        confirm: bool,
    ) -> tuple[Written, list[EngineEvent]]:
        environment = self._environment
        repeated = tx.decisions.of_client(client_id)
        if repeated is not None:
            card = tx.approvals.get(repeated.approval_id)
            is_same = (repeated.decision, repeated.text, card.chat_id) == (WRITE, step.text, chat_id)
            return Written(card) if is_same else Written(None, Note(Reason.OTHER_PRESS)), []
        chat = tx.chats.get(chat_id)
        problem = text_problem(step.text) if step.kind is TaskKind.SEND else storing_problem(step.text)
        if problem:
            return Written(None, problem), []
        held = hold_note(tx, environment, chat.info.account_id, chat_id)
        if not confirm and (held or not chat.may_write):
            # Telegram does not report that a group lets us write again; only an attempt shows it.
            closed = None if chat.may_write else Note(Reason.NOT_WRITABLE)
            why = Note(Reason.HELD_PRESS_AGAIN, cause=held) if held else closed
            return Written(None, why, asks=True), []
        step = replace(step, reply_to=_known(tx, chat, step.reply_to))
        # The messages it covers count as answered once it is sent; until then the pause keeps the agent from answering.
        covers = chat.newest_in_id
        approval = add_beside(tx, chat, step, environment, origin=Origin.OPERATOR, covers_up_to=covers)
        if approval.task_status is TaskStatus.AWAITING_DECISION:
            approval = approve(tx, approval, environment)
        approval = _behind_earlier(tx, approval)
        if step.sticker is None:
            tx.chats.keep_unsent(Unsent(chat_id, ""))
        self._log(tx, approval, client_id)
        events = begin_takeover(tx, chat, environment.now(), environment.preferences)
        explanation = Note(Reason.AFTER_RELEASE, cause=held) if held else None
        return Written(approval, explanation), [*requested(tx, approval), *events]

    def _log(self, tx: Transaction, approval: Approval, client_id: str) -> None:
        record = DecisionRecord(
            client_id,
            approval.approval_id,
            approval.version,
            WRITE,
            approval.text,
            Verdict.ACCEPTED,
            self._environment.now(),
            by=OPERATOR,
        )
        tx.decisions.add(record)


def _behind_earlier(tx: Transaction, approval: Approval) -> Approval:
    """Make a message start after the operator's earlier ones, whatever their typing times."""
    open_ones = tx.approvals.of_chat(approval.chat_id)
    earlier = [one.due_at for one in open_ones if one.origin is Origin.OPERATOR and one.due_at is not None]
    latest = max(earlier, default=None)
    if latest is None or approval.due_at is None or approval.due_at >= latest:
        return approval
    tx.approvals.save(replace(approval, due_at=latest))
    return tx.approvals.get(approval.approval_id)


def _known(tx: Transaction, chat: Chat, message_id: MessageId | None) -> MessageId | None:
    if message_id is None:
        return None
    key = MessageKey(chat.info.account_id, chat.info.peer_id, message_id)
    return message_id if tx.messages.get(key) is not None else None
