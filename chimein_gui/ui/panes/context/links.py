"""Why the chosen message is linked: the path to the trigger, its possible parents, and what spoke for the best one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_role import speak_as_words
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.context.explanation import detail_words, evidence_sentence, evidence_word, weight_words
from chimein_gui.viewmodels.context.words import reason_word, text_words
from chimein_gui.viewmodels.core.numbers import decimal_words

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from chimein_gui.domain.context.explained import LinkExplanation
    from chimein_gui.domain.prompt.considered import ConsideredMessage
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.context import ContextModel

MOST_STEPS = 4
"""Messages of a path that are shown; of a longer one the first and the last."""

_ENDS = ("anchor", "trigger")
"""Reasons of messages with which a path ends: what they answer is above the matter."""

BAR_HEIGHT, LONGEST_LINE, SCALE = 3, 80, 3.0
"""Heights in px; characters of a message; the weight whose bar fills its half."""

LINK_PAD = 11
"""Blank px before the words of a link."""


class PathChips(QWidget):
    """The chosen message, what it answers, and so on, up to the anchor or a start; each leads to its message.

    Attributes:
        asked: Another message shall be chosen; carries its id.
    """

    asked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(4)
        self._path: tuple[ConsideredMessage, ...] = ()
        self.setAccessibleName(self.tr("Path"))

    def show_path(self, path: tuple[ConsideredMessage, ...]) -> None:
        """Show another path; one of a single message is none."""
        if path == self._path:
            return
        self._path = path
        while (item := self._row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        shown = path if len(path) <= MOST_STEPS else (*path[: MOST_STEPS - 1], path[-1])
        for place, one in enumerate(shown):
            if place:
                is_cut = len(path) > MOST_STEPS and place == MOST_STEPS - 1
                self._row.addWidget(PlainLabel(self._theme, "… →" if is_cut else "→", Face.SMALL, "text2"))
            self._row.addWidget(self._chip(one))
        self._row.addStretch(1)
        self.setVisible(len(path) > 1)

    def _chip(self, one: ConsideredMessage) -> ActionButton:
        number = str(int(one.message_id))
        words = f"{number} {reason_word(one.reason)}" if one.reason in ("anchor", "trigger") else number
        chip = ActionButton(self._theme, words)
        self._theme.apply(chip, Face.SMALL)
        chip.setToolTip(foreign_text.tool_tip(text_words(one.message)))
        chip.clicked.connect(partial(self._ask, one))
        return chip

    def _ask(self, one: ConsideredMessage, _checked: bool = False) -> None:
        self.asked.emit(one.message_id)


class _Parent(QWidget):
    """A possible parent: a link to it, its chance, and the chance as a bar."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._chance, self._is_best = theme, 0.0, False
        self.link = ActionButton(theme, "", kind=Kind.LINK)
        theme.apply(self.link, Face.SMALL)
        self.link.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._words = PlainLabel(theme, "", Face.SMALL, "text1")
        self._words.setContentsMargins(LINK_PAD, 5, LINK_PAD, 5)
        self._figure = PlainLabel(theme, "", Face.SMALL_STRONG, "text1")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, BAR_HEIGHT + 1)
        row.setSpacing(6)
        row.addWidget(self.link, 1)
        row.addWidget(self._words, 1)
        row.addWidget(self._figure)
        theme.changed.connect(self.update)

    def show_chance(self, words: str, chance: float, *, is_message: bool, is_best: bool) -> None:
        """Show another chance; only a message can be gone to."""
        self._chance, self._is_best = chance, is_best
        figure = decimal_words(chance, 2)
        self.link.setVisible(is_message)
        self._words.setVisible(not is_message)
        if is_message:
            self.link.set_look(words, kind=Kind.LINK)
            self.link.setToolTip(foreign_text.tool_tip(words))
            self.link.setAccessibleName(f"{words}: {figure}")
        self._words.setText(words)
        self._figure.setText(figure)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        follow_layout(painter, self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole = QRectF(0, self.height() - BAR_HEIGHT, self.width(), BAR_HEIGHT)
        painter.setBrush(self._theme.color("raised"))
        painter.drawRoundedRect(whole, 1.5, 1.5)
        painter.setBrush(self._theme.color(_BARS[self._is_best]))
        whole.setWidth(whole.width() * self._chance)
        painter.drawRoundedRect(whole, 1.5, 1.5)
        painter.end()


_BARS = {True: "accent", False: "text3"}
"""Colours of the bars: of the best parent, and of the others."""


class _EvidenceBars(QWidget):
    """What spoke for a link: word, fact, a bar to the right for and to the left against, and the figure."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._found: LinkExplanation | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        speak_as_words(self)
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self.updateGeometry)

    def show_evidence(self, found: LinkExplanation) -> None:
        """Show other evidence."""
        self._found = found
        self.setAccessibleName("; ".join(evidence_sentence(spoke, found) for spoke in found.evidence))
        self.updateGeometry()
        self.update()

    def _line(self) -> float:
        return self._theme.metrics(Face.SMALL).height() + 6

    def sizeHint(self) -> QSize:
        lines = len(self._found.evidence) if self._found is not None else 0
        return QSize(240, round(lines * self._line()))

    def paintEvent(self, event: QPaintEvent) -> None:
        found, theme = self._found, self._theme
        if found is None:
            return
        painter = QPainter(self)
        follow_layout(painter, self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics, font = theme.metrics(Face.SMALL), theme.font(Face.SMALL)
        figure = metrics.horizontalAdvance("\N{MINUS SIGN}00.0")
        words = max(metrics.horizontalAdvance(evidence_word(spoke.kind)) for spoke in found.evidence) + 8
        bars = min(90.0, (self.width() - words - figure) * 0.5)
        zero = self.width() - figure - 6 - bars / 2
        for place, spoke in enumerate(found.evidence):
            middle = (place + 0.5) * self._line()
            marks.draw_line(painter, font, theme.color("text1"), QPointF(0, middle), evidence_word(spoke.kind))
            room = zero - bars / 2 - words - 6
            detail = foreign_text.line(detail_words(spoke.kind, found), LONGEST_LINE)
            if detail and room > 20:
                marks.draw_line(painter, font, theme.color("text2"), QPointF(words, middle), detail, room)
            length = min(abs(spoke.weight) / SCALE, 1.0) * bars / 2
            painter.fillRect(QRectF(zero, middle - self._line() / 2, 1, self._line()), theme.color("line"))
            left = zero if spoke.weight >= 0 else zero - length
            token = _SIDES[spoke.weight >= 0]
            painter.fillRect(QRectF(left, middle - 3, length, 6), theme.color(token))
            figure_words = weight_words(spoke.weight)
            right = self.width() - metrics.horizontalAdvance(figure_words)
            marks.draw_line(painter, font, theme.color("text1"), QPointF(right, middle), figure_words)
        painter.end()


_SIDES = {True: "accent", False: "danger"}
"""Colours of bars: for a link, and against it."""


class LinkDetails(QWidget):
    """Path, possible parents and evidence of the chosen message.

    Attributes:
        asked: Another message shall be chosen; carries its id.
    """

    asked = Signal(object)

    def __init__(self, theme: Theme, model: ContextModel) -> None:
        super().__init__()
        self._theme, self._model = theme, model
        self.path = PathChips(theme)
        self._of_parents = PlainLabel(theme, self.tr("Possible parents"), Face.SMALL_STRONG, "text2")
        self.sum = PlainLabel(theme, "", Face.SMALL, "text2")
        self.parents: list[_Parent] = []
        self._of_evidence = PlainLabel(theme, "", Face.SMALL_STRONG, "text2")
        self.evidence = _EvidenceBars(theme)
        head = QHBoxLayout()
        head.addWidget(self._of_parents, 1)
        head.addWidget(self.sum)
        self._column = QVBoxLayout()
        self._column.setSpacing(4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.path)
        column.addLayout(head)
        column.addLayout(self._column)
        column.addWidget(self._of_evidence)
        column.addWidget(self.evidence)
        self.path.asked.connect(self.asked)
        model.links.changed.connect(self._show)
        self._show()

    def show_message(self, one: ConsideredMessage | None) -> None:
        """Show another message; its explanation comes a moment later."""
        chain = self._model.chain_of(one)
        anchors = (place for place, each in enumerate(chain) if each.reason in _ENDS and place)
        self.path.show_path(chain[: next(anchors, len(chain)) + 1])
        self._model.explain(one)

    def _show(self) -> None:
        found = self._model.links.found
        for part in (self._of_parents, self.sum):
            part.setVisible(found is not None)
        has_evidence = found is not None and bool(found.evidence)
        self._of_evidence.setVisible(has_evidence)
        self.evidence.setVisible(has_evidence)
        chances = self._chances(found) if found is not None else []
        while len(self.parents) < len(chances):
            line = _Parent(self._theme)
            line.link.clicked.connect(partial(self._ask, len(self.parents)))
            self.parents.append(line)
            self._column.addWidget(line)
        for place, line in enumerate(self.parents):
            line.setVisible(place < len(chances))
            if place < len(chances):
                words, chance, message = chances[place]
                best = found is not None and message is not None and int(message.message_id) == found.best
                line.show_chance(words, chance, is_message=message is not None, is_best=best)
        if found is not None:
            self.sum.setText(self.tr("sum {n}").format(n=decimal_words(sum(one[1] for one in chances), 2)))
            self._of_evidence.setText(self.tr("What spoke for {number}").format(number=found.best))
            self.evidence.show_evidence(found)

    def _chances(self, found: LinkExplanation) -> list[tuple[str, float, ConsideredMessage | None]]:
        made: list[tuple[str, float, ConsideredMessage | None]] = []
        others = found.others
        for chance in found.parents:
            message = next((one for one in self._messages() if int(one.message_id) == chance.message_id), None)
            if message is not None:
                name = foreign_text.name(message.message.sender_name)
                text = foreign_text.isolate(foreign_text.line(text_words(message.message), LONGEST_LINE))
                made.append((f"{int(message.message_id)}  {name} · {text}", chance.probability, message))
            elif chance.message_id is None:
                made.append((self.tr("none: starts a new topic"), chance.probability, None))
            else:
                others += chance.probability
        if others >= 0.005:
            made.append((self.tr("all others"), others, None))
        return made

    def _messages(self) -> tuple[ConsideredMessage, ...]:
        return self._model.selection.messages if self._model.selection is not None else ()

    def _ask(self, place: int, _checked: bool = False) -> None:
        found = self._model.links.found
        chances = self._chances(found) if found is not None else []
        message = chances[place][2] if place < len(chances) else None
        if message is not None:
            self.asked.emit(message.message_id)
