"""The recall test: which memories a prompt would hold if somebody said something; and a search of all memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, Qt, QTimer, Signal

from chimein_gui.domain.memory.choice import RecallStatus, statuses_by_rank
from chimein_gui.domain.memory.recall import BY_WORDS, TOP
from chimein_gui.viewmodels.core.numbers import decimal_words
from chimein_gui.viewmodels.core.roles import Index, ItemRole
from chimein_gui.viewmodels.core.sanitize import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.domain.ids import PeerId
    from chimein_gui.domain.memory.recall import Recall, Recalled
    from chimein_gui.viewmodels.engine_api.memory import RecallService
    from chimein_gui.viewmodels.memory.jobs import MemoryJobs

translate = QCoreApplication.translate

MOST_FOUND = 20
"""Most entries that a search of all memories shows."""

TYPING_MS = 250
"""Time after a key press at which the search begins."""


class RecallTest(QAbstractListModel):
    """The entries that were found, best first.

    Attributes:
        answered: Other entries were found, or the test was cleared.
        is_search: All memories are searched, not what the next prompt would recall.
        recall: What was found; None without a question.
        problem: Why nothing can be asked, in words; or empty.
        rows: What was found, with what would become of it; None in a search.
    """

    answered = Signal()

    def __init__(self, jobs: MemoryJobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._api: RecallService | None = None
        self._place: tuple[str, PeerId] | None = None
        self._text = self._said = ""
        self._agents: tuple[str, ...] = ()
        self.is_search = False
        self.recall: Recall | None = None
        self.problem = ""
        self.rows: tuple[tuple[Recalled, RecallStatus | None], ...] = ()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(TYPING_MS)
        self._soon.timeout.connect(self.ask_now)

    def attach(self, api: RecallService | None) -> None:
        """Take an engine, or none."""
        self._api = api

    def choose(self, agent_name: str, peer: PeerId | None, said: str) -> None:
        """Ask for another chat.

        Args:
            agent_name: Whose memories.
            peer: The chat; None for what the agent remembers for all chats.
            said: The newest message that waits for an answer, which is asked about while nothing is typed; or empty.
        """
        place = (agent_name, peer) if peer is not None else None
        if (place, said) != (self._place, self._said):
            self._place, self._said = place, said
            if not self.is_search:
                self._take(None)
                self.ask_now()

    def know_agents(self, names: Iterable[str]) -> None:
        """Take the agents whose memories a search covers."""
        self._agents = tuple(names)

    def search(self, *, wanted: bool) -> None:
        """Search all memories, or ask again what would be recalled."""
        if wanted is not self.is_search:
            self.is_search = wanted
            self._take(None)
            self.ask_now()

    def ask(self, text: str) -> None:
        """Ask about a text soon: there may be more of it."""
        self._text = text
        self._soon.start()

    def ask_now(self) -> None:
        """Ask about the text."""
        self._soon.stop()
        api, place, asked = self._api, self._place, self._asked()
        self.problem = ""
        if api is None:
            self.problem = translate("MemoryPane", "Memories can’t be searched here.")
        elif place is None and not self.is_search:
            self.problem = translate("MemoryPane", "Choose a chat: what is recalled depends on it.")
        if api is None or self.problem or not asked[1]:
            self._take(None)
            return
        text, agents = asked[1], self._agents

        async def ask() -> None:
            try:
                if place is None or self.is_search:
                    found = await api.find_anywhere(agents, text, MOST_FOUND)
                else:
                    found = await api.recalled_by(*place, text)
            except TimeoutError:
                words = translate("MemoryPane", "The search took too long. Try again.")
                self._jobs.deliver(lambda: self._fail(words))
                return
            self._jobs.deliver(lambda: self._take_if(found, asked))

        self._jobs.run(ask(), "recall memories")

    def _asked(self) -> tuple[object, str]:
        """Return where and for what is searched now."""
        text = self._text.strip()
        return (self.is_search, text) if self.is_search else (self._place, text or self._said)

    def again(self) -> None:
        """Ask again: the files may have changed."""
        if self.recall is not None and not self._soon.isActive():
            self.ask_now()

    def _fail(self, words: str) -> None:
        self.problem = words
        self._take(None)

    def _take_if(self, recall: Recall, asked: tuple[object, str]) -> None:
        if asked == self._asked():
            self._take(recall)

    def _take(self, recall: Recall | None) -> None:
        rows: tuple[tuple[Recalled, RecallStatus | None], ...] = ()
        if recall is not None and self.is_search:
            rows = tuple((one, None) for one in (*recall.best, *recall.losers))
        elif recall is not None:
            rows = statuses_by_rank(recall)
        if rows != self.rows or (recall is None) is not (self.recall is None):
            self.beginResetModel()
            self.recall, self.rows = recall, rows
            self.endResetModel()
        self.recall = recall
        self.answered.emit()

    def ranks(self) -> dict[str, tuple[int, float]]:
        """Return rank and score of what was found, by id; the rank is 0 for what a prompt would not hold.

        A search of all memories says nothing of prompts.
        """
        return {
            one.entry.id: (one.rank if status is RecallStatus.IN_PROMPT else 0, one.score)
            for one, status in self.rows
            if status is not None
        }

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self.rows):
            return None
        one, status = self.rows[index.row()]
        if role == ItemRole:
            return one, status
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            facts = (
                str(one.rank),
                spoken(one.entry.text),
                decimal_words(one.score, 2),
                words_part(one),
                status_words(status),
            )
            return ", ".join(filter(None, facts))
        return None


def words_part(one: Recalled) -> str:
    """Return how well the words of an entry fit; empty if none does."""
    return (
        "" if one.words is None else translate("MemoryPane", "words {score}").format(score=decimal_words(one.words, 1))
    )


def status_words(status: RecallStatus | None) -> str:
    """Return what becomes of an entry; empty for what a search found."""
    if status is None:
        return ""
    if status is RecallStatus.IN_PROMPT:
        return translate("MemoryPane", "in the next prompt")
    if status is RecallStatus.TOO_WEAK:
        return translate("MemoryPane", "hardly fits")
    return translate("MemoryPane", "below the best {number}").format(number=TOP)


def search_words(recall: Recall) -> str:
    """Return how the search went."""
    count = recall.searched
    searched = translate("MemoryPane", "%n searched", "", count)
    took = translate("MemoryPane", "{number} ms").format(number=round(recall.took_s * 1000))
    by = translate("MemoryPane", "by words alone") if recall.by == BY_WORDS else recall.by
    return ", ".join((searched, took, by))
