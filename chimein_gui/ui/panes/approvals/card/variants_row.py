"""Tabs for the other versions of the plan. Selecting one only previews it; a button uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from chimein_gui.domain.text.word_changes import words_in
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.text.word_diff import WordDiff
from chimein_gui.ui.widgets.theme.theme import CONTROL, ControlStyle, Face

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.cards import Variant
    from chimein_gui.ui.pane import PaneContext

translate = QCoreApplication.translate

MOST_WORDS = 26


class _Tab(QPushButton):
    """The tab of one version; arrow keys go to its neighbours."""

    stepped = Signal(int)

    def __init__(self, context: PaneContext, words: str) -> None:
        super().__init__(words.replace("&", "&&"))
        self.setProperty(CONTROL, ControlStyle.TAB.value)
        self.setCheckable(True)
        self.setAutoExclusive(True)  # for screen readers, which are told of a radio button
        self.setFlat(True)
        context.theme.apply(self, Face.SMALL_STRONG)
        self.setAccessibleName(words)
        self.setMinimumHeight(26)
        self.toggled.connect(self._take_tab_key)
        self._take_tab_key(is_current=False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.stepped.emit(-1 if (event.key() == Qt.Key.Key_Left) is not self.isRightToLeft() else 1)
        else:
            super().keyPressEvent(event)

    def _take_tab_key(self, is_current: bool) -> None:
        """Accept the focus by Tab only on the current version; arrow keys lead to the others."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if is_current else Qt.FocusPolicy.ClickFocus)


class VariantsRow(QWidget):
    """Hidden while there is only the draft.

    Attributes:
        rebuilt: The versions changed, and with them the tabs.
        looked_at: Another version is previewed; carries the `Variant`, or None for the draft itself.
        chosen: Use this version.
        discarded: Discard this version.
        compared: Show all versions side by side.
    """

    rebuilt = Signal()
    looked_at = Signal(object)
    chosen = Signal(object)
    discarded = Signal(object)
    compared = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        self.setAccessibleName(self.tr("Versions"))
        self._variants: tuple[Variant, ...] = ()
        self._of: tuple[object, bool] = (None, False)
        self._group = QButtonGroup(self)
        # Not clicked: a screen reader selects a version without a click. The shown version must be the selected one.
        self._group.idToggled.connect(lambda _place, on: self.looked_at.emit(self.current) if on else None)
        self._tabs = QHBoxLayout()
        self._tabs.setSpacing(4)
        self._difference = ElidedLabel(context.theme, "", Face.SMALL, "text3")
        self._tabs.addWidget(self._difference, 1)
        self._difference.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.changes = WordDiff(context.theme, face=Face.SMALL, max_lines=4)
        self.use = ActionButton(context.theme, self.tr("Use this one"), icon="check", kind=Kind.PRIMARY)
        self.discard = ActionButton(context.theme, self.tr("Discard"), kind=Kind.QUIET)
        self.compare = ActionButton(context.theme, self.tr("Side by side"), key="V", kind=Kind.QUIET)
        self.compare.clicked.connect(self.compared)
        self.use.clicked.connect(lambda: self.chosen.emit(self.current))
        self.discard.clicked.connect(lambda: self.discarded.emit(self.current))
        actions = QHBoxLayout()
        actions.setSpacing(7)
        actions.addWidget(self.use)
        actions.addWidget(self.discard)
        actions.addWidget(self.compare)
        actions.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(7)
        column.addLayout(self._tabs)
        column.addLayout(actions)
        column.addWidget(self.changes)
        self.hide()

    @property
    def current(self) -> Variant | None:
        """The previewed version; None for the draft itself."""
        place = self._group.checkedId()
        return self._variants[place - 1] if 0 < place <= len(self._variants) else None

    @property
    def has_any(self) -> bool:
        """Whether there is another version."""
        return bool(self._variants)

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The other versions, oldest first."""
        return self._variants

    def stations(self) -> list[QWidget]:
        """Return the focusable widgets in tab order."""
        return [*self._group.buttons(), self.use, self.discard, self.compare]

    def show_variants(self, variants: tuple[Variant, ...], approval: Approval, *, known: bool = True) -> None:
        """Show tabs for the versions; one that arrives while its card is open is previewed at once.

        Args:
            variants: The other versions, oldest first.
            approval: The draft.
            known: Whether the list of versions is complete; False until it is loaded.
        """
        of, self._of = self._of, (approval.approval_id, known)
        before = {one.graph_id for one in self._variants}
        if [one.graph_id for one in variants] != [one.graph_id for one in self._variants]:
            self._variants = variants
            new = [place for place, one in enumerate(variants, 1) if one.graph_id not in before]
            self._rebuild(new[-1] if new and of == (approval.approval_id, True) else 0)
        self._variants = variants
        self.setVisible(bool(variants))
        current = self.current
        if current is not None:
            self.changes.compare(approval.text[:1200], "\n".join(one.text for one in current.drafts)[:1200])
        for widget in (self.use, self.discard, self.changes):
            widget.setVisible(current is not None)
        self._difference.setText(self._difference_of(current, approval))

    def show_draft(self) -> None:
        """Preview the draft itself again."""
        if self.current is not None:
            self._group.button(0).setChecked(True)

    def step(self, by: int) -> None:
        """Preview the next version (1) or the previous one (-1); the focus moves along if it is on a tab."""
        button = self._group.button(self._group.checkedId() + by)
        if button is not None:
            if any(other.hasFocus() for other in self._group.buttons()):
                button.setFocus()
            button.click()

    def _rebuild(self, shown: int) -> None:
        for button in self._group.buttons():
            self._group.removeButton(button)
            self._tabs.removeWidget(button)
            button.deleteLater()
        while self._tabs.count():
            self._tabs.takeAt(0)
        words = [self.tr("draft"), *(self._words(one) for one in self._variants)]
        for place, word in enumerate(words):
            tab = _Tab(self._context, f"{place + 1}  {word}")
            tab.stepped.connect(self.step)
            self._group.addButton(tab, place)
            self._tabs.addWidget(tab)
        self._tabs.addWidget(self._difference, 1)
        self.rebuilt.emit()
        self._group.button(shown).setChecked(True)

    def _words(self, variant: Variant) -> str:
        words = foreign_text.line(variant.instruction, MOST_WORDS)
        return words or self.tr("another version")

    def _difference_of(self, current: Variant | None, approval: Approval) -> str:
        if current is None:
            return self.tr("← → look at the versions")
        mine = sum(words_in(draft.text) for draft in current.drafts)
        by = mine - words_in(approval.text)
        if by == 0:
            return self.tr("same length")
        if by > 0:
            return translate("VariantsRow", "%n word(s) longer", "", by)
        count = -by
        return translate("VariantsRow", "%n word(s) shorter", "", count)
