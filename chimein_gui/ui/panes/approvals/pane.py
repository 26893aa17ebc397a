"""The Approvals pane: list, card, draft editor, empty state; its width decides which of them are visible."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QApplication, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.approvals import Approval
from chimein_gui.ui.dialogs.key_help import KeyHelp
from chimein_gui.ui.draft_editor.editor import DraftEditor
from chimein_gui.ui.draft_editor.fields import Task
from chimein_gui.ui.draft_editor.leaving import save_and_close
from chimein_gui.ui.pane import InSight, Pane, PaneContext
from chimein_gui.ui.panes.approvals.actions.card_actions import CardActions
from chimein_gui.ui.panes.approvals.actions.deleting import ask_to_delete
from chimein_gui.ui.panes.approvals.card.view import CardView
from chimein_gui.ui.panes.approvals.coach_line import CoachLine
from chimein_gui.ui.panes.approvals.layout import ApprovalsLayout, LayoutMode
from chimein_gui.ui.panes.approvals.list.arrivals_line import ArrivalsLine
from chimein_gui.ui.panes.approvals.list.batch_bar import BatchBar
from chimein_gui.ui.panes.approvals.list.head import ListHead
from chimein_gui.ui.panes.approvals.list.later_group import LaterGroup
from chimein_gui.ui.panes.approvals.list.nothing_waits import NothingWaits
from chimein_gui.ui.panes.approvals.list.view import CardList
from chimein_gui.ui.requests import EditDraft, MaximizePane, PickScenario, SelectDraft, ShowCosts, ShowDraft
from chimein_gui.ui.widgets.controls.action_button import Kind
from chimein_gui.ui.widgets.controls.legend import KeyLegend
from chimein_gui.ui.widgets.controls.spoken_role import SpokenHost
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.viewmodels.approvals.available_actions import Action
from chimein_gui.viewmodels.approvals.card_words import has_text
from chimein_gui.viewmodels.approvals.store import waits_for_operator
from chimein_gui.viewmodels.core.throttle import TELL_MS, Throttle
from chimein_gui.viewmodels.costs import make_costs
from chimein_gui.viewmodels.costs.words import paused_words
from chimein_gui.viewmodels.panes.approvals import make_approvals
from chimein_gui.viewmodels.traces.words import TRACE_KEY, trace_action

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QResizeEvent

    from chimein_gui.ui.widgets.controls.check_box import CheckBox
    from chimein_gui.viewmodels.window import WindowModels


class ApprovalsPane(Pane):
    """What waits for the operator, oldest first."""

    _changed = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._models, self._requests = context, context.models, context.requests
        self._own, self._costs = context.own(make_approvals), context.own(make_costs)
        self.list = CardList(context)
        self.editor = context.shared(DraftEditor)
        self.card_actions = CardActions(context, self)
        self.card = CardView(context, self.list.keys)
        self._empty = EmptyState(context.theme, "ok-circle", color="ok")
        self._empty.take_focus()
        self._empty.add_below(NothingWaits(context))
        self._shows_soon = False
        self._throttle = Throttle(TELL_MS, self._tell_count, self)
        play = partial(context.requests.send, PickScenario())
        self._ways_to_begin = ((self.tr("Play a scenario"), play),) if context.is_sandbox else ()
        self._ways_to_go_on = ((self.tr("Open Costs"), partial(context.requests.send, ShowCosts())),)
        self.list.keys.watch(self._empty)  # the last rejection can be undone there, too
        self._build()
        self._wire()
        self.shows_draft = self._shows
        self._count()

    def focus_widget(self) -> QWidget:
        if self._layout.has_editor() and self.editor.fields.field.isVisible():
            return self.editor.fields.field
        return self.list if self._stack.currentWidget() is self._layout else self._empty

    def _shows(self, approval: Approval) -> bool:
        card = self.card.approval
        is_open = card is not None and card.approval_id == approval.approval_id and self.card.isVisible()
        return is_open or self.list.shows(approval.approval_id)

    def on_hidden(self) -> None:
        if self._layout.has_editor():
            save_and_close(self.editor, self._context, lambda card: EditDraft(card.approval_id))

    def keep_in_sight(self) -> InSight:
        return InSight((*self.findChildren(QAbstractButton), *self.findChildren(DraftEditor)), (self.card,))

    def minimumSizeHint(self) -> QSize:
        # The wide layout must not prevent the pane from becoming narrow.
        return QSize(300, 220)

    def show_help(self) -> None:
        """Show the list of shortcuts."""
        rows = (
            (("J", "K", "↓", "↑"), self.tr("Move to the next or the previous card")),
            (("A",), self.tr("Approve")),
            (("E",), self.tr("Edit the text")),
            (("Ctrl ↵",), self.tr("Approve the edited text")),
            (("R",), self.tr("Reject; R again: without a reason")),
            (("G",), self.tr("Regenerate; G again: without an instruction")),
            (("X",), self.tr("Select, to decide on several at once")),
            (("⇧ ↓", "⇧ ↑"), self.tr("Select the next or the previous card, too")),
            (("Z",), self.tr("Undo the last decision, if it was not sent yet")),
            ((TRACE_KEY,), trace_action()),
            (("Space",), self.tr("Confirm that you've read the changes")),
            (("←", "→"), self.tr("Look at the versions of a plan")),
            (("V",), self.tr("Show the versions side by side; 1 to 3 use one")),
            (("Esc",), self.tr("Back, or clear the selection")),
            (("?",), self.tr("This list")),
        )
        KeyHelp(self._context.theme, self.tr("Keys in Approvals"), rows, self._models.single_keys, self).open()

    # --- parts ----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        theme = self._context.theme
        self._head = ListHead(self._context)
        self._legend = KeyLegend(
            theme,
            (
                (("J", "K"), self.tr("Move")),
                (("A",), self.tr("Approve")),
                (("E",), self.tr("Edit")),
                (("R",), self.tr("Reject")),
                (("G",), self.tr("Regenerate")),
                (("X",), self.tr("Select")),
                (("Z",), self.tr("Undo")),
                (("?",), self.tr("Keys")),
            ),
            self,
        )
        self._edit_legend = KeyLegend(
            theme,
            ((("Ctrl", "↵"), self.tr("Approve this text")), (("Esc",), self.tr("Close"))),
            self,
        )
        self._edit_legend.hide()
        left, foot = SpokenHost(), QVBoxLayout()
        left.take_in(self.list.buttons)  # the buttons are over the list, which reports only its rows to screen readers
        foot.setContentsMargins(0, 0, 0, 0)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        self._arrivals = ArrivalsLine(self._context)
        column.addWidget(self._arrivals)
        column.addWidget(CoachLine(self._context))
        column.addWidget(self.list, 1)
        column.addLayout(foot)
        self.batch_bar = BatchBar(self._context, self.list.keys)
        self.later = LaterGroup(self._context, self.list.keys)
        column.addWidget(self.later)
        column.addWidget(self.batch_bar)
        self._below_editor = QWidget()
        self._below_editor.hide()
        column.addWidget(self._below_editor, 1)
        column.addWidget(self._legend)
        column.addWidget(self._edit_legend)
        self._layout = ApprovalsLayout(self._context, left, foot, self.card, self.editor)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._layout)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)
        QWidget.setTabOrder(self.list, self.card)

    def _wire(self) -> None:
        models, requests = self._models, self._requests
        self._layout.changed.connect(self._take_mode)
        self.list.action_pressed.connect(self.card_actions.do)
        self.card_actions.has_slipped = lambda: self.list.has_slipped
        self.list.menu_wanted.connect(self._pop_menu)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(partial(_ask_at, self.list))
        self.list.current_changed.connect(self._show_card)
        self.list.help_wanted.connect(self.show_help)
        self.list.version_wanted.connect(self._look_at_version)
        self.list.refused.connect(self.card.bring_into_view)
        self.list.doubleClicked.connect(lambda _index: self._show_chat())
        self.card.bar.pressed.connect(self.list.press)
        self.card.bar.menu_wanted.connect(self.list.ask_for_menu)
        self.batch_bar.approve_pressed.connect(lambda: self.list.selecting.takes_action("A"))
        self.batch_bar.undo_pressed.connect(lambda: self.card_actions.do(Action.UNDO, None))
        self.later.show_wanted.connect(self.list.select)
        self.later.show_wanted.connect(lambda _approval_id: self.list.setFocus())
        self.card.ticked.connect(self._tick)
        self.card.show_wanted.connect(self._show_chat)
        self.card.scrolled.connect(self.list.look)
        for look in (self.list.look, self.card.plan.look):
            self.sight_changed.connect(look)  # time behind another tab does not count
        self.list.in_view.was_read.connect(lambda _item: self.card.plan.note_read())
        self.card_actions.edit_wanted.connect(partial(self._layout.open_editor, Task.EDIT))
        self.card_actions.reason_wanted.connect(partial(self._layout.open_editor, Task.REASON))
        self.card_actions.plan_reason_wanted.connect(partial(self._layout.open_editor, Task.PLAN_REASON))
        self.card_actions.instruction_wanted.connect(partial(self._layout.open_editor, Task.INSTRUCTION))
        self.card_actions.tick_wanted.connect(lambda _approval: _tick_of(self.list, self.card).setFocus())
        self.card_actions.deleting_wanted.connect(lambda card: ask_to_delete(self, card, self._models.card.delete_sent))
        self.editor.left.connect(lambda: self.focus_widget().setFocus() if self._layout.has_editor() else None)
        models.open_editor.changed.connect(self.list.answer)
        self.editor.closed.connect(self._count)  # a rejected card is removed before its editor closes
        self.editor.opened.connect(self._follow_editor)
        self.editor.typed.connect(self._show_typed)
        requests.on(SelectDraft, lambda request: self.list.select(request.approval_id))
        models.draft_commands.resent.connect(lambda made, _draft: self.list.select(made))
        # Queued: it comes before the next paint event, unlike a timer.
        self._changed.connect(self._show_again, Qt.ConnectionType.QueuedConnection)
        models.approvals.waiting_changed.connect(self._count)
        self._own.queue.arranged.connect(self._count)
        self._own.postponed.changed.connect(self._count)
        self._own.queue.rowsRemoved.connect(self._count)  # a sent card stays for a while and is then removed
        self._own.queue.rowsInserted.connect(self._count)  # the only card may move, which removes it for a moment
        models.single_keys.changed.connect(self._count)
        self._costs.caps_changed.connect(self._count)
        models.clock.ticked.connect(self.card.tick_time)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._freeze)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._layout.fit(self.width())

    # --- events ---------------------------------------------------------------------------------------------------

    def _take_mode(self) -> None:
        """Update the widgets that the new layout shows; hidden ones were not updated."""
        wide = self._layout.mode is not LayoutMode.NARROW
        self.card_actions.shows_whole_card = wide
        self.list.set_wide(wide)
        self.list.in_view.turn_to(self.card.is_all_in_view if wide else self.list.is_card_in_view)
        self._show_now(self.list.current())
        keeps_it = wide and self.card.isAncestorOf(self.window().focusWidget() or self)
        if self._layout.had_focus and not keeps_it:
            self.list.setFocus()  # Qt moved the focus to another pane when the focused widget was hidden

    def _show_card(self, approval: object) -> None:
        shown = approval if isinstance(approval, Approval) else None
        self._models.card.open(shown)
        if self._layout.mode is LayoutMode.NARROW:
            if self._below_editor.isVisibleTo(self):
                _stand_below(self.list, self._below_editor, below=True)
            return
        if shown is not None and self.card.approval is not None:
            # A key press changes a card several times in one event: it is shown once, before the next paint.
            if not self._shows_soon:
                self._shows_soon = True
                self._changed.emit()
            return
        self._show_now(shown)

    def _show_again(self) -> None:
        if self._shows_soon:
            self._show_now(self.list.current())

    def _show_now(self, shown: Approval | None) -> None:
        self._shows_soon = False
        if self._layout.mode is not LayoutMode.NARROW:
            away = shown is not None and self.list.looked_away(shown)
            before = self.card.approval
            self.card.show_card(shown, looked_away=away)
            if shown is not None and (before is None or before.approval_id != shown.approval_id):
                self.editor.show_typed()  # what is typed for this card was not shown on the one before
            self._follow_editor()
            self.list.look()

    def _follow_editor(self) -> None:
        """Show in the list and on the card whose text is open."""
        target = self.editor.target if self._layout.has_editor() else None
        editing = target.approval_id if target is not None and self.editor.task is Task.EDIT else None
        if self.list.rows.editing != self._models.open_editor.edited:
            self.list.rows.editing = self._models.open_editor.edited
            self.list.viewport().update()
        self.list.buttons.set_editing(editing)
        self.list.cards.set_editing(editing)
        self._edit_legend.setVisible(editing is not None)
        self._legend.setVisible(editing is None and _has_keys(self._models))
        _stand_below(
            self.list, self._below_editor, below=editing is not None and self._layout.mode is LayoutMode.NARROW
        )
        mine = target is not None and self.card.approval is not None
        same = mine and target is not None and target.approval_id == self.card.approval.approval_id  # type: ignore[union-attr]
        self.card.show_actions(shown=not same)

    def _show_typed(self, text: str | None) -> None:
        target, card = self.editor.target if self._layout.has_editor() else None, self.card.approval
        same = target is not None and card is not None and target.approval_id == card.approval_id
        self.card.show_typed(text if same else None)

    def _look_at_version(self, by: int) -> None:
        """Preview the next or previous version of the plan; 0 shows all side by side.

        The dock has no space for versions: there the pane is maximized.
        """
        details = self._models.card.details
        if details is None or not details.variants:
            return
        if self._layout.mode is LayoutMode.NARROW:
            self._requests.send(MaximizePane("approvals"))
        elif by:
            self.card.variants.step(by)
        if not by:
            self.card.show_versions()

    def _tick(self, seen: bool) -> None:
        """Acknowledge the changes that are listed on the card, but not those that arrived at this moment."""
        card = self._models.card
        if seen and not card.is_fresh and not card.problem:
            self._show_card(self.list.current())
        else:
            self.list.tick(seen)

    def _pop_menu(self, action: str, approval: Approval, place: QPoint) -> None:
        if action != Action.LATER:
            self.card.variants.show_draft()  # the menu is about the plan, not about another version
        bars = (bar for bar in (self.card.bar, self.list.buttons.bar) if bar.isVisible())
        hidden = (available for bar in bars for available in bar.behind())
        behind = {available.action: available for available in hidden} if action == Action.MORE else {}
        self.card_actions.pop_menu(action, approval, place, behind.values())

    def open(self, request: object) -> None:
        if not isinstance(request, EditDraft | ShowDraft):
            return
        self.list.select(request.approval_id)
        approval = self._models.approvals.find(request.approval_id)
        if approval is None or not waits_for_operator(approval) or not has_text(approval):
            return
        if isinstance(request, EditDraft):
            self._layout.open_editor(Task.EDIT, approval)

    def _show_chat(self) -> None:
        approval = self.list.current()
        if approval is not None:
            self.card_actions.do(Action.SHOW, approval)

    def _freeze(self, _old: QWidget | None, now: QWidget | None) -> None:
        """Freeze the order of the cards while the focus is in this pane."""
        if now is not None and self.isAncestorOf(now):
            self._own.queue.freeze()
        elif now is not None:
            self._own.queue.thaw()

    def _turn_to(self, shown: QWidget) -> None:
        """Show the list or the empty state, and keep the focus in this pane."""
        if shown is self._stack.currentWidget():
            return
        here = self._stack.currentWidget()
        focus = self.window().focusWidget()  # not that of the pane, which is its last focused child
        had_focus = here is not None and (here is focus or here.isAncestorOf(focus or self))
        self._stack.setCurrentWidget(shown)
        if had_focus:
            self.focus_widget().setFocus()

    def _count(self, *_rows: object) -> None:
        filtered = self._own.queue.agent_id is not None and self._models.approvals.total() > 0
        paused = paused_words(self._costs.caps) if self._models.approvals.loaded else None
        self._empty.show_icon(*(("pause-circle", "attention") if paused is not None else ("ok-circle", "ok")))
        if paused is not None:
            self._empty.say(*paused, self._ways_to_go_on)
        elif self._models.approvals.loaded:
            words = self.tr("Planned messages appear here before they are sent.")
            self._empty.say(self.tr("All caught up"), words, self._ways_to_begin, loud=Kind.UNREAL)
        else:
            self._empty.say(self.tr("Starting…"), "")
        # An open editor contains a text of the operator: it stays visible even without cards.
        is_typed = self._layout.has_editor() and self.editor.target is not None
        in_use = self._own.queue.rowCount() or filtered or is_typed or self._own.postponed.items()
        self._turn_to(self._layout if in_use else self._empty)
        self._legend.setVisible(self._edit_legend.isHidden() and _has_keys(self._models))
        self._throttle.ask()

    def _tell_count(self) -> None:
        waiting = self._models.approvals.waiting_count
        self.subtitle_changed.emit(self.tr("{n} waiting").format(n=waiting) if waiting else "")


def _has_keys(models: WindowModels) -> bool:
    """Tell whether single-key shortcuts are enabled and there is a card for them."""
    return models.own(make_approvals).queue.rowCount() > 0 and models.single_keys.enabled


def _tick_of(cards: CardList, card: CardView) -> CheckBox:
    """Return the visible checkbox for the changes, on the card in the dock or on the wide one."""
    return card.changed.tick if card.isVisible() else cards.buttons.tick


def _stand_below(cards: CardList, filler: QWidget, *, below: bool) -> None:
    """In the dock, place the editor right below its card: the list shows no further cards meanwhile."""
    card = cards.sizeHintForIndex(cards.currentIndex()).height()
    cards.setMaximumHeight(card if below and card > 0 else 16_777_215)  # -1 without a current card
    filler.setVisible(below)


def _ask_at(cards: CardList, place: QPoint) -> None:
    """Open the menu of the current card: the menu key asks at its place, and a click makes a card current before."""
    if cards.indexAt(place) == cards.currentIndex():
        cards.ask_for_menu(Action.MORE, cards.viewport().mapToGlobal(place))
