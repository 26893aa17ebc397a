"""The files of agents and prompts as rows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.agent_files.sources import SourceFile, SourceKind
from chimein_gui.domain.agents import Health
from chimein_gui.viewmodels.accounts.words import health_words
from chimein_gui.viewmodels.core.keyed_list import KeyedListModel
from chimein_gui.viewmodels.core.sanitize import spoken

MODEL_PROMPT = "Gemini"
"""Name of the prompt that every agent gets without naming it."""

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One file in the list.

    Attributes:
        file: The file.
        problems: Number of its problems.
        is_edited: There are unsaved changes.
        used_by: Of a prompt, the agents that use it.
        health: Of an agent that is loaded, the state of its account.
    """

    file: SourceFile
    problems: int = 0
    is_edited: bool = False
    used_by: tuple[str, ...] = ()
    health: Health | None = None


def place_words(file: SourceFile) -> str:
    """Return where a file is, from its config directory on."""
    path, folder = PurePath(file.path), PurePath(file.folder)
    return str(path.relative_to(folder)) if path.is_relative_to(folder) else file.path


def state_words(row: SourceRow) -> str:
    """Return what there is to say about a file, in a few words."""
    if row.file.is_archived:
        return translate("SourceList", "archived")
    if row.is_edited:
        return translate("SourceList", "edited, not saved")
    number = row.problems
    if number:
        return translate("SourceList", "%n problem(s)", "", number)
    if row.file.kind is SourceKind.PROMPT:
        return used_by_words(row)
    return health_words(row.health) if row.health is not None else translate("SourceList", "not loaded")


def used_by_words(row: SourceRow) -> str:
    """Return which agents use a prompt."""
    if row.file.name == MODEL_PROMPT and not row.file.agent:
        return translate("SourceList", "used by all agents")
    if not row.used_by:
        return translate("SourceList", "used by nobody")
    return translate("SourceList", "used by {names}").format(names=", ".join(row.used_by))


class SourceListModel(KeyedListModel[SourceRow]):
    """Agents first, then prompts, then the archive."""

    def key_of(self, item: SourceRow) -> str:
        return item.file.path

    def order_of(self, item: SourceRow) -> tuple[bool, bool, str, str]:
        file = item.file
        return file.is_archived, file.kind is SourceKind.PROMPT, file.name.casefold(), file.path

    def sentence_of(self, item: SourceRow) -> str:
        return ", ".join((spoken(item.file.name), spoken(state_words(item)), spoken(place_words(item.file))))
