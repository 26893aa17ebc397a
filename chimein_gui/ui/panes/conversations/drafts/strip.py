"""The drafts of the open chat below its transcript, and above them what else needs the operator."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QPoint, QSize, Qt
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.ui.draft_editor.fields import Task
from chimein_gui.ui.messages import bubble
from chimein_gui.ui.panes.conversations.drafts.draft import DraftBubble
from chimein_gui.ui.panes.conversations.drafts.editing import DraftEditing
from chimein_gui.ui.panes.conversations.drafts.following_steps import FollowingSteps
from chimein_gui.ui.panes.conversations.drafts.request_line import RequestLine
from chimein_gui.ui.panes.conversations.drafts.requests import chat_requests_of, may_plan_now
from chimein_gui.ui.requests import EditDraft, SelectDraft, ShowTrace
from chimein_gui.ui.widgets.rows.arrivals import WidgetArrivals
from chimein_gui.ui.widgets.rows.in_view import InViewGuard, is_bare
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.viewmodels.approvals.available_actions import Action, has_trace
from chimein_gui.viewmodels.drafts.plan_chain import what_follows
from chimein_gui.viewmodels.panes.conversations import make_conversations

if TYPE_CHECKING:
    from collections.abc import Hashable

    from PySide6.QtGui import QResizeEvent

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import ApprovalId, ChatId
    from chimein_gui.ui.pane import PaneContext

GROUND = "chat"
"""Token of the colour behind the drafts."""

SLIP_GUARD_MS = 300
"""How long drafts that have moved after a removal accept no action except stopping a send, ms."""


class DraftStrip(QScrollArea):
    """Widgets that are reused by id, so that updates do not move the focus."""

    def __init__(self, context: PaneContext, focus_after: QWidget | None = None) -> None:
        """Create an empty strip; Tab goes from `focus_after` into the drafts."""
        super().__init__()
        self._context, self.focus_after = context, focus_after
        self._chat: Chat | None = None
        self._bubbles: dict[ApprovalId, DraftBubble] = {}
        self._thens: dict[ApprovalId, FollowingSteps] = {}
        self._asks: dict[Hashable, RequestLine] = {}
        self._slipped = QElapsedTimer()
        self._filled_for: ChatId | None = None
        self.arrivals = WidgetArrivals(context.theme, GROUND, self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setObjectName("drafts")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._inside = _Background(context)
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(20, 6, 20, 12)
        self._column.setSpacing(8)
        self.setWidget(self._inside)
        self.editing = DraftEditing(context, self, self._column, self.bubbles, focus_after)
        self.editing.fits.connect(self._fit)
        self._in_view = InViewGuard(self._is_focused_in_view, self)
        self.verticalScrollBar().valueChanged.connect(self._look)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._look)
        models = context.models
        models.approvals.chats_changed.connect(self._follow)
        models.approvals.recent.set_aside_changed.connect(self._follow)
        models.waits.changed.connect(self._soon)
        models.waits.steps_changed.connect(self._show_thens)
        models.regenerations.changed.connect(lambda chat_id: self._follow(frozenset({chat_id})))
        models.own(make_conversations).saved_edits.changed.connect(self._soon)
        models.draft_changes.changed.connect(lambda chat_id: self._follow(frozenset({chat_id})))
        models.actions.acknowledgement_changed.connect(self._soon)
        models.actions.decision_answered.connect(self._soon)
        models.transcript.opened.connect(self.refresh)
        models.holds.changed.connect(self._soon)
        models.open_editor.changed.connect(self._soon)
        context.theme.fonts_changed.connect(self.refresh)
        self.hide()

    def set_chat(self, chat: Chat | None) -> None:
        """Show this chat's drafts."""
        known, self._chat = self._chat, chat
        self.editing.close_elsewhere(chat.chat_id if chat is not None else None)
        if _plan_of(known) != _plan_of(chat):
            self.refresh()

    def _follow(self, chats: frozenset[ChatId]) -> None:
        if self._chat is not None and self._chat.chat_id in chats:
            self._soon()

    def _soon(self) -> None:
        """Refresh in a later event, because the card was just laid out with the same long text."""
        self._context.models.bridge.deliver_once(self.refresh)

    def bubbles(self) -> tuple[DraftBubble, ...]:
        """Return the visible drafts, oldest first."""
        return tuple(self._bubbles.values())

    def shows(self, draft: Approval) -> bool:
        """Tell whether a part of a draft is visible."""
        bubble = self._bubbles.get(draft.approval_id)
        return bubble is not None and bubble.isVisible() and not bubble.visibleRegion().isEmpty()

    def asks(self) -> tuple[RequestLine, ...]:
        """Return the lines above the drafts, the most urgent first."""
        return tuple(self._asks.values())

    def refresh(self) -> None:
        """Update lines and bubbles from the models."""
        self._refresh_asks()
        drafts = self._context.models.approvals.of_chat(self._chat.chat_id) if self._chat is not None else ()
        gone = set(self._bubbles) - {draft.approval_id for draft in drafts}
        if gone:
            self._slipped.start()
        for approval_id in gone:
            self.editing.rescue(self._bubbles[approval_id])
            self._remove(self._bubbles.pop(approval_id))
            self._remove(self._thens.pop(approval_id))
        for place, draft in enumerate(drafts):
            if draft.approval_id not in self._bubbles:
                self._add(draft, len(self._asks) + 2 * place)
                if self._chat is not None and self._filled_for == self._chat.chat_id:
                    self.arrivals.begin(self._bubbles[draft.approval_id])
            self._bubbles[draft.approval_id].show_approval(draft)
        self._filled_for = self._chat.chat_id if self._chat is not None else None
        self._bubbles = {draft.approval_id: self._bubbles[draft.approval_id] for draft in drafts}
        self.editing.show_in(self._bubbles, self._filled_for)
        self._show_thens()
        self._order_focus()
        self.setVisible(bool(drafts) or bool(self._asks) or self.editing.alone is not None)
        self._fit()
        self._look()

    def go_in(self) -> bool:
        """Focus the latest draft's first button; False if there is none."""
        for draft in reversed(self._bubbles.values()):
            if draft.buttons.go_in():
                self.ensureWidgetVisible(draft)
                return True
        return False

    def _show_thens(self) -> None:
        """Show the further steps below each draft."""
        models = self._context.models
        drafts = models.approvals.of_chat(self._chat.chat_id) if self._chat is not None else ()
        for draft in drafts:
            line = self._thens.get(draft.approval_id)
            if line is not None:
                line.show_chain(what_follows(draft, drafts, models.waits.ahead(), models.preferences))
        self._fit()

    def _order_focus(self) -> None:
        """Set the tab order: from the messages to the latest draft first, and from the oldest draft to the composer."""
        before = self.focus_after or self
        for draft in reversed(self._bubbles.values()):
            for button in draft.in_order():
                QWidget.setTabOrder(before, button)
                before = button
        for line in self._asks.values():
            for button in line.buttons:
                QWidget.setTabOrder(before, button)
                before = button

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(300, self._wanted_height())

    def _wanted_height(self) -> int:
        width = max(200, self.viewport().width())
        margins = self._column.contentsMargins()
        thens = tuple(line for line in self._thens.values() if not line.isHidden())
        items: tuple[QWidget, ...] = (*self._asks.values(), *self._bubbles.values(), *thens)
        heights = [item.heightForWidth(min(width - 40, round(bubble.MAX_WIDTH))) for item in items]
        if self.editing.alone is not None:
            heights.append(self.editing.alone.sizeHint().height())
        return sum(heights) + 8 * max(0, len(heights) - 1) + margins.top() + margins.bottom()

    def _fit(self) -> None:
        parent = self.parentWidget()
        share = 0.8 if self.editing.is_open else 0.62  # show the whole typed text with its buttons
        most = round(parent.height() * share) if parent is not None else 400
        wanted, most = self._wanted_height(), max(160, most)
        # An automatic scroll bar would change the width, and so the height on which it depends.
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOn if wanted > most else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        self.setFixedHeight(min(wanted, most))

    def _refresh_asks(self) -> None:
        asks = {ask.key: ask for ask in chat_requests_of(self._context.models, self._chat)}
        for key in set(self._asks) - set(asks):
            self._remove(self._asks.pop(key))
        known, self._asks = self._asks, {}
        for place, (key, ask) in enumerate(asks.items()):
            line = known.get(key)
            if line is None:
                line = RequestLine(self._context)
                line.setMaximumWidth(round(bubble.MAX_WIDTH))
            if self._column.indexOf(line) != place:
                self._column.insertWidget(place, line)
            line.show_request(ask)
            self._asks[key] = line

    def _remove(self, gone: QWidget) -> None:
        if gone.isAncestorOf(QApplication.focusWidget() or self):
            # Else Qt focuses the next draft, and a key press for this one would act on that.
            (self.focus_after or self.window()).setFocus()
        self._column.removeWidget(gone)
        gone.hide()
        gone.deleteLater()

    def _add(self, draft: Approval, place: int) -> None:
        made, then = DraftBubble(self._context), FollowingSteps(self._context)
        made.action_pressed.connect(self._do)
        made.key_pressed.connect(self._do_by_key)
        made.menu_asked.connect(self._offer)
        made.resized.connect(self._fit)
        self._bubbles[draft.approval_id], self._thens[draft.approval_id] = made, then
        for widget in (then, made):
            widget.setMaximumWidth(round(bubble.MAX_WIDTH))
            self._column.insertWidget(place, widget)
        self._column.setAlignment(made, Qt.AlignmentFlag(0))

    def _focused(self) -> DraftBubble | None:
        """Return the draft that has the focus, or None."""
        focus = QApplication.focusWidget()
        return next((one for one in self._bubbles.values() if focus is not None and one.isAncestorOf(focus)), None)

    def _is_focused_in_view(self) -> bool:
        """Tell whether the focused draft is fully visible; for a long one, whether its end is."""
        draft = self._focused()
        if draft is None or not is_bare(draft):
            return False
        seen = draft.visibleRegion().boundingRect()
        return seen.bottom() == draft.rect().bottom() and (seen.top() == 0 or draft.height() > self.viewport().height())

    def _look(self) -> None:
        """Check again whether the focused draft is visible, after a scroll, a change or a move of the focus."""
        draft = self._focused()
        self._in_view.look(_as_read(draft.approval) if draft is not None and draft.approval is not None else None)

    def _do_by_key(self, action: Action, approval: Approval) -> None:
        """Execute an action for a key if the draft could be read, or an undo; else only scroll to the draft."""
        if action is Action.TRACE:
            if has_trace(approval):
                self._context.requests.send(ShowTrace(approval.graph_id))
        elif action is Action.UNDO or self._in_view.passes(_as_read(approval)):
            self._do(action, approval)
        elif approval.approval_id in self._bubbles:
            self.ensureWidgetVisible(self._bubbles[approval.approval_id])

    def _has_slipped(self) -> bool:
        """Tell whether a draft was just removed, so that a click was probably meant for that one."""
        return self._slipped.isValid() and not self._slipped.hasExpired(SLIP_GUARD_MS)

    def _do(self, action: Action, approval: Approval) -> None:
        if self._has_slipped() and action not in (Action.UNDO, Action.HOLD):
            return
        models, requests = self._context.models, self._context.requests
        commands = models.draft_commands
        match action:
            case Action.APPROVE:
                commands.approve(approval)
            case Action.EDIT | Action.REJECT:
                task = Task.EDIT if action is Action.EDIT else Task.REASON
                commands.then(approval, partial(self.editing.open, task))
            case Action.GO_TO_EDITOR:
                requests.send(EditDraft(approval.approval_id))
            case Action.HOLD | Action.UNDO:
                commands.stop(approval)
            case Action.ASK_AGAIN:
                models.draft_commands.resend(approval)
            case Action.PLAN_AGAIN:
                models.waits.plan_now(approval.chat_id)
                models.approvals.dismiss(approval.approval_id)
            case Action.DISMISS:
                models.approvals.dismiss(approval.approval_id)
        if action not in (Action.DISMISS, Action.PLAN_AGAIN):
            requests.send(SelectDraft(approval.approval_id))

    def _offer(self, approval: Approval, place: QPoint) -> None:
        from chimein_gui.ui.panes.conversations.drafts.menu import open_draft_menu

        if self._has_slipped():
            return
        behind = self._bubbles[approval.approval_id].buttons.behind()
        reject = partial(self.editing.open, Task.PLAN_REASON, approval)
        open_draft_menu(self._context, approval, self, place, reject, behind)


def _as_read(approval: Approval) -> Hashable:
    """Return the key of what must have been visible: a draft in its current version."""
    return approval.approval_id, approval.version


def _plan_of(chat: Chat | None) -> tuple[object, ...]:
    """Return the state of a chat on which the lines depend."""
    return () if chat is None else (chat.chat_id, chat.planning_problem, may_plan_now(chat))


class _Background(Surface):
    """The background of the transcript, with bubbles at the trailing edge."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme, GROUND)

    def resizeEvent(self, event: QResizeEvent) -> None:
        column = self.layout()
        if column is not None:
            surplus = max(20, self.width() - 20 - round(bubble.MAX_WIDTH))
            set_rtl_margins(column, surplus, 6, 20, 12)
            column.activate()  # Qt has laid out with the margins of the earlier width before this event
        super().resizeEvent(event)
