"""The list of the command palette: all entries, narrowed by what is typed."""

from __future__ import annotations

from heapq import nlargest
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt, QTimer

from chimein_gui.domain.ids import ChatId
from chimein_gui.viewmodels.approvals.store import waits_for_operator
from chimein_gui.viewmodels.core.roles import Index, ItemRole
from chimein_gui.viewmodels.core.sanitize import spoken
from chimein_gui.viewmodels.palette.chats import READ_AT_ONCE, ChatFinder
from chimein_gui.viewmodels.palette.entries import (
    HOLD,
    Entry,
    Kind,
    Row,
    Scope,
    agent_entry,
    approval_entry,
    chat_entry,
    message_entry,
)
from chimein_gui.viewmodels.palette.fuzzy import Match, folded, match

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.messages import FoundMessage
    from chimein_gui.viewmodels.window import WindowModels

MOST = {Kind.CHAT: 6, Kind.AGENT: 4, Kind.APPROVAL: 4, Kind.COMMAND: 6, Kind.MESSAGE: 4}
"""Most rows of each section where everything is searched."""

MOST_OF_ONE = 60
"""Most rows where one kind is searched."""

MOST_RECENT = 5
MOST_AT_HAND = 4
FEWEST_LETTERS = 2
"""Fewest letters that search messages where everything is searched: fewer would match too many."""

RECENT_BONUS = 6
WAITS_BONUS = 4

ANOTHER_WORD = 20
"""Score of a command matched by a search word that its name lacks: better than scattered letters."""

NOTHING = Match(0, ())
"""The match of an empty query."""

Found = tuple[Match, Entry]


class PaletteModel(QAbstractListModel):
    """Sections with headings: the best match first, destructive commands never first."""

    def __init__(
        self, models: WindowModels, commands: Sequence[Entry], recent: tuple[str, ...], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._models, self._commands, self._recent = models, tuple(commands), recent
        self._finder = ChatFinder(models.chats.all_chats, self._bonus)
        models.chats.feed.chats_changed.connect(self._follow_chats)
        # Reading thousands of names would delay the first typed letter, so they are read before it.
        self._reading = QTimer(self)
        self._reading.setInterval(0)
        self._reading.timeout.connect(self._read_more)
        self._reading.start()
        self._rows: list[Row] = []
        self._shows_commands = False
        self._messages: tuple[Entry, ...] = ()
        self._searched = ""
        self.scope, self.words = Scope.EVERYTHING, ""
        self._typed = ""
        self.set_query("")

    def set_query(self, text: str) -> None:
        """Search for what is typed; a prefix selects the scope."""
        self.scope = next((scope for scope in Scope if scope and text.startswith(scope)), Scope.EVERYTHING)
        self._typed = " ".join(text[len(self.scope) :].split())
        self.words = folded(self._typed)
        self._build()

    def nothing(self) -> str:
        """Return why the list is empty, or that a search runs; empty where there are entries."""
        if any(entry.entry_id != HOLD for entry in self.entries()) or (self.words and self._found_hold()):
            return ""
        if self.scope is Scope.MESSAGES:
            if not self.words:
                return self.tr("Type words to search the messages of all chats")
            if self._searched != self.words:
                return self.tr("Searching…")
            return self.tr("No messages with “{words}”").format(words=self._typed)
        if not self.words:
            return self.tr("Nothing here yet")
        return self.tr("No results for “{words}”").format(words=self._typed)

    def _found_hold(self) -> bool:
        return any(row.entry is not None and row.entry.entry_id == HOLD and row.spans for row in self._rows)

    def wanted(self) -> str:
        """Return the words for which messages are to be searched; empty for none."""
        if self.scope is Scope.MESSAGES or (self.scope is Scope.EVERYTHING and len(self.words) >= FEWEST_LETTERS):
            return self.words
        return ""

    def set_messages(self, words: str, found: Iterable[FoundMessage]) -> None:
        """Set the messages that were found for these words."""
        models = self._models
        self._messages = tuple(message_entry(one, models.chats, models.clock) for one in found)
        self._searched = words
        if self.wanted() == words:
            self._build()

    def entry_at(self, row: int) -> Entry | None:
        """Return the entry of a row; None for a heading and where there is no row."""
        return self._rows[row].entry if 0 <= row < len(self._rows) else None

    def first(self) -> int:
        """Return the row that Return runs while none was chosen; -1 for a hold command that the words do not match."""
        for place, row in enumerate(self._rows):
            if row.entry is not None:
                is_for_hold = row.entry.entry_id != HOLD or bool(row.spans) or not self.words
                return place if is_for_hold else -1
        return -1

    def entries(self) -> tuple[Entry, ...]:
        """Return the entries from top to bottom."""
        return tuple(row.entry for row in self._rows if row.entry is not None)

    # --- sections -------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.beginResetModel()
        if self.scope is Scope.MESSAGES:
            sections = [self._found_messages(MOST_OF_ONE)]
        elif self.scope is Scope.EVERYTHING and not self.words:
            sections = self._at_first()
        else:
            sections = self._narrowed()
        self._rows = [row for words, found in sections if found for row in _section(words, found)]
        if self.scope in (Scope.EVERYTHING, Scope.COMMANDS):
            self._keep_hold()
        self.endResetModel()

    def _at_first(self) -> list[tuple[str, list[Found]]]:
        """Return the sections before anything is typed: recent places, sends that need the operator, commands."""
        waiting = [item for item in self._models.approvals.items() if waits_for_operator(item)]
        drafts = [
            approval_entry(item, self._models.agents, self._models.clock) for item in waiting[: MOST[Kind.APPROVAL]]
        ]
        recent = self._recently()
        at_hand = [entry for entry in self._commands if entry.at_hand][:MOST_AT_HAND]
        for_chat = self.tr("Commands for {chat}").format(chat=spoken(at_hand[0].detail)) if at_hand else ""
        rest = [one for one in self._commands if not one.destructive and one not in recent and not one.by_word]
        self._shows_commands = bool(rest)
        return [
            (words, [(NOTHING, entry) for entry in entries])
            for words, entries in (
                (self.tr("Recent"), recent),
                (self.tr("Needs you"), drafts),
                (for_chat, at_hand),
                (self.tr("Commands"), rest[: MOST[Kind.COMMAND]]),
            )
        ]

    def _recently(self) -> list[Entry]:
        """Return the recently opened entries, then the chats with the newest messages."""
        was = [entry for entry_id in self._recent[:MOST_RECENT] if (entry := self._find(entry_id)) is not None]
        with_news = (chat for chat in self._models.chats.all_chats() if chat.last_at is not None)
        newest = nlargest(MOST_RECENT, with_news, key=_newest)
        known = {entry.entry_id for entry in was}
        more = (entry for chat in newest if (entry := self._chat_entry(chat)).entry_id not in known)
        return [*was, *more][:MOST_RECENT]

    def _found_messages(self, most: int) -> tuple[str, list[Found]]:
        is_meant = bool(self.words) and self._searched == self.words
        return self.tr("Messages"), [(NOTHING, entry) for entry in self._messages[:most]] if is_meant else []

    def _narrowed(self) -> list[tuple[str, list[Found]]]:
        most = MOST if self.scope is Scope.EVERYTHING else dict.fromkeys(Kind, MOST_OF_ONE)
        sections: list[tuple[str, list[Found]]] = []
        if self.scope in (Scope.EVERYTHING, Scope.CHATS):
            sections.append((self.tr("Chats"), self._chats(most[Kind.CHAT])))
        if self.scope is Scope.EVERYTHING:
            drafts = (
                approval_entry(item, self._models.agents, self._models.clock)
                for item in self._models.approvals.items()
                if waits_for_operator(item)
            )
            sections.append((self.tr("Waits for you"), _fitting(self.words, drafts, most[Kind.APPROVAL])))
        if self.scope in (Scope.EVERYTHING, Scope.AGENTS):
            agents = map(self._agent, self._models.agents.items())
            sections.append((self.tr("Agents"), _fitting(self.words, agents, most[Kind.AGENT])))
        if self.scope in (Scope.EVERYTHING, Scope.COMMANDS):
            commands = self._narrowed_commands(most[Kind.COMMAND])
            self._shows_commands = bool(commands)
            sections.append((self.tr("Commands"), commands))
        sections.sort(key=lambda section: -_best(section[1]))
        return [*sections, self._found_messages(MOST[Kind.MESSAGE])] if self.scope is Scope.EVERYTHING else sections

    def _chats(self, most: int) -> list[Found]:
        return [(fit, self._chat_entry(chat)) for fit, chat in self._finder.find(self.words, most)]

    def _chat_entry(self, chat: Chat) -> Entry:
        models = self._models
        return chat_entry(chat, models.chats, models.approvals, models.clock)

    def _bonus(self, chat: Chat) -> int:
        was_here = f"{Kind.CHAT}:{chat.chat_id}" in self._recent if self._recent else False
        return RECENT_BONUS * was_here + WAITS_BONUS * bool(chat.pending)

    def _read_more(self) -> None:
        if not self._finder.read(READ_AT_ONCE):
            self._reading.stop()

    def _follow_chats(self, touched: frozenset[ChatId]) -> None:
        chats = self._models.chats
        found = [chat for chat_id in touched if (chat := chats.chat(chat_id)) is not None]
        if len(found) == len(touched):
            self._finder.follow(found)
        if len(found) < len(touched) or self._finder.total() not in {None, chats.totals()[1]}:
            self._finder.forget()
            self._reading.start()

    def _agent(self, agent: Agent) -> Entry:
        return agent_entry(agent, self._models.chats.total_of(agent.agent_id))

    def _narrowed_commands(self, most: int) -> list[Found]:
        found = _fitting(self.words, self._commands, len(self._commands))
        return sorted(found, key=lambda one: one[1].destructive)[:most]

    def _find(self, entry_id: str) -> Entry | None:
        kind, _, key = entry_id.partition(":")
        if kind == Kind.COMMAND:
            return next((entry for entry in self._commands if entry.entry_id == entry_id), None)
        if kind == Kind.CHAT and key.isdecimal():
            chat = self._models.chats.chat(ChatId(int(key)))
            return self._chat_entry(chat) if chat is not None else None
        if kind == Kind.AGENT and key.isdecimal():
            agent = self._models.agents.find(int(key))
            return self._agent(agent) if agent is not None else None
        return None

    def _keep_hold(self) -> None:
        """Make sure that the hold command is in the list, and before a destructive command."""
        hold = next((entry for entry in self._commands if entry.entry_id == HOLD), None)
        if hold is None:
            return
        entries = self.entries()
        destroys_first = bool(entries) and entries[0].destructive
        if destroys_first:
            at = next(place for place, row in enumerate(self._rows) if row.entry is not None)
            self._rows = [row for row in self._rows if row.entry is None or row.entry.entry_id != HOLD]
            self._rows.insert(at, Row(hold))
        elif hold.entry_id not in {entry.entry_id for entry in entries}:
            if not self._shows_commands:
                self._rows.append(Row(None, self.tr("Commands")))
            self._rows.append(Row(hold))

    # --- Qt -------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        usable = self.entry_at(index.row()) is not None
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable if usable else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not 0 <= index.row() < len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == ItemRole:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.words if row.entry is None else _sentence(row.entry)
        return None


def _by_a_word(words: str, entry: Entry) -> Match | None:
    """Match a command by another name: each word begins one of its search words or one of its title's."""
    known = folded(f"{entry.also} {entry.title}").split()
    fits = bool(words) and all(any(one.startswith(word) for one in known) for word in words.split())
    return Match(ANOTHER_WORD, ()) if fits else None


def _fit(words: str, entry: Entry) -> Match | None:
    if entry.by_word:
        return match(words, entry.title) if not words else _by_a_word(words, entry)
    return match(words, entry.title) or _by_a_word(words, entry)


def _fitting(words: str, entries: Iterable[Entry], most: int) -> list[Found]:
    fits = ((_fit(words, entry), entry) for entry in entries)
    found = ((fit, entry) for fit, entry in fits if fit is not None)
    return nlargest(most, found, key=lambda one: one[0].score)


def _newest(chat: Chat) -> datetime:
    assert chat.last_at is not None
    return chat.last_at


def _best(found: list[Found]) -> int:
    """Return the best score of a section; destructive commands do not count."""
    return max((fit.score for fit, entry in found if not entry.destructive), default=-1)


def _section(words: str, found: list[Found]) -> list[Row]:
    return [Row(None, words), *(Row(entry, spans=fit.spans) for fit, entry in found)]


def _sentence(entry: Entry) -> str:
    mark = entry.mark[1] if entry.mark is not None else ""
    parts = (spoken(entry.title), spoken(entry.detail), mark, entry.shortcut)
    return ", ".join(part for part in parts if part)
