"""What needs the operator in the open chat besides its drafts: a line for each, with its actions."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.widgets.controls.action_button import Kind
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.viewmodels.approvals.card_words import card_text
from chimein_gui.viewmodels.chats.filter import lacks_plan, waits_for_cap
from chimein_gui.viewmodels.panes.conversations import make_conversations
from chimein_gui.viewmodels.words.notes import note_words, problem_words

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval, SavedEdit
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import StepChanged
    from chimein_gui.viewmodels.approvals.commands import DraftCommands
    from chimein_gui.viewmodels.approvals.saved_edits import SavedEdits
    from chimein_gui.viewmodels.approvals.store import ApprovalStore
    from chimein_gui.viewmodels.drafts.long_waits import LongWaits
    from chimein_gui.viewmodels.window import WindowModels

SHOWN = 300
"""Most characters of a text in a line; the card shows all of it."""


class RequestAction(NamedTuple):
    """One action of a line."""

    words: str
    icon: str
    do: Callable[[], None]
    kind: Kind = Kind.PLAIN


class ChatRequest(NamedTuple):
    """One line.

    Attributes:
        key: Id of the subject; stays when the text changes.
        label: The kind of line.
        text: The subject, foreign.
        actions: The available actions.
        greyed: It is a draft that needs no decision, drawn less prominently.
    """

    key: Hashable
    label: IconLabel
    text: str
    actions: tuple[RequestAction, ...]
    greyed: bool = False


translate = QCoreApplication.translate


def chat_requests_of(models: WindowModels, chat: Chat | None) -> tuple[ChatRequest, ...]:
    """Return the lines of a chat, the most urgent first; empty for None."""
    if chat is None:
        return ()
    edits = models.own(make_conversations).saved_edits
    problem = (_problem(models.waits, chat),) if chat.planning_problem else ()
    return (
        *problem,
        *(_wait(models.waits, step) for step in models.waits.waits()),
        *(_kept(edits, edit) for edit in edits.edits()),
        *(
            _aside(models.draft_commands, models.approvals, draft)
            for draft in models.approvals.recent.set_aside_of(chat.chat_id)
        ),
    )


def may_plan_now(chat: Chat) -> bool:
    """Tell whether there are unanswered messages, and neither a plan in progress nor drafts that wait."""
    return not chat.planning and not (chat.pending or chat.postponed) and chat.newest_in_id > chat.planned_up_to


def _problem(waits: LongWaits, chat: Chat) -> ChatRequest:
    plan = RequestAction(translate("ChatRequests", "Plan now"), "undo", partial(waits.plan_now, chat.chat_id))
    text = foreign_text.line(problem_words(chat.planning_problem), 600)
    if waits_for_cap(chat):  # what it needs is asked above the chat; planning now would only wait again
        return ChatRequest(
            "problem", IconLabel("pause-circle", translate("ChatRequests", "Planning is paused"), "attention"), text, ()
        )
    actions = (plan,) if may_plan_now(chat) else ()
    if actions and lacks_plan(chat):
        return ChatRequest(
            "problem", IconLabel("alert", translate("ChatRequests", "Planning failed"), "danger"), text, actions
        )
    return ChatRequest("problem", IconLabel("info", translate("ChatRequests", "About the plan"), "info"), text, actions)


def _wait(waits: LongWaits, step: StepChanged) -> ChatRequest:
    actions = (
        RequestAction(translate("ChatRequests", "Allow wait"), "hourglass", partial(waits.let_wait, step)),
        RequestAction(translate("ChatRequests", "Skip wait"), "play", partial(waits.go_on, step)),
    )
    label = IconLabel("hourglass", translate("ChatRequests", "A long wait needs your approval"), "attention")
    text = translate("ChatRequests", "{why}. The steps after it wait for you.").format(
        why=foreign_text.line(note_words(step.reason))
    )
    return ChatRequest(("wait", step.task_id), label, text, actions)


def _kept(edits: SavedEdits, edit: SavedEdit) -> ChatRequest:
    beside, again = edits.draft_beside(edit), edits.asks_again(edit)
    words = (
        translate("ChatRequests", "Approve my text")
        if beside is not None
        else translate("ChatRequests", "Send as my message")
    )
    if again:
        words = (
            translate("ChatRequests", "Press again to approve")
            if beside is not None
            else translate("ChatRequests", "Held. Press again to keep it")
        )
    actions = (
        RequestAction(words, "warning" if again else "check", partial(edits.use, edit)),
        RequestAction(
            translate("ChatRequests", "Discard"),
            "trash",
            partial(edits.discard, edit),
            Kind.QUIET,
        ),
    )
    title = (
        translate("ChatRequests", "Your edit was saved")
        if beside is not None
        else translate("ChatRequests", "Your edit; its draft is gone")
    )
    return ChatRequest(
        ("kept", edit.saved_edit_id), IconLabel("pencil", title, "info"), foreign_text.line(edit.mine, SHOWN), actions
    )


def _aside(commands: DraftCommands, approvals: ApprovalStore, draft: Approval) -> ChatRequest:
    observed = draft.task_status is TaskStatus.OBSERVED
    title = (
        translate("ChatRequests", "Not sent (observe only)")
        if observed
        else translate("ChatRequests", "Approved, then replaced by a new plan")
    )
    actions = (
        RequestAction(
            translate("ChatRequests", "Send this one") if observed else translate("ChatRequests", "Send anyway"),
            "send",
            partial(commands.resend, draft),
        ),
        RequestAction(
            translate("ChatRequests", "Dismiss"),
            "check",
            partial(approvals.dismiss, draft.approval_id),
            Kind.QUIET,
        ),
    )
    label = IconLabel("eye", title, "text2") if observed else IconLabel("undo", title, "info")
    text = foreign_text.line(card_text(draft, foreign_text.name), SHOWN)
    return ChatRequest(("aside", draft.approval_id), label, text, actions, greyed=observed)
