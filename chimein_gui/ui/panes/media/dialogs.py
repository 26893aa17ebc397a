"""Small dialogs of the Media pane: another text, a sticker set, and the cost of describing many files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from chimein_gui.ui.dialogs.small_dialog import SmallDialog
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.media_library.words import estimate_words

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.domain.media.requests import DescriptionEstimate


class DescribeAgainDialog(SmallDialog):
    """Asks how the model should describe the file; the instruction may be empty.

    Attributes:
        given: The operator agreed; carries the instruction.
    """

    given = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        self.ask = ActionButton(theme, self.tr("Regenerate"), icon="refresh", kind=Kind.PRIMARY)
        super().__init__(
            theme,
            self.tr("How should the model describe it?"),
            self.tr("Your curated text stays. The new AI text is shown below it."),
            self.ask,
            parent,
        )
        self.field = LineField(theme, self.tr("Instruction"), hint=self.tr("shorter, and name the animal"))
        self.middle.addWidget(self.field)
        self.ask.setDefault(True)
        self.ask.clicked.connect(self._give)
        self.field.setFocus()
        self.fit()

    def _give(self) -> None:
        words = self.field.text().strip()
        self.accept()
        self.given.emit(words)


class ImportSetDialog(SmallDialog):
    """Asks for a sticker set; it stays open until the set was listed.

    Attributes:
        given: The operator entered a name or a link; carries it.
    """

    given = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        self.ask = ActionButton(theme, self.tr("Import"), icon="download", kind=Kind.PRIMARY)
        super().__init__(
            theme,
            self.tr("Import a sticker set"),
            self.tr("Its stickers are listed, so that you can describe them before an agent meets them."),
            self.ask,
            parent,
        )
        name = self.tr("Short name or link")
        self.field = LineField(theme, name, hint="t.me/addstickers/…")
        self._why = PlainLabel(theme, "", Face.SMALL, "danger")
        self._why.setWordWrap(True)
        self._why.hide()
        self.middle.addWidget(self.field)
        self.middle.addWidget(self._why)
        self.ask.setDefault(True)
        self.ask.clicked.connect(self._give)
        self.field.textChanged.connect(self._look)
        self._look()
        self.field.setFocus()
        self.fit()

    def refuse(self, why: str) -> None:
        """Say why the set could not be listed; it may be tried again."""
        self._why.setText(foreign_text.line(why, 300))
        self._why.show()
        self._look()
        self.field.setFocus()

    def _look(self) -> None:
        self.ask.allow("" if self.field.text().strip() else self.tr("Nothing typed yet"))

    def _give(self) -> None:
        self._why.hide()
        self.ask.allow(self.tr("Telegram is asked…"))
        self.given.emit(self.field.text())


class DescribeManyDialog(SmallDialog):
    """Says what describing many files costs, before anything is asked.

    Attributes:
        agreed: The operator agreed.
    """

    agreed = Signal()

    def __init__(self, theme: Theme, title: str, estimate: DescriptionEstimate, parent: QWidget) -> None:
        """`title` names the set; the caller isolates it."""
        count = estimate.count
        self.begin = ActionButton(theme, self.tr("Describe %n file(s)", "", count), icon="sparkle", kind=Kind.PRIMARY)
        super().__init__(theme, title, estimate_words(estimate), self.begin, parent)
        why = "" if estimate.per_tick else self.tr("Descriptions by a model are switched off")
        self.begin.allow(why if count else self.tr("All files have a text already, or can't be described."))
        self.begin.clicked.connect(self._agree)
        self.leave.setFocus()
        self.fit()

    def _agree(self) -> None:
        self.accept()
        self.agreed.emit()
