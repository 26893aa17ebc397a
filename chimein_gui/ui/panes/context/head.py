"""The head of the Context pane: which plan, the trigger, and how many messages were taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.form_fields import Choice
from chimein_gui.ui.widgets.controls.icon_button import IconButton
from chimein_gui.ui.widgets.controls.spoken_role import speak_as_words
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.context import NOW
from chimein_gui.viewmodels.context.words import figures_words, rule_words, text_words
from chimein_gui.viewmodels.traces.words import trace_action

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QMouseEvent

    from chimein_gui.domain.ids import MessageId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.context import ContextModel

    Choose = Callable[[MessageId], None]

RULE_FROM = 900
"""Width of the pane in px from which the figures of the time-gap rule have room."""


class TriggerCard(Surface):
    """The message that is answered; a click chooses it."""

    def __init__(self, context: PaneContext, model: ContextModel, choose: Choose) -> None:
        theme = context.theme
        super().__init__(theme, "attention_soft", frame="attention_line", radius=6, stripe="attention_line")
        self._context, self._model, self._choose = context, model, choose
        self._who = ElidedLabel(theme, "", Face.SMALL, "text2")
        self._text = ElidedLabel(theme, "", Face.STRONG)
        word = PlainLabel(theme, self.tr("Trigger"), Face.SMALL_STRONG, "attention")
        column = QVBoxLayout(self)
        set_rtl_margins(column, 14, 5, 10, 5)
        column.setSpacing(1)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(word)
        row.addWidget(self._who, 1)
        column.addLayout(row)
        column.addWidget(self._text)
        speak_as_words(self)

    def refresh(self) -> None:
        """Show the present trigger; hidden without one."""
        one, clock = self._model.trigger, self._context.models.clock
        self.setVisible(one is not None)
        if one is None:
            return
        at = f"{clock.day(one.message.sent_at)}, {clock.clock(one.message.sent_at)}"
        self._who.setText(f"{foreign_text.isolated(one.message.sender_name)} · {at}")
        self._text.setText(foreign_text.line(text_words(one.message)))
        self.setAccessibleName(self.tr("Trigger: {who}. {text}").format(who=self._who.text(), text=self._text.text()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self._model.trigger is not None:
            self._choose(self._model.trigger.message_id)


class _Pair(QWidget):
    """A figure with a line of details below it."""

    def __init__(self, context: PaneContext, color: str) -> None:
        super().__init__()
        self.head = ElidedLabel(context.theme, "", Face.STRONG, color)
        self.rest = ElidedLabel(context.theme, "", Face.SMALL, "text2")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        column.addWidget(self.head)
        column.addWidget(self.rest)
        speak_as_words(self)

    def say(self, head: str, rest: str) -> None:
        """Show other words."""
        self.head.setText(head)
        self.rest.setText(rest)
        self.rest.setToolTip(rest)
        self.setAccessibleName(f"{head}: {rest}" if rest else head)


class ContextHead(Surface):
    """Two rows in a narrow pane, one in a wide one."""

    def __init__(self, context: PaneContext, model: ContextModel, choose: Choose) -> None:
        super().__init__(context.theme, "pane", bottom_line="line")
        self._context, self._model = context, model
        theme = context.theme
        self.plan = Choice(theme, self.tr("Plan"))
        self.plan.setMinimumContentsLength(19)
        self.only_taken = IconButton(theme, "filter", self.tr("Only messages that were taken"), stays=True)
        self.trace = IconButton(theme, "traces", trace_action())
        self.trigger = TriggerCard(context, model, choose)
        self.taken = _Pair(context, "text1")
        self.rule = _Pair(context, "attention")
        row = QHBoxLayout(self)
        set_rtl_margins(row, 12, 6, 12, 7)
        row.setSpacing(14)
        row.addWidget(self.plan, 3)
        row.addWidget(self.only_taken)
        row.addWidget(self.trace)
        row.addWidget(self.trigger, 5)
        row.addWidget(self.taken, 3)
        row.addWidget(self.rule, 3)
        self.plan.currentIndexChanged.connect(lambda _place: model.choose(self.plan.currentData()))
        model.rows.modelReset.connect(self._show_filter)
        self.only_taken.toggled.connect(lambda on: model.rows.show_only_taken(only=on))

    def refresh(self) -> None:
        """Show the present selection."""
        model = self._model
        figures, selection = model.figures, model.selection
        self.plan.set_entries(self._entries(), model.shown)
        self.trigger.refresh()
        shows = selection is not None and bool(selection.messages)
        self.only_taken.setVisible(shows)
        self.trace.setVisible(selection is not None and selection.graph_id is not None)
        self.taken.setVisible(shows and selection is not None and selection.is_stored)
        self.taken.say(*figures_words(figures))
        self.rule.say(*rule_words(figures))
        self.fit()

    def _show_filter(self) -> None:
        # Choosing a message that is hidden switches the filter off.
        self.only_taken.setChecked(self._model.rows.only_taken)

    def fit(self) -> None:
        """Show the figures of the time-gap rule if there is room, and if it means something."""
        selection = self._model.selection
        chosen = selection is not None and selection.is_stored and selection.history is None
        wide = self.width() >= RULE_FROM * self._context.theme.percent / 100
        self.rule.setVisible(chosen and wide and bool(selection and selection.messages))

    def _entries(self) -> list[tuple[str, object]]:
        clock, entries = self._context.models.clock, []
        for place, plan in enumerate(self._model.plans):
            at = f"{clock.day(plan.made_at)}, {clock.clock(plan.made_at)}"
            words = self.tr("Newest plan · {time}") if place == 0 else self.tr("Plan · {time}")
            entries.append((words.format(time=at), plan.graph_id))
        return [*entries, (self.tr("What would be taken now"), NOW)]
