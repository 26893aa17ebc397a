"""A popup beside the field with the agent's stickers and emoji."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListWidget
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.composer.stickers import all_emoji, sticker_message
from chimein_gui.viewmodels.panes.conversations import make_conversations

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Chat
    from chimein_gui.ui.pane import PaneContext

_EMOJI, _STICKER = 36, 72
_ARROWS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_VALUE = Qt.ItemDataRole.UserRole


class _Cells(QStyledItemDelegate):
    """Draws an emoji as text, and a sticker as a still picture."""

    def __init__(self, context: PaneContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.chat: Chat | None = None

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, value = self._context.theme, index.data(_VALUE)
        rect = QRectF(option.rect)
        if index.data(Qt.ItemDataRole.UserRole + 1):
            painter.fillRect(rect, theme.color("accent_soft"))
        if isinstance(value, StickerRef):
            self._paint_sticker(painter, rect, value)
            return
        font = theme.font(Face.BODY)
        font.setPixelSize(round(_EMOJI * 0.6))
        painter.setFont(font)
        painter.setPen(theme.color("text1"))
        painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), str(value))

    def _device_ratio(self) -> float:
        parent = self.parent()
        return parent.devicePixelRatioF() if isinstance(parent, QWidget) else 1.0

    def _paint_sticker(self, painter: QPainter, rect: QRectF, sticker: StickerRef) -> None:
        if self.chat is None:
            return
        theme, side = self._context.theme, round((_STICKER - 8) * self._device_ratio())
        image = self._context.models.pictures.still(sticker_message(self.chat, sticker), QSize(side, side))
        if image is None:
            painter.setFont(theme.font(Face.BODY))
            painter.setPen(theme.color("text2"))
            painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), foreign_text.line(sticker.emoji, 8))
            return
        shown = image.size().scaled(_STICKER - 8, _STICKER - 8, Qt.AspectRatioMode.KeepAspectRatio)
        place = QRectF(0, 0, shown.width(), shown.height())
        place.moveCenter(rect.center())
        painter.drawImage(place, image)


class Picker(QFrame):
    """Two lists and a search field; arrow keys move, Return picks, Escape closes.

    Attributes:
        emoji_picked: An emoji shall be inserted.
        sticker_picked: A sticker shall be sent.
    """

    emoji_picked = Signal(str)
    sticker_picked = Signal(object)

    def __init__(self, context: PaneContext, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._context, self._theme = context, context.theme
        self._chat: Chat | None = None
        self._stickers = False
        self.emoji = ActionButton(self._theme, self.tr("Emoji"), kind=Kind.QUIET)
        self.stickers = ActionButton(self._theme, self.tr("Stickers"), kind=Kind.QUIET)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search by name"))
        self.search.setAccessibleName(self.tr("Search by name"))
        self.search.setClearButtonEnabled(True)
        self.list = SpokenListWidget()
        self._cells = _Cells(context, self.list)
        self.nothing = ElidedLabel(self._theme, "", Face.SMALL, "text2")
        self._build()
        context.own(make_conversations).stickers.loaded.connect(self._loaded)
        context.own(make_conversations).stickers.failed.connect(self._failed)
        context.models.pictures.changed.connect(self._repaint)

    def _build(self) -> None:
        self._theme.apply(self.search, Face.BODY)
        cells = self.list
        cells.setViewMode(QListWidget.ViewMode.IconMode)
        cells.setMovement(QListWidget.Movement.Static)
        cells.setResizeMode(QListWidget.ResizeMode.Adjust)
        cells.setUniformItemSizes(True)
        cells.setFrameShape(QFrame.Shape.NoFrame)
        cells.setItemDelegate(self._cells)
        cells.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        cells.itemClicked.connect(self._pick)
        cells.currentItemChanged.connect(self._mark)
        tabs = QHBoxLayout()
        tabs.addWidget(self.emoji)
        tabs.addWidget(self.stickers)
        tabs.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 10)
        column.setSpacing(8)
        column.addLayout(tabs)
        column.addWidget(self.search)
        column.addWidget(self.list, 1)
        column.addWidget(self.nothing)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.resize(352, 380)
        for button, stickers in ((self.emoji, False), (self.stickers, True)):
            button.setCheckable(True)
            button.clicked.connect(lambda _on=False, stickers=stickers: self.show_tab(stickers=stickers))
            button.toggled.connect(lambda on, stickers=stickers: self._turn(stickers=stickers is on))
        self.search.textChanged.connect(self._fill)
        self.search.installEventFilter(self)
        self.setFocusProxy(self.search)

    def open_at(self, chat: Chat, corner: QPoint, *, only_stickers: bool = False) -> None:
        """Show the stickers for a chat, and unless they are all that is wanted emoji, above a point on the screen."""
        self._chat = self._cells.chat = chat
        self.search.clear()
        self.emoji.setHidden(only_stickers)
        self.show_tab(stickers=only_stickers or self._stickers)
        self.move(corner - QPoint(0, self.height()))
        self.show()
        self.search.setFocus()

    def show_tab(self, *, stickers: bool) -> None:
        """Show the stickers, or the emoji."""
        self._stickers = stickers
        self.emoji.setChecked(not stickers)
        self.stickers.setChecked(stickers)
        if stickers and self._chat is not None:
            self._context.own(make_conversations).stickers.load(self._chat.agent_id)
        self._fill()
        self.search.setFocus()

    def _turn(self, *, stickers: bool) -> None:
        """Switch the tab: screen readers toggle it without a click."""
        if stickers is not self._stickers:
            self.show_tab(stickers=stickers)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the focus in the search field, and pass keys that move or pick to the list."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        key = Qt.Key(event.key())
        if key in _ENTER:
            if self.list.count() and not event.isAutoRepeat():
                self._pick(self.list.currentItem())
            return True
        sideways = key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and bool(self.search.text())
        if key in _ARROWS and not sideways:
            self.list.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def _fill(self) -> None:
        wanted, stickers = self.search.text().strip().casefold(), self._context.own(make_conversations).stickers
        side = _STICKER if self._stickers else _EMOJI
        self.list.clear()
        self.list.setGridSize(QSize(side, side))
        if self._stickers:
            known = stickers.of_agent(self._chat.agent_id) if self._chat is not None else None
            words = self.tr("Searching…") if known is None else self.tr("This agent has no stickers")
            for one in known or ():
                if wanted in f"{one.name} {one.set_name} {_emoji_name(one.emoji)}".casefold():
                    self._add(one, f"{one.emoji} {one.set_name}", side)
            self.nothing.setText(self.tr("No results") if known and not self.list.count() else words)
        else:
            names = dict(all_emoji())
            ordered = (*stickers.before.emoji, *(one for one in names if one not in stickers.before.emoji))
            for emoji in ordered:
                if wanted in names.get(emoji, ""):
                    self._add(emoji, names.get(emoji, emoji), side)
            self.nothing.setText(self.tr("No results"))
        self.nothing.setVisible(not self.list.count())
        self.list.setCurrentRow(0)

    def _add(self, value: object, name: str, side: int) -> None:
        item = QListWidgetItem()
        item.setData(_VALUE, value)
        item.setSizeHint(QSize(side, side))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, foreign_text.line(name, 80))
        item.setToolTip(foreign_text.line(name, 80))
        self.list.addItem(item)

    def _pick(self, item: QListWidgetItem) -> None:
        value = item.data(_VALUE)
        self.hide()
        if isinstance(value, StickerRef):
            self.sticker_picked.emit(value)
        else:
            self._context.own(make_conversations).stickers.before.note_emoji(str(value))
            self.emoji_picked.emit(str(value))

    def _mark(self, now: QListWidgetItem | None, before: QListWidgetItem | None) -> None:
        if before is not None:
            before.setData(Qt.ItemDataRole.UserRole + 1, False)
        if now is not None:
            now.setData(Qt.ItemDataRole.UserRole + 1, True)

    def _loaded(self, agent_id: object) -> None:
        if self.isVisible() and self._stickers and self._chat is not None and self._chat.agent_id == agent_id:
            self._fill()

    def _failed(self, reason: str) -> None:
        if self.isVisible() and self._stickers:
            self.nothing.setText(foreign_text.line(reason, 120))
            self.nothing.setVisible(True)

    def _repaint(self) -> None:
        if self.isVisible() and self._stickers:
            self.list.viewport().update()


def _emoji_name(emoji: str) -> str:
    return dict(all_emoji()).get(emoji[:1], "")
