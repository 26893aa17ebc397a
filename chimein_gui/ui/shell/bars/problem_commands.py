"""The actions of the buttons in the bars, and beside problems elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.settings.answering import Answering
from chimein_gui.domain.spending.caps import Release
from chimein_gui.ui.requests import (
    EditDraft,
    OpenFile,
    OpenFolder,
    OpenLogin,
    RunAction,
    ShowAgent,
    ShowChat,
    ShowContext,
    ShowCosts,
    ShowDraft,
    ShowPreferences,
    ShowPrompt,
    ShowTrace,
)
from chimein_gui.viewmodels.preferences.catalogue import Page
from chimein_gui.viewmodels.problems.words import ProblemAction, ProblemCommand

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.domain.ids import AgentId, ApprovalId, ChatId, GraphId
    from chimein_gui.domain.prompt.sent import CallId
    from chimein_gui.domain.spending.caps import CapKey
    from chimein_gui.domain.traces.summaries import TraceId
    from chimein_gui.ui.shell.bars.fault_bar import FaultBar
    from chimein_gui.ui.shell.context import ShellContext
    from chimein_gui.ui.shell.lazy_parts import LazyParts


_ANSWERS = {ProblemCommand.ADD_TO_CAP: Release.ADD, ProblemCommand.LIFT_CAP: Release.UNTIL_MIDNIGHT}


class ProblemCommands(QObject):
    """Executes the actions that a bar, or what shows a problem elsewhere, offers."""

    def __init__(self, shell: ShellContext, lazy: LazyParts, fault_bar: FaultBar) -> None:
        super().__init__(shell.window)
        self._shell, self._late = shell, lazy
        fault_bar.asked.connect(self.do)
        shell.requests.on(RunAction, lambda request: self.do(request.action))
        self._edited_first: ApprovalId | None = None
        shell.models.draft_commands.resent.connect(self._resent)
        shell.requests.on(OpenFile, lambda request: self._late.help.open_file(Path(request.path)))
        shell.requests.on(OpenFolder, lambda request: self._open_folder(request.path))

    def do(self, action: ProblemAction) -> None:
        """Execute an action."""
        shell, target = self._shell, action.target
        match action.command:
            case ProblemCommand.LOG_IN:
                shell.requests.send(OpenLogin(cast("AgentId", target)))
            case ProblemCommand.OPEN_AGENTS:
                shell.requests.send(ShowAgent(cast("AgentId | None", target)))
            case ProblemCommand.OPEN_CHAT:
                shell.requests.send(ShowChat(cast("ChatId", target)))
            case ProblemCommand.PLAN_NOW:
                self._plan_now(target)
            case ProblemCommand.WRITTEN_ANSWERS:
                shell.models.model_choice.choose(Answering.WRITTEN)
                self._plan_now(target)
            case ProblemCommand.ADD_TO_CAP | ProblemCommand.LIFT_CAP:
                self._release(cast("CapKey", target), _ANSWERS[action.command])
            case ProblemCommand.WITHOUT_PAGES:
                self._plan_without_pages(target)
            case ProblemCommand.ASK_AGAIN | ProblemCommand.EDIT_FIRST | ProblemCommand.TO_DRAFT:
                self._ask_again(action.command, cast("Approval", target))
            case _:
                self._show(action)

    def _show(self, action: ProblemAction) -> None:
        shell, target = self._shell, action.target
        match action.command:
            case ProblemCommand.OPEN_COSTS:
                shell.requests.send(ShowCosts())
            case ProblemCommand.OPEN_KEYS:
                shell.requests.send(ShowPreferences(Page.KEYS))
            case ProblemCommand.OPEN_CARD:
                shell.requests.send(ShowDraft(cast("ApprovalId", target)))
            case ProblemCommand.OPEN_PROMPT:
                shell.requests.send(ShowPrompt(*cast("tuple[ChatId, GraphId | None, CallId | None, bool]", target)))
            case ProblemCommand.OPEN_CONTEXT:
                shell.requests.send(ShowContext(*cast("tuple[ChatId, GraphId]", target)))
            case ProblemCommand.OPEN_TRACE:
                shell.requests.send(ShowTrace(trace_id=cast("TraceId", target)))
            case ProblemCommand.OPEN_FOLDER:
                self._open_folder(str(target))
            case ProblemCommand.REVIEW:
                shell.models.holds.review()
            case ProblemCommand.DETAILS:
                self._late.help.tell(self.tr("What happened"), str(target))

    def _ask_again(self, command: ProblemCommand, card: Approval) -> None:
        if command is ProblemCommand.TO_DRAFT:
            self._shell.models.actions.undo(card)
            return
        self._edited_first = card.approval_id if command is ProblemCommand.EDIT_FIRST else None
        self._shell.models.draft_commands.resend(card)

    def _resent(self, made: ApprovalId, draft: Approval) -> None:
        """Open the new card of a send that shall be edited first."""
        if draft.approval_id == self._edited_first:
            self._edited_first = None
            self._shell.requests.send(EditDraft(made))

    def _release(self, key: CapKey, answer: Release) -> None:
        from chimein_gui.viewmodels.costs import make_costs

        self._shell.models.own(make_costs).release(key, answer)

    def _plan_now(self, chats: object) -> None:
        for chat_id in cast("Iterable[ChatId]", chats):
            self._shell.models.waits.plan_now(chat_id)

    def _plan_without_pages(self, target: object) -> None:
        models = self._shell.models
        if isinstance(target, Approval):  # the draft stays, and the other version stands beside it
            models.regenerations.regenerate(target, without_pages=True)
            self._shell.requests.send(ShowDraft(target.approval_id))
            return
        for chat_id in cast("Iterable[ChatId]", target):
            models.waits.plan_now(chat_id, without_pages=True)

    def _open_folder(self, path: str) -> None:
        place = Path(path)
        self._late.help.open_folder(place if place.is_dir() else place.parent)
