"""Above the plan: which plans the chat has had, and of the shown one when it was made, for what, and how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.plans.details import PlanEnd
from chimein_gui.ui.panes.plans.tabs import PlanTabs
from chimein_gui.ui.requests import ShowMessage
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_role import speak_as_place
from chimein_gui.ui.widgets.surfaces.surface import Surface, soft_ground
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.text.word_diff import WordDiff
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import KeyRole
from chimein_gui.viewmodels.plans.plan_words import TONES, edits_sentence, end_sentence, plan_title, trigger_words

if TYPE_CHECKING:
    from chimein_gui.domain.ids import GraphId, TaskId
    from chimein_gui.domain.plans.details import PlanDetails
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.panes.plans import PlansModels

MOST_LINES = 8
"""Most lines of a comparison; longer ones end with an ellipsis."""


class EarlierPlans(QWidget):
    """Tabs of the plans of the chat, and a strip about the shown plan; each is hidden while it has nothing to say."""

    def __init__(self, context: PaneContext, models: PlansModels) -> None:
        super().__init__()
        self._context, self._plan, self._history = context, models.plan, models.history
        self._escape: QShortcut | None = None
        theme = context.theme
        self.now = ActionButton(theme, self.tr("Plan now"), icon="layers")
        self.tabs = PlanTabs(theme, context.models.clock, models.history)
        self.older = ActionButton(theme, self.tr("Older plans…"), kind=Kind.QUIET)
        self.strip = Surface(theme, "info_soft", bottom_line="line")
        self.title = PlainLabel(theme, "", Face.SMALL_STRONG)
        self.why = PlainLabel(theme, "", Face.SMALL)
        self.trigger = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.open_trigger = ActionButton(theme, self.tr("Show message"), icon="chats", kind=Kind.LINK)
        self.newer = ActionButton(theme, self.tr("Show newer plan"))
        self.again = ActionButton(theme, self.tr("Plan again"), icon="refresh", kind=Kind.PRIMARY)
        self.dismiss = ActionButton(theme, self.tr("Dismiss"), icon="x")
        self.back = ActionButton(theme, self.tr("Back"), key="Esc", kind=Kind.QUIET)
        self._build()
        self._wire()
        self.refresh()

    def _build(self) -> None:
        self.row = Surface(self._context.theme, "pane", bottom_line="line")
        row = QHBoxLayout(self.row)
        set_rtl_margins(row, 12, 4, 12, 4)
        row.setSpacing(6)
        row.addWidget(self.now)
        row.addWidget(self.tabs, 1)
        row.addWidget(self.older)
        words = QHBoxLayout()
        words.setSpacing(8)
        words.addWidget(self.title)
        words.addWidget(self.why, 1)
        self.why.setWordWrap(True)
        actions = QHBoxLayout()
        actions.setSpacing(8)
        actions.addWidget(self.trigger, 1)
        for button in (self.open_trigger, self.newer, self.again, self.dismiss, self.back):
            actions.addWidget(button)
        column = QVBoxLayout(self.strip)
        set_rtl_margins(column, 14, 7, 12, 7)
        column.setSpacing(4)
        column.addLayout(words)
        column.addLayout(actions)
        self.dismiss.setToolTip(self.tr("No answer is planned any more for the messages of this plan."))
        speak_as_place(self.strip)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.row)
        whole.addWidget(self.strip)

    def _wire(self) -> None:
        self._history.changed.connect(self._refresh_rows)
        self._plan.changed.connect(self.refresh)
        self.tabs.chosen.connect(self.show_plan)
        for button, do in (
            (self.now, self.show_now),
            (self.back, self.show_now),
            (self.older, self._history.read_on),
            (self.open_trigger, self._show_trigger),
            (self.newer, self._show_newer),
            (self.again, lambda: self._with_shown(self._history.plan_again)),
            (self.dismiss, lambda: self._with_shown(self._history.dismiss)),
        ):
            button.clicked.connect(lambda _checked=False, do=do: do())

    def take_keys(self, pane: QWidget) -> None:
        """Let keys anywhere in a pane go from plan to plan, and back to the current one."""
        for keys, do in (
            ("Ctrl+PgUp", lambda: self.go(-1)),
            ("Ctrl+PgDown", lambda: self.go(1)),
            ("Esc", self.show_now),
        ):
            shortcut = QShortcut(QKeySequence(keys), pane)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(do)
        self._escape = shortcut  # while the current plan is shown the key is not ours
        self.refresh()

    # --- from plan to plan ------------------------------------------------------------------------------------------

    def show_now(self) -> None:
        """Show the plan that the chat follows."""
        self._plan.show_earlier(None)

    def show_plan(self, graph_id: GraphId) -> None:
        """Show the current plan or an earlier one, which is read first if it has to be."""
        plan = self._history.plan(graph_id)
        if plan is None:
            self._plan.find(graph_id)
            return
        self._plan.show_earlier(plan)
        self._history.compare(plan)

    def go(self, rows: int) -> None:
        """Show the next older plan, or with -1 the next newer one; older ones are read when the last is reached."""
        shown = self._plan.earlier
        count = self._history.rowCount()
        ids = [self._history.index(row).data(KeyRole) for row in range(count)]
        place = ids.index(shown.graph_id) + rows if shown is not None and shown.graph_id in ids else max(rows - 1, -1)
        if place < 0:
            self.show_now()
        elif place < count:
            self.show_plan(ids[place])
        if place >= count - 1:
            self._history.read_on()

    def _with_shown(self, do: object) -> None:
        plan = self._plan.plan
        if plan is not None and callable(do):
            do(plan)

    def _show_newer(self) -> None:
        plan = self._plan.plan
        if plan is not None and plan.successor is not None:
            self.show_plan(plan.successor)

    def _show_trigger(self) -> None:
        plan = self._plan.plan
        if plan is not None and plan.triggers:
            self._context.requests.send(ShowMessage(plan.chat_id, plan.triggers[-1].key.message_id))

    # --- contents -------------------------------------------------------------------------------------------------

    def _refresh_rows(self) -> None:
        shown = self._plan.earlier
        again = self._history.plan(shown.graph_id) if shown is not None else None
        if again is not None and again != shown:
            self.show_plan(again.graph_id)
        else:
            self.refresh()

    def refresh(self) -> None:
        """Show the state of the models."""
        shown, plan = self._plan.earlier, self._plan.plan
        self.row.setVisible(self._history.rowCount() > 0)
        self.older.setVisible(self._history.has_more)
        self.older.allow(self.tr("They are being read.") if self._history.reading else "")
        self.now.set_look(self.now.text(), icon="layers", kind=Kind.PLAIN if shown is None else Kind.QUIET)
        self.tabs.select_plan(shown.graph_id if shown is not None else None)
        if self._escape is not None:
            self._escape.setEnabled(shown is not None)
        has_news = plan is not None and (plan.end is not PlanEnd.OPEN or bool(plan.edited_before))
        self.strip.setVisible(plan is not None and (shown is not None or has_news))
        if plan is not None:
            self._tell(plan)

    def _tell(self, plan: PlanDetails) -> None:
        clock = self._context.models.clock
        token = TONES.get(plan.end, "text2")
        self.strip.set_ground(soft_ground(token))
        self.title.setText(plan_title(plan, clock))
        words = " ".join(filter(None, (end_sentence(plan, clock), edits_sentence(plan))))
        self.why.setText(foreign_text.line(words, 400))
        self.why.set_color(token if plan.end is PlanEnd.FAILED else "text2")
        self.trigger.setText(foreign_text.line(trigger_words(plan, clock), 240))
        self.open_trigger.setVisible(bool(plan.triggers))
        self.newer.setVisible(plan.end is PlanEnd.REPLACED and plan.successor is not None)
        self.again.setVisible(plan.is_unanswered)
        self.dismiss.setVisible(plan.is_unanswered)
        self.back.setVisible(self._plan.earlier is not None)
        self.strip.setAccessibleName(f"{self.title.text()}. {self.why.text()} {self.trigger.text()}")
        self.back.setAccessibleName(self.tr("Back to plan now"))


class NewerDraft(Surface):
    """What took the place of the chosen message of a replaced plan; hidden if nothing is to be compared."""

    def __init__(self, theme: Theme, models: PlansModels) -> None:
        super().__init__(theme, "card", top_line="line_strong")
        self._models = models
        self._task_id: TaskId | None = None
        self.title = PlainLabel(theme, "", Face.SMALL_STRONG, "text2")
        self.title.setWordWrap(True)
        self.diff = WordDiff(theme, max_lines=MOST_LINES)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 14, 8, 12, 10)
        column.setSpacing(4)
        column.addWidget(self.title)
        column.addWidget(self.diff)
        models.history.compared.connect(self._compared)
        self.hide()

    def _compared(self) -> None:
        self.show_step(self._task_id)

    def show_step(self, task_id: TaskId | None) -> None:
        """Compare the message of this step."""
        self._task_id = task_id
        plan, history = self._models.plan.earlier, self._models.history
        change = history.change_of(plan, task_id) if plan is not None and task_id is not None else None
        self.setVisible(change is not None)
        if change is None:
            return
        if change.after == change.before:
            words = self.tr("The newer plan has the same message")
        elif change.after is not None:
            words = self.tr("Changes in the newer plan")
        elif change.is_saved:
            words = self.tr("You had added this message; it was saved when the plan was replaced")
        elif change.is_own:
            words = self.tr("You had added this message; the newer plan is without it")
        else:
            words = self.tr("The newer plan has no such message")
        self.title.setText(words)
        self.diff.compare(change.before, change.after or "")
