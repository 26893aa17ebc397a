"""The bar below the list: what is selected, decisions on all of it, and their result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.domain.approvals import Postpone, Reject
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_buttons import tell_menu
from chimein_gui.ui.widgets.controls.spoken_role import announce, speak_as_alert
from chimein_gui.ui.widgets.surfaces.menus import open_below
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.panes.approvals import make_approvals
from chimein_gui.viewmodels.words.later import later_choices

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
    from chimein_gui.viewmodels.approvals.batch import Done

LEAST_SHOWN_S = 5.0
"""Minimum time that the result of a batch is shown, in seconds."""

SQUARE = 16

translate = QCoreApplication.translate


class BatchBar(Surface):
    """Hidden while nothing is selected, unless a batch was just decided.

    Attributes:
        approve_pressed: Approve the selected cards.
        undo_pressed: Undo the last batch.
    """

    approve_pressed = Signal()
    undo_pressed = Signal()

    def __init__(self, context: PaneContext, keys: SingleKeyShortcuts) -> None:
        super().__init__(context.theme, "raised", top_line="line")
        self._models, self._batch = context.models, context.own(make_approvals).batch
        theme = context.theme
        speak_as_alert(self)
        self._said, self._read = "", 0
        self.count = PlainLabel(theme, "", Face.STRONG)
        self.hint = ElidedLabel(theme, "", Face.SMALL_STRONG, "attention")
        self.hint.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._agents = _AgentCounts(context)
        self.clear = ActionButton(theme, self.tr("Clear"), key="Esc", kind=Kind.QUIET)
        self.approve = ActionButton(theme, "", icon="check", key="A", kind=Kind.PRIMARY)
        self.reject = ActionButton(theme, "", key="R")
        self.later = ActionButton(theme, self.tr("Later"), icon="caret-down")
        tell_menu(self.later)
        self.undo = ActionButton(theme, self.tr("Undo"), icon="undo", key="Z")
        self._dress(keys)
        self.clear.clicked.connect(self._batch.clear)
        self.approve.clicked.connect(self.approve_pressed)
        self.reject.clicked.connect(self._reject)
        self.later.clicked.connect(self._offer_times)
        self.undo.clicked.connect(self.undo_pressed)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._end)
        self._batch.changed.connect(self._show)
        self._batch.answered.connect(self._tell)
        self._batch.undone.connect(self._tell_undone)
        self.hide()

    def _dress(self, keys: SingleKeyShortcuts) -> None:
        column, head, middle, foot = QVBoxLayout(self), QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        set_rtl_margins(column, 12, 9, 10, 10)
        column.setSpacing(6)
        head.addWidget(self.count, 1)
        head.addWidget(self.undo)
        head.addWidget(self.clear)
        middle.addWidget(self._agents)
        middle.addWidget(self.hint, 1)
        for button in (self.approve, self.reject, self.later):
            foot.addWidget(button)
        foot.addStretch(1)
        for row in (head, middle, foot):
            row.setSpacing(6)
            column.addLayout(row)
        for button in (self.undo, self.clear, self.approve, self.reject, self.later):
            keys.watch(button)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def _reject(self) -> None:
        self._batch.reject()

    def _show(self) -> None:
        """Show what is selected; a new selection replaces the result of the last batch."""
        count, busy = self._batch.count, self._batch.is_busy
        if count and not busy:
            self._said = ""
            sorted_cards = self._batch.sort()
            ready = len(sorted_cards.ready)
            self.count.setText(translate("BatchBar", "%n selected", "", count))
            self.hint.setText(sorted_cards.words())
            self._agents.show_cards(self._batch.selected())
            self.approve.set_look(translate("BatchBar", "Approve %n", "", ready), icon="check", kind=Kind.PRIMARY)
            self.approve.allow("" if ready else self.tr("None of these can be approved together"))
            self._read = read = len(sorted_cards.read)
            self.reject.set_look(translate("BatchBar", "Reject %n", "", read))
        for part in (self.clear, self.approve, self.reject, self.later, self.hint, self._agents):
            part.setVisible(count > 0)
        saving = self.tr("Saving your decision…") if busy else ""
        if busy:
            self.approve.allow(saving)
        self.reject.allow(saving or ("" if self._read else self.tr("None of these has been read yet")))
        self.later.allow(saving)
        self.undo.setVisible(not count and self._batch.undoable > 0)
        if not count:
            self.count.setText(self._said)
        self._turn()

    def _turn(self) -> None:
        shown = self._batch.count > 0 or bool(self._said)
        if shown is self.isHidden():
            self.setVisible(shown)

    def _tell(self, done: Done) -> None:
        number = len(done.accepted)
        if isinstance(done.decision, Reject):
            words = translate("BatchBar", "%n rejected", "", number)
        elif isinstance(done.decision, Postpone):
            words = translate("BatchBar", "%n postponed", "", number)
        else:
            words = translate("BatchBar", "%n approved", "", number)
        if done.refused:
            refused = done.refused
            stay = translate("BatchBar", "%n changed meanwhile and wait", "", refused)
            words = self.tr("{done}, {stay}").format(done=words, stay=stay)
        self._say(words)

    def _tell_undone(self, number: int, left: int) -> None:
        words = translate("BatchBar", "%n undone", "", number)
        if left:
            gone = translate("BatchBar", "%n can't be undone any more", "", left)
            words = self.tr("{done}, {stay}").format(done=words, stay=gone)
        self._say(words)

    def _say(self, words: str) -> None:
        self._said = words
        self._show()
        self.setAccessibleName(words)
        announce(self)
        self._rest.start(round(max(LEAST_SHOWN_S, self._models.preferences.undo_s) * 1000))

    def _end(self) -> None:
        self._said = ""
        self._show()

    def _offer_times(self) -> None:
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        for choice in later_choices(self._models.clock.now()):
            menu.addAction(foreign_text.action(choice.words)).triggered.connect(
                lambda _checked=False, until=choice.until: self._batch.postpone(until)
            )
        open_below(menu, self.later)


class _AgentCounts(QWidget):
    """The number of selected cards per agent, with avatars."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._theme, self._agents = context.theme, context.models.agents
        self._counts: list[tuple[str, int, int]] = []
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)

    def show_cards(self, cards: tuple[Approval, ...]) -> None:
        """Show how many of these cards each agent has."""
        found: dict[object, list[Approval]] = {}
        for card in cards:
            found.setdefault(card.agent_id, []).append(card)
        self._counts = [
            (mine[0].agent_name, self._agents.identity_of(mine[0].agent_id), len(mine)) for mine in found.values()
        ]
        self.setAccessibleName(", ".join(f"{name} {count}" for name, _identity, count in self._counts))
        self.updateGeometry()
        self.update()

    def _step(self) -> int:
        return SQUARE + 10 + round(self._theme.metrics(Face.SMALL).horizontalAdvance("000"))

    def sizeHint(self) -> QSize:
        return QSize(self._step() * min(4, len(self._counts)), max(SQUARE + 4, 20))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        follow_layout(painter, self)
        middle, font = self.height() / 2, self._theme.font(Face.SMALL)
        for place, (name, identity, count) in enumerate(self._counts[:4]):
            square = QRectF(place * self._step(), middle - SQUARE / 2, SQUARE, SQUARE)
            marks.draw_square(painter, self._theme, square, name, identity)
            words = QRectF(square.right() + 4, 0, self._step(), self.height()).center()
            words.setX(square.right() + 4)
            marks.draw_line(painter, font, self._theme.color("text2"), words, str(count))
        painter.end()
