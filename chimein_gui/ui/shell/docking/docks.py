"""Docks for the panes, whose title shows only what their tab does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QDockWidget, QHBoxLayout, QLayout, QMainWindow, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_role import speak_as_place
from chimein_gui.ui.widgets.surfaces.pane_title import PaneTitle
from chimein_gui.viewmodels.core.throttle import TELL_MS, Throttle

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent, QMoveEvent, QResizeEvent

    from chimein_gui.ui.pane import Pane, PaneSpec
    from chimein_gui.ui.widgets.theme.theme import Theme


def trailing_side(window: QWidget) -> Qt.DockWidgetArea:
    """Return the dock area at the trailing edge, beside the chat: right, or left in a right-to-left layout."""
    rtl = window.isRightToLeft()
    return Qt.DockWidgetArea.LeftDockWidgetArea if rtl else Qt.DockWidgetArea.RightDockWidgetArea


class PaneDock(QDockWidget):
    """A pane that can be moved, tabbed and floated.

    Attributes:
        maximise_pressed: The pane shall be maximized or restored; carries its id.
        tabs_changed: The dock may have been tabbed or untabbed.
        moved: The dock has another position or size.
        is_furnished: It was shown once, so it has its title bar and `buttons`.
        buttons: Maximize, float and close.
    """

    maximise_pressed = Signal(str)
    tabs_changed = Signal()
    moved = Signal()

    buttons: QWidget
    _title: PaneTitle

    def __init__(self, spec: PaneSpec, pane: Pane, theme: Theme, window: QMainWindow) -> None:
        self.word = QCoreApplication.translate("Panes", str(spec.title))
        super().__init__(self.word, window)
        self.spec = spec
        speak_as_place(self, is_hidden=self.is_behind)
        self.setObjectName(f"dock_{spec.pane_id}")
        self.setMinimumWidth(320)
        self._theme, self._subtitle, self._badge = theme, "", 0
        self._titles = Throttle(TELL_MS, self._show_title, self)
        self.is_furnished = self._is_maximised = False
        self.take(pane)
        self.topLevelChanged.connect(lambda _floating: self.follow_tabs())
        self.visibilityChanged.connect(lambda _visible: self._follow_sight())
        self.visibilityChanged.connect(lambda _visible: self.follow_tabs())
        self.dockLocationChanged.connect(lambda _area: self.follow_tabs())
        theme.fonts_changed.connect(self._measure_later)

    def take(self, pane: Pane) -> None:
        """Show this pane instead of the current contents."""
        before, self.pane = self.widget(), pane
        policy = pane.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # a pane behind another tab is hidden, and keeps the room it needs
        pane.setSizePolicy(policy)
        pane.subtitle_changed.connect(self._set_subtitle)
        self.setWidget(pane)
        self._follow_sight()
        if before is not None:
            before.hide()
            before.deleteLater()

    def _set_subtitle(self, words: str) -> None:
        self._subtitle = words
        if self.is_furnished:
            self._title.subtitle.setText(words)

    def setVisible(self, visible: bool) -> None:
        if visible and not self.is_furnished:
            self.is_furnished = True
            self._furnish()
        super().setVisible(visible)

    def _furnish(self) -> None:
        """Make the title bar with the buttons to maximize, float and close: most docks are never shown."""
        self._title = PaneTitle(self._theme, self.word)
        self._title.subtitle.setText(self._subtitle)
        self.buttons = QWidget()
        row = QHBoxLayout(self.buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        made = []
        for icon, name, do in (
            ("maximise", self.tr("Maximize {pane}"), self._ask_for_room),
            ("float", self.tr("Float {pane}"), self._toggle_floating),
            ("x", self.tr("Close {pane}"), self.close),
        ):
            button = ActionButton(self._theme, "", icon=icon, kind=Kind.QUIET)
            button.setAccessibleName(name.format(pane=self.word))
            button.setToolTip(name.format(pane=self.word))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setFixedWidth(28)
            button.clicked.connect(do)
            row.addWidget(button)
            made.append(button)
        self._actions = tuple(made)
        self._title.add_button(self.buttons)
        self.setTitleBarWidget(self._title)
        self.fold_title()
        if self._is_maximised:
            self.show_maximised(maximised=True)

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._follow_sight()
        self.moved.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.moved.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.pane.on_hidden()

    def show_maximised(self, *, maximised: bool) -> None:
        """Set icon and text of the button: maximize or restore."""
        self._is_maximised = maximised
        if not self.is_furnished:
            return
        maximise, *others = self._actions
        name = self.tr("Restore size") if maximised else self.tr("Maximize {pane}").format(pane=self.word)
        maximise.set_look("", icon="minimise" if maximised else "maximise", kind=Kind.QUIET)
        maximise.setAccessibleName(name)
        maximise.setToolTip(self.tr("{name} (Ctrl+Shift+M)").format(name=name))
        for button in others:
            button.setVisible(not maximised)

    def is_tabbed(self) -> bool:
        """Tell whether the dock has a tab with its title."""
        window = self.parent()
        return isinstance(window, QMainWindow) and bool(window.tabifiedDockWidgets(self)) and not self.isFloating()

    def is_behind(self) -> bool:
        """Tell whether another tab is before the dock: Qt then moves it off the window, and calls it visible still."""
        where = self.geometry()
        return not self.isFloating() and (where.right() < 0 or where.bottom() < 0)

    def _follow_sight(self) -> None:
        """Hide the pane while the dock is behind another tab: else Tab leads into it, and screen readers read it."""
        pane, behind = self.pane, self.is_behind()
        if pane.parentWidget() is not self or pane.isHidden() is behind:  # in a narrow window another place has it
            return
        focus = QApplication.focusWidget()
        had_focus = behind and focus is not None and pane.isAncestorOf(focus)
        pane.setVisible(not behind)
        if had_focus:
            QTimer.singleShot(0, self, self._pass_focus_on)

    def _measure_later(self) -> None:
        QTimer.singleShot(0, self, self._measure)

    def _measure(self) -> None:
        """Find out how much room a hidden pane needs with letters of another size: Qt does so only for shown ones."""
        if self.pane.isHidden():
            for layout in reversed(self.pane.findChildren(QLayout)):  # what is inside comes first
                layout.activate()
            self.pane.updateGeometry()

    def _pass_focus_on(self) -> None:
        """Focus the pane of the tab that has come before this one, unless something else there has the focus."""
        window = self.parent()
        focus: QWidget | None = QApplication.focusWidget()
        docks = window.tabifiedDockWidgets(self) if isinstance(window, QMainWindow) else []
        for dock in docks:
            if isinstance(dock, PaneDock) and dock.isVisible() and not dock.is_behind():
                if not (focus and dock.isAncestorOf(focus)):
                    dock.pane.focus_widget().setFocus(Qt.FocusReason.OtherFocusReason)
                return

    def follow_tabs(self) -> None:
        """Update the title, as the dock may have been moved."""
        self.fold_title()
        self.tabs_changed.emit()

    def fold_title(self) -> None:
        """Hide the title if a tab shows it; the buttons are then at the end of the tab bar."""
        if not self.is_furnished:
            return
        is_tabbed = self.is_tabbed()
        if not is_tabbed and self.buttons.parentWidget() is not self._title:
            self._title.add_button(self.buttons)
            self.buttons.show()
        self._title.set_folded(is_tabbed)

    def show_badge(self, number: int) -> None:
        """Show the number of waiting items in the title and on the tab, at most a few times a second."""
        self._badge = number
        self._titles.ask()

    def _show_title(self) -> None:
        self.setWindowTitle(f"{self.word}  {self._badge}" if self._badge else self.word)

    def _ask_for_room(self) -> None:
        self.maximise_pressed.emit(self.spec.pane_id)

    def _toggle_floating(self) -> None:
        self.setFloating(not self.isFloating())
