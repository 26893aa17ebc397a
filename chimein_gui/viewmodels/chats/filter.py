"""Which chats the tree lists: all, those that need the operator, the unread; and those of a name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from chimein_gui.viewmodels.chats.show import Show
from chimein_gui.viewmodels.problems.sources import reason_of

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import ChatId


def lacks_plan(chat: Chat) -> bool:
    """Tell whether an answer is owed and no plan for it could be made; else what is said of a plan is a remark.

    In a group others go on after the model chose silence, and nobody owes them an answer.
    """
    return reason_of(chat.planning_problem) is not None and chat.newest_in_id > chat.planned_up_to


def needs_operator(chat: Chat) -> bool:
    """Tell whether something of a chat waits for the operator: a decision, or a plan that could not be made."""
    return bool(chat.pending) or lacks_plan(chat)


def names_of(chat: Chat, agent_name: str) -> str:
    """Return where the words of a filter are looked for."""
    return f"{chat.info.title}\n{chat.info.username}\n{agent_name}".casefold()


@lru_cache(maxsize=8)
def _split(words: str) -> tuple[str, ...]:
    return tuple(words.casefold().split())


@dataclass(frozen=True, slots=True)
class ChatFilter:
    """What is asked for.

    Attributes:
        show: Which chats.
        words: All of these occur in the chat's name, its username or its agent's name; empty for any.
        kept: This chat stays listed whatever is asked: the cursor is on it.
    """

    show: Show = Show.ALL
    words: str = ""
    kept: ChatId | None = None

    @property
    def is_open(self) -> bool:
        """Tell whether it leaves nothing out."""
        return self.show is Show.ALL and not self.words.strip()

    def narrows(self, before: ChatFilter) -> bool:
        """Tell whether it lists nothing that another does not."""
        return self.show is before.show and self.words.startswith(before.words)

    def accepts(self, chat: Chat, names: str) -> bool:
        """Tell whether a chat is listed; its names are as `names_of` returns them."""
        return chat.chat_id == self.kept or (self.shows(chat) and all(word in names for word in self.split()))

    def shows(self, chat: Chat) -> bool:
        """Tell whether a chat is listed as far as its name does not matter."""
        if self.show is Show.NEEDS_YOU:
            return needs_operator(chat)
        return self.show is Show.ALL or bool(chat.unread)

    def split(self) -> tuple[str, ...]:
        """Return the words one by one, as they are compared."""
        return _split(self.words)
