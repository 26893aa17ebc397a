"""Shows what applying an edit would change in a file, before it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.text.line_changes import line_changes
from chimein_gui.domain.text.word_changes import WordChange
from chimein_gui.ui.dialogs.small_dialog import SmallDialog
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.inline_message import DIALOG, InlineMessage
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.tinted_text import TintedText
from chimein_gui.ui.widgets.theme.marks import IconLabel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QTextCharFormat
    from PySide6.QtWidgets import QWidget

    from chimein_gui.domain.text.line_changes import LineChange
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.prompt.file_edit import FileEdit, Proposal

WIDTH, HEIGHT = 720, 260
CONTEXT = 2
"""Lines that are shown around a change."""

_SIGNS = {WordChange.SAME: "  ", WordChange.ADDED: "+ ", WordChange.REMOVED: "− "}


class ApplyDialog(SmallDialog):
    """It closes when the file is written. If somebody else changed it meanwhile, it shows the change of that one."""

    def __init__(self, theme: Theme, edit: FileEdit, proposal: Proposal, parent: QWidget) -> None:
        self.write = ActionButton(theme, self.tr("Write the file"), icon="disk", kind=Kind.PRIMARY)
        title = self.tr("Apply to file")
        words = self.tr("{path}: every other byte stays. The agent uses it from its next call on.")
        super().__init__(theme, title, words.format(path=foreign_text.line(proposal.path)), self.write, parent)
        self._edit, self._proposal = edit, proposal
        self.text = TintedText(theme, self.tr("Changes of the file"))
        self.text.setMinimumHeight(HEIGHT)
        self.message = InlineMessage(theme, DIALOG)
        self.middle.addWidget(self.message)
        self.middle.addWidget(self.text)
        self.write.setDefault(True)
        self.write.clicked.connect(lambda _checked=False: edit.write(self._proposal))
        edit.proposed.connect(self._show)
        edit.written.connect(self._leave)
        edit.failed.connect(self.message.refuse)
        theme.changed.connect(self._tint)
        self._show(proposal)
        self.fit(WIDTH)
        self.write.setFocus()

    def _show(self, proposal: Proposal) -> None:
        self._proposal = proposal
        if proposal.is_again:
            words = self.tr("The file changed meanwhile, so nothing was written. This is your change of the new one.")
            self.message.say(IconLabel("warning", words, "attention"))
        shown = list(_near(line_changes(proposal.base, proposal.text)))
        runs = [(_SIGNS[one.change] + foreign_text.body(one.text) + "\n", self._look(one.change)) for one in shown]
        said = {WordChange.REMOVED: self.tr("removed: {words}"), WordChange.ADDED: self.tr("added: {words}")}
        spoken = [said[one.change].format(words=foreign_text.body(one.text)) for one in shown if one.change in said]
        self.text.fill(runs, "; ".join(spoken) or self.tr("nothing changed"))

    def _tint(self) -> None:
        self._show(self._proposal)

    def _leave(self, _path: str, _is_undone: bool) -> None:
        self.accept()

    def _look(self, change: WordChange) -> QTextCharFormat:
        if change is WordChange.SAME:
            return self.text.plain("text2")
        name = "diff_added" if change is WordChange.ADDED else "diff_removed"
        made = self.text.plain(f"{name}_text")
        made.setBackground(self._theme.color(name))
        return made


def _near(lines: tuple[LineChange, ...]) -> Iterator[LineChange]:
    """Yield the changed lines, and some around them."""
    changed = [place for place, one in enumerate(lines) if one.change is not WordChange.SAME]
    for place, one in enumerate(lines):
        if any(abs(place - at) <= CONTEXT for at in changed):
            yield one
