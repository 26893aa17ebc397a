"""Opens the command palette, and executes what is chosen in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QWidget

from chimein_gui.domain.ids import AgentId, ChatId
from chimein_gui.ui.pane import ALSO
from chimein_gui.ui.requests import LogOut, OpenLogin, ShowAgent, ShowChat, ShowDraft, ShowMessage, ShowPlan
from chimein_gui.ui.shell.palette.dialog import PaletteDialog
from chimein_gui.viewmodels.accounts.login_words import can_log_in, can_log_out, log_in_word
from chimein_gui.viewmodels.core.bilingual import search_words, translate
from chimein_gui.viewmodels.palette.entries import Entry, Kind
from chimein_gui.viewmodels.palette.message_finder import make_message_finder
from chimein_gui.viewmodels.palette.palette import PaletteModel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import ApprovalId
    from chimein_gui.domain.messages import FoundMessage
    from chimein_gui.ui.shell.context import ShellContext
    from chimein_gui.ui.shell.docking.layouts import Layouts

TOP = 104
MOST_REMEMBERED = 12
SEARCH_MS = 120
"""Time after the last key until messages are searched, ms."""

LOG_IN = "log in "
"""Prefix of the id of a login command, before the agent's id."""

LOG_OUT = "log out "
"""Prefix of the id of a command that logs an agent out, before its id."""

OFFER = "offer "
"""Prefix of the id of a pane's action, before its index."""

PLAN = "plan "
"""Prefix of the id of a command that shows a plan, before the chat's id."""

LAYOUT = "own layout "
"""Prefix of the id of a command for one of the operator's own layouts, before its name."""


class Backdrop(QWidget):
    """A translucent layer that darkens the window behind the palette."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setGeometry(window.rect())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(0, 0, 0, 70))
        painter.end()


class PaletteOpener(QObject):
    """Builds the entries each time the palette opens."""

    def __init__(self, shell: ShellContext, layouts: Layouts) -> None:
        super().__init__(shell.window)
        self._shell, self._layouts = shell, layouts
        self._finder = shell.models.own(make_message_finder)
        self._finder.found.connect(self._show_messages)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(SEARCH_MS)
        self._pause.timeout.connect(self._search)
        self.dialog: PaletteDialog | None = None
        self._menus: list[QMenu] = []
        self._offered: list[QAction] = []
        self._planned: dict[ChatId, Approval] = {}

    def open(self) -> None:
        """Open the palette with an empty field, or close it if it is open."""
        if self.dialog is not None:
            self.dialog.reject()
            return
        shell = self._shell
        recent = shell.memory.words_of("palette/recent")
        dialog = PaletteDialog(shell.theme, PaletteModel(shell.models, self.commands(), recent), shell.window)
        backdrop = Backdrop(shell.window)
        backdrop.show()
        self.dialog = dialog
        dialog.chosen.connect(self._go)
        dialog.words_changed.connect(self._pause.start)
        dialog.finished.connect(lambda _code: self._leave(backdrop))
        dialog.open_over(TOP)

    def commands(self) -> tuple[Entry, ...]:
        """Return all commands, including those for the operator's own layouts."""
        fixed = (
            Entry(
                Kind.COMMAND,
                spec.action_id,
                spec.text,
                icon=spec.icon,
                shortcut=spec.shortcut,
                destructive=spec.destructive,
                also=search_words(spec.text, spec.also),
            )
            for spec in self._shell.commands.specs
            if spec.action_id != "palette"
        )
        words = translate("PaletteOpener", "Layout: {name}")
        own = (
            Entry(Kind.COMMAND, f"{LAYOUT}{name}", words.format(name=name), icon="layout", also=words.english)
            for name in self._layouts.names()
        )
        return (*fixed, *own, *self._plans(), *self._log_ins(), *self._offers_of_panes())

    def _offers_of_panes(self) -> Iterator[Entry]:
        """Yield the actions on what is open in each pane, such as a chat."""
        self._forget_offers()
        for pane in self._shell.dock_manager.panes.values():
            menu = pane.offers()
            if menu is not None:
                self._menus.append(menu)
                yield from self._entries_of(menu, menu.accessibleName())

    def _entries_of(self, menu: QMenu, about: str, above: str = "", also: str = "") -> Iterator[Entry]:
        for action in menu.actions():
            words = " ".join(filter(None, (also, str(action.property(ALSO) or ""))))
            inside = QMenu.menuInAction(action)
            if inside is not None:
                more = " ".join(filter(None, (words, str(inside.property(ALSO) or ""))))
                yield from self._entries_of(inside, about, f"{inside.title()}: ", more)
            elif not action.isSeparator() and action.isEnabled():
                self._offered.append(action)
                key = f"{OFFER}{len(self._offered) - 1}"
                yield Entry(
                    Kind.COMMAND,
                    key,
                    f"{above}{action.text()}",
                    about,
                    icon="chats",
                    also=words,
                    by_word=True,
                    at_hand=not above,
                )

    def _plans(self) -> Iterator[Entry]:
        """Yield a command for every chat with a plan that is not over."""
        self._planned.clear()
        for card in self._shell.models.approvals.items():
            if card.chat_id not in self._planned:
                self._planned[card.chat_id] = card
                words = self.tr("Show plan of {name}").format(name=card.chat_title)
                key, also = f"{PLAN}{card.chat_id}", translate("ChatMenu", "steps task graph next").english
                yield Entry(Kind.COMMAND, key, words, card.agent_name, icon="layers", also=also, by_word=True)

    def _show_plan(self, chat_id: ChatId) -> None:
        card = self._planned[chat_id]
        self._shell.requests.send(ShowPlan(chat_id, card.task_id, card.graph_id))

    def _forget_offers(self) -> None:
        for menu in self._menus:
            menu.deleteLater()
        self._menus.clear()
        self._offered.clear()

    def _log_ins(self) -> Iterator[Entry]:
        """Yield a login command for every agent that needs one, and one to log the others out, which asks first."""
        models = self._shell.models
        for agent in models.agents.items() if models.logins.available else ():
            if can_log_in(agent):
                words = self.tr("{action}: {name}").format(action=log_in_word(agent), name=agent.spec.name)
                yield Entry(Kind.COMMAND, f"{LOG_IN}{agent.agent_id}", words, icon="key", also="log in login")
            if can_log_out(agent):
                out = translate("PaletteOpener", "Log {name} out…")
                words, key = out.format(name=agent.spec.name), f"{LOG_OUT}{agent.agent_id}"
                also = f"{out.english} logout sign off"
                yield Entry(Kind.COMMAND, key, words, icon="key", destructive=True, also=also, by_word=True)

    def _leave(self, backdrop: Backdrop) -> None:
        self._pause.stop()
        self.dialog = None
        backdrop.hide()
        backdrop.deleteLater()

    def _search(self) -> None:
        if self.dialog is not None and self.dialog.model.wanted():
            self._finder.find(self.dialog.model.wanted())

    def _show_messages(self, words: str, found: tuple[FoundMessage, ...]) -> None:
        if self.dialog is not None:
            self.dialog.model.set_messages(words, found)

    def _go(self, entry: Entry) -> None:
        self._remember(entry)
        # Later: the palette is still closing, and would take the focus from what is opened now.
        QTimer.singleShot(0, self, lambda: self._do(entry))

    def _do(self, entry: Entry) -> None:
        requests = self._shell.requests
        match entry.kind:
            case Kind.CHAT:
                requests.send(ShowChat(cast("ChatId", entry.key)))
            case Kind.AGENT:
                requests.send(ShowAgent(cast("AgentId", entry.key)))
            case Kind.APPROVAL:
                requests.send(ShowDraft(cast("ApprovalId", entry.key)))
            case Kind.MESSAGE if isinstance(entry.key, tuple):
                requests.send(ShowMessage(*entry.key))
            case Kind.COMMAND:
                self._run(str(entry.key))

    def _run(self, command: str) -> None:
        if command.startswith(LAYOUT):
            self._layouts.apply(command.removeprefix(LAYOUT))
            return
        if command.startswith(OFFER):
            self._offered[int(command.removeprefix(OFFER))].trigger()
            return
        if command.startswith(PLAN):
            self._show_plan(ChatId(int(command.removeprefix(PLAN))))
            return
        if command.startswith(LOG_IN):
            self._shell.requests.send(OpenLogin(AgentId(int(command.removeprefix(LOG_IN)))))
            return
        if command.startswith(LOG_OUT):
            self._shell.requests.send(LogOut(AgentId(int(command.removeprefix(LOG_OUT)))))
            return
        spec = next((one for one in self._shell.commands.specs if one.action_id == command), None)
        if spec is not None:
            spec.run()

    def _remember(self, entry: Entry) -> None:
        is_offer = str(entry.key).startswith(OFFER)  # actions on what is open now
        if entry.kind in (Kind.CHAT, Kind.AGENT, Kind.COMMAND) and not entry.destructive and not is_offer:
            before = self._shell.memory.words_of("palette/recent")
            kept = (entry.entry_id, *(one for one in before if one != entry.entry_id))[:MOST_REMEMBERED]
            self._shell.memory.remember_words("palette/recent", kept)
