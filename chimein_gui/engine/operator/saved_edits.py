"""The saved edits: texts of the operator that are kept after their drafts are gone (docs/behaviour.md, "Kept edits").

A saved edit is removed only by being applied, used as a message, or discarded. Functions that take a transaction run
on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import ApproveEdited, Outcome, Verdict
from chimein_gui.domain.errors import Refusal, RefusedError
from chimein_gui.domain.events import EngineEvent
from chimein_gui.domain.loaded import Loaded
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.tasks.saved_edits import saved_edits_changed

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import SavedEdit
    from chimein_gui.domain.ids import ChatId, Revision, SavedEditId
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.operator.composer import Composer, Written
    from chimein_gui.engine.operator.decisions import DecisionService
    from chimein_gui.engine.ports import Transaction


class SavedEditsService:
    """Lists, applies, sends, discards and restores kept edits."""

    def __init__(self, unit: UnitOfWork, deciding: DecisionService, composer: Composer) -> None:
        self._unit = unit
        self._deciding = deciding
        self._composer = composer

    async def load(self, chat_id: ChatId) -> Loaded[SavedEdit]:
        """Return a chat's kept edits, oldest first."""
        return await self._unit.read(lambda tx: Loaded(tx.saved_edits.of_chat(chat_id), tx.revision))

    async def apply(
        self, saved_edit_id: SavedEditId, *, text: str = "", expected_version: int, seen_up_to: Revision, client_id: str
    ) -> Outcome:
        """Approve the draft beside an edit with the operator's text; if that is accepted, the saved edit is removed.

        Args:
            saved_edit_id: The edit.
            text: The merged text of edit and draft; empty for the edit itself.
            expected_version: The version of the draft on the screen.
            seen_up_to: As in a decision: the draft's `changed_at` if the operator acknowledged it.
            client_id: Made by the caller; repeating a press with the same one is a no-op.

        Raises:
            NotFoundError: There is no such edit.
            RefusedError: There is no draft beside it.
            StoreError: Nothing was decided.
        """
        kept = await self._unit.read(lambda tx: tx.saved_edits.get(saved_edit_id))
        if kept.paired_with is None:
            raise RefusedError("no draft beside this text", Refusal.NOTHING_BESIDE)
        outcome = await self._deciding.decide(
            kept.paired_with,
            expected_version=expected_version,
            decision=ApproveEdited(text or kept.mine, frozenset({kept.mine})),
            seen_up_to=seen_up_to,
            client_id=client_id,
        )
        if outcome.verdict is Verdict.CLOSED:
            return replace(outcome, explanation=Note(Reason.USE_AS_MESSAGE, cause=outcome.explanation))
        if outcome.verdict is Verdict.ACCEPTED and text:
            # It is still saved if the result is the new draft's own text.
            await self._unit.apply(partial(_take_off_if_there, edit=kept))
        return outcome

    async def use_as_message(self, saved_edit_id: SavedEditId, *, client_id: str, confirm: bool = False) -> Written:
        """Send the edit as the operator's own message. It is removed when the message is stored.

        Args:
            saved_edit_id: The edit.
            client_id: Made by the caller; repeating a press with the same one is a no-op.
            confirm: The operator was asked because of a hold and has confirmed.

        Raises:
            NotFoundError: There is no such edit.
            StoreError: Nothing was stored.
        """
        kept = await self._unit.read(lambda tx: tx.saved_edits.get(saved_edit_id))
        # In the transaction that stores the message, so that a double press or an interruption sends one message.
        take_off = partial(_take_off, saved_edit_id=saved_edit_id)
        return await self._composer.write(
            kept.chat_id, kept.mine, client_id=client_id, confirm=confirm, together_with=take_off
        )

    async def discard(self, saved_edit_id: SavedEditId) -> None:
        """Discard a kept edit.

        Raises:
            NotFoundError: There is no such edit.
            StoreError: Nothing has changed.
        """
        await self._take_off(saved_edit_id)

    async def keep_result(self, saved_edit_id: SavedEditId, result: str) -> None:
        """Store the intermediate result of a comparison, so that a crash does not lose it.

        Args:
            saved_edit_id: The edit; one that was removed is ignored.
            result: The value of `MergedText.state`.

        Raises:
            StoreError: The result was not stored.
        """
        await self._unit.write(lambda tx: tx.saved_edits.keep_result(saved_edit_id, result))

    async def restore(self, edit: SavedEdit) -> None:
        """Save a discarded edit again, beside its draft if that still waits.

        Raises:
            StoreError: Nothing has changed.
        """
        await self._unit.apply(partial(_restore, edit=edit))

    async def _take_off(self, saved_edit_id: SavedEditId) -> None:
        await self._unit.apply(partial(_take_off, saved_edit_id=saved_edit_id))


def _restore(tx: Transaction, *, edit: SavedEdit) -> list[EngineEvent]:
    kept = tx.saved_edits.of_chat(edit.chat_id)
    if any((one.mine, one.created_at) == (edit.mine, edit.created_at) for one in kept):
        return []
    beside = edit.paired_with
    if beside is not None and tx.approvals.get(beside).task_status is not TaskStatus.AWAITING_DECISION:
        beside = None
    tx.saved_edits.add(
        edit.chat_id,
        base=edit.base,
        mine=edit.mine,
        position=edit.position,
        paired_with=beside,
        created_at=edit.created_at,
        result=edit.result,
    )
    return [saved_edits_changed(tx, edit.chat_id)]


def _take_off_if_there(tx: Transaction, *, edit: SavedEdit) -> list[EngineEvent]:
    there = any(one.saved_edit_id == edit.saved_edit_id for one in tx.saved_edits.of_chat(edit.chat_id))
    return _take_off(tx, saved_edit_id=edit.saved_edit_id) if there else []


def _take_off(tx: Transaction, *, saved_edit_id: SavedEditId) -> list[EngineEvent]:
    chat_id = tx.saved_edits.get(saved_edit_id).chat_id
    tx.saved_edits.remove(saved_edit_id)
    return [saved_edits_changed(tx, chat_id)]
