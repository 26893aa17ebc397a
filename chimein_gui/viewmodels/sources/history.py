"""The changes of a text, each undone as one."""

from __future__ import annotations

from dataclasses import dataclass

from chimein_gui.domain.agent_files.edits import Splice, splice_between

MOST_CHANGES = 500
"""Most changes that can be undone."""


@dataclass(slots=True)
class _Change:
    """A change in both directions; `key` says which changes are joined to one."""

    forth: Splice
    back: Splice
    key: str


class EditHistory:
    """Undo and redo of one text, wherever the changes were made."""

    def __init__(self) -> None:
        self._undone: list[_Change] = []
        self._done: list[_Change] = []

    def clear(self) -> None:
        """Forget all changes."""
        self._done.clear()
        self._undone.clear()

    def note(self, before: str, after: str, key: str = "") -> Splice:
        """Note a change and return it; consecutive ones with the same key that is not empty are undone as one."""
        change = _between(before, after, key)
        last = self._done[-1] if self._done else None
        if last is not None and key and last.key == key and _follows(last.forth, change.forth):
            self._done[-1] = _between(last.back.apply(before), after, key)
        else:
            self._done.append(change)
            del self._done[:-MOST_CHANGES]
        self._undone.clear()
        return change.forth

    def undo(self) -> Splice | None:
        """Return what undoes the last change; None if there is none."""
        if not self._done:
            return None
        self._undone.append(self._done.pop())
        return self._undone[-1].back

    def redo(self) -> Splice | None:
        """Return what makes the change again that was undone last; None if there is none."""
        if not self._undone:
            return None
        self._done.append(self._undone.pop())
        return self._done[-1].forth


def _between(before: str, after: str, key: str) -> _Change:
    forth = splice_between(before, after)
    return _Change(forth, Splice(forth.start, forth.start + len(forth.words), before[forth.start : forth.end]), key)


def _follows(last: Splice, now: Splice) -> bool:
    """Return whether a change goes on where the last one ended, as typing and deleting do."""
    end = last.start + len(last.words)
    return last.start <= now.start <= end + 1 or now.end in (last.start, end)
