"""The selected file: picture, texts, actions, and where it was seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.media.records import PlaceKind
from chimein_gui.ui.dialogs.description.texts import Texts
from chimein_gui.ui.dialogs.question import QuestionDialog
from chimein_gui.ui.panes.media.detail.seen import SeenList
from chimein_gui.ui.panes.media.detail.stage import Stage
from chimein_gui.ui.panes.media.dialogs import DescribeAgainDialog
from chimein_gui.ui.panes.media.grid.cell import status_label
from chimein_gui.ui.requests import OpenFile, ShowMessage
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.icon_button import IconButton, MenuButton
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.menus import open_below
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Footer, Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.media_library.editing import DescriptionEdit
from chimein_gui.viewmodels.media_library.words import (
    details_words,
    name_words,
    place_words,
    sendable_words,
    uses_words,
)

if TYPE_CHECKING:
    from chimein_gui.domain.media.library import MediaEntry, Sighting
    from chimein_gui.domain.media.records import MediaPlace, MediaRecord
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.media_library.model import MediaLibraryModel
    from chimein_gui.viewmodels.media_library.pictures import MediaPictures


class Detail(QWidget):
    """Everything about one file.

    Attributes:
        left: Escape was pressed: the grid shall have the focus again.
        next_wanted: The text was saved, and the next file that needs a look is wanted.
    """

    left = Signal()
    next_wanted = Signal()

    def __init__(self, context: PaneContext, library: MediaLibraryModel, pictures: MediaPictures) -> None:
        super().__init__()
        self._context, self._library, theme = context, library, context.theme
        self.edit = DescriptionEdit(library, self)
        self._name = ElidedLabel(theme, "", Face.TITLE)
        self._about = ElidedLabel(theme, "", Face.SMALL, "text2")
        self._sendable = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.chip = StateChip(theme)
        self.stage = Stage(context, pictures)
        self.texts = Texts(context, self.edit)
        self.promote = MenuButton(theme, self.tr("Promote"), key="P", kind=Kind.PRIMARY)
        self.regenerate = ActionButton(theme, self.tr("Regenerate"), icon="refresh", key="G")
        self.seen = SeenList(context)
        self._uses = PlainLabel(theme, "", Face.META, "text2")
        self._nowhere = PlainLabel(theme, self.tr("Not met in a chat yet."), Face.SMALL, "text2")
        self.move_to = ActionButton(theme, self.tr("Move to…"), icon="folder", kind=Kind.QUIET)
        self.delete = IconButton(theme, "trash", self.tr("Delete the curated text…"))
        self.open_file = IconButton(theme, "external", self.tr("Open the file of the description"))
        self.save_next = ActionButton(theme, self.tr("Save, next"), key="Ctrl+Enter")
        self._empty = EmptyState(theme, "sticker")
        self._empty.say(self.tr("Nothing selected"), self.tr("Select a file to see and edit its description."))
        self._pages = QStackedWidget()
        self._build()
        self._wire()
        self.show_entry()

    # --- building -------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        set_rtl_margins(column, 16, 12, 16, 12)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._name, 1)
        head.addWidget(self.chip)
        column.addLayout(head)
        column.addWidget(self._about)
        column.addWidget(self.stage)
        column.addWidget(self._sendable)
        column.addWidget(self.texts)
        self._actions = QHBoxLayout()
        self._actions.setSpacing(8)
        self._actions.addWidget(self.promote)
        self._actions.addWidget(self.regenerate)
        self._actions.addStretch(1)
        column.addLayout(self._actions)
        where = QHBoxLayout()
        where.addWidget(PlainLabel(self._context.theme, self.tr("Where it was seen"), Face.SMALL_STRONG))
        where.addStretch(1)
        where.addWidget(self._uses)
        column.addLayout(where)
        column.addWidget(self._nowhere)
        column.addWidget(self.seen, 1)
        self.seen.setMinimumHeight(78)
        scroll = ScrollBox(inside)
        shown = Surface(self._context.theme, "pane")
        whole = QVBoxLayout(shown)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(scroll, 1)
        whole.addWidget(self._foot())
        self._pages.addWidget(shown)
        self._pages.addWidget(self._empty)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self._pages)

    def _foot(self) -> Footer:
        foot = Footer(self._context.theme)
        row = QHBoxLayout(foot)
        set_rtl_margins(row, 10, 6, 12, 6)
        row.setSpacing(4)
        for button in (self.move_to, self.delete, self.open_file):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.save_next)
        return foot

    def _wire(self) -> None:
        self._library.selected_changed.connect(self.show_entry)
        self.edit.state_changed.connect(self._show_actions)
        self.texts.submitted.connect(self.save_and_go_on)
        self.texts.left.connect(self.left)
        self.save_next.clicked.connect(self.save_and_go_on)
        self.promote.clicked.connect(self.offer_promotion)
        self.regenerate.clicked.connect(self.ask_again)
        self._library.requests.changed.connect(lambda _unique_id: self.show_entry())
        self.move_to.clicked.connect(self.offer_move)
        self.delete.clicked.connect(self.ask_to_delete)
        self.open_file.clicked.connect(self.show_file)
        self.seen.opened.connect(self._show_message)

    # --- contents -------------------------------------------------------------------------------------------------

    @property
    def entry(self) -> MediaEntry | None:
        """The file that is shown."""
        return self._library.selected

    def show_entry(self) -> None:
        """Show what is selected now."""
        entry = self.entry
        self._pages.setCurrentIndex(1 if entry is None else 0)
        self.edit.show(entry)
        self.stage.show_entry(entry)
        if entry is None:
            return
        self._name.setText(foreign_text.line(name_words(entry), 80))
        self._about.setText(foreign_text.line(details_words(entry), 120))
        sendable = foreign_text.line(sendable_words(entry), 200)
        self._sendable.setText(sendable)
        self._sendable.setVisible(bool(sendable))
        self.chip.say(status_label(entry.status))
        requests = self._library.requests
        busy = self.tr("The model is asked…") if entry.unique_id in requests.running else ""
        self.texts.show_entry(busy or requests.problems.get(entry.unique_id, ""))
        self.seen.rows.show(entry.seen)
        self._nowhere.setVisible(not entry.seen)
        self.seen.setVisible(bool(entry.seen))
        self._uses.setText(uses_words(entry))
        self._show_actions()

    def _show_actions(self) -> None:
        record = self._curated()
        is_own = record is not None and record.place is not None and record.place.is_writable
        why = "" if is_own else self.tr("There is no curated text that can be moved or deleted.")
        for button in (self.move_to, self.delete):
            button.allow(why)
        self.open_file.setEnabled(bool(self._path()))
        is_running = self.entry is not None and self.entry.unique_id in self._library.requests.running
        self.regenerate.allow(self.tr("The model is asked…") if is_running else "")
        text = self._text_to_promote()
        self.promote.allow("" if text else self.tr("There is no text yet. Write one, or let the model describe it."))

    def _curated(self) -> MediaRecord | None:
        return self.entry.curated[0] if self.entry is not None and self.entry.curated else None

    def _path(self) -> str:
        entry = self.entry
        record = self._curated() or (entry.generated if entry is not None else None)
        return record.path if record is not None else ""

    def _text_to_promote(self) -> str:
        """Return what is typed, else the model's text."""
        if self.edit.text.strip():
            return self.edit.text
        entry = self.entry
        return entry.generated.description if entry is not None and entry.generated is not None else ""

    # --- actions ----------------------------------------------------------------------------------------------------

    def ask_again(self) -> DescribeAgainDialog | None:
        """Ask for an instruction, and let the model describe the file anew."""
        entry = self.entry
        if entry is None or not self.regenerate.isEnabled():
            return None
        asks = DescribeAgainDialog(self._context.theme, self.window())
        asks.given.connect(lambda words: self._library.requests.describe_again(entry, words))
        asks.open()
        return asks

    def begin_edit(self) -> None:
        """Write in the field."""
        if self.entry is not None:
            self.texts.field.setFocus()

    def save_and_go_on(self) -> None:
        """Save what was typed, and go to the next file that needs a look."""
        self.edit.save_now()
        self.next_wanted.emit()

    def promote_now(self) -> None:
        """Make the text curated, in the directory that was used last."""
        self._promote(self._library.changes.place)

    def _promote(self, place: MediaPlace | None) -> None:
        entry, text = self.entry, self._text_to_promote()
        if entry is None or not text:
            return
        self._library.changes.place = place
        self.edit.type(text)
        self._library.changes.save(entry, text, place)

    def offer_promotion(self) -> QMenu:
        """Open a menu of the directories that take curated texts."""
        return self._offer(self.promote, self._promote)

    def offer_move(self) -> QMenu:
        """Open a menu of the directories that the curated text can be moved to."""
        return self._offer(self.move_to, self._move)

    def _offer(self, button: ActionButton, choose: object) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        record = self._curated()
        for place in self._library.places:
            words = place_words(place)
            if place.kind is PlaceKind.OWN:
                words = self.tr("Only {agent}").format(agent=foreign_text.action(words))
            action = QAction(words, menu)
            action.setToolTip(foreign_text.tool_tip(place.folder))
            action.setEnabled(record is None or record.place != place)
            action.triggered.connect(lambda _checked=False, place=place: choose(place))  # type: ignore[operator]
            menu.addAction(action)
        menu.setToolTipsVisible(True)
        return open_below(menu, button)

    def _move(self, place: MediaPlace) -> None:
        record = self._curated()
        if record is not None:
            self.edit.save_now()
            self._library.changes.move(record, place)

    def ask_to_delete(self) -> QuestionDialog | None:
        """Ask, and delete the curated text."""
        record = self._curated()
        if record is None or not self.delete.isEnabled():
            return None
        title = self.tr("Delete the curated text?")
        words = self.tr("Prompts will use the AI text again, if there is one. You can undo this.")
        asks = QuestionDialog(self._context.theme, title, words, self.tr("Delete"), self.window(), icon="trash")
        asks.agreed.connect(lambda: self._library.changes.delete(record))
        asks.open()
        return asks

    def show_file(self) -> None:
        """Open the file of the description in the desktop's editor."""
        if self._path():
            self._context.requests.send(OpenFile(self._path()))

    def _show_message(self, one: Sighting) -> None:
        self._context.requests.send(ShowMessage(one.chat_id, one.key.message_id))
