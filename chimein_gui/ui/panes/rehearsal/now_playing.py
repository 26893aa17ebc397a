"""The running scenario: its progress, and buttons that pause or end it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.surfaces.surface import Card
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.mirror import follow_layout, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.core.numbers import short_words
from chimein_gui.viewmodels.rehearsal.commands import RehearsalCommand
from chimein_gui.viewmodels.rehearsal.refusals import scene_problem_words
from chimein_gui.viewmodels.rehearsal.rehearsal import RehearsalModel, is_over

if TYPE_CHECKING:
    from chimein_gui.sandbox_api import ScenarioProgress


class ProgressBar(QWidget):
    """A violet bar, because its contents are simulated."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._share = theme, 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(80, 4)

    def set_share(self, share: float) -> None:
        """Set the progress, from 0 to 1."""
        self._share = min(1.0, max(0.0, share))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("track"))
        painter.drawRoundedRect(QRectF(self.rect()), 2, 2)
        if self._share:
            painter.setBrush(self._theme.color("unreal"))
            painter.drawRoundedRect(QRectF(0, 0, max(4.0, self.width() * self._share), self.height()), 2, 2)
        painter.end()


class NowPlaying(Card):
    """Shown above the list once a scenario was started."""

    def __init__(self, theme: Theme, rehearsal: RehearsalModel) -> None:
        super().__init__(theme, stripe="unreal")
        self._rehearsal = rehearsal
        self._title = ElidedLabel(theme, "", Face.STRONG)
        self._of = PlainLabel(theme, "", Face.SMALL, "text2")
        self._bar = ProgressBar(theme)
        self._state = ElidedLabel(theme, "", Face.SMALL_STRONG, "unreal")
        self._problem = InlineMessage(theme)
        self.go = ActionButton(theme, "")
        self.end = ActionButton(theme, self.tr("Stop"), icon="stop")
        for button in (self.go, self.end):
            button.setAutoDefault(True)
        self._build()
        self.go.clicked.connect(self._go)
        self.end.clicked.connect(rehearsal.commands.stop)
        rehearsal.changed.connect(self.refresh)
        rehearsal.cast_changed.connect(self.refresh)
        self.refresh()

    def _build(self) -> None:
        head, foot = QHBoxLayout(), QHBoxLayout()
        for row in (head, foot):
            row.setSpacing(8)
        head.addWidget(self._title, 1)
        head.addWidget(self._of)
        foot.addWidget(self._state, 1)
        foot.addWidget(self.go)
        foot.addWidget(self.end)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 16, 11, 12, 11)
        column.setSpacing(9)
        column.addLayout(head)
        column.addWidget(self._bar)
        column.addWidget(self._problem)
        column.addLayout(foot)

    def refresh(self) -> None:
        """Update the progress."""
        now = self._rehearsal.scenario
        self.setVisible(now is not None)
        if now is None:
            return
        known = self._rehearsal.scenario_named(now.name)
        lines = known.lines if known is not None else 0
        title = foreign_text.name(self._rehearsal.title_of(now))
        of = self.tr("{done} of {all}").format(done=now.done, all=lines) if lines else str(now.done)
        self._title.setText(title)
        self._of.setText(of)
        self._bar.set_share(now.done / lines if lines else float(now.finished))
        self._problem.refuse(scene_problem_words(now.problem))
        state, token = self._state_words(now)
        self._state.setText(state)
        self._state.set_color(token)
        self.set_stripe(
            "danger" if now.problem else "ok" if now.finished else "line_strong" if now.stopped else "unreal"
        )
        self._look(now, title)
        self.setAccessibleName(f"{title}, {of}, {state}")

    def _state_words(self, now: ScenarioProgress) -> tuple[str, str]:
        if now.problem:
            return self.tr("Stopped early"), "danger"
        if now.finished:
            return self.tr("Finished"), "ok"
        if now.stopped:
            return self.tr("Stopped by you"), "text2"
        if now.paused:
            return self.tr("Paused"), "text2"
        return self.tr("Playing at {speed}×").format(speed=short_words(self._rehearsal.state.speed)), "unreal"

    def _look(self, now: ScenarioProgress, title: str) -> None:
        busy = self._rehearsal.busy(RehearsalCommand.SCENARIO)
        over = is_over(now)
        word = self.tr("Play again") if over else self.tr("Resume") if now.paused else self.tr("Pause")
        icon = "spinner" if busy else "undo" if over else "play" if now.paused else "pause-circle"
        kind = Kind.UNREAL if now.paused and not over else Kind.PLAIN
        self.go.set_look(word, icon=icon, kind=kind)
        self.go.setAccessibleName(f"{word}: {title}")
        self.end.setAccessibleName(f"{self.tr('Stop')}: {title}")
        if over and self.end.hasFocus():
            self.go.setFocus(Qt.FocusReason.OtherFocusReason)
        self.end.setVisible(not over)

    def _go(self) -> None:
        now = self._rehearsal.scenario
        if now is None:
            return
        if is_over(now):
            self._rehearsal.commands.play(now.name)
        else:
            self._rehearsal.commands.pause(paused=not now.paused)
