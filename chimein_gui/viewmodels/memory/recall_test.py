"""The recall test: which memories a prompt would hold if somebody said something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, Qt, QTimer, Signal

from chimein_gui.domain.memory.choice import RecallStatus, statuses_by_rank
from chimein_gui.domain.memory.recall import BY_WORDS, TOP
from chimein_gui.viewmodels.core.roles import Index, ItemRole
from chimein_gui.viewmodels.core.sanitize import spoken

if TYPE_CHECKING:
    from chimein_gui.domain.ids import PeerId
    from chimein_gui.domain.memory.recall import Recall, Recalled
    from chimein_gui.viewmodels.engine_api.memory import RecallConsole
    from chimein_gui.viewmodels.memory.jobs import MemoryJobs

translate = QCoreApplication.translate

TYPING_MS = 250
"""Time after a key press at which the search begins."""


class RecallTest(QAbstractListModel):
    """The entries that were found, best first.

    Attributes:
        answered: Other entries were found, or the test was cleared.
        recall: What was found; None without a question.
        problem: Why nothing can be asked, in words; or empty.
    """

    answered = Signal()

    def __init__(self, jobs: MemoryJobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._console: RecallConsole | None = None
        self._place: tuple[str, PeerId] | None = None
        self._text = self._said = ""
        self.recall: Recall | None = None
        self.problem = ""
        self.rows: tuple[tuple[Recalled, RecallStatus], ...] = ()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(TYPING_MS)
        self._soon.timeout.connect(self.ask_now)

    def attach(self, console: RecallConsole | None) -> None:
        """Take an engine, or none."""
        self._console = console

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
            self._take(None)
            self.ask_now()

    def ask(self, text: str) -> None:
        """Ask about a text soon: there may be more of it."""
        self._text = text
        self._soon.start()

    def ask_now(self) -> None:
        """Ask about the text."""
        self._soon.stop()
        console, place, text = self._console, self._place, self._text.strip() or self._said
        self.problem = ""
        if console is None:
            self.problem = translate("MemoryPane", "Memories can’t be searched here.")
        elif place is None:
            self.problem = translate("MemoryPane", "Choose a chat: what is recalled depends on it.")
        if console is None or place is None or not text:
            self._take(None)
            return

        async def ask() -> None:
            try:
                found = await console.recalled_by(*place, text)
            except TimeoutError:
                words = translate("MemoryPane", "The search took too long. Try again.")
                self._jobs.deliver(lambda: self._fail(words))
                return
            self._jobs.deliver(lambda: self._take_if(found, (place, text)))

        self._jobs.run(ask(), "recall memories")

    def again(self) -> None:
        """Ask again: the files may have changed."""
        if self.recall is not None and not self._soon.isActive():
            self.ask_now()

    def _fail(self, words: str) -> None:
        self.problem = words
        self._take(None)

    def _take_if(self, recall: Recall, asked: tuple[tuple[str, PeerId], str]) -> None:
        if asked == (self._place, self._text.strip() or self._said):
            self._take(recall)

    def _take(self, recall: Recall | None) -> None:
        rows = statuses_by_rank(recall) if recall is not None else ()
        if rows != self.rows or (recall is None) is not (self.recall is None):
            self.beginResetModel()
            self.recall, self.rows = recall, rows
            self.endResetModel()
        self.recall = recall
        self.answered.emit()

    def ranks(self) -> dict[str, tuple[int, float]]:
        """Return rank and score of what was found, by id; the rank is 0 for what a prompt would not hold."""
        return {
            one.entry.id: (one.rank if status is RecallStatus.IN_PROMPT else 0, one.score) for one, status in self.rows
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
            facts = (str(one.rank), spoken(one.entry.text), f"{one.score:.2f}", words_part(one), status_words(status))
            return ", ".join(filter(None, facts))
        return None


def words_part(one: Recalled) -> str:
    """Return how well the words of an entry fit; empty if none does."""
    return "" if one.words is None else translate("MemoryPane", "words {score}").format(score=f"{one.words:.1f}")


def status_words(status: RecallStatus) -> str:
    """Return what becomes of an entry."""
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
