"""The filter of the chat tree: all chats, those that need the operator, or unread ones; and words of their names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from chimein_gui.domain.notes import PlanningKind
from chimein_gui.viewmodels.chats.show import Show
from chimein_gui.viewmodels.problems.sources import reason_of

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import ChatId


def lacks_plan(chat: Chat) -> bool:
    """Tell whether messages wait for an answer but no plan could be made for them.

    In a group where the model chose not to answer, later messages need no answer: then the problem is only a remark.
    """
    return reason_of(chat.planning_problem) is not None and chat.newest_in_id > chat.planned_up_to


def waits_for_cap(chat: Chat) -> bool:
    """Tell whether a chat's plan is paused because a cap on costs is reached, or can't hold."""
    return chat.planning_problem is not None and chat.planning_problem.kind is PlanningKind.CAP


def needs_operator(chat: Chat) -> bool:
    """Tell whether a chat needs the operator: for a decision, or because no plan could be made."""
    return bool(chat.pending) or lacks_plan(chat)


def names_of(chat: Chat, agent_name: str) -> str:
    """Return the text in which the words of a filter are searched."""
    return f"{chat.info.title}\n{chat.info.username}\n{agent_name}".casefold()


@lru_cache(maxsize=8)
def _split(words: str) -> tuple[str, ...]:
    return tuple(words.casefold().split())


@dataclass(frozen=True, slots=True)
class ChatFilter:
    """The filter of the chat tree.

    Attributes:
        show: Which chats are listed.
        words: All of these occur in the chat's name, its username or its agent's name; empty for any.
        kept: The current chat, which stays listed in any case; None for none.
    """

    show: Show = Show.ALL
    words: str = ""
    kept: ChatId | None = None

    @property
    def is_open(self) -> bool:
        """Whether it lists all chats."""
        return self.show is Show.ALL and not self.words.strip()

    def narrows(self, before: ChatFilter) -> bool:
        """Tell whether every chat that it lists is listed by `before` too."""
        return self.show is before.show and self.words.startswith(before.words)

    def accepts(self, chat: Chat, names: str) -> bool:
        """Tell whether a chat is listed; its names are as `names_of` returns them."""
        return chat.chat_id == self.kept or (self.shows(chat) and all(word in names for word in self.split()))

    def shows(self, chat: Chat) -> bool:
        """Tell whether a chat is listed, apart from its name."""
        if self.show is Show.NEEDS_YOU:
            return needs_operator(chat)
        return self.show is Show.ALL or bool(chat.unread)

    def split(self) -> tuple[str, ...]:
        """Return the words, case-folded."""
        return _split(self.words)
