"""Triage: one file at a time in full size, decided with single keys."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.panes.media.detail.stage import Stage
from chimein_gui.ui.panes.media.grid.cell import status_label
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.legend import KeyLegend
from chimein_gui.ui.widgets.controls.message_editor import MessageEditor
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Footer, Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.media_library.words import details_words, failure_words, name_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent

    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.media_library.model import MediaLibraryModel
    from chimein_gui.viewmodels.media_library.pictures import MediaPictures
    from chimein_gui.viewmodels.media_library.triage import Triage

MOST_TYPED = 4_000
WIDEST = 720
SIDE = 16


class TriagePage(Surface):
    """Return accepts the text, E edits it in place, R asks the model again, 1 to 9 take saved phrases, Z undoes.

    Attributes:
        left: The operator goes back to the grid.
    """

    left = Signal()

    def __init__(
        self, context: PaneContext, library: MediaLibraryModel, triage: Triage, pictures: MediaPictures
    ) -> None:
        super().__init__(context.theme, "pane")
        theme = context.theme
        self._library, self.triage = library, triage
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Triage"))
        self._place = PlainLabel(theme, "", Face.SMALL, "text2")
        self._name = ElidedLabel(theme, "", Face.TITLE)
        self._about = ElidedLabel(theme, "", Face.SMALL, "text2")
        self._chip, self._busy = StateChip(theme), StateChip(theme)
        self.stage = Stage(context, pictures, height=300)
        self._text = PlainLabel(theme, "", Face.BODY)
        self._text.setWordWrap(True)
        self._text.setMinimumHeight(64)
        self._text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.field = MessageEditor(theme, lines=(3, 6), most=MOST_TYPED)
        self.field.field.setAccessibleName(self.tr("Curated text"))
        self.field.hide()
        self.accept = ActionButton(theme, self.tr("Accept"), key="Enter", kind=Kind.PRIMARY)
        self.edit = ActionButton(theme, self.tr("Edit"), key="E")
        self.again = ActionButton(theme, self.tr("Again"), key="R", icon="refresh")
        self.next = ActionButton(theme, self.tr("Skip"), key="N", kind=Kind.QUIET)
        self.undo = ActionButton(theme, self.tr("Undo"), key="Z", kind=Kind.QUIET)
        self.keep = ActionButton(theme, self.tr("Save as phrase"), key="S", kind=Kind.QUIET)
        self._phrases = PlainLabel(theme, "", Face.SMALL, "text2")
        self._phrases.setWordWrap(True)
        self._empty = EmptyState(theme, "ok-circle")
        self._build(context)
        self._wire(context)

    def _build(self, context: PaneContext) -> None:
        theme = context.theme
        self._middle = QWidget()
        column = QVBoxLayout(self._middle)
        column.setContentsMargins(SIDE, SIDE, SIDE, SIDE)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._name, 1)
        head.addWidget(self._busy)
        head.addWidget(self._chip)
        head.addWidget(self._place)
        actions = self._actions = QHBoxLayout()
        actions.setSpacing(8)
        for button in (self.accept, self.edit, self.again, self.next, self.undo, self.keep):
            actions.addWidget(button)
        actions.addStretch(1)
        column.addStretch(1)
        column.addLayout(head)
        for widget in (self._about, self.stage, self._text, self.field):
            column.addWidget(widget)
        column.addLayout(actions)
        column.addWidget(self._phrases)
        column.addStretch(2)
        self._fit()
        around = QHBoxLayout()
        around.addStretch(1)
        around.addWidget(self._middle, 100)
        around.addWidget(self._empty, 100)
        around.addStretch(1)
        foot = Footer(theme)
        row = QHBoxLayout(foot)
        set_rtl_margins(row, 0, 0, 0, 0)
        entries = (
            (("Enter",), self.tr("Accept")),
            (("E",), self.tr("Edit")),
            (("R",), self.tr("Again")),
            (("1", "9"), self.tr("Phrase")),
            (("S",), self.tr("Save as phrase")),
            (("N", "B"), self.tr("Skip, back")),
            (("Z",), self.tr("Undo")),
            (("Space",), self.tr("Play")),
            (("Esc",), self.tr("Leave")),
        )
        editing = ((("Ctrl+Enter",), self.tr("Accept")), (("Esc",), self.tr("Stop editing")))
        self._legend, self._edit_legend = KeyLegend(theme, entries, self), KeyLegend(theme, editing, self)
        self._edit_legend.hide()
        for legend in (self._legend, self._edit_legend):
            row.addWidget(legend, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(around, 1)
        whole.addWidget(foot)

    def _wire(self, context: PaneContext) -> None:
        self.accept.clicked.connect(self.accept_now)
        self.edit.clicked.connect(self.begin_edit)
        self.again.clicked.connect(self._ask_again)
        self.next.clicked.connect(self._skip)
        self.undo.clicked.connect(self.triage.undo)
        self.keep.clicked.connect(self.save_phrase)
        self.field.submitted.connect(self.accept_now)
        self.field.cancelled.connect(self._stop_edit)
        self.triage.moved.connect(self._show)
        self.triage.phrases_changed.connect(self._show_phrases)
        self._library.requests.changed.connect(lambda _unique_id: self._show_text())
        self._library.entry_changed.connect(lambda _unique_id: self._show_text())
        keys: dict[str, Callable[[], None]] = {
            "E": self.begin_edit,
            "R": self._ask_again,
            "N": self._skip,
            "B": partial(self.triage.skip, -1),
            "Z": self.triage.undo,
            "S": self.save_phrase,
        }
        shortcuts = SingleKeyShortcuts(keys, self, context.models.single_keys)
        for widget in (self, self.accept, self.edit, self.again, self.next, self.undo, self.keep):
            shortcuts.watch(widget)

    # --- contents -------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin with the selected file."""
        self.triage.begin()
        self._show_phrases()
        self.setFocus()

    def _fit(self) -> None:
        """Keep texts narrow, but not narrower than the buttons are, whose words differ with the language."""
        buttons = (self.accept, self.edit, self.again, self.next, self.undo, self.keep)
        needed = sum(one.sizeHint().width() + self._actions.spacing() for one in buttons) + 2 * SIDE
        self._middle.setMaximumWidth(max(WIDEST, needed))

    def _show(self) -> None:
        self._fit()
        entry = self.triage.entry
        self._stop_edit(focus=self.field.field.hasFocus())
        self._middle.setVisible(entry is not None)
        self._empty.setVisible(entry is None)
        self.undo.allow("" if self.triage.can_undo else self.tr("Nothing was accepted yet."))
        self.stage.show_entry(entry)
        if entry is None:
            said = [self.tr("%n description(s) accepted.", "", self.triage.accepted)]
            if skipped := self.triage.skipped:
                said.append(self.tr("%n file(s) still need a look.", "", skipped))
            self._empty.say(
                self.tr("End of the list") if skipped else self.tr("All done"),
                "\n".join(said),
                ((self.tr("Back to the grid"), self.left.emit),),
            )
            self.setFocus()
            return
        place, count = self.triage.place
        self._place.setText(self.tr("{place} of {count}").format(place=place, count=count))
        self._name.setText(foreign_text.line(name_words(entry), 80))
        self._about.setText(foreign_text.line(details_words(entry), 120))
        self._show_text()

    def _show_text(self) -> None:
        entry = self.triage.entry
        if entry is None:
            return
        self._chip.say(status_label(entry.status))
        requests = self._library.requests
        is_busy = entry.unique_id in requests.running
        self._busy.say(IconLabel("spinner", self.tr("The model is asked…"), "info") if is_busy else None)
        problem = requests.problems.get(entry.unique_id, "")
        if not problem and entry.generated is not None and not self.triage.proposed:
            problem = failure_words(entry.generated)
        words = self.triage.proposed or problem or self.tr("No text yet. Write one with E, or ask the model with R.")
        self._text.setText(foreign_text.body(words))
        self._text.set_color("text1" if self.triage.proposed else "text2")
        self.accept.allow("" if self.triage.proposed or not self.field.isHidden() else self.tr("There is no text yet."))

    def _show_phrases(self) -> None:
        lines = [f"{number}  {foreign_text.line(text, 90)}" for number, text in enumerate(self.triage.phrases, 1)]
        self._phrases.setText("\n".join(lines) or self.tr("Saved phrases stand here, each with its key from 1 to 9."))

    # --- actions ----------------------------------------------------------------------------------------------------

    def accept_now(self) -> None:
        """Save what is written, else the text that is shown, and go on."""
        text = self.field.text() if not self.field.isHidden() else self.triage.proposed
        self.triage.accept(text)

    def begin_edit(self) -> None:
        """Write in place of the text."""
        if self.triage.entry is None:
            return
        self.field.set_text(self.triage.proposed)
        self._text.hide()
        self.field.show()
        self.field.setFocus()
        self.accept.allow()
        self.accept.set_key("Ctrl+Enter")
        self._show_legend(editing=True)

    def _ask_again(self) -> None:
        self.triage.again()

    def _skip(self) -> None:
        self.triage.skip()

    def save_phrase(self) -> None:
        """Keep the text as a phrase."""
        text = self.field.text() if not self.field.isHidden() else self.triage.proposed
        self.triage.save_phrase(text)

    def _stop_edit(self, *, focus: bool = True) -> None:
        if self.field.isHidden():
            return
        self.field.hide()
        self._text.show()
        self.accept.set_key("Enter")
        self._show_legend(editing=False)
        if focus:
            self.setFocus()

    def _show_legend(self, *, editing: bool) -> None:
        self._legend.setVisible(not editing)
        self._edit_legend.setVisible(editing)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, plain = event.key(), not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key == Qt.Key.Key_Escape:
            self.left.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.accept_now()
        elif key == Qt.Key.Key_Space and plain:
            self.stage.play_or_pause()
        elif Qt.Key.Key_1 <= key <= Qt.Key.Key_9 and not event.isAutoRepeat():
            number = key - Qt.Key.Key_0
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.triage.drop_phrase(number)
            else:
                self.triage.take_phrase(number)
        else:
            super().keyPressEvent(event)
