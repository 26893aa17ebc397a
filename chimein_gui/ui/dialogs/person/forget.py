"""Asks before a person is forgotten: says what goes and what stays, and wants the name typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal

from chimein_gui.domain.people.holdings import Effect
from chimein_gui.ui.dialogs.small_dialog import SmallDialog
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.check_box import CheckBox
from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.people.words import kinds_with

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.domain.people.holdings import PersonHoldings
    from chimein_gui.ui.widgets.theme.theme import Theme

translate = QCoreApplication.translate
WIDTH = 520


class ForgetDialog(SmallDialog):
    """The button stays off until the name is typed; Return alone changes nothing.

    Attributes:
        agreed: The operator typed the name and confirmed; tells whether nothing shall be proposed any more.
    """

    agreed = Signal(bool)

    def __init__(self, theme: Theme, holdings: PersonHoldings, parent: QWidget) -> None:
        self.action = ActionButton(theme, translate("Person", "Forget"), icon="trash", kind=Kind.DANGER)
        self.wanted = foreign_text.line(holdings.name, 60).strip() or str(int(holdings.person))
        words = translate(
            "Person",
            "This can't be undone. The chats are held meanwhile; all other chats continue as usual.",
        )
        super().__init__(theme, translate("Person", "Forget this person?"), words, self.action, parent)
        self.middle.setSpacing(8)
        for title, text in self._lists(holdings):
            self.middle.addWidget(PlainLabel(theme, title, Face.STRONG))
            label = PlainLabel(theme, text, Face.BODY, "text2")
            label.setWordWrap(True)
            self.middle.addWidget(label)
        ask = translate("Person", "Type {name} to confirm").format(name=foreign_text.isolated(self.wanted))
        question = PlainLabel(theme, ask, Face.STRONG)
        question.setWordWrap(True)
        self.middle.addWidget(question)
        self.field = LineField(theme, ask)
        self.middle.addWidget(self.field)
        never = translate("Person", "Never propose memories of this person again")
        self.never = CheckBox(theme, never)
        self.middle.addWidget(self.never)
        self.field.textChanged.connect(lambda _text: self._check())
        self.action.clicked.connect(self._agree)
        self._check()
        self.field.setFocus()
        self.fit(WIDTH)

    def _lists(self, holdings: PersonHoldings) -> list[tuple[str, str]]:
        stays = [
            translate("Person", "Everything in Telegram itself"),
            translate("Person", "what other people wrote in groups, also about this person"),
            translate("Person", "numbers of messages and requests, so that nothing is sent or fetched twice"),
            translate("Person", "what model calls cost, as sums"),
            translate("Person", "the name in Telegram's own log-in file"),
            translate("Person", "your trust level and other settings of the chat"),
        ]
        lists = [(translate("Person", "This goes"), kinds_with(holdings.held, Effect.GOES))]
        emptied = kinds_with(holdings.held, Effect.EMPTIED)
        if emptied:
            lists.append((translate("Person", "Of this the words go, the numbers stay"), emptied))
        lists.append((translate("Person", "This stays"), "; ".join(stays)))
        return [(title, text) for title, text in lists if text]

    def _check(self) -> None:
        is_typed = self.field.text().strip() == self.wanted
        self.action.allow("" if is_typed else translate("Person", "Type the name first"))

    def _agree(self) -> None:
        self.accept()
        self.agreed.emit(self.never.isChecked())
