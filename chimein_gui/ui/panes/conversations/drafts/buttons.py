"""The buttons of a draft in the conversation: created once and hidden when not needed, so that the focus stays."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.icon_button import IconButton
from chimein_gui.ui.widgets.controls.overflow import Entry, Overflow
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.ui.widgets.theme.theme import Theme
from chimein_gui.viewmodels.approvals.available_actions import KEYS, Action, AvailableAction
from chimein_gui.viewmodels.preferences.single_keys import SingleKeys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

SPACING = 5

_SHOWN = (
    Action.APPROVE,
    Action.PLAN_AGAIN,
    Action.EDIT,
    Action.GO_TO_EDITOR,
    Action.REJECT,
    Action.UNDO,
    Action.ASK_AGAIN,
    Action.DISMISS,
    Action.HOLD,
)
"""Actions that have a button, in visual order; the others are in the menu."""

_MENU_FOR = frozenset({Action.APPROVE, Action.EDIT, Action.REJECT})


class _Form(NamedTuple):
    """How much the buttons show; `wordless` ones are an icon alone."""

    wordless: frozenset[Action]
    icons: bool = True
    keys: bool = True


_HOLD = frozenset({Action.HOLD})
_FORMS = (
    _Form(frozenset()),
    _Form(_HOLD),
    _Form(_HOLD, icons=False),
    _Form(_HOLD | {Action.EDIT}, icons=False),
    _Form(_HOLD | {Action.EDIT, Action.REJECT}, icons=False),
    _Form(_HOLD, icons=False, keys=False),
)
"""From the widest to the narrowest."""


class DraftButtons(QWidget):
    """A row of buttons.

    Attributes:
        pressed: An `Action` was clicked.
        key_pressed: The key of an `Action` was pressed; unlike a click, this may happen before the draft was read.
        menu_asked: "…" was pressed; carries a position on the screen.
    """

    pressed = Signal(object)
    key_pressed = Signal(object)
    menu_asked = Signal(object)

    def __init__(self, theme: Theme, single_keys: SingleKeys) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._actions: dict[Action, AvailableAction] = {}
        self._has_menu = False
        self.by_action = {action: ActionButton(theme, "", key=KEYS.get(action, "")) for action in _SHOWN}
        self.more = IconButton(theme, "dots", self.tr("More"), opens=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 0)
        row.setSpacing(SPACING)
        for action, button in self.by_action.items():
            if action is Action.HOLD:
                row.addStretch(1)
            row.addWidget(button)
            button.hide()
            button.clicked.connect(lambda _checked=False, pressed=action: self.pressed.emit(pressed))
        row.addWidget(self.more)
        self.more.hide()
        self.more.clicked.connect(self._ask_menu)
        letters = {KEYS[action] for action in (*_SHOWN, Action.TRACE) if action in KEYS}
        keys = SingleKeyShortcuts({letter: partial(self._key, letter) for letter in sorted(letters)}, self, single_keys)
        for one in self.in_order():
            keys.watch(one)

    def offer(self, actions: Sequence[AvailableAction], who: str) -> None:
        """Show the actions of a draft.

        Args:
            actions: All available actions.
            who: Such as "Nora Vale to Marta Oliveira", for screen readers.
        """
        had_focus = self.isAncestorOf(QApplication.focusWidget() or self)
        self._actions = {one.action: one for one in actions if one.action in self.by_action}
        # Show new buttons before hiding others, so that the focus moves within this draft and not to the next one.
        for action, button in sorted(self.by_action.items(), key=lambda one: one[0] not in self._actions):
            available = self._actions.get(action)
            button.setVisible(available is not None)
            if available is not None:
                button.allow(available.why_not)
                button.setAccessibleName(f"{available.words}: {who}")
        self._has_menu = bool(_MENU_FOR & set(self._actions))
        self.more.setAccessibleName(self.tr("More: {who}").format(who=who))
        self.setVisible(bool(self._actions))
        self._fit()
        if had_focus and not self.isAncestorOf(QApplication.focusWidget() or self):
            self.go_in()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Hide the word of "hold" first, then icons, the other words, and keycaps; what does not fit goes into "…"."""
        offered = [self._actions[action] for action in self.by_action if action in self._actions]
        # Computed first, because each change of a button causes a layout of everything around it.
        forms = [
            [self.by_action[one.action].hint_for(*_look(one, form), key=form.keys).width() for one in offered]
            for form in _FORMS
        ]
        order = sorted(range(len(offered)), key=lambda place: offered[place].action is Action.HOLD)
        overflow = Overflow(SPACING, self.more.sizeHint().width(), always_more=self._has_menu, order=tuple(order))
        fit = overflow.fit(self.width(), forms)
        form = _FORMS[fit.form]
        self.more.setVisible(fit.has_more)
        for place, available in enumerate(offered):
            button = self.by_action[available.action]
            if button.hasFocus() and place not in fit.shown:
                self.more.setFocus()  # else the focus would move to the next draft
            button.setVisible(place in fit.shown)
            button.show_key(shown=form.keys)
            words, icon = _look(available, form)
            button.set_look(words, icon=icon, kind=Kind(available.weight))
            tip = available.why_not or ("" if words else available.words)
            if tip != button.toolTip():
                button.setToolTip(tip)

    def behind(self) -> tuple[Entry, ...]:
        """Return the actions that do not fit, as entries of the menu."""
        return tuple(
            Entry(available.words, partial(self.pressed.emit, action), available.why_not)
            for action, available in self._actions.items()
            if self.by_action[action].isHidden()
        )

    def in_order(self) -> tuple[ActionButton, ...]:
        """Return the buttons in visual order."""
        return (*self.by_action.values(), self.more)

    def go_in(self) -> bool:
        """Focus the first visible button; False if there is none."""
        for button in self.in_order():
            if button.isVisible() and button.isEnabled():
                button.setFocus()
                return True
        return False

    def _key(self, letter: str) -> None:
        if letter == KEYS[Action.TRACE]:  # it has no button: it changes nothing
            self.key_pressed.emit(Action.TRACE)
            return
        for action, button in self.by_action.items():
            if KEYS.get(action) == letter and self.isVisible() and action in self._actions and button.isEnabled():
                self.key_pressed.emit(action)
                return

    def _ask_menu(self) -> None:
        below: QPoint = self.more.mapToGlobal(self.more.rect().bottomLeft())
        self.menu_asked.emit(below)


def _look(available: AvailableAction, form: _Form) -> tuple[str, str]:
    """Return word and icon of an action, without the parts that are hidden in this form."""
    if available.action in form.wordless and available.icon:
        return "", available.icon
    return available.words, available.icon if form.icons else ""
