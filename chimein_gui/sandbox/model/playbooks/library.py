"""All playbooks of a directory, read once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.model.playbooks.reading import PlaybookReader
from chimein_gui.sandbox.model.playbooks.rules import Playbook, Rule
from chimein_gui.sandbox.text_files import read_text

_ENDING = "*.yaml"


class PlaybookError(ValueError):
    """Playbooks are broken; none of them is used.

    Attributes:
        problems: Each as ``file:line: what``.
    """

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("The playbooks can't be used:\n" + "\n".join(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True)
class Library:
    """The playbooks, by name in alphabetical order."""

    playbooks: tuple[Playbook, ...]

    @property
    def names(self) -> frozenset[str]:
        """Every playbook that can be named."""
        return frozenset(one.name for one in self.playbooks)

    def rules(self, name: str = "") -> tuple[Rule, ...]:
        """Return the rules in the order in which they are asked: those of the named playbook, then everyday talk."""
        named = [one for one in self.playbooks if one.name == name and not one.is_base]
        return tuple(rule for one in (*named, *(one for one in self.playbooks if one.is_base)) for rule in one.rules)


def load_library(directory: Path | None = None) -> Library:
    """Read all playbooks; those that come with the program by default.

    A set with any mistake is refused as a whole, so that nothing is half applied. It takes some tenths of a second, so
    whoever does it in an event loop does it in a thread.

    Raises:
        PlaybookError: What is wrong, all of it.
    """
    return _load(tuple((path, _changed_at(path)) for path in _files(directory)))


def _changed_at(path: Path) -> int:
    """Return when a file was changed, in nanoseconds; 0 where that can't be told, nor the file be read."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def playbook_names() -> frozenset[str]:
    """Return the names of the playbooks that come with the program, without reading them."""
    return frozenset(path.stem for path in _files(None))


@lru_cache(maxsize=8)
def _load(files: tuple[tuple[Path, int], ...]) -> Library:
    """Read files; the same files are read once, however many sandboxes a process starts."""
    problems: list[str] = []
    found: list[Playbook] = []
    for path, _ in files:
        reader = PlaybookReader(path.name)
        try:
            text = read_text(path)
        except (OSError, ValueError) as error:
            problems.append(f"{path.name}:1: it can't be read: {error}")
            continue
        playbook = reader.read(text)
        problems += reader.problems
        if playbook is None:
            continue
        if playbook.name != path.stem:
            problems.append(f"{path.name}:1: it is named “{playbook.name}” instead of “{path.stem}”, as the file")
        found.append(playbook)
    if problems:
        raise PlaybookError(problems)
    return Library(tuple(found))


def _files(directory: Path | None) -> list[Path]:
    return sorted((directory or resource_path("sandbox", "playbooks")).glob(_ENDING))
