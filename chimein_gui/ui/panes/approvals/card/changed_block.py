"""What happened in the conversation after the plan was made, and the checkbox that confirms it was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.approvals import AskReason
from chimein_gui.ui.panes.approvals.card.section import Box, SoftBlock
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.check_box import CheckBox
from chimein_gui.ui.widgets.surfaces.change_lines import change_word
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.text.word_diff import WordDiff
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.approvals.available_actions import offers_tick
from chimein_gui.viewmodels.approvals.card_changes import Change, ChangeKind
from chimein_gui.viewmodels.approvals.store import waits_for_operator
from chimein_gui.viewmodels.transcript.message_words import message_words

if TYPE_CHECKING:
    from collections.abc import Container

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.messages import MessageKey
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.theme.theme import Theme

translate = QCoreApplication.translate

MOST_LINES = 5
_ICONS = {ChangeKind.NEW: "chats", ChangeKind.EDITED: "pencil", ChangeKind.DELETED: "trash"}


class ThemedIcon(QWidget):
    """An icon in the theme's colours; decoration only."""

    def __init__(self, theme: Theme, name: str, token: str, size: int = 16) -> None:
        super().__init__()
        self._theme, self._name, self._token, self._size = theme, name, token, size
        self.setFixedSize(size, size)
        theme.changed.connect(self.update)

    def set_icon(self, name: str, token: str = "") -> None:
        """Show another icon; an empty token keeps the colour."""
        self._name, self._token = name, token or self._token
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        icons.draw(painter, self._name, self._theme.color(self._token), QRectF(0, 0, self._size, self._size))
        painter.end()


class _Line(Box):
    """One change of the conversation."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme)
        theme = context.theme
        self._clock = context.models.clock
        self._icon = ThemedIcon(theme, "chats", "text2", 18)
        self._kind = PlainLabel(theme, "", Face.SMALL, "text2")
        self._kind.setMinimumWidth(56)
        self._who = ElidedLabel(theme, "", Face.STRONG)
        self._who.setMaximumWidth(110)
        self._text = WordDiff(theme, max_lines=3)
        self._time = PlainLabel(theme, "", Face.META, "text3")
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 5, 10, 6)
        row.setSpacing(8)
        for label in (self._kind, self._who, self._time):
            label.setContentsMargins(0, 2, 0, 0)
        for widget in (self._icon, self._kind, self._who):
            row.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._text, 1)
        row.addWidget(self._time, 0, Qt.AlignmentFlag.AlignTop)

    def show_change(self, change: Change) -> None:
        """Fill the line: an icon for its kind, who and what, and when."""
        message = change.message
        self._icon.set_icon(_ICONS[change.kind])
        self._kind.setText(change_word(change.kind))
        self._who.setText(foreign_text.name(message.sender_name) or self.tr("Someone"))
        now = message.text or message_words(message)
        before = {ChangeKind.NEW: now, ChangeKind.EDITED: change.before or now, ChangeKind.DELETED: now}[change.kind]
        self._text.compare(before[:1200], "" if change.kind is ChangeKind.DELETED else now[:1200])
        when = message.edited_at if change.kind is ChangeKind.EDITED and message.edited_at else message.sent_at
        self._time.setText(self._clock.stamp(when))
        said = f"{self._kind.text()}, {self._who.text()}: {foreign_text.line(now)}"
        if change.kind is ChangeKind.EDITED and change.before:
            said += f" ({self._text.accessibleName()})"
        self.setAccessibleName(said)


class ChangedBlock(SoftBlock):
    """A block below the card's header, shown when the conversation has changed.

    Attributes:
        ticked: The checkbox was ticked or cleared.
        show_wanted: Show the changes in the chat.
    """

    ticked = Signal(bool)
    show_wanted = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme, "attention_soft", "attention_line")
        self._context = context
        self._title = PlainLabel(context.theme, "", Face.STRONG, "attention")
        self._title.setWordWrap(True)
        show = ActionButton(context.theme, self.tr("Show in chat"), kind=Kind.LINK)
        show.clicked.connect(self.show_wanted)
        head = QHBoxLayout()
        head.setSpacing(9)
        head.addWidget(ThemedIcon(context.theme, "warning", "attention", 18))
        head.addWidget(self._title, 1)
        head.addWidget(show)
        self._lines: list[_Line] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(6)
        self._more = PlainLabel(context.theme, "", Face.SMALL, "text2")
        self.tick = CheckBox(context.theme, self.tr("I've read the changes and still want to send this"))
        self.tick.toggled.connect(self.ticked)  # not clicked: a screen reader toggles it without a click
        self._box = Box(context.theme, line="line_strong")
        inside = QHBoxLayout(self._box)
        inside.setContentsMargins(10, 8, 10, 8)
        inside.addWidget(self.tick)
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 12, 22, 13)
        column.setSpacing(8)
        column.addLayout(head)
        column.addLayout(self._list)
        column.addWidget(self._more)
        column.addWidget(self._box)

    def show_card(
        self, approval: Approval, changes: tuple[Change, ...], *, read: bool, shown_below: Container[MessageKey]
    ) -> None:
        """Show the changes; hide the block if the card does not wait, or is not out of date.

        Args:
            approval: The card.
            changes: All changes.
            read: Whether the operator has confirmed that they were read.
            shown_below: Messages among the card's last messages, where changed ones are marked instead.
        """
        stale = waits_for_operator(approval) and approval.is_stale
        self.setVisible(stale)
        if not stale:
            return
        self._box.setVisible(offers_tick(approval, self._context.models.open_editor))
        self._title.setText(self._words(approval, changes))
        elsewhere = [one for one in changes if one.message.key not in shown_below]
        listed = [one for one in elsewhere if one.kind is not ChangeKind.NEW]
        shown = listed[-MOST_LINES:]
        while len(self._lines) < len(shown):
            self._lines.append(_Line(self._context))
            self._list.addWidget(self._lines[-1])
        for place, line in enumerate(self._lines):
            line.setVisible(place < len(shown))
            if place < len(shown):
                line.show_change(shown[place])
        hidden = len(listed) - len(shown)
        hidden += sum(one.kind is ChangeKind.NEW for one in elsewhere)
        self._more.setText(self.tr("{n} more above").format(n=hidden))
        self._more.setVisible(hidden > 0)
        with QSignalBlocker(self.tick):
            self.tick.setChecked(read)
        self.setAccessibleName(self._title.text())

    def _words(self, approval: Approval, changes: tuple[Change, ...]) -> str:
        if changes:
            count = len(changes)
            return translate("ChangedBlock", "%n change(s) since this was planned", "", count)
        if AskReason.OLD in approval.reasons:
            return self.tr("Planned more than 12 hours ago. Check that it still fits")
        return self.tr("The conversation was changed after this was planned")
