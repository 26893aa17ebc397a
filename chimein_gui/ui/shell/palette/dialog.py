"""The command palette: a search field and a list, used with the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen, QRegion, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QDialog, QHBoxLayout, QLineEdit, QListView, QVBoxLayout, QWidget

from chimein_gui.ui.shell.palette.rows import PaletteDelegate
from chimein_gui.ui.widgets.controls.legend import KeyLegend
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current, speak_rows_only
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.keycaps import cap_width, draw_cap
from chimein_gui.ui.widgets.theme.mirror import follow_layout, set_rtl_field, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import CONTROL, ControlStyle, Face, Theme
from chimein_gui.viewmodels.palette.entries import Scope

if TYPE_CHECKING:
    from chimein_gui.viewmodels.palette.palette import PaletteModel

SIZE = QSize(660, 586)
FIELD = 60
BELOW = 8
"""Margin below the last row, px."""

RADIUS = 14
_MOVES = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}


class _Field(QWidget):
    """The row at the top: an icon, the search field, and the key that closes the palette."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.line = QLineEdit()
        self.line.setFrame(False)
        self.line.setProperty(CONTROL, ControlStyle.BARE.value)
        font = theme.font(Face.TITLE)
        font.setWeight(theme.font(Face.BODY).weight())
        self.line.setFont(font)
        self.line.setMaxLength(200)
        set_rtl_field(self.line, 0, 0)
        self.line.setPlaceholderText(self.tr("Search or type a command"))
        self.line.setAccessibleName(self.tr("Search or type a command"))
        self.setFixedHeight(max(FIELD, round(self.line.fontMetrics().height() * 2.6)))
        row = QHBoxLayout(self)
        set_rtl_margins(row, 48, 0, 24 + round(cap_width(theme, "Esc")), 0)
        row.addWidget(self.line)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        color, middle = self._theme.color, self.height() / 2
        icons.draw(painter, "search", color("text2"), QRectF(19, middle - 10, 20, 20))
        draw_cap(painter, self._theme, self.width() - 16 - cap_width(self._theme, "Esc"), middle, "Esc")
        painter.setPen(QPen(color("line"), 1))
        painter.drawLine(QPointF(0, self.height() - 0.5), QPointF(self.width(), self.height() - 0.5))
        painter.end()


class PaletteDialog(QDialog):
    """The focus stays in the field; arrow keys move in the list, Return opens, Esc closes.

    Attributes:
        chosen: The operator has chosen an `Entry`.
        words_changed: The search words or the scope changed.
    """

    chosen = Signal(object)
    words_changed = Signal()

    def __init__(self, theme: Theme, model: PaletteModel, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self._theme, self.model, self._window = theme, model, parent
        model.setParent(self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setWindowTitle(self.tr("Search and commands"))
        self._top = _Field(theme)
        self.field = self._top.line
        self._scopes = tuple(Scope)
        words = {
            Scope.EVERYTHING: self.tr("Everything"),
            Scope.CHATS: self.tr("Chats"),
            Scope.COMMANDS: self.tr("Commands"),
            Scope.MESSAGES: self.tr("Messages"),
            Scope.AGENTS: self.tr("Agents"),
        }
        self.scopes = Segments(theme, tuple(f"{one} {words[one]}".strip() for one in Scope), self.tr("Search in"))
        self.scopes.choose(0)
        self.list = SpokenListView()
        self.nothing = PlainLabel(theme, "", Face.BODY, "text2")
        self._build()
        self.field.textChanged.connect(self._narrow)
        self.field.installEventFilter(self)
        self.scopes.chosen.connect(self._take_scope)
        self.list.clicked.connect(lambda index: self._choose(index.row()))
        model.modelReset.connect(self._take_rows)
        self._chosen = "", ""
        self._highest = SIZE.height()
        self._select_first()

    def _build(self) -> None:
        view = self.list
        view.setModel(self.model)
        view.setItemDelegate(PaletteDelegate(self._theme, view))
        view.setObjectName("palette")
        view.setAccessibleName(self.tr("Results"))
        view.setFrameShape(QListView.Shape.NoFrame)
        view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        view.setMouseTracking(True)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setResizeMode(QListView.ResizeMode.Adjust)
        speak_rows_only(view)
        make_selected_current(view)
        view.setProperty(CONTROL, ControlStyle.BARE.value)
        self.nothing.setWordWrap(True)
        self.nothing.setContentsMargins(20, 16, 20, 12)
        keys = (
            (("↑", "↓"), self.tr("Move")),
            (("↵",), self.tr("Open")),
            (("@", ">", "/", "#"), self.tr("Filter")),
            (("Esc",), self.tr("Close")),
        )
        row = QHBoxLayout()
        row.setContentsMargins(14, 8, 14, 4)
        row.addWidget(self.scopes)
        row.addStretch(1)
        self._column = column = QVBoxLayout(self)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)  # the size depends on the parent window
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(self._top)
        column.addLayout(row)
        column.addWidget(self.nothing)
        column.addWidget(view, 1)
        column.addWidget(KeyLegend(self._theme, keys, self))

    def open_over(self, top: int) -> None:
        """Open centred over the parent window, `top` px below its upper edge."""
        window = self._window
        size = SIZE.boundedTo(QSize(window.width() - 40, window.height() - top - 40))
        self._highest = size.height()
        self.resize(size)
        self._fit_height()
        at = window.mapToGlobal(window.rect().topLeft())
        self.move(at.x() + (window.width() - size.width()) // 2, at.y() + top)
        self.open()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def _narrow(self, text: str) -> None:
        self.model.set_query(text)
        self.scopes.choose(self._scopes.index(self.model.scope))
        self.words_changed.emit()

    def _take_scope(self, place: int) -> None:
        text = self.field.text().removeprefix(self.model.scope)
        self.field.setText(f"{self._scopes[place]}{text}")
        self.field.setFocus()

    def _take_rows(self) -> None:
        """Show new rows; the selection stays if the search words are the same."""
        chosen, words = self._chosen
        self._select_first()
        if words == self.field.text():
            rows = range(self.model.rowCount())
            self._go_to(next((row for row in rows if self._id_of(row) == chosen), self.list.currentIndex().row()))
        self._fit_height()

    def _id_of(self, row: int) -> str:
        entry = self.model.entry_at(row)
        return entry.entry_id if entry is not None else ""

    def _fit_height(self) -> None:
        """Fit the height to the number of rows, within the window."""
        rows = sum(self.list.sizeHintForRow(row) for row in range(self.model.rowCount()))
        margins = self._column.contentsMargins()
        others = (self._column.itemAt(place) for place in range(self._column.count()))
        width = self.width() - margins.left() - margins.right()
        fixed = sum(
            item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()
            for item in others
            if item is not None and item.widget() is not self.list and not item.isEmpty()
        )
        self.resize(self.width(), min(self._highest, fixed + rows + margins.top() + margins.bottom() + BELOW))

    def _select_first(self) -> None:
        why = foreign_text.line(self.model.nothing(), 200)
        self.nothing.setText(why)
        self.nothing.setVisible(bool(why))
        row = self.model.first()
        if row >= 0:
            self._go_to(row)
        else:
            self.list.selectionModel().clear()
            # What it found cannot be taken back, so Return alone runs none of it.
            self.field.setAccessibleDescription(why or self.tr("None is chosen. The down arrow goes to the first one."))

    def _go_to(self, row: int) -> None:
        self._chosen = self._id_of(row), self.field.text()
        self.list.setCurrentIndex(self.model.index(row, 0))
        # The name of the field tells a screen reader what Return would open.
        words = self.model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)
        self.field.setAccessibleDescription(foreign_text.line(str(words or "")))
        if row <= 1:
            self.list.scrollToTop()

    def _move(self, step: int) -> None:
        rows = [row for row in range(self.model.rowCount()) if self.model.entry_at(row) is not None]
        if not rows:
            return
        here = self.list.currentIndex().row()
        if here not in rows:
            self._go_to(rows[0 if step > 0 else -1])
            return
        place = rows.index(here) + step
        wrapped = place % len(rows) if abs(step) == 1 else max(0, min(place, len(rows) - 1))
        self._go_to(rows[wrapped])

    def _choose(self, row: int) -> None:
        entry = self.model.entry_at(row)
        if entry is not None:
            # Close first, then open: what opens then takes the focus from a window that is active again.
            self.accept()
            self.chosen.emit(entry)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key = Qt.Key(event.key())
            if key in _MOVES:
                self._move(_MOVES[key])
                return True
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if not event.isAutoRepeat() and self.list.currentIndex().isValid():
                    self._choose(self.list.currentIndex().row())
                return True
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if QGuiApplication.platformName() != "xcb":
            return
        # On X11 without a compositor transparent pixels are black, so the corners are also cut with a mask.
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()), RADIUS, RADIUS)
        self.setMask(QRegion(outline.toFillPolygon().toPolygon()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("line_strong"), 1))
        painter.setBrush(self._theme.color("card"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.end()
