"""How the window looks: colours, size of the letters, motion; chosen here, or as the system says, followed live."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from chimein_gui.ui.shell.appearance.theme import apply_theme, system_scheme
from chimein_gui.ui.widgets.theme.theme import FACE_OF, Face, Scheme, Theme

if TYPE_CHECKING:
    from chimein_gui.ui.shell.docking.layout_memory import LayoutMemory

TEXT_SIZES = (90, 100, 110, 125, 150)
"""Percent of the system's size."""


class Motion(StrEnum):
    """Whether things may move by themselves."""

    SYSTEM = "system"
    ON = "on"
    OFF = "off"


def remembered_scheme(memory: LayoutMemory, application: QApplication) -> Scheme:
    """Return the colours that were chosen, else those the system asks for."""
    chosen = memory.text_of("scheme")
    return Scheme(chosen) if chosen in set(Scheme) else system_scheme(application)


def remembered_percent(memory: LayoutMemory) -> int:
    """Return the size of the letters that was chosen; 100 where none was."""
    chosen = memory.text_of("text_size")
    return int(chosen) if chosen.isdecimal() and int(chosen) in TEXT_SIZES else 100


def system_is_still(application: QApplication) -> bool:
    """Tell whether the system asks for reduced motion."""
    # Imported when it is asked for, after the first paint: the enums of a style are large, and take 30 ms.
    from PySide6.QtWidgets import QStyle

    return not application.style().styleHint(QStyle.StyleHint.SH_Widget_Animate)


def system_wants_contrast(application: QApplication) -> bool:
    """Tell whether the system asks for high contrast."""
    hints = application.styleHints()
    # The one lives only as long as the other is held.
    wishes = hints.accessibility()
    return wishes.contrastPreference() is Qt.ContrastPreference.HighContrast


class Appearance(QObject):
    """The choices of the View menu, remembered.

    Attributes:
        changed: A choice is another now.
    """

    changed = Signal()

    def __init__(self, window: QMainWindow, theme: Theme, memory: LayoutMemory) -> None:
        super().__init__(window)
        self._window, self._theme, self._memory = window, theme, memory
        self._motion = Motion(remembered) if (remembered := memory.text_of("motion")) in set(Motion) else Motion.SYSTEM
        theme.changed.connect(self._repaint)
        theme.fonts_changed.connect(self._resize_letters)
        theme.motion_changed.connect(self._hold_still)
        if self._motion is Motion.SYSTEM:
            QTimer.singleShot(0, self, self._follow_motion)
        else:
            self._follow_motion()
        self._hold_still()

    @property
    def scheme_choice(self) -> str:
        """``light``, ``dark`` or ``system``."""
        chosen = self._memory.text_of("scheme")
        return chosen if chosen in set(Scheme) else "system"

    @property
    def text_size(self) -> int:
        """Percent of the system's size."""
        return self._theme.percent

    @property
    def motion(self) -> Motion:
        """Whether things may move by themselves."""
        return self._motion

    def choose_scheme(self, choice: str) -> None:
        """Take light, dark or the system's colours from now on."""
        self._memory.remember("scheme", choice if choice in set(Scheme) else "")
        self._theme.set_scheme(remembered_scheme(self._memory, _application()))
        self.changed.emit()

    def switch_scheme(self) -> None:
        """Take the other colours."""
        self.choose_scheme(Scheme.LIGHT if self._theme.scheme is Scheme.DARK else Scheme.DARK)

    def choose_text_size(self, percent: str) -> None:
        """Make the letters larger or smaller."""
        self._memory.remember("text_size", percent)
        self._theme.set_percent(remembered_percent(self._memory))
        self.changed.emit()

    def step_text_size(self, step: str) -> None:
        """Go to the next larger or smaller size."""
        place = TEXT_SIZES.index(self._theme.percent) + int(step)
        self.choose_text_size(str(TEXT_SIZES[max(0, min(place, len(TEXT_SIZES) - 1))]))

    def choose_motion(self, choice: str) -> None:
        """Let things move by themselves, or not, or as the system says."""
        self._motion = Motion(choice)
        self._memory.remember("motion", choice)
        self._follow_motion()
        self.changed.emit()

    def follow_system(self) -> None:
        """Take the system's colours and contrast, unless the operator chose others."""
        self._theme.set_scheme(remembered_scheme(self._memory, _application()))
        self._theme.set_more_contrast(more=system_wants_contrast(_application()))
        self._follow_motion()

    def _follow_motion(self) -> None:
        still = self._motion is Motion.OFF or (self._motion is Motion.SYSTEM and system_is_still(_application()))
        self._theme.set_still(still=still)

    def _hold_still(self) -> None:
        self._window.setAnimated(not self._theme.still)

    def _repaint(self) -> None:
        apply_theme(_application(), self._theme)
        self._set_letters()  # with a new style sheet every widget gets back the font it was made with

    def _resize_letters(self) -> None:
        apply_theme(_application(), self._theme)
        self._set_letters()
        for widget in (self._window, *self._window.findChildren(QWidget)):
            widget.updateGeometry()
            widget.update()

    def _set_letters(self) -> None:
        """Give every widget the font of its face, those too that have no place in the window yet.

        Parents first: with a new font Qt gives a child that has a style sheet the font back that it was made with.
        """
        fonts = {face.value: self._theme.font(face) for face in Face}
        for top in QApplication.topLevelWidgets():
            for widget in (top, *top.findChildren(QWidget)):
                font = fonts.get(widget.property(FACE_OF))
                if font is not None and widget.font() != font:
                    widget.setFont(font)


def _application() -> QApplication:
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        raise RuntimeError("A QApplication must exist before the window")  # noqa: TRY004 - not a type problem
    return application
