"""Colour scheme, text size and motion of the window, as chosen or as the system asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from chimein_gui.ui.shell.appearance.theme import apply_theme, system_scheme
from chimein_gui.ui.widgets.theme.theme import FACE_OF, Face, Scheme, Theme
from chimein_gui.viewmodels.preferences.appearance import DEFAULTS, TEXT_SIZES, Look

if TYPE_CHECKING:
    from chimein_gui.ui.shell.docking.layout_memory import LayoutMemory
    from chimein_gui.viewmodels.preferences.appearance import AppearanceModel


def remembered_scheme(memory: LayoutMemory, application: QApplication) -> Scheme:
    """Return the chosen colour scheme, else the system's."""
    chosen = memory.text_of("scheme")
    return Scheme(chosen) if chosen in set(Scheme) else system_scheme(application)


def remembered_percent(memory: LayoutMemory) -> int:
    """Return the chosen text size in percent; 100 if none was chosen."""
    chosen = memory.text_of("text_size")
    return int(chosen) if chosen.isdecimal() and int(chosen) in TEXT_SIZES else 100


def system_is_still(application: QApplication) -> bool:
    """Tell whether the system asks for reduced motion."""
    # Imported late, after the first paint: the large enums of QStyle take 30 ms.
    from PySide6.QtWidgets import QStyle

    return not application.style().styleHint(QStyle.StyleHint.SH_Widget_Animate)


def system_wants_contrast(application: QApplication) -> bool:
    """Tell whether the system asks for high contrast."""
    hints = application.styleHints()
    # `hints` must stay referenced, because the accessibility object lives only as long as it does.
    accessibility = hints.accessibility()
    return accessibility.contrastPreference() is Qt.ContrastPreference.HighContrast


def remembered_contrast(memory: LayoutMemory, application: QApplication) -> bool:
    """Return whether the colours shall have high contrast: as chosen, else as the system asks for."""
    chosen = memory.text_of("contrast")
    return chosen == "high" or (chosen != "usual" and system_wants_contrast(application))


class Appearance(QObject):
    """Stores what is chosen in the View menu or in Preferences, and applies it to the window."""

    def __init__(self, window: QMainWindow, theme: Theme, memory: LayoutMemory, model: AppearanceModel) -> None:
        super().__init__(window)
        self._window, self._theme, self._memory, self._model = window, theme, memory, model
        model.restore(memory.text_of)
        theme.changed.connect(self._repaint)
        theme.fonts_changed.connect(self._resize_fonts)
        theme.motion_changed.connect(self._hold_still)
        model.changed.connect(self._apply)
        if model.choice(Look.MOTION) == "system":
            QTimer.singleShot(0, self, self._follow_motion)
        else:
            self._follow_motion()
        self._hold_still()

    @property
    def scheme_choice(self) -> str:
        """``light``, ``dark`` or ``system``."""
        return self._model.choice(Look.COLOURS)

    @property
    def text_size(self) -> str:
        """Text size in percent of the system's."""
        return self._model.choice(Look.TEXT_SIZE)

    @property
    def motion(self) -> str:
        """Whether animations run: ``on``, ``off`` or ``system``."""
        return self._model.choice(Look.MOTION)

    @property
    def contrast(self) -> str:
        """Whether the colours have high contrast: ``high``, ``usual`` or ``system``."""
        return self._model.choice(Look.CONTRAST)

    @property
    def single_keys(self) -> str:
        """Whether single-key shortcuts work: ``on`` or ``off``."""
        return self._model.choice(Look.SINGLE_KEYS)

    def choose_scheme(self, choice: str) -> None:
        """Use the light, dark or system colour scheme from now on."""
        self._model.choose(Look.COLOURS, choice)

    def switch_scheme(self) -> None:
        """Switch between the light and the dark scheme."""
        self.choose_scheme(Scheme.LIGHT if self._theme.scheme is Scheme.DARK else Scheme.DARK)

    def choose_text_size(self, percent: str) -> None:
        """Set the text size in percent of the system's."""
        self._model.choose(Look.TEXT_SIZE, percent)

    def step_text_size(self, step: int) -> None:
        """Choose the next larger or smaller text size."""
        place = TEXT_SIZES.index(self._theme.percent) + step
        self.choose_text_size(str(TEXT_SIZES[max(0, min(place, len(TEXT_SIZES) - 1))]))

    def choose_motion(self, choice: str) -> None:
        """Switch animations on or off, or follow the system."""
        self._model.choose(Look.MOTION, choice)

    def choose_contrast(self, choice: str) -> None:
        """Use colours with high contrast or the usual ones, or follow the system."""
        self._model.choose(Look.CONTRAST, choice)

    def choose_single_keys(self, choice: str) -> None:
        """Switch single-key shortcuts on or off."""
        self._model.choose(Look.SINGLE_KEYS, choice)

    def _apply(self) -> None:
        for look in Look:
            choice = self._model.choice(look)
            if choice != (self._memory.text_of(look.value) or DEFAULTS[look]):
                self._memory.remember(look.value, choice)
        self._theme.set_scheme(remembered_scheme(self._memory, _application()))
        self._theme.set_more_contrast(more=remembered_contrast(self._memory, _application()))
        self._theme.set_percent(remembered_percent(self._memory))
        self._follow_motion()

    def follow_system(self) -> None:
        """Apply the system's colour scheme and contrast, unless the operator chose others."""
        self._theme.set_scheme(remembered_scheme(self._memory, _application()))
        self._theme.set_more_contrast(more=remembered_contrast(self._memory, _application()))
        self._follow_motion()

    def _follow_motion(self) -> None:
        motion = self.motion
        still = motion == "off" or (motion == "system" and system_is_still(_application()))
        self._theme.set_reduced_motion(reduced=still)

    def _hold_still(self) -> None:
        self._window.setAnimated(not self._theme.reduced_motion)

    def _repaint(self) -> None:
        apply_theme(_application(), self._theme)
        self._set_fonts()  # a new style sheet resets every widget to its original font

    def _resize_fonts(self) -> None:
        apply_theme(_application(), self._theme)
        self._set_fonts()
        for widget in (self._window, *self._window.findChildren(QWidget)):
            widget.updateGeometry()
            widget.update()

    def _set_fonts(self) -> None:
        """Set the font of every widget that has a face, including widgets that are not in a layout yet.

        Parents come first: when a parent's font changes, Qt resets the fonts of its children that have a style sheet.
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
