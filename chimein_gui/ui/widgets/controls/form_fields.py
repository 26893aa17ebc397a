"""Form fields in the style of the window: text, numbers, combo box, radio button."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from weakref import ref

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QRadioButton,
    QSizePolicy,
    QSpinBox,
    QStyleOptionSpinBox,
    QWidget,
)

from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, State, colours_of, draw_ground, draw_ring, state_of
from chimein_gui.ui.widgets.theme.mirror import follow_layout, set_rtl_field
from chimein_gui.ui.widgets.theme.theme import CONTROL, ControlStyle, Face, Theme
from chimein_gui.viewmodels.core.numbers import short_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QKeyEvent

HEIGHT = 28
_ARROW_INSET = 3
"""Distance of the arrows from the edge, px: the style puts them under our rounded frame."""


def _height(theme: Theme) -> int:
    return max(HEIGHT, round(theme.metrics(Face.BODY).height() * 1.75))


def _state_of(field: QWidget, editor: QLineEdit | None = None) -> State:
    """Return the state of a field; it counts as focused if its line edit has the focus."""
    state = state_of(field)
    return state._replace(focused=state.focused or bool(editor and editor.hasFocus()))


def _paint_frame(widget: QWidget, theme: Theme, state: State, role: Role = Role.FIELD) -> None:
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colours = colours_of(theme, role, state)
    inset = colours.width / 2
    draw_ground(painter, colours, QRectF(widget.rect()).adjusted(inset, inset, -inset, -inset), 6)
    painter.end()


class LineField(QLineEdit):
    """A line edit, with a clear button if it is for searching.

    Attributes:
        stepped_down: The down arrow was pressed; search fields then focus the list.
    """

    stepped_down = Signal()

    def __init__(self, theme: Theme, name: str, *, hint: str = "", icon: str = "") -> None:
        super().__init__()
        self._theme, self._icon = theme, icon
        self.setAccessibleName(name)
        self.setPlaceholderText(hint)
        theme.apply(self, Face.BODY)
        self.setFrame(False)
        self.setProperty(CONTROL, ControlStyle.BARE.value)
        set_rtl_field(self, 30 if icon else 9, 8)
        self._is_wrong = False
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(_height(self._theme))

    def mark_wrong(self, *, wrong: bool) -> None:
        """Draw the frame of an invalid field, or the normal one; the caller shows the reason."""
        if wrong is not self._is_wrong:
            self._is_wrong = wrong
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._icon and event.key() == Qt.Key.Key_Down:
            self.stepped_down.emit()
        elif self._icon and event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        state = state_of(self)
        is_open = state.enabled and not self.isReadOnly()
        _paint_frame(self, self._theme, state._replace(wrong=self._is_wrong, enabled=is_open))
        if self._icon:
            painter = QPainter(self)
            follow_layout(painter, self)
            icons.draw(painter, self._icon, self._theme.color("text3"), QRectF(9, self.height() / 2 - 8, 16, 16))
            painter.end()
        super().paintEvent(event)


class SearchWords(LineField):
    """The search field above a list: Escape clears it; Return, and Escape in an empty field, focus the list."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        leaves = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if leaves or (event.key() == Qt.Key.Key_Escape and not self.text()):
            self.stepped_down.emit()
        else:
            super().keyPressEvent(event)


class NameField(LineField):
    """The field of a list that shows what has this name: Escape ends the search; the down arrow focuses the tree."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.stepped_down.emit()
        else:
            super().keyPressEvent(event)


class _Arrows:
    """Paints the frame of number fields, and a pair of small arrows where the style handles clicks on them."""

    @staticmethod
    def paint(field: QAbstractSpinBox, theme: Theme, option: QStyleOptionSpinBox) -> None:
        # Imported for the first number field: the enums of QStyle are large, and other fields need none of them.
        from PySide6.QtWidgets import QStyle

        _paint_frame(field, theme, _state_of(field, field.lineEdit()))
        painter = QPainter(field)
        style, complex_control = field.style(), QStyle.ComplexControl.CC_SpinBox
        for part, turned in ((QStyle.SubControl.SC_SpinBoxUp, True), (QStyle.SubControl.SC_SpinBoxDown, False)):
            rect = QRectF(style.subControlRect(complex_control, option, part, field))
            painter.save()
            painter.translate(rect.center().x() - _ARROW_INSET, rect.center().y())
            if turned:
                painter.rotate(180)
            icons.draw(painter, "caret-down", theme.color("text3"), QRectF(-5, -5, 10, 10))
            painter.restore()
        painter.end()

    @staticmethod
    def prepare(field: QAbstractSpinBox, theme: Theme, name: str) -> None:
        field.setAccessibleName(name)
        field.setFrame(False)
        theme.apply(field, Face.BODY)
        field.setKeyboardTracking(False)
        field.setCorrectionMode(QAbstractSpinBox.CorrectionMode.CorrectToNearestValue)
        # The style sheet draws the editor of a spin box by the rules of the spin box.
        field.setProperty(CONTROL, ControlStyle.BARE.value)
        theme.apply(field.lineEdit(), Face.BODY)  # because of its own style sheet it does not inherit the field's font
        set_rtl_field(field.lineEdit(), 7, 0)
        field.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(field.update)
        field.lineEdit().textChanged.connect(partial(_take_from_outside, ref(field)))


def _take_from_outside(known: ref[QAbstractSpinBox], _text: str) -> None:
    """Take a number that was not typed by key, as a screen reader sets it: nobody will press Return after it."""
    field = known()  # a connection that held the field itself would keep it for good
    if field is not None and not field.hasFocus() and field.hasAcceptableInput():
        field.interpretText()


class NumberField(QSpinBox):
    """A spin box for an integer."""

    def __init__(self, theme: Theme, name: str, *, least: int, most: int, suffix: str = "", width: int = 84) -> None:
        super().__init__()
        self._theme = theme
        _Arrows.prepare(self, theme, name)
        self.setRange(least, most)
        self.setSuffix(suffix)
        self._width = width
        theme.fonts_changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.setFixedSize(round(self._width * self._theme.percent / 100), _height(self._theme))

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionSpinBox()
        self.initStyleOption(option)
        _Arrows.paint(self, self._theme, option)


class SecondsField(QDoubleSpinBox):
    """A spin box for seconds, without trailing zeros."""

    def __init__(self, theme: Theme, name: str, *, most: float, width: int = 96) -> None:
        super().__init__()
        self._theme = theme
        _Arrows.prepare(self, theme, name)
        self.setRange(0, most)
        self.setDecimals(1)
        self.setSuffix(" s")
        self._width = width
        theme.fonts_changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.setFixedSize(round(self._width * self._theme.percent / 100), _height(self._theme))

    def textFromValue(self, value: float) -> str:
        return short_words(value)

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionSpinBox()
        self.initStyleOption(option)
        _Arrows.paint(self, self._theme, option)


class DollarsField(QDoubleSpinBox):
    """A spin box for an amount of US dollars, in cents; an amount that has parts of a cent keeps them."""

    def __init__(self, theme: Theme, *, most: float, step: float, width: int = 112) -> None:
        super().__init__()
        self._theme = theme
        _Arrows.prepare(self, theme, "")
        self.setRange(0, most)
        self.setDecimals(2)
        self.setSingleStep(step)
        self.setPrefix("$")
        self._width = width
        theme.fonts_changed.connect(self._fit)
        self._fit()

    def show_amount(self, usd: float) -> None:
        """Show an amount, with as many digits as it needs."""
        self.setDecimals(next((digits for digits in (2, 3) if round(usd, digits) == round(usd, 4)), 4))
        self.setValue(usd)

    def _fit(self) -> None:
        self.setFixedSize(round(self._width * self._theme.percent / 100), _height(self._theme))

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionSpinBox()
        self.initStyleOption(option)
        _Arrows.paint(self, self._theme, option)


def label_field(label: QLabel, field: QWidget) -> None:
    """Tell screen readers that a label in sight names a field beside it."""
    if isinstance(field, Choice):
        field.drop_own_label()
    label.setBuddy(field)


class Choice(QComboBox):
    """A combo box that shrinks to the available width, and elides.

    On Linux Qt tells the current entry as the name of a combo box. So the name is that of a hidden label beside it.
    """

    def __init__(self, theme: Theme, name: str, *, role: Role = Role.FIELD, editable: bool = False) -> None:
        super().__init__()
        self._theme, self._role = theme, role
        self.setAccessibleName(name)
        self._own_label: QLabel | None = None
        self._has_label = False
        theme.apply(self, Face.BODY)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setMaxVisibleItems(12)
        if editable:
            self.setEditable(True)
            self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
            editor = QLineEdit()
            editor.setFrame(False)
            editor.setProperty(CONTROL, ControlStyle.BARE.value)
            set_rtl_field(editor, 6, 0)
            editor.setAccessibleName(name)
            theme.apply(editor, Face.BODY)
            self.setLineEdit(editor)
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(_height(self._theme))

    def drop_own_label(self) -> None:
        """Another label names it from now on."""
        self._has_label = True
        if self._own_label is not None:
            self._own_label.setBuddy(None)  # type: ignore[arg-type]
            self._own_label.deleteLater()
            self._own_label = None

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        parent = self.parentWidget()
        if event.type() == QEvent.Type.ParentChange and parent is not None and not self._has_label:
            if self._own_label is None:
                self._own_label = PlainLabel(self._theme, self.accessibleName())
                self.destroyed.connect(self._own_label.deleteLater)
            self._own_label.setParent(parent)
            self._own_label.setBuddy(self)
            self._own_label.hide()

    def set_entries(self, entries: Iterable[tuple[str, object]], chosen: object = None) -> None:
        """Set the entries (text, value) without a signal; the current value stays if it still exists."""
        wanted = self.currentData() if chosen is None else chosen
        made = list(entries)
        if made == [(self.itemText(place), self.itemData(place)) for place in range(self.count())]:
            self.choose(wanted)
            return
        blocked = self.blockSignals(True)
        self.clear()
        for words, value in made:
            self.addItem(words, value)
        self.blockSignals(blocked)
        self.choose(wanted)

    def choose(self, value: object) -> None:
        """Select an entry by its value without a signal; the first one if there is no such value."""
        place = next((at for at in range(self.count()) if self.itemData(at) == value), 0)
        blocked = self.blockSignals(True)
        self.setCurrentIndex(place if self.count() else -1)
        self.blockSignals(blocked)
        self.setToolTip("")
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(72, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        editor = self.lineEdit() if self.isEditable() else None
        state = _state_of(self, editor)
        _paint_frame(self, self._theme, state, self._role)
        painter = QPainter(self)
        follow_layout(painter, self)
        middle = self.height() / 2
        icons.draw(painter, "caret-down", self._theme.color("text3"), QRectF(self.width() - 21, middle - 6, 12, 12))
        if editor is None:
            metrics = QFontMetricsF(self.font())
            room = self.width() - 34.0
            painter.setFont(self.font())
            painter.setPen(colours_of(self._theme, Role.WORDS, state).ink)
            shown = elided(metrics, self.currentText(), room)
            marks.draw_words(painter, QRectF(10, 0, room, self.height()), shown)
        painter.end()


class RadioLine(QRadioButton):
    """A radio button, painted in the theme's colours."""

    def __init__(self, theme: Theme, word: str) -> None:
        super().__init__(word)
        self._theme = theme
        self.setAccessibleName(word)
        theme.apply(self, Face.BODY)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(28 + metrics.horizontalAdvance(self.text()), max(24, metrics.height() + 6))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        state, middle = state_of(self), self.height() / 2
        colours = colours_of(self._theme, Role.RADIO, state)
        draw_ground(painter, colours, QRectF(3, middle - 7, 14, 14), 7)
        if state.checked:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colours.ink)
            painter.drawEllipse(QRectF(6.5, middle - 3.5, 7, 7))
        draw_ring(painter, colours, QRectF(self.rect()).adjusted(0.6, 0.6, -0.6, -0.6), 5, 1.2)
        painter.setPen(colours_of(self._theme, Role.WORDS, state).ink)
        painter.setFont(self.font())
        marks.draw_words(painter, QRectF(24, 0, self.width() - 24, self.height()), self.text())
        painter.end()

    def hitButton(self, pos: object) -> bool:
        return True
