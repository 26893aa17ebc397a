"""The Media pane: facets at the left, the grid in the middle, the selected file at the right."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from chimein_gui.ui.pane import InSight, Pane
from chimein_gui.ui.panes.media.detail.page import Detail
from chimein_gui.ui.panes.media.dialogs import DescribeManyDialog, ImportSetDialog
from chimein_gui.ui.panes.media.facets import FacetList
from chimein_gui.ui.panes.media.grid.view import MediaGrid
from chimein_gui.ui.panes.media.head import Head
from chimein_gui.ui.panes.media.progress import BudgetBox, DescribingBar
from chimein_gui.ui.panes.media.triage import TriagePage
from chimein_gui.ui.requests import ClosePane
from chimein_gui.ui.widgets.controls.legend import KeyLegend
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.surfaces.surface import Footer, Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.viewmodels.media_library.facet_rows import FacetRows
from chimein_gui.viewmodels.media_library.groups import key_of
from chimein_gui.viewmodels.media_library.model import make_media_library
from chimein_gui.viewmodels.media_library.pictures import MediaPictures
from chimein_gui.viewmodels.media_library.triage import Triage
from chimein_gui.viewmodels.media_library.words import group_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent

    from chimein_gui.ui.pane import PaneContext

WIDE = 1_300
"""From this width on the facets stand beside the grid, below it they are a combo box; px."""

FACETS, GRID, DETAIL = 196, 816, 372


class MediaPane(Pane):
    """Reads files only while it is in sight."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, theme = context, context.theme
        self.model = context.own(make_media_library)
        self._pictures = MediaPictures(context.models.agents)
        self._facet_rows = FacetRows(self.model)
        self.head = Head(context, self.model, self._facet_rows)
        self.facets = FacetList(theme, self._facet_rows, self._identity)
        self.grid = MediaGrid(context, self.model, self._pictures)
        self.detail = Detail(context, self.model, self._pictures)
        self.message = InlineMessage(theme, BOX, is_alert=True)
        self._empty = EmptyState(theme, "sticker")
        self._empty.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._middle, self._pages = QStackedWidget(), QStackedWidget()
        self.triage = TriagePage(context, self.model, Triage(self.model), self._pictures)
        self._kept_folder = ""
        self._build()
        self._wire()
        self._show()

    def _build(self) -> None:
        theme = self._context.theme
        self._middle.addWidget(self.grid)
        self._middle.addWidget(self._empty)
        side = self._side = Surface(theme, "pane")
        left = QVBoxLayout(side)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(0)
        left.addWidget(self.facets, 1)
        left.addWidget(BudgetBox(theme, self.model.requests))
        parts = QSplitter()
        for part in (side, self._middle, self.detail):
            parts.addWidget(part)
        parts.setChildrenCollapsible(False)
        parts.setSizes([FACETS, GRID, DETAIL])
        for place, stretch in enumerate((0, 1, 0)):
            parts.setStretchFactor(place, stretch)
        self.detail.setMinimumWidth(300)
        foot = Footer(theme)
        row = QHBoxLayout(foot)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._legend(), 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        browsing = QWidget()
        inside = QVBoxLayout(browsing)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        for widget in (self.head, self.message, DescribingBar(theme, self.model.requests)):
            inside.addWidget(widget)
        inside.addWidget(parts, 1)
        inside.addWidget(foot)
        self._pages.addWidget(browsing)
        self._pages.addWidget(self.triage)
        column.addWidget(self._pages)

    def _legend(self) -> KeyLegend:
        entries = (
            (("←", "↑", "↓", "→"), self.tr("Move")),
            (("Enter",), self.tr("Edit")),
            (("Ctrl+Enter",), self.tr("Save, next")),
            (("P",), self.tr("Promote")),
            (("G",), self.tr("Regenerate")),
            (("D",), self.tr("Describe the set")),
            (("T",), self.tr("Triage")),
            (("M",), self.tr("Move to")),
            (("Del",), self.tr("Delete")),
            (("X",), self.tr("Show all of the set")),
            (("/",), self.tr("Search")),
            (("Space",), self.tr("Play")),
        )
        return KeyLegend(self._context.theme, entries, self)

    def _wire(self) -> None:
        model, detail = self.model, self.detail
        model.changed.connect(self._show)
        model.regrouped.connect(self._select_again)
        model.changes.done.connect(self._say_done)
        model.requests.imported.connect(self._say_imported)
        self.head.shown_as.connect(lambda is_list: self.grid.show_as(is_list=is_list))
        self.head.played.connect(lambda plays: self.grid.play_all(plays=plays))
        self.head.box.stepped_down.connect(self.grid.setFocus)
        self.head.triage.clicked.connect(self.begin_triage)
        self.head.import_set.clicked.connect(self.ask_for_set)
        self.triage.left.connect(self.end_triage)
        self.grid.entered.connect(detail.begin_edit)
        detail.left.connect(self.grid.setFocus)
        detail.next_wanted.connect(self.go_to_next)
        keys: dict[str, Callable[[], None]] = {
            "E": detail.begin_edit,
            "P": detail.promote_now,
            "M": self._offer_move,
            "G": detail.regenerate.click,
            "D": self._describe_set,
            "T": self.begin_triage,
            "X": self.grid.toggle_group,
            "A": self.head.play.click,
        }
        SingleKeyShortcuts(keys, self, self._context.models.single_keys).watch(self.grid)

    def _offer_move(self) -> None:
        if self.detail.move_to.isEnabled():
            self.detail.offer_move()

    def _identity(self, name: str) -> int:
        agents = self._context.models.agents
        return next((agents.identity_of(one.agent_id) for one in agents.items() if one.spec.name == name), 0)

    # --- contents -------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        kept = next((place for place in self.model.places if place.folder == self._kept_folder), None)
        if self.model.changes.place is None:
            self.model.changes.place = kept  # where those of the last run went, if that directory is still there
        problem = foreign_text.line(self.model.problem, 400)
        self.message.say(IconLabel("alert", problem, "danger") if problem else None)
        self._show_empty()
        left = self.model.looks_left
        self.subtitle_changed.emit(self.tr("{count} to look at").format(count=left) if left else "")

    def _show_empty(self) -> None:
        count = self.model.rows.rowCount()
        had_focus = self._middle.isAncestorOf(QApplication.focusWidget() or self.head)
        self._middle.setCurrentIndex(0 if count else 1)
        if had_focus:
            (self.grid if count else self._empty).setFocus()
        if count:
            return
        if self.model.filter.is_active:
            again = ((self.tr("Show all"), self.model.filter.show_all),)
            self._empty.say(self.tr("Nothing fits"), self.tr("No file has all of what is chosen and searched."), again)
        elif self.model.is_loaded:
            self._empty.say(
                self.tr("No media yet"),
                self.tr("Stickers, photos and voice messages appear here when an agent meets them."),
            )
        else:
            self._empty.say(self.tr("Reading…"), self.tr("The descriptions are being read."))

    def _select_again(self) -> None:
        """Keep the selected file selected, else select the first one."""
        self._show_empty()
        selected = self.model.selected
        if selected is not None and self.model.rows.row_of(selected.unique_id) >= 0:
            self.grid.select(selected.unique_id)
        else:
            order = self.model.rows.order()
            self.grid.select(order[0]) if order else self.model.select("")

    def go_to_next(self) -> None:
        """Select the next file that needs a look, and go on writing where that was done."""
        selected = self.model.selected
        if selected is None:
            return
        following = self.model.next_to_look_at(selected.unique_id)
        if not following:
            self._context.models.toasts.show(self.tr("Everything that is shown is curated."), icon="ok-circle")
            self.grid.setFocus()
            return
        self.grid.select(following)
        self.detail.begin_edit()

    def _describe_set(self) -> None:
        self.ask_to_describe()

    # --- many files -----------------------------------------------------------------------------------------------

    def begin_triage(self) -> None:
        """Decide on one file after the other, in full size."""
        self.detail.edit.save_now()
        self._pages.setCurrentWidget(self.triage)
        self.triage.begin()

    def end_triage(self) -> None:
        """Show the grid again, with the file that was shown last."""
        self._pages.setCurrentIndex(0)
        self._select_again()
        self.grid.setFocus()

    def ask_to_describe(self) -> DescribeManyDialog | None:
        """Say what it costs to describe the group of the selected file, and describe it."""
        selected = self.model.selected
        group = self.model.rows.group_of(key_of(selected)) if selected is not None else None
        entries = [self.model.entries[one] for one in group.entries] if group is not None else []
        estimate = self.model.requests.estimate(entries)
        if group is None or estimate is None or self.model.requests.is_describing:
            return None
        title = self.tr("Describe “{set}”?").format(set=foreign_text.isolated(group_words(group)))
        asks = DescribeManyDialog(self._context.theme, title, estimate, self.window())
        asks.agreed.connect(lambda: self.model.requests.describe_all(entries))
        asks.open()
        return asks

    def ask_for_set(self) -> ImportSetDialog:
        """Ask for a sticker set, and list it."""
        asks, requests = ImportSetDialog(self._context.theme, self.window()), self.model.requests
        asks.given.connect(requests.import_set)
        requests.refused.connect(asks.refuse)
        requests.imported.connect(asks.accept)
        asks.open()
        return asks

    def _say_imported(self, name: str, count: int) -> None:
        shown = foreign_text.isolated(name)
        words = self.tr("“{set}” is listed, %n new sticker(s).", "", count).format(set=shown)
        self._context.models.toasts.show(words, icon="sticker")

    # --- the pane -------------------------------------------------------------------------------------------------

    def focus_widget(self) -> QWidget:
        if self._pages.currentWidget() is self.triage:
            return self.triage
        return self.grid if self._middle.currentWidget() is self.grid else self._empty

    def keep_in_sight(self) -> InSight:
        return InSight(tuple(self.findChildren(QAbstractButton)))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.watch(watched=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.detail.edit.save_now()
        self.model.watch(watched=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = self.width() >= WIDE
        self._side.setVisible(is_wide)
        self.head.show_facets(not is_wide)

    def save_place(self) -> str:
        place = self.model.changes.place
        kept = {"phrases": self.triage.triage.phrases, "place": place.folder if place is not None else ""}
        return json.dumps(kept, ensure_ascii=False) if any(kept.values()) else ""

    def restore_place(self, place: str) -> None:
        try:
            kept = json.loads(place)
            phrases = [one for one in kept["phrases"] if isinstance(one, str)]
            self._kept_folder = str(kept["place"])
        except (ValueError, KeyError, TypeError):
            return
        self.triage.triage.take_over(phrases)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, plain = event.key(), not event.modifiers()
        if key == Qt.Key.Key_Escape:
            self._context.requests.send(ClosePane("media"))
        elif key == Qt.Key.Key_Slash:
            self.head.box.setFocus()
        elif key == Qt.Key.Key_Space and plain:
            self.detail.stage.play_or_pause()
        elif key == Qt.Key.Key_Delete and plain:
            self.detail.ask_to_delete()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.detail.save_and_go_on()
        else:
            super().keyPressEvent(event)

    def _say_done(self, words: str, undo: Callable[[], object]) -> None:
        self._context.models.toasts.show(words, self.tr("Undo"), undo, icon="sticker")
