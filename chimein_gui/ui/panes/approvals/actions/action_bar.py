"""The buttons of a card; they keep their places when the actions change."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.overflow import Overflow
from chimein_gui.ui.widgets.controls.spoken_buttons import tell_menu
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.keycaps import key_name
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.approvals.available_actions import (
    KEYS,
    Action,
    ActionState,
    AvailableAction,
    Weight,
    available_actions,
    remark_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts

GAP = 7
_Version = tuple[int, int]
_ALL_ICONS = frozenset(Weight)
_LOUD_ICONS = _ALL_ICONS - {Weight.PLAIN}
_FEW_ICONS = _LOUD_ICONS - {Weight.PRIMARY}
_NO_ICONS = frozenset[Weight]()
_IN_SIGHT = frozenset({Action.EDIT, Action.REJECT, Action.HOLD})
"""Actions that keep their button in every width."""

_WORDLESS = (Action.EDIT, Action.HOLD, Action.REJECT)
"""Actions that give up their words in this order, where the row is too narrow; icon, keycap and tool tip stay."""


class _Look(NamedTuple):
    """How the buttons of a row save space.

    Attributes:
        icons: The weights whose actions have an icon.
        wordless: The actions that have an icon instead of words.
        keys: The keycaps are drawn.
    """

    icons: frozenset[Weight]
    wordless: frozenset[Action] = frozenset()
    keys: bool = True


_LOOKS = (_Look(_ALL_ICONS), _Look(_LOUD_ICONS), _Look(_FEW_ICONS))
_NARROW_LOOKS = (
    _Look(_NO_ICONS),
    *(_Look(_NO_ICONS, frozenset(_WORDLESS[:count])) for count in range(1, len(_WORDLESS) + 1)),
    _Look(_FEW_ICONS, keys=False),
)
_MENUS = (Action.LATER, Action.PLAN, Action.MORE)


class ActionBar(QWidget):
    """Shows the available actions of a card. A click is for the version that was painted when the mouse went down.

    Attributes:
        pressed: An action was pressed.
        menu_wanted: An action with a menu was pressed; carries it and a position on the screen.
    """

    pressed = Signal(str)
    menu_wanted = Signal(str, QPoint)

    def __init__(self, theme: Theme, keys: SingleKeyShortcuts, *, compact: bool) -> None:
        """Create all buttons once, because creating them for every card takes milliseconds.

        Args:
            theme: Colours and fonts.
            keys: Shortcuts, which also work while one of the buttons has the focus.
            compact: Use little space: what does not fit goes into the menu "…".
        """
        super().__init__()
        self._compact = compact
        self._actions: tuple[AvailableAction, ...] = ()
        self._menus: tuple[AvailableAction, ...] = ()
        self._said = ""
        self._who: str | None = None
        self._look = _LOOKS[0]
        self._shown: _Version | None = None
        self._painted: _Version | None = None
        self._clicked: _Version | None = None
        self.buttons = {action: ActionButton(theme, "", key=KEYS.get(action, ""), parent=self) for action in Action}
        self._remark = ElidedLabel(theme, "", Face.SMALL, "text3", self)
        self._remark.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._above = ElidedLabel(theme, "", Face.SMALL, "text3", self)
        self._row = QHBoxLayout()
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(GAP)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(7)
        self._column.addWidget(self._above)
        self._column.addLayout(self._row)
        self._above.hide()
        self._remark.hide()
        # It takes the available width; what does not fit goes into the menu instead of widening the pane.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        # Queued: by then the buttons have their new fonts.
        theme.fonts_changed.connect(self._fit, Qt.ConnectionType.QueuedConnection)
        for action, button in self.buttons.items():
            button.hide()
            keys.watch(button)
            button.installEventFilter(self)
            if action in _MENUS:
                tell_menu(button)
                button.clicked.connect(lambda _checked=False, pressed=action: self._ask_for_menu(pressed))
            else:
                button.clicked.connect(lambda _checked=False, pressed=action: self._press(pressed))

    def show_actions(self, approval: Approval, state: ActionState) -> None:
        """Show the available actions of a card."""
        if self._shown != (version := (approval.approval_id, approval.version)):
            self._shown = version
            self.update()  # it is painted together with the text of the version
        actions, remark = available_actions(approval, state), remark_of(approval, state)
        who = self.tr("{agent} to {who}").format(
            agent=foreign_text.name(approval.agent_name), who=foreign_text.name(approval.chat_title)
        )
        before = *self._actions, *self._menus
        others = (actions, remark) != (before, self._said)
        if not others and who == self._who:
            return  # unchanged; this is called with every event around the card
        self._actions = tuple(one for one in actions if not one.opens_menu)
        self._menus = tuple(one for one in actions if one.opens_menu)
        self._said, self._who = remark, who
        if [one.action for one in actions] != [one.action for one in before]:
            self._lay_out()
        for available in actions:
            self._dress(available, who)
        self.buttons[Action.MORE].set_look("", icon="dots", kind=Kind.QUIET)
        self.buttons[Action.MORE].setAccessibleName(self.tr("More: {who}").format(who=who))
        if others:  # another accessible name alone needs no layout
            self._remark.setText(remark)
            self._above.setText(remark)
            self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Qt paints the window anew before the button says that it is pressed; this comes before that.
        if event.type() in {QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick}:
            self._clicked = self._painted
        elif event.type() is QEvent.Type.KeyPress:
            self._clicked = None
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self._painted = self._shown

    def _press(self, action: Action) -> None:
        clicked, self._clicked = self._clicked, None
        if clicked in (None, self._shown):
            self.pressed.emit(action)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(120, super().minimumSizeHint().height())

    def _lay_out(self) -> None:
        while self._row.count():
            self._row.takeAt(0)
        offered = {available.action for available in (*self._actions, *self._menus)}
        for action, button in self.buttons.items():
            if action not in offered:
                button.hide()
        shown = [self.buttons[available.action] for available in self._actions]
        for button in shown:
            self._row.addWidget(button)
        self._row.addStretch(1)
        self._row.addWidget(self._remark)
        ends = [self.buttons[available.action] for available in (() if self._compact else self._menus)]
        for button in (*ends, self.buttons[Action.MORE]):
            self._row.addWidget(button)
        chain = (*shown, *ends, self.buttons[Action.MORE])
        for first, second in pairwise(chain):
            QWidget.setTabOrder(first, second)

    def _dress(self, available: AvailableAction, who: str) -> None:
        button = self.buttons[available.action]
        if available.opens_menu:
            button.set_look(available.words, icon=available.icon, kind=Kind(available.weight))
        name = f"{available.words}: {who}"
        if button.accessibleName() != name:
            button.setAccessibleName(name)
        key = self.tr("Key {key}").format(key=key_name(available.key)) if available.key else ""
        button.setAccessibleDescription(available.why_not or key)
        button.setEnabled(not available.why_not)  # after the description: a disabled button has no focus
        self._dress_tip(available)

    def _dress_tip(self, available: AvailableAction) -> None:
        button = self.buttons[available.action]
        words = available.words if available.action in self._look.wordless else ""
        tip = available.why_not or words
        if button.toolTip() != tip:
            button.setToolTip(tip)

    def _fit(self) -> None:
        """Fit the buttons: first icons are hidden, then menus and whole buttons go into "…".

        Edit, and what stops a send, stay in sight: then words go, and keycaps only where nothing else helps.
        """
        menus = [] if self._compact else [self.buttons[available.action] for available in self._menus]
        aside = [_width(menus)] if menus else []
        looks = list(_LOOKS[self._compact :])
        overflow = Overflow(
            GAP,
            more=self.buttons[Action.MORE].sizeHint().width(),
            always_more=bool(self._menus) and self._compact,
            order=_in_turn(self._actions),
            last=frozenset({len(self._actions)}),
            must=frozenset(place for place, available in enumerate(self._actions) if available.action in _IN_SIGHT),
        )
        fit = overflow.fit(self.width(), [[*self._widths(look), *aside] for look in looks])
        for look in _NARROW_LOOKS:
            if overflow.must <= fit.shown:
                break
            looks.append(look)
            fit = overflow.fit(self.width(), [[*self._widths(look), *aside] for look in looks])
        self._look = looks[fit.form]
        for place, available in enumerate(self._actions):
            button = self.buttons[available.action]
            button.set_look(*_words_and_icon(available, self._look), kind=Kind(available.weight))
            button.show_key(shown=self._look.keys)
            self._dress_tip(available)
            self.buttons[available.action].setVisible(place in fit.shown)
        for button in menus:
            button.setVisible(len(self._actions) in fit.shown)
        self.buttons[Action.MORE].setVisible(fit.has_more)
        beside = self._remark.sizeHint().width() + GAP <= fit.left
        self._remark.setVisible(bool(self._said) and beside and not self._compact)
        self._above.setVisible(bool(self._said) and not beside and not self._compact)
        self._column.activate()  # else the row keeps the widths of the former look until the next event

    def behind(self) -> tuple[AvailableAction, ...]:
        """Return the actions whose buttons do not fit."""
        return tuple(available for available in self._actions if self.buttons[available.action].isHidden())

    def _widths(self, look: _Look) -> list[int]:
        """Return the widths that the buttons would have in a look, without changing them; px."""
        return [
            self.buttons[available.action].hint_for(*_words_and_icon(available, look), key=look.keys).width()
            for available in self._actions
        ]

    def _ask_for_menu(self, action: Action) -> None:
        button = self.buttons[action]
        self.menu_wanted.emit(action, button.mapToGlobal(QPoint(0, button.height() + 2)))


def _words_and_icon(available: AvailableAction, look: _Look) -> tuple[str, str]:
    if available.action in look.wordless:
        return "", available.icon
    return available.words, available.icon if available.weight in look.icons else ""


def _in_turn(actions: Sequence[AvailableAction]) -> tuple[int, ...]:
    """Return the indices in the order of importance, so that Reject never goes into "…" before Regenerate or Edit.

    If Regenerate is the recommended action, Approve comes last, because it is disabled.
    """
    again = next((available for available in actions if available.action is Action.REGENERATE), None)
    last = Action.APPROVE if again is not None and again.weight is Weight.PRIMARY else Action.REGENERATE
    late = (Action.EDIT, last)
    return tuple(
        sorted(
            range(len(actions)),
            key=lambda place: late.index(action) if (action := actions[place].action) in late else -1,
        )
    )


def _width(buttons: Sequence[QWidget]) -> int:
    return sum(button.sizeHint().width() for button in buttons) + GAP * (len(buttons) - 1)
