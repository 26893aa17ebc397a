"""The verbs of a draft in its place: made once, shown where they make sense, so that the focus stays."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QWidget

from chimein_gui.ui.panes.conversations.header.buttons import IconButton
from chimein_gui.ui.widgets.controls.verb_button import Kind, VerbButton
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.ui.widgets.theme.theme import Theme
from chimein_gui.viewmodels.drafts.status import DraftFate, DraftVerb
from chimein_gui.viewmodels.preferences.single_keys import SingleKeys

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

SPACING = 5

_WITH_KEYS = (DraftVerb.APPROVE, DraftVerb.EDIT, DraftVerb.REJECT, DraftVerb.UNDO)
"""They act while one of the draft's own buttons has the focus."""

_MENU_FOR = frozenset({DraftVerb.APPROVE, DraftVerb.EDIT, DraftVerb.REJECT})


class DraftButtons(QWidget):
    """A row of buttons.

    Attributes:
        pressed: A `DraftVerb`.
        key_pressed: The key of a `DraftVerb`; unlike a click it may come before anybody has read the draft.
        menu_asked: "…" was pressed; a place on the screen.
    """

    pressed = Signal(object)
    key_pressed = Signal(object)
    menu_asked = Signal(object)

    def __init__(self, theme: Theme, single_keys: SingleKeys) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._looks = {
            DraftVerb.APPROVE: (self.tr("Approve"), "check", Kind.PRIMARY),
            DraftVerb.PLAN: (self.tr("Plan again"), "refresh", Kind.PRIMARY),
            DraftVerb.EDIT: (self.tr("Edit"), "pencil", Kind.PLAIN),
            DraftVerb.REJECT: (self.tr("Reject"), "x", Kind.PLAIN),
            DraftVerb.UNDO: (self.tr("Undo"), "undo", Kind.PLAIN),
            DraftVerb.AGAIN: (self.tr("Ask again"), "send", Kind.PLAIN),
            DraftVerb.PUT_AWAY: (self.tr("Put away"), "check", Kind.QUIET),
            DraftVerb.HOLD: (self.tr("Hold"), "pause", Kind.QUIET),
        }
        self.by_verb = {
            verb: VerbButton(theme, words, icon=icon, kind=kind, key=str(verb) if verb in _WITH_KEYS else "")
            for verb, (words, icon, kind) in self._looks.items()
        }
        self.more = IconButton(theme, "dots", self.tr("More"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 0)
        row.setSpacing(SPACING)
        for verb, button in self.by_verb.items():
            if verb is DraftVerb.HOLD:
                row.addStretch(1)
            row.addWidget(button)
            button.hide()
            button.clicked.connect(lambda _checked=False, pressed=verb: self.pressed.emit(pressed))
        row.addWidget(self.more)
        self.more.hide()
        self.more.clicked.connect(self._ask_menu)
        keys = SingleKeyShortcuts({str(verb): partial(self._key, verb) for verb in _WITH_KEYS}, self, single_keys)
        for one in self.in_order():
            keys.watch(one)

    def offer(self, fated: DraftFate, who: str, *, again: bool, busy: bool, reading: bool = False) -> None:
        """Show the verbs of a draft.

        Args:
            fated: How it stands.
            who: "Nora Vale to Marta Oliveira", for screen readers.
            again: The next press on approve decides; the first one only acknowledged.
            busy: A decision is on its way.
            reading: What changed in the conversation is not in sight yet.
        """
        had_focus = self.isAncestorOf(QApplication.focusWidget() or self)
        self._name_approve(fated, again=again)
        # What comes is shown before anything goes, so that the focus finds a place here and not on the next draft.
        for verb, button in sorted(self.by_verb.items(), key=lambda one: one[0] not in fated.verbs):
            button.setVisible(verb in fated.verbs)
            stored = busy and verb is not DraftVerb.UNDO  # the only one there is then: it holds the focus
            unread = self.tr("What changed is being read") if verb is DraftVerb.APPROVE and reading else ""
            button.allow(self.tr("Your last press is being stored") if stored else unread)
            button.setAccessibleName(f"{self._looks[verb][0]}: {who}")
        has_menu = bool(_MENU_FOR & set(fated.verbs))
        self.more.setVisible(has_menu)
        self.more.setAccessibleName(self.tr("More: {who}").format(who=who))
        self.setVisible(bool(fated.verbs))
        self._fit()
        if had_focus and not self.isAncestorOf(QApplication.focusWidget() or self):
            self.go_in()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Where there is no room the word of "hold" goes first, then icons, then keycaps: words stay."""
        nothing, everything = frozenset[DraftVerb](), frozenset(DraftVerb)
        for without, keys in (
            (nothing, True),
            (frozenset({DraftVerb.HOLD}), True),
            (everything, True),
            (everything, False),
        ):
            # Tried before it is put on: each change would lay out all around, also where all is as it was.
            shown = {verb: button for verb, button in self.by_verb.items() if not button.isHidden()}
            wanted = [button.hint_for(*self._look(verb, without), key=keys) for verb, button in shown.items()]
            if not self.more.isHidden():
                wanted.append(self.more.sizeHint())
            if sum(hint.width() + SPACING for hint in wanted) <= self.width():
                break
        for verb, button in self.by_verb.items():
            button.show_key(shown=keys)
            words, icon = self._look(verb, without)
            button.set_look(words, icon=icon, kind=self._looks[verb][2])
        hold = self.by_verb[DraftVerb.HOLD]
        tip = "" if hold.text() else self._looks[DraftVerb.HOLD][0]
        if tip != hold.toolTip():
            hold.setToolTip(tip)

    def _look(self, verb: DraftVerb, without: frozenset[DraftVerb]) -> tuple[str, str]:
        """Return word and icon of a verb where some have to do without one of them."""
        words, icon, _kind = self._looks[verb]
        if verb not in without:
            return words, icon
        return ("", icon) if verb is DraftVerb.HOLD else (words, "")

    def in_order(self) -> tuple[VerbButton, ...]:
        """Return the buttons from the left."""
        return (*self.by_verb.values(), self.more)

    def go_in(self) -> bool:
        """Put the focus on the first button in sight; False if there is none."""
        for button in self.in_order():
            if button.isVisible() and button.isEnabled():
                button.setFocus()
                return True
        return False

    def _name_approve(self, fated: DraftFate, *, again: bool) -> None:
        plain = self.tr("Send now") if DraftVerb.HOLD in fated.verbs else self.tr("Approve")
        words = fated.deed or fated.approve or plain
        icon, kind = ("alert", Kind.DANGER) if fated.deed else ("check", Kind.PRIMARY)
        if fated.stale and not again:  # as the box on the card: nothing is approved by this press
            words, icon, kind = self.tr("I read what changed"), "eye", Kind.PLAIN
        if again:
            words = self.tr("Press again: {deed}").format(deed=fated.deed) if fated.deed else ""
            words, icon = words or self.tr("Press again to send"), "warning"
        self._looks[DraftVerb.APPROVE] = words, icon, kind

    def _key(self, verb: DraftVerb) -> None:
        button = self.by_verb[verb]
        if button.isVisible() and button.isEnabled():
            self.key_pressed.emit(verb)

    def _ask_menu(self) -> None:
        below: QPoint = self.more.mapToGlobal(self.more.rect().bottomLeft())
        self.menu_asked.emit(below)
