"""The saved edits of the open chat: texts of the operator whose drafts are gone, or whose edit was cancelled."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from chimein_gui.domain.approvals import Approval, Outcome, SavedEdit
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.events import SavedEditsChanged
from chimein_gui.domain.ids import SavedEditId
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.domain.text.merge import MergedText
from chimein_gui.viewmodels.core.commands import CommandRunner
from chimein_gui.viewmodels.core.live_query import LiveQuery

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.approvals.decisions import ApprovalActions
    from chimein_gui.viewmodels.approvals.store import ApprovalStore
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.cards import SavedEditsService

PAUSE_MS = 1000
"""Milliseconds between two saves of a merge: the most of it that a crash loses."""

_BREAKS = re.compile("\r\n?|[\u2028\u2029]")


class SavedEditsApi(Protocol):
    """What this model asks of the engine."""

    @property
    def saved_edits(self) -> SavedEditsService:
        """Saved edits: texts of the operator whose drafts are gone."""
        ...


class SavedEdits(CommandRunner[SavedEditsApi]):
    """Follows the saved edits of one chat.

    Attributes:
        changed: The saved edits of the open chat changed, or one of them now asks for a second press.
    """

    changed = Signal()

    def __init__(
        self,
        bridge: EngineBridge,
        approvals: ApprovalStore,
        actions: ApprovalActions,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(bridge, parent)
        self._approvals, self._actions = approvals, actions
        self._chat_id: ChatId | None = None
        self._edits: tuple[SavedEdit, ...] = ()
        self._merging: dict[SavedEditId, MergedText] = {}
        self._warned_of_hold: set[SavedEditId] = set()
        self._unkept: set[SavedEditId] = set()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self.keep_results)
        actions.ending.connect(self.keep_results)
        self._live = LiveQuery(bridge, self._apply_event, self, kinds=frozenset({SavedEditsChanged}))
        self._live.failed.connect(self.failed)

    def attach(self, api: SavedEditsApi, spawn: Spawn) -> None:
        """Keep the engine to query, and read the chat that is already open."""
        super().attach(api, spawn)
        self.open(self._chat_id)

    def open(self, chat_id: ChatId | None) -> None:
        """Follow another chat; None follows none."""
        self._chat_id = chat_id
        self._install(())
        if self._api is not None and self._spawn is not None and chat_id is not None:
            saved_edits = self._api.saved_edits
            self._live.fetch(
                self._spawn, lambda: saved_edits.load(chat_id), self._install, name=f"load saved edits of {chat_id}"
            )

    def edits(self) -> tuple[SavedEdit, ...]:
        """Return the saved edits, oldest first."""
        return self._edits

    def draft_beside(self, edit: SavedEdit) -> Approval | None:
        """Return the draft whose text a saved edit may replace; None unless it waits for a decision."""
        draft = self._approvals.find(edit.paired_with) if edit.paired_with is not None else None
        return draft if draft is not None and draft.task_status is TaskStatus.AWAITING_DECISION else None

    def asks_again(self, edit: SavedEdit) -> bool:
        """Tell whether the first press was answered by a question: because of a hold or a changed conversation."""
        draft = self.draft_beside(edit)
        if draft is not None:
            return draft.is_stale and self._actions.is_acknowledged(draft)
        return edit.saved_edit_id in self._warned_of_hold

    def merging(self, edit: SavedEdit, draft: Approval) -> MergedText:
        """Return the merge of an edit with the draft beside it, as the operator left it.

        If the draft has changed since, the result so far is merged with it: nothing typed is lost.
        """
        known, theirs = self._merging.get(edit.saved_edit_id) or MergedText.restored(edit.result), as_typed(draft.text)
        if known is not None:
            self._merging[edit.saved_edit_id] = known
        if known is None or known.theirs != theirs:
            base, mine = as_typed(edit.base), as_typed(edit.mine)
            if known is not None and known.is_touched:
                # If every conflict was resolved, only the newer draft's changes are merged; else all conflicts return.
                base, mine = base if known.open else known.theirs, known.text
            known = self._merging[edit.saved_edit_id] = MergedText(base, mine, theirs)
            known.is_touched = mine != as_typed(edit.mine)
        return known

    def note_result(self, edit: SavedEdit) -> None:
        """Record that the merge changed; it is saved within `PAUSE_MS`."""
        self._unkept.add(edit.saved_edit_id)
        if not self._timer.isActive():
            self._timer.start()

    def keep_results(self) -> None:
        """Save the merges that are not saved yet."""
        self._timer.stop()
        for saved_edit_id in tuple(self._unkept):
            self._unkept.discard(saved_edit_id)
            known = self._merging.get(saved_edit_id)
            if self._api is not None and known is not None:
                self._send(
                    self._api.saved_edits.keep_result(saved_edit_id, known.state()), f"keep result {saved_edit_id}"
                )

    def apply_result(self, edit: SavedEdit, draft: Approval, text: str) -> None:
        """Approve the draft with the merged text; an empty one is ignored.

        Args:
            edit: The saved edit.
            draft: The draft as it was merged.
            text: The merged text.
        """
        if self._api is not None and text.strip():
            self._send(self._apply(self._api, edit, draft, text), f"use saved edit {edit.saved_edit_id}")

    def restore(self, edit: SavedEdit) -> None:
        """Save a discarded edit again."""
        if self._api is not None:
            known = self._merging.get(edit.saved_edit_id)
            again = edit if known is None else replace(edit, result=known.state())
            self._send(self._api.saved_edits.restore(again), f"restore saved edit {edit.saved_edit_id}")

    def leave(self, draft: Approval, text: str, position: int, now: datetime, *, instead_of: str = "") -> None:
        """Save a text whose edit was cancelled beside its draft, so that a new plan or a crash does not lose it.

        Args:
            draft: The draft that was edited.
            text: What was typed.
            position: The draft's `place_in_plan`.
            now: Aware UTC.
            instead_of: A text left on the same draft before, which this one continues.
        """
        if self._api is not None:
            edit = SavedEdit(
                SavedEditId(0), draft.chat_id, draft.draft_text, text, position, draft.approval_id, created_at=now
            )
            self._send(self._leave(self._api, edit, instead_of), f"leave text {draft.approval_id} {now}")

    async def _leave(self, api: SavedEditsApi, edit: SavedEdit, instead_of: str) -> None:
        there = (await api.saved_edits.load(edit.chat_id)).rows
        if all(one.mine != edit.mine for one in there):
            await api.saved_edits.restore(edit)
        for one in there:
            if instead_of and one.mine == instead_of != edit.mine and one.paired_with == edit.paired_with:
                await api.saved_edits.discard(one.saved_edit_id)

    def continues(self, edit: SavedEdit) -> bool:
        """Tell whether the draft beside it is the one that was edited, not a new one."""
        draft = self.draft_beside(edit)
        return draft is not None and draft.draft_text == edit.base

    def use(self, edit: SavedEdit) -> None:
        """Approve the draft beside it with this text; without such a draft, send it as the operator's own message."""
        draft = self.draft_beside(edit)
        if self._api is not None:
            command = self._write(self._api, edit) if draft is None else self._apply(self._api, edit, draft)
            self._send(command, f"use saved edit {edit.saved_edit_id}")

    def discard(self, edit: SavedEdit) -> None:
        """Delete a saved edit."""
        if self._api is not None:
            self._send(self._api.saved_edits.discard(edit.saved_edit_id), f"discard saved edit {edit.saved_edit_id}")

    async def _apply(self, api: SavedEditsApi, edit: SavedEdit, draft: Approval, text: str = "") -> None:
        outcome = await api.saved_edits.apply(
            edit.saved_edit_id,
            text=text,
            expected_version=draft.version,
            seen_up_to=self._actions.seen_of(draft),
            client_id=os.urandom(16).hex(),
        )
        self._bridge.deliver(lambda: self._answer(outcome))

    async def _write(self, api: SavedEditsApi, edit: SavedEdit) -> None:
        confirm = edit.saved_edit_id in self._warned_of_hold
        written = await api.saved_edits.use_as_message(
            edit.saved_edit_id, client_id=os.urandom(16).hex(), confirm=confirm
        )
        if written.asks:
            self._bridge.deliver(lambda: self._ask_again(edit))
        elif written.approval is None and written.explanation is not None:
            raise RefusedError(written.explanation)

    def _answer(self, outcome: Outcome) -> None:
        self._actions.take_answer(outcome)
        self.changed.emit()

    def _ask_again(self, edit: SavedEdit) -> None:
        self._warned_of_hold.add(edit.saved_edit_id)
        self.changed.emit()

    def _install(self, edits: tuple[SavedEdit, ...]) -> None:
        if edits != self._edits:
            self._edits = edits
            self.changed.emit()

    def _apply_event(self, event: EngineEvent) -> None:
        if isinstance(event, SavedEditsChanged) and event.chat_id == self._chat_id:
            self._install(event.edits)


def as_typed(text: str) -> str:
    """Return a text as a text field returns it, so that no difference looks like typing."""
    return _BREAKS.sub("\n", text).replace("\u00a0", " ")
