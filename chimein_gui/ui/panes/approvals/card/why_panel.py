"""The reasons of a card: why it needs a decision, what the model knew, costs, and earlier decisions in this chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.ui.panes.approvals.card.changed_block import ThemedIcon
from chimein_gui.ui.panes.approvals.card.section import Section
from chimein_gui.ui.panes.approvals.card.why_words import Fact, call_facts, decision_words, knowledge_facts, why_facts
from chimein_gui.ui.requests import ShowContext, ShowDecisions, ShowTrace
from chimein_gui.ui.widgets.controls.spoken_role import speak_as_place
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.traces.words import trace_action

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.cards import CardDetails, DecisionCounts
    from chimein_gui.domain.ids import ChatId, GraphId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.theme.theme import Theme

_SELECTABLE = Qt.TextInteractionFlag.TextSelectableByMouse


class _FactLine(QWidget):
    """An icon with a fact, and details on a second line."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._icon = ThemedIcon(theme, "info", "text2")
        self._what = PlainLabel(theme, "", Face.SMALL_STRONG)
        self._rest = PlainLabel(theme, "", Face.SMALL, "text2")
        words = QVBoxLayout()
        words.setSpacing(1)
        for label in (self._what, self._rest):
            label.setWordWrap(True)
            label.setTextInteractionFlags(_SELECTABLE)
            words.addWidget(label)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)

    def show_fact(self, fact: Fact) -> None:
        """Fill the line: the icon, what it is in bold, and the rest below it if there is any."""
        self._icon.set_icon(fact.icon, fact.token)
        self._what.setText(fact.what)
        self._rest.setText(fact.rest)
        self._rest.setVisible(bool(fact.rest))


class _Facts(Section):
    """A section with facts; hidden if there are none."""

    def __init__(self, theme: Theme, title: str, *, link: str = "") -> None:
        super().__init__(theme, title, link=link, above=14)
        self._theme = theme
        self._lines: list[_FactLine] = []

    def show_facts(self, facts: tuple[Fact, ...]) -> None:
        """Show these facts."""
        while len(self._lines) < len(facts):
            self._lines.append(_FactLine(self._theme))
            self.add(self._lines[-1])
        for place, line in enumerate(self._lines):
            line.setVisible(place < len(facts))
            if place < len(facts):
                line.show_fact(facts[place])
        self.setVisible(bool(facts))


class _Pairs(Section):
    """Names at the leading edge, values at the trailing one."""

    def __init__(self, theme: Theme, title: str, *, link: str = "") -> None:
        super().__init__(theme, title, link=link, above=14)
        self._theme = theme
        inside = QWidget()
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(5)
        self._grid.setColumnStretch(1, 1)
        self._labels: list[tuple[PlainLabel, PlainLabel]] = []
        self.add(inside)

    def show_pairs(self, pairs: tuple[tuple[str, str], ...]) -> None:
        """Show these names and values."""
        while len(self._labels) < len(pairs):
            name, figure = PlainLabel(self._theme, "", Face.SMALL, "text2"), PlainLabel(self._theme, "", Face.SMALL)
            figure.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            figure.setWordWrap(True)
            figure.setTextInteractionFlags(_SELECTABLE)
            row = len(self._labels)
            self._grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(figure, row, 1)
            self._labels.append((name, figure))
        for place, (name, figure) in enumerate(self._labels):
            shown = place < len(pairs)
            name.setVisible(shown)
            figure.setVisible(shown)
            if shown:
                name.setText(pairs[place][0])
                figure.setText(pairs[place][1])
                figure.setAccessibleName(f"{pairs[place][0]}: {pairs[place][1]}")
        self.setVisible(bool(pairs))


class DecisionsBar(QWidget):
    """A bar with the shares of unchanged, edited and rejected drafts; the text below says the same."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shares: tuple[tuple[int, str], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(120, 8)

    def show_counts(self, counts: DecisionCounts) -> None:
        """Show the shares."""
        self._shares = ((counts.unchanged, "ok"), (counts.edited, "info"), (counts.rejected, "danger"))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        painter.setPen(Qt.PenStyle.NoPen)
        whole = sum(count for count, _ in self._shares)
        shown = [(count, token) for count, token in self._shares if count]
        room, x = self.width() - 2 * max(0, len(shown) - 1), 0.0
        if not whole:
            painter.setBrush(self._theme.color("track"))
            painter.drawRoundedRect(QRectF(0, 1, self.width(), 6), 2, 2)
        for count, token in shown:
            width = max(4.0, room * count / whole)
            painter.setBrush(self._theme.color(token))
            painter.drawRoundedRect(QRectF(x, 1, width, 6), 2, 2)
            x += width + 2
        painter.end()


class WhyPanel(QWidget):
    """Shown beside the card, or at its end if the pane is narrow.

    Attributes:
        reasons: Why the card asks, as one text.
    """

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        theme = context.theme
        self._context, self.reasons = context, ""
        self._why = _Facts(theme, self.tr("Why it asks"))
        self._knew = _Facts(theme, self.tr("What it knew"), link=self.tr("Show context"))
        self._knew.link_pressed.connect(self._show_context)
        self._calls = _Pairs(theme, self.tr("Model call"), link=trace_action())
        self._calls.link_pressed.connect(lambda: context.requests.send(ShowTrace(self._graph_id)))
        self._chat_id: ChatId | None = None
        self._graph_id: GraphId | None = None
        self._decisions = Section(theme, self.tr("Your decisions in this chat"), link=self.tr("Show all"), above=14)
        self._decisions.link_pressed.connect(lambda: context.requests.send(ShowDecisions(self._chat_id)))
        self._decisions.aside.setText(self.tr("30 days"))
        self._bar = DecisionsBar(theme)
        self._words = PlainLabel(theme, "", Face.SMALL, "text2")
        self._words.setWordWrap(True)
        self._decisions.add(self._bar)
        self._decisions.add(self._words)
        self._problem = PlainLabel(theme, "", Face.SMALL, "danger")
        self._problem.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 12)
        column.setSpacing(6)
        for part in (self._problem, self._why, self._knew, self._calls, self._decisions):
            column.addWidget(part)
        column.addStretch(1)
        speak_as_place(self)
        self.setAccessibleName(self.tr("Why"))
        # Focusable, so that long contents can be scrolled by keyboard.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def _show_context(self) -> None:
        if self._chat_id is not None:
            self._context.requests.send(ShowContext(self._chat_id, self._graph_id))

    def show_card(self, approval: Approval, details: CardDetails | None, problem: str) -> None:
        """Show the known facts about a card; unknown ones are left out."""
        self._chat_id, self._graph_id = approval.chat_id, approval.graph_id
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        reasons = why_facts(approval, details, self._context.models.clock)
        self.reasons = ", ".join(fact.what for fact in reasons)
        self._why.show_facts(reasons)
        self._knew.show_facts(knowledge_facts(details, self._context.models.clock))
        self._calls.show_pairs(call_facts(details))
        self._decisions.setVisible(details is not None)
        if details is not None:
            self._bar.show_counts(details.decisions)
            self._words.setText(decision_words(details.decisions))
