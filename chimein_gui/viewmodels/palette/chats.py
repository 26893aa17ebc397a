"""Finds chats for the palette: each typed letter costs little, however many chats there are."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace
from heapq import nlargest
from typing import TYPE_CHECKING

from chimein_gui.viewmodels.palette.fuzzy import Match, folded, match, score_of_run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import ChatId

    Named = tuple[Chat, str, str, int]

READ_AT_ONCE = 2_000
"""Names read in one turn of the loop: 3 ms of work."""

MOST_STREWN = 1_000
"""Most chats scored whose names have the typed letters with gaps; each further letter leaves fewer of them."""


class ChatFinder:
    """Caches the folded names of all chats, and which chats still match as more letters are typed.

    The names are read at the first search, or before it in slices; a changed chat's names are read again.
    """

    def __init__(self, chats: Callable[[], Iterable[Chat]], bonus: Callable[[Chat], int]) -> None:
        """Create an empty cache.

        Args:
            chats: Returns the chats, the likely ones first.
            bonus: Returns the score of a chat apart from its name.
        """
        self._chats, self._bonus = chats, bonus
        self._coming: deque[Chat] | None = None
        self._named: list[Named] = []
        self._place_of: dict[ChatId, int] = {}
        self._typed = ""
        self._left: Sequence[int] = ()

    def forget(self) -> None:
        """Read all chats again at the next search: there are others."""
        self._coming = None

    def read(self, most: int) -> bool:
        """Read the names of at most so many more chats; return whether any are left."""
        if self._coming is None:
            self._coming = deque(self._chats())
            self._named, self._place_of = [], {}
            self._typed, self._left = "", ()
        for _ in range(min(most, len(self._coming))):
            chat = self._coming.popleft()
            if chat.chat_id not in self._place_of:  # else `follow` has a newer snapshot
                self._note(chat)
        return bool(self._coming)

    def follow(self, chats: Iterable[Chat]) -> None:
        """Read the names of new or changed chats."""
        if self._coming is not None:
            for chat in chats:
                self._note(chat)

    def total(self) -> int | None:
        """Return the number of chats that are searched; None before all are read."""
        return None if self._coming is None or self._coming else len(self._named)

    def _note(self, chat: Chat) -> None:
        place = self._place_of.setdefault(chat.chat_id, len(self._named))
        if place == len(self._named):
            self._named.append(self._name(chat))
            self._typed = ""
            return
        before, self._named[place] = self._named[place], self._name(chat)
        if before[0].info != chat.info:
            self._typed = ""

    def _name(self, chat: Chat) -> Named:
        return chat, folded(chat.info.title), folded(chat.info.username), self._bonus(chat)

    def find(self, words: str, most: int) -> list[tuple[Match, Chat]]:
        """Return the best matches, at most so many; `words` are folded."""
        while self.read(READ_AT_ONCE):
            pass
        named = self._named
        holds, begins = _holding(words), score_of_run(words, 0, len(words))
        left, scored, strewn = list[int](), list[tuple[int, int]](), 0
        # All chats are searched if nothing was typed before, or a name has changed.
        for place in self._left if self._typed and words.startswith(self._typed) else range(len(named)):
            chat, title, username, bonus = named[place]
            at = title.find(words)
            if at >= 0:
                score = score_of_run(title, at, len(words)) if at else begins
            elif username and (at := username.find(words)) >= 0 and not holds(title):
                score = score_of_run(username, at, len(words))
            elif holds(title) or (username and holds(username)):
                strewn += 1
                fit = _fit(words, chat) if strewn <= MOST_STREWN else None
                score = -1 if fit is None else fit.score
            else:
                continue
            left.append(place)
            if score >= 0:
                scored.append((score + bonus, -place))
        self._typed, self._left = words, left
        best = [named[-place][0] for _, place in nlargest(most, scored)]
        return [(fit, chat) for chat in best if (fit := _fit(words, chat)) is not None]


def _fit(words: str, chat: Chat) -> Match | None:
    fit = match(words, chat.info.title)
    if fit is not None or not chat.info.username:
        return fit
    hidden = match(words, chat.info.username)
    # The username matches, which is not shown: nothing of the title is marked.
    return None if hidden is None else replace(hidden, spans=())


def _holding(words: str) -> Callable[[str], object]:
    """Return a test whether a text has the letters of each word in their order, which every match has."""
    each = (".*".join(map(re.escape, word)) for word in words.split())
    return re.compile("".join(f"(?=.*{letters})" for letters in each), re.DOTALL).match
