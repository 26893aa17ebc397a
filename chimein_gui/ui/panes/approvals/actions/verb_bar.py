"""The buttons of a card: always in the same places, only the words and the verbs change."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.ui.panes.approvals.actions.available_actions import Action, AvailableActions, Offer
from chimein_gui.ui.widgets.controls.verb_button import Kind, VerbButton
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.theme import Face, Theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts

GAP = 7
_MENUS = (Action.LATER, Action.PLAN, Action.MORE)
_KEYS = (Action.APPROVE, Action.EDIT, Action.REGENERATE, Action.REJECT, Action.UNDO)


class VerbBar(QWidget):
    """Offers what a card offers.

    Attributes:
        pressed: A verb.
        menu_wanted: A verb that leaves something open, and a place on the screen.
    """

    pressed = Signal(str)
    menu_wanted = Signal(str, QPoint)

    def __init__(self, theme: Theme, keys: SingleKeyShortcuts, *, compact: bool) -> None:
        """Make the buttons once: making them anew with every move costs milliseconds.

        Args:
            theme: Colours and fonts.
            keys: Single keys also work while one of the buttons has the focus.
            compact: There is little room: what does not fit stands behind "…".
        """
        super().__init__()
        self._compact = compact
        self._offers = AvailableActions(())
        self._who: str | None = None
        self.buttons = {
            verb: VerbButton(theme, "", key=verb.value if verb in _KEYS else "", parent=self) for verb in Action
        }
        self._remark = ElidedLabel(theme, "", Face.SMALL, "text3", self)
        self._remark.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._above = ElidedLabel(theme, "", Face.SMALL, "text3", self)
        self._row = QHBoxLayout()
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(GAP)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(7)
        column.addWidget(self._above)
        column.addLayout(self._row)
        self._above.hide()
        self._remark.hide()
        # It takes the room there is: what does not fit gives way, not what stands around it.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        # A posted call: by then the buttons themselves have the letters of the new size.
        theme.fonts_changed.connect(self._fit, Qt.ConnectionType.QueuedConnection)
        for verb, button in self.buttons.items():
            button.hide()
            keys.watch(button)
            if verb in _MENUS:
                button.clicked.connect(lambda _checked=False, pressed=verb: self._ask_for_menu(pressed))
            else:
                button.clicked.connect(lambda _checked=False, pressed=verb: self.pressed.emit(pressed))

    def show_offers(self, offers: AvailableActions, approval: Approval) -> None:
        """Show these verbs, in their order."""
        who = self.tr("{agent} to {who}").format(
            agent=foreign_text.name(approval.agent_name), who=foreign_text.name(approval.chat_title)
        )
        if (offers, who) == (self._offers, self._who):
            return  # said again with everything that happens around the card
        others, before = offers != self._offers, self._offers
        self._offers, self._who = offers, who
        if _places(offers) != _places(before):
            self._lay_out()
        for offer in (*offers.verbs, *offers.menus):
            self._dress(offer, who)
        self.buttons[Action.MORE].set_look("", icon="dots", kind=Kind.QUIET)
        self.buttons[Action.MORE].setAccessibleName(self.tr("More: {who}").format(who=who))
        if others:  # a name is heard, not seen: the same verbs of another card stand where they stood
            self._remark.setText(offers.remark)
            self._above.setText(offers.remark)
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(120, super().minimumSizeHint().height())

    def _lay_out(self) -> None:
        while self._row.count():
            self._row.takeAt(0)
        offered = {offer.verb for offer in (*self._offers.verbs, *self._offers.menus)}
        for verb, button in self.buttons.items():
            if verb not in offered:
                button.hide()
        shown = [self.buttons[offer.verb] for offer in self._offers.verbs]
        for button in shown:
            self._row.addWidget(button)
        self._row.addStretch(1)
        self._row.addWidget(self._remark)
        ends = [self.buttons[offer.verb] for offer in (() if self._compact else self._offers.menus)]
        for button in (*ends, self.buttons[Action.MORE]):
            self._row.addWidget(button)
        chain = (*shown, *ends, self.buttons[Action.MORE])
        for first, second in pairwise(chain):
            QWidget.setTabOrder(first, second)

    def _dress(self, offer: Offer, who: str) -> None:
        button = self.buttons[offer.verb]
        if offer in self._offers.menus:
            button.set_look(offer.words, icon=offer.icon, kind=offer.kind)
        button.setEnabled(not offer.why_not)
        name = f"{offer.words}: {who}"
        if button.accessibleName() != name:
            button.setAccessibleName(name)
        key = self.tr("Key {key}").format(key=offer.verb.value) if offer.verb in _KEYS else ""
        button.setAccessibleDescription(offer.why_not or key)
        if button.toolTip() != offer.why_not:
            button.setToolTip(offer.why_not)

    def _fit(self) -> None:
        """Show what there is room for: icons give way first, then the menus, keycaps, and whole buttons, to "…"."""
        more, offers = self.buttons[Action.MORE], self._offers
        menus = [] if self._compact else [self.buttons[offer.verb] for offer in offers.menus]
        whole, icons = _width(menus), not self._compact
        beside_menus = whole + (GAP if menus else 0)
        icons = icons and _sum(self._widths(icons=True)) + beside_menus <= self.width()
        self._dress_icons(shown=icons)
        keys = self._keeps_keys(beside_menus, icons=icons)
        for offer in offers.verbs:
            self.buttons[offer.verb].show_key(shown=keys)
        widths = self._widths(icons=icons, keys=keys)
        fit_whole = bool(menus) and _sum(widths) + beside_menus <= self.width()
        for button in menus:
            button.setVisible(fit_whole)
        behind = bool(offers.menus) and not fit_whole
        room = self.width() - (more.sizeHint().width() + GAP if behind else 0)
        if fit_whole:
            room -= beside_menus
        for place, (offer, width) in _in_turn(list(zip(offers.verbs, widths, strict=True))):
            fits = width <= room or place == 0
            self.buttons[offer.verb].setVisible(fits)
            room -= width + GAP if fits else 0
            behind = behind or not fits
        more.setVisible(behind)
        beside = self._remark.sizeHint().width() + GAP <= room
        self._remark.setVisible(bool(offers.remark) and beside and not self._compact)
        self._above.setVisible(bool(offers.remark) and not beside and not self._compact)

    def _keeps_keys(self, beside_menus: int, *, icons: bool) -> bool:
        """Tell whether there is room for keycaps: they go where without them more is in sight."""
        both = self._widths(icons=icons), self._widths(icons=icons, keys=False)
        wholes = [bool(beside_menus) and _sum(widths) + beside_menus <= self.width() for widths in both]
        aside = self.buttons[Action.MORE].sizeHint().width() + GAP if self._offers.menus else 0
        counts = [_fitting(widths, self.width() - aside) for widths in both]
        return (wholes[0], counts[0]) >= (wholes[1], counts[1])

    def _icon_of(self, offer: Offer, *, shown: bool) -> str:
        return offer.icon if shown or offer.kind is not Kind.PLAIN else ""

    def _widths(self, *, icons: bool, keys: bool = True) -> list[int]:
        """Return how wide the verbs would be, with icons or without; nothing is changed for the question."""
        return [
            self.buttons[offer.verb].hint_for(offer.words, self._icon_of(offer, shown=icons), key=keys).width()
            for offer in self._offers.verbs
        ]

    def _dress_icons(self, *, shown: bool) -> None:
        for offer in self._offers.verbs:
            self.buttons[offer.verb].set_look(offer.words, icon=self._icon_of(offer, shown=shown), kind=offer.kind)

    def _ask_for_menu(self, verb: Action) -> None:
        button = self.buttons[verb]
        self.menu_wanted.emit(verb, button.mapToGlobal(QPoint(0, button.height() + 2)))


def _in_turn(verbs: list[tuple[Offer, int]]) -> list[tuple[int, tuple[Offer, int]]]:
    """Say who takes room before whom: a widely written Regenerate must not send Reject behind "…".

    Unless it is what is to be pressed: then Approve, which can't be pressed yet, comes last.
    """
    again = next((offer for offer, _width in verbs if offer.verb is Action.REGENERATE), None)
    last = Action.APPROVE if again is not None and again.kind is Kind.PRIMARY else Action.REGENERATE
    return sorted(enumerate(verbs), key=lambda one: one[1][0].verb is last)


def _places(offers: AvailableActions) -> tuple[tuple[Action, ...], tuple[Action, ...]]:
    return tuple(offer.verb for offer in offers.verbs), tuple(offer.verb for offer in offers.menus)


def _width(buttons: Sequence[QWidget]) -> int:
    return _sum([button.sizeHint().width() for button in buttons])


def _sum(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1) if widths else 0


def _fitting(widths: Sequence[int], room: int) -> int:
    """Return how many find room, each in its turn."""
    count = 0
    for width in widths:
        if width <= room:
            room -= width + GAP
            count += 1
    return count
