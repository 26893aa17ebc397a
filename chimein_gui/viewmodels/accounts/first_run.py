"""The way to the first account: a persona as it is typed, its file, and config directories before they are taken."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.viewmodels.words.errors import error_words
from chimein_gui.viewmodels.words.notes import file_problem_words

if TYPE_CHECKING:
    from typing import Any

    from chimein_gui.domain.agents import Agent, FileProblem
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.engine.ports import NewAgent, Spawn
    from chimein_gui.viewmodels.accounts.agents import AgentListModel
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.accounts import AgentFilesConsole
    from chimein_gui.viewmodels.engine_api.engine import EngineApi

USUAL_PROMPT = "Person"
translate = QCoreApplication.translate

MOST_NAMED, MOST_PROBLEMS = 6, 3


@dataclass(frozen=True, slots=True)
class Found:
    """What a directory holds.

    Attributes:
        agents: Names of the agents that can be used.
        problems: What is wrong with the other files.
    """

    agents: tuple[str, ...] = ()
    problems: tuple[FileProblem, ...] = ()


LookInto = Callable[[tuple[str, ...]], Awaitable[Found]]


@dataclass(frozen=True, slots=True)
class Places:
    """Where this run's files are.

    Attributes:
        config: Config directories, earlier ones win.
        state: The state directory.
        fixed_by: The environment variable that names the config directories; empty where the operator may choose.
        look_into: Reads config directories without using them; None where that cannot be done.
    """

    config: tuple[str, ...] = ()
    state: str = ""
    fixed_by: str = ""
    look_into: LookInto | None = None


class FirstRunModel(QObject):
    """A persona in the making; nothing is written before `create`.

    Attributes:
        changed: The draft, its file or what is under way changed.
        looked: A directory was looked into; carries its paths and a `Found`, or None and why not.
    """

    changed = Signal()
    looked = Signal(object, object, str)

    def __init__(self, bridge: EngineBridge, agents: AgentListModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.places = Places()
        self.draft: NewAgent | None = None
        self.agent_id: AgentId | None = None
        self.refusal = ""
        self.busy = False
        self._bridge, self._agents = bridge, agents
        self._files: AgentFilesConsole | None = None
        self._spawn: Spawn | None = None
        agents.summary_changed.connect(self.changed)

    def attach(self, console: EngineApi, spawn: Spawn) -> None:
        """Remember whom to ask."""
        self._files, self._spawn = console.agent_files, spawn

    def detach(self) -> None:
        """Let go of the engine."""
        self._files = self._spawn = None

    @property
    def usable(self) -> bool:
        """Tell whether this run can write agent files."""
        return self._files is not None

    def begin(self, timezone: str) -> None:
        """Start with an empty persona."""
        from chimein_gui.engine.ports import NewAgent

        usual = tuple(name for name in self.prompts() if name == USUAL_PROMPT)
        self.draft = NewAgent("", "", "", usual, timezone)
        self.agent_id, self.refusal, self.busy = None, "", False
        self.changed.emit()

    def prompts(self) -> tuple[str, ...]:
        """Return the names of the role prompts that there are."""
        return self._files.role_prompts if self._files is not None else ()

    def edit(self, **changes: Any) -> None:  # noqa: ANN401 - fields of NewAgent
        """Take what was typed."""
        if self.draft is not None and self.agent_id is None:
            self.draft = replace(self.draft, **changes)
            self.refusal = ""
            self.changed.emit()

    def problems(self) -> dict[str, str]:
        """Return what is wrong with the persona so far, by field."""
        if self._files is None or self.draft is None:
            return {}
        found: dict[str, str] = {}
        for problem in self._files.problems_of(self.draft):
            found.setdefault(str(problem.field), problem.words)
        return found

    def agent(self) -> Agent | None:
        """Return the agent whose file was written."""
        return self._agents.find(self.agent_id) if self.agent_id is not None else None

    def create(self) -> None:
        """Write the file; once, however often it is asked for."""
        files, draft = self._files, self.draft
        if files is None or draft is None or self._spawn is None or self.busy or self.agent_id is not None:
            return

        async def create() -> None:
            agent_id, reason = None, ""
            try:
                agent_id = await files.create(draft)
            except (ChimeinError, OSError) as error:
                reason = error_words(error)
            self._bridge.deliver(lambda: self._created(agent_id, reason))

        self.busy = True
        self.changed.emit()
        self._spawn(create(), name="create an agent file")

    def look_into(self, paths: tuple[str, ...]) -> None:
        """See what directories hold; `looked` tells."""
        look = self.places.look_into
        if look is None or self._spawn is None:
            return

        async def job() -> None:
            found, reason = None, ""
            try:
                found = await look(paths)
            except (ChimeinError, OSError) as error:
                reason = error_words(error)
            self._bridge.deliver(lambda: self._looked(paths, found, reason))

        self._spawn(job(), name="look into a directory")

    def _created(self, agent_id: AgentId | None, reason: str) -> None:
        self.busy, self.agent_id, self.refusal = False, agent_id, reason
        self.changed.emit()

    def _looked(self, paths: tuple[str, ...], found: Found | None, reason: str) -> None:
        self.looked.emit(paths, found, reason)
        self.changed.emit()


def found_words(found: Found, isolated: Callable[[str], str], line: Callable[[str], str]) -> tuple[str, str, bool]:
    """Return what a directory holds in words: a title, lines below it, and whether all of it is fine.

    Args:
        found: What it holds.
        isolated: Makes a foreign name harmless in a sentence.
        line: Makes a foreign text harmless in a line.
    """
    number, wrong = len(found.agents), len(found.problems)
    if not number and not wrong:
        return (
            translate("FirstRun", "No agent files yet"),
            translate("FirstRun", "Your first persona will be saved here."),
            True,
        )
    agents = translate("FirstRun", "%n agent(s)", "", number)
    problems = translate("FirstRun", "%n problem(s)", "", wrong)
    title = ", ".join(part for part, counts in ((agents, True), (problems, wrong)) if counts)
    names = ", ".join(map(isolated, found.agents[:MOST_NAMED])) + (", …" if number > MOST_NAMED else "")
    lines = [names] if names else []
    lines += [line(_problem_line(problem)) for problem in found.problems[:MOST_PROBLEMS]]
    if wrong > MOST_PROBLEMS:
        count = wrong - MOST_PROBLEMS
        lines.append(translate("FirstRun", "and %n more", "", count))
    return title, "\n".join(lines), not wrong


def _problem_line(problem: FileProblem) -> str:
    name = PurePath(problem.path).name
    where = f"{name}:{problem.line}" if problem.line else name
    return f"{where}: {file_problem_words(problem)}"
