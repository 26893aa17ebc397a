"""The Preferences pane: a list of pages, and a search over all of them. Every change applies at once."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.spending.caps import EVERYTHING
from chimein_gui.ui.dialogs.keys import KeyDialog
from chimein_gui.ui.dialogs.question import QuestionDialog
from chimein_gui.ui.pane import InSight, Pane, PaneContext
from chimein_gui.ui.panes.preferences.appearance_section import AppearanceSection
from chimein_gui.ui.panes.preferences.directories_section import DirectoriesSection
from chimein_gui.ui.panes.preferences.keys_section import KeysSection
from chimein_gui.ui.panes.preferences.nav import PageList
from chimein_gui.ui.panes.preferences.notifications_section import NotificationsSection
from chimein_gui.ui.panes.preferences.section import Section, ValuesSection
from chimein_gui.ui.requests import ClosePane, ShowCosts, ShowPreferences
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.costs import make_costs
from chimein_gui.viewmodels.costs.words import cap_words, money
from chimein_gui.viewmodels.preferences.catalogue import Page, title_of
from chimein_gui.viewmodels.preferences.keys import Key

NAV = 228
NARROW_BELOW = 660
NARROW_COLUMN, WIDEST_COLUMN = 500, 760
"""Widths in logical pixels at a text size of 100 %."""

NAMED = 5
"""Most changed values that are listed by name."""


class PreferencesPane(Pane):
    """Shows one page at a time. A search shows the matching rows of all pages, and a narrow pane shows all pages."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._model = context, context.models.preferences_model
        theme = context.theme
        self.search = LineField(theme, self.tr("Search settings"), hint=self.tr("Search settings"), icon="search")
        self.pages = PageList(theme)
        self.undo = ActionButton(theme, self.tr("Undo"), icon="undo", key="Ctrl+Z")
        self._count = PlainLabel(theme, "", Face.SMALL_STRONG, "text2")
        self._nothing = EmptyState(theme, "search")
        self.keys = KeysSection(theme, context.models.keys, context.models.model_choice, is_sandbox=context.is_sandbox)
        self.sections: dict[Page, Section] = {
            Page.KEYS: self.keys,
            Page.MODELS: ValuesSection(theme, Page.MODELS, self._model),
            Page.LIMITS: ValuesSection(theme, Page.LIMITS, self._model),
            Page.DIRECTORIES: DirectoriesSection(context),
            Page.APPROVALS: ValuesSection(theme, Page.APPROVALS, self._model),
            Page.NOTIFICATIONS: NotificationsSection(theme, self._model, context.models.notifications),
            Page.LOOK: AppearanceSection(theme, self._model),
        }
        self._costs = context.own(make_costs)
        self._spent = PlainLabel(theme, "", Face.SMALL, "text2")
        self.sections[Page.LIMITS].add_way(
            self.tr("Caps on money a day, for everything, an agent or a chat, are set in Costs."),
            self.tr("Daily cap…"),
            lambda: context.requests.send(ShowCosts(EVERYTHING)),
            self._spent,
        )
        self._changed = PlainLabel(theme, "", Face.SMALL, "text2")
        self._column = QVBoxLayout()
        self._left = frozenset(Page)
        self._is_narrow = False
        self._build()
        self._wire()
        self._place()
        self._find("")
        self.refresh()

    def focus_widget(self) -> QWidget:
        return self.search if self._is_narrow else self.pages

    def keep_in_sight(self) -> InSight:
        return InSight((self._foot,))

    def open(self, request: object) -> None:
        if isinstance(request, ShowPreferences):
            self.search.clear()  # the page may have no row that matches
            self.show_page(request.page)

    def refresh(self) -> None:
        """Update the number of values that differ from the default."""
        changed = [row.title for section in self.sections.values() for row in section.rows if row.is_changed()]
        self._count.setText(self.tr("Changed from default: {n}").format(n=len(changed)))
        names = [*changed[:NAMED], *("…" for _ in changed[NAMED : NAMED + 1])]
        self._changed.setText("\n".join(names))
        self._changed.setVisible(bool(names))
        self.undo.allow("" if self._model.can_undo else self.tr("Nothing to reset"))
        for page, section in self.sections.items():
            can_reset = self._model.usable and section.is_whole  # never reset rows that are hidden
            section.reset.setVisible(can_reset and not self._model.is_page_default(page))

    def _show_spent(self) -> None:
        """Tell what was spent today, and of which cap."""
        cap, today = self._costs.cap(EVERYTHING), self._costs.today
        words = ""
        if cap is not None:
            words = self.tr("Today for everything: {spent}").format(spent=cap_words(cap))
        elif today is not None:
            words = self.tr("Today: {spent}, no daily cap").format(spent=money(today.usd))
        self._spent.set_color("attention" if cap is not None and cap.is_marked else "text2")
        self._spent.setText(words)
        self._spent.setVisible(bool(words))

    def show_page(self, page: Page) -> None:
        """Show a page, and select it in the list."""
        self.pages.mark(page)
        self._show_sections()
        section = self.sections[page]
        if section.isVisibleTo(self._inside):
            top = section.mapTo(self._inside, section.rect().topLeft()).y()
            self.contents.verticalScrollBar().setValue(max(0, top - 12))

    # --- parts ----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._foot = QWidget()
        foot = QVBoxLayout(self._foot)
        set_rtl_margins(foot, 14, 8, 12, 12)
        foot.setSpacing(4)
        self._count.setWordWrap(True)
        foot.addWidget(self._count)
        self._changed.setWordWrap(True)
        foot.addWidget(self._changed)
        at_once = PlainLabel(self._context.theme, self.tr("Changes apply immediately."), Face.SMALL, "text2")
        at_once.setWordWrap(True)
        foot.addWidget(at_once)
        foot.addWidget(self.undo, 0, Qt.AlignmentFlag.AlignLeft)
        self._nav = QWidget()
        nav = QVBoxLayout(self._nav)
        nav.setContentsMargins(0, 12, 0, 0)
        nav.setSpacing(10)
        top = QHBoxLayout()
        top.setContentsMargins(12, 0, 12, 0)
        top.addWidget(self.search)
        nav.addLayout(top)
        nav.addWidget(self.pages, 1)
        nav.addWidget(self._foot)
        self._inside = QWidget()
        row = QHBoxLayout(self._inside)
        row.setContentsMargins(20, 14, 20, 24)
        self._column.setSpacing(22)
        for section in self.sections.values():
            self._column.addWidget(section)
        self._column.addStretch(1)
        row.addLayout(self._column, 100)
        row.addStretch(1)
        self.contents = ScrollBox(self._inside)
        self._whole = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._whole.setContentsMargins(0, 0, 0, 0)
        self._whole.setSpacing(0)
        self._whole.addWidget(self._nav)
        self._whole.addWidget(self.contents, 1)
        self._whole.addWidget(self._nothing, 1)

    def _wire(self) -> None:
        self.search.textChanged.connect(self._find)
        self.search.stepped_down.connect(self.pages.setFocus)
        self.pages.page_chosen.connect(self.show_page)
        self.pages.page_entered.connect(lambda page: self.sections[page].focus_widget().setFocus())
        self.undo.clicked.connect(lambda _checked=False: self._model.undo())
        self.keys.replace_pressed.connect(self._replace_key)
        self.keys.remove_pressed.connect(self._remove_key)
        for page, section in self.sections.items():
            section.reset.clicked.connect(partial(self._reset_page, page))
        self._model.changed.connect(self.refresh)
        for changed in (self._costs.changed, self._costs.caps_changed):
            changed.connect(self._show_spent)
        self._show_spent()
        self._context.theme.fonts_changed.connect(self._place)
        for keys, do in (
            (QKeySequence(QKeySequence.StandardKey.Find), self.search.setFocus),
            (QKeySequence(QKeySequence.StandardKey.Undo), self._model.undo),
        ):
            shortcut = QShortcut(keys, self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(do)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._context.requests.send(ClosePane("preferences"))
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """Show the list of pages beside the contents, or in a narrow pane only the search above them."""
        share = self._context.theme.percent / 100
        narrow, nav = self.width() < NARROW_BELOW * share, max(NAV, self.pages.wanted_width())
        room = min(self.width() - (0 if narrow else nav) - 60, round(WIDEST_COLUMN * share))
        for section in self.sections.values():
            section.set_narrow(narrow=room < NARROW_COLUMN * share)
            section.setMaximumWidth(round(WIDEST_COLUMN * share))
        self._nav.setMinimumWidth(0 if narrow else nav)
        self._nav.setMaximumWidth(16_777_215 if narrow else nav)
        if narrow is not self._is_narrow:
            self._is_narrow = narrow
            down = QBoxLayout.Direction.TopToBottom
            self._whole.setDirection(down if narrow else QBoxLayout.Direction.LeftToRight)
            self.pages.setVisible(not narrow)
            self._show_sections()

    def _show_sections(self) -> None:
        """Show the selected page; during a search all that match, and in a narrow pane all pages."""
        several = self._is_narrow or bool(self.search.text())
        for page, section in self.sections.items():
            section.setVisible(page in self._left and (several or page is self.pages.page()))

    # --- actions --------------------------------------------------------------------------------------------------

    def _find(self, words: str) -> None:
        self._left = left = frozenset(page for page, section in self.sections.items() if section.show_matching(words))
        self.pages.leave(left)
        self._show_sections()
        self.refresh()
        self._nothing.setVisible(not left)
        self.contents.setVisible(bool(left))
        if not left:
            hint = self.tr("Try another word, such as undo, cap or key.")
            self._nothing.say(self.tr("No matching settings"), hint)
        first = next((page for page in self.sections if page in left), None)
        if words and first is not None:
            self.show_page(first)

    def _reset_page(self, page: Page, _checked: bool = False) -> None:
        self.sections[page].focus_widget().setFocus()  # the button is hidden with the last change
        put_back = self._model.reset_page(page)
        words = self.tr("{page}: reset to defaults").format(page=title_of(page))
        self._context.models.toasts.show(words, self.tr("Undo"), put_back, icon="undo")

    def _replace_key(self, key: Key) -> None:
        KeyDialog(self._context.theme, self._context.models.keys, key, self.window()).open()

    def _remove_key(self, key: Key) -> None:
        if key is Key.MODEL:
            title, words = (
                self.tr("Remove the Gemini API key?"),
                self.tr("Nothing is planned until you set a new one."),
            )
        elif key is Key.POSTGRES:
            title = self.tr("Remove the connection to PostgreSQL?")
            words = self.tr("Memories are indexed in a file again. What the database has of them stays there.")
        else:
            title = self.tr("Remove the Telegram application?")
            words = self.tr("Connected accounts stay connected. No others can connect until you set a new one.")
        dialog = QuestionDialog(self._context.theme, title, words, self.tr("Remove"), self.window(), icon="trash")
        dialog.agreed.connect(lambda: self._context.models.keys.remove(key))
        dialog.open()
