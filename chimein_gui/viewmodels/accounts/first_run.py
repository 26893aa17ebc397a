"""State of the first-run wizard: the agent being written, its file, and the config directories being checked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.viewmodels.words.errors import error_words
from chimein_gui.viewmodels.words.notes import file_problem_words, note_sentence

if TYPE_CHECKING:
    from typing import Any

    from chimein_gui.domain.agents import Agent, FileProblem
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.engine.ports import NewAgent, Spawn
    from chimein_gui.viewmodels.accounts.agents import AgentListModel
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.accounts import AgentFilesService

USUAL_PROMPT = "Person"
translate = QCoreApplication.translate

MOST_NAMED, MOST_PROBLEMS = 6, 3


class FirstRunApi(Protocol):
    """What this model asks of the engine."""

    @property
    def agent_files(self) -> AgentFilesService:
        """Agent files and their problems."""
        ...


@dataclass(frozen=True, slots=True)
class Found:
    """What a config directory holds.

    Attributes:
        agents: Names of the agents that can be used.
        problems: What is wrong with the other files.
    """

    agents: tuple[str, ...] = ()
    problems: tuple[FileProblem, ...] = ()


LookInto = Callable[[tuple[str, ...]], Awaitable[Found]]


@dataclass(frozen=True, slots=True)
class Places:
    """The directories of this run.

    Attributes:
        config: Config directories; an earlier one wins.
        state: The state directory.
        fixed_by: The environment variable that names the config directories; empty where the operator may choose.
        look_into: Reads config directories without using them; None where that is not possible.
    """

    config: tuple[str, ...] = ()
    state: str = ""
    fixed_by: str = ""
    look_into: LookInto | None = None


class FirstRunModel(QObject):
    """The new agent as it is typed; nothing is written before `create`.

    Attributes:
        changed: The draft, its file or the progress of `create` changed.
        looked: A check of directories ended; carries their paths, a `Found` or None, and the error in words or "".
        places: The directories of this run.
        draft: The fields of the new agent; None before `begin`.
        agent_id: The agent whose file was written; None before that.
        refusal: Why the file could not be written; empty if nothing failed.
        busy: The file is being written.
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
        self._files: AgentFilesService | None = None
        self._spawn: Spawn | None = None
        agents.summary_changed.connect(self.changed)

    def attach(self, api: FirstRunApi, spawn: Spawn) -> None:
        """Keep the engine's agent files to query."""
        self._files, self._spawn = api.agent_files, spawn

    def detach(self) -> None:
        self._files = self._spawn = None

    @property
    def usable(self) -> bool:
        """Whether this run can write agent files."""
        return self._files is not None

    def begin(self, timezone: str) -> None:
        """Start with an empty agent.

        Args:
            timezone: Name of its time zone.
        """
        from chimein_gui.engine.ports import NewAgent

        usual = tuple(name for name in self.prompts() if name == USUAL_PROMPT)
        self.draft = NewAgent("", "", "", usual, timezone)
        self.agent_id, self.refusal, self.busy = None, "", False
        self.changed.emit()

    def prompts(self) -> tuple[str, ...]:
        """Return the names of the available role prompts; empty without an engine."""
        return self._files.role_prompts if self._files is not None else ()

    def edit(self, **changes: Any) -> None:  # noqa: ANN401 - fields of NewAgent
        """Change fields of the draft; ignored once the file is written."""
        if self.draft is not None and self.agent_id is None:
            self.draft = replace(self.draft, **changes)
            self.refusal = ""
            self.changed.emit()

    def problems(self) -> dict[str, str]:
        """Return the first problem of each field, in words."""
        if self._files is None or self.draft is None:
            return {}
        found: dict[str, str] = {}
        for problem in self._files.problems_of(self.draft):
            found.setdefault(str(problem.field), note_sentence(problem.note))
        return found

    def agent(self) -> Agent | None:
        """Return the agent whose file was written; None before that, or while the engine has not loaded it."""
        return self._agents.find(self.agent_id) if self.agent_id is not None else None

    def create(self) -> None:
        """Write the file; ignored while that runs, or once it is written."""
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
        """Check what directories hold; `looked` reports it."""
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
    """Return the content of a directory in words: a title, the lines below it, and whether nothing is wrong.

    Args:
        found: What it holds.
        isolated: Makes a foreign name safe inside a sentence.
        line: Makes a foreign text safe as a line.
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
