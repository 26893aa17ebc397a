"""The question of a cap that is reached, with the operator's answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from chimein_gui.domain.spending.caps import STEP_USD, CapScope, Release
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.viewmodels.costs.words import asking_words, money

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

    from chimein_gui.domain.spending.caps import CapDay
    from chimein_gui.ui.widgets.theme.theme import Theme

translate = QCoreApplication.translate


class CapQuestion(QWidget):
    """Asks about one cap at a time; hidden while none asks.

    Attributes:
        answered: The operator pressed a button; carries the cap's key and the `Release`.
        priced: The operator wants to give a model a price; carries its name.
        in_sight: Another cap is asked about where the operator sees it; carries its key, or None.
    """

    answered = Signal(object, object)
    priced = Signal(str)
    in_sight = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._cap: CapDay | None = None
        self.message = InlineMessage(theme, BOX, is_alert=True)
        amount = money(STEP_USD)
        words = {
            Release.ADD: self.tr("Add {amount} for today").format(amount=amount),
            Release.ONCE: self.tr("Continue once"),
            Release.UNTIL_MIDNIGHT: self.tr("Continue until midnight"),
            Release.KEEP_PAUSED: self.tr("Keep paused"),
        }
        self.price = ActionButton(theme, self.tr("Set its price…"))
        self.price.clicked.connect(lambda _checked=False: self._ask_for_price())
        self.message.add(self.price)
        self.buttons = {answer: ActionButton(theme, word) for answer, word in words.items()}
        for answer, button in self.buttons.items():
            button.clicked.connect(lambda _checked=False, answer=answer: self._answer(answer))
            self.message.add(button)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 10, 12, 0)
        row.addWidget(self.message)
        self.hide()

    def ask(self, caps: tuple[CapDay, ...], name: str) -> None:
        """Ask about the first of some caps; hide without one.

        Args:
            caps: The caps that ask.
            name: Name of what the first one is for; foreign text.
        """
        self._cap = cap = caps[0] if caps else None
        self.setVisible(cap is not None)
        self._tell_in_sight()
        if cap is None:
            self.message.say(None)
            return
        isolated = foreign_text.isolate(foreign_text.line(name, 80))
        count, others = cap.waiting, len(caps) - 1
        waiting = translate("CapQuestion", "%n chat(s) wait unanswered.", "", count) if count else ""
        more = translate("CapQuestion", "%n more cap(s) are reached.", "", others) if others else ""
        said = " ".join(part for part in (f"{asking_words(cap, isolated)}.", waiting, more) if part)
        self.message.say(IconLabel("pause-circle", said, "attention"))
        has_no_price = cap.key.scope is CapScope.MODEL
        self.buttons[Release.ADD].setVisible(not has_no_price)
        self.price.setVisible(has_no_price)
        for button in (self.price, *self.buttons.values()):
            button.setAccessibleName(f"{button.text()}: {asking_words(cap, isolated)}")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._tell_in_sight()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.in_sight.emit(None)

    def _tell_in_sight(self) -> None:
        self.in_sight.emit(self._cap.key if self._cap is not None and self.isVisible() else None)

    def _ask_for_price(self) -> None:
        if self._cap is not None:
            self.priced.emit(self._cap.key.target)

    def _answer(self, answer: Release) -> None:
        if self._cap is not None:
            self.answered.emit(self._cap.key, answer)
