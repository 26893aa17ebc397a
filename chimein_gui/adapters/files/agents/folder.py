"""The agent files of all config directories: reading, watching, and writing for the operator."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.agents.agents import (
    MODEL_PROMPT,
    is_agents_file,
    load_agents,
    load_model_prompt,
    prompt_names,
)
from chimein_gui.adapters.files.agents.writing import new_file, with_phone
from chimein_gui.adapters.files.allowed_links import AllowedLinks
from chimein_gui.adapters.files.atomic import PRIVATE, write_atomic
from chimein_gui.adapters.files.config_traces import ConfigTraces
from chimein_gui.adapters.files.config_watch import POLL_S, ConfigWatch
from chimein_gui.adapters.files.texts import MAX_BYTES
from chimein_gui.domain.agent_files.checks import problems_of
from chimein_gui.domain.agent_files.parsing import parse
from chimein_gui.domain.agents import FileProblem
from chimein_gui.domain.errors import ConfigError
from chimein_gui.domain.input.names import folded, phone_of, phone_problem
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.configs import ConfigReason
from chimein_gui.domain.notes.files import FileReason
from chimein_gui.engine.ports import AgentFolder

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping, Sequence, Set

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.engine.ports import NewAgent


class ConfigAgentFiles:
    """Implements `engine.ports.AgentFiles`; disk access runs in threads, one at a time."""

    def __init__(
        self, config_dirs: Sequence[Path], state: Path, poll_s: float = POLL_S, samples: Path | None = None
    ) -> None:
        """Create the adapter; nothing is read before `load`.

        Args:
            config_dirs: In order of priority; they may be missing.
            state: The state directory.
            poll_s: Seconds between two checks of the files without a notification.
            samples: A config directory whose prompts are copied for new agents if there are none of the same name.
        """
        self._config_dirs = tuple(dict.fromkeys(config_dirs))
        self._state = state
        self._poll_s = poll_s
        self._samples = samples
        self._traces = ConfigTraces(self._config_dirs)
        self._links = AllowedLinks(state)
        self._lock = threading.Lock()
        self._loaded: Mapping[str, bytes] = {}
        self._good: dict[str, AgentSpec] = {}
        self._good_model_prompt = "", ""

    async def load(self) -> AgentFolder:
        return await asyncio.to_thread(self._load)

    async def changes(self) -> AsyncGenerator[None, None]:
        """Yield once after each burst that makes the files differ from the last load; runs until closed."""
        changed = asyncio.Event()
        loop = asyncio.get_running_loop()

        def tell() -> None:
            loop.call_soon_threadsafe(changed.set)

        watch = ConfigWatch(self._traces, lambda traces: traces == self._loaded, tell, self._poll_s)
        watch.start()
        try:
            while True:
                await changed.wait()
                changed.clear()
                if watch.reported not in (None, self._loaded):  # else it was loaded before we came to say so
                    yield
        finally:
            await asyncio.to_thread(watch.close)

    async def create(self, new: NewAgent) -> str:
        """Write an agent file into the first config directory (made if missing).

        Returns:
            Its path.

        Raises:
            ConfigError: It is invalid, its name is taken, or the directory is not writable; the text says which.
        """
        return await asyncio.to_thread(self._create, new)

    async def set_phone(self, source: str, phone: str) -> None:
        await asyncio.to_thread(self._set_phone, Path(source), phone)

    async def move_state(self, old_name: str, new_name: str) -> None:
        await asyncio.to_thread(_move_state, self._state, old_name, new_name)

    async def allow_link(self, target: str) -> None:
        await asyncio.to_thread(self._links.add, target)

    # --- in threads -----------------------------------------------------------------------------------------------

    def _load(self) -> AgentFolder:
        with self._lock:
            # Before reading, so that the watch finds changes during the load.
            before, self._loaded = self._loaded, self._traces.take(thorough=True)
            unused = before.keys() - self._good.keys()
            allowed = self._links.targets()
            specs, problems = load_agents(self._config_dirs, allowed)
            problems = (*problems, *(lost := _lost(self._config_dirs, self._good)))
            specs, problems = _stepped_back(self._good, unused, specs, problems, self._rank)
            prompt, source, prompt_problems = load_model_prompt(self._config_dirs, allowed)
            if prompt or not (prompt_problems or lost):
                self._good_model_prompt = prompt, source
            kept = _still_good(self._good, specs, problems)
            self._good = {spec.source: spec for spec in (*specs, *kept)}
            return AgentFolder(
                agents=(*specs, *kept),
                problems=(*_marked(problems, kept), *prompt_problems),
                model_prompt=self._good_model_prompt[0],
                model_prompt_source=self._good_model_prompt[1],
                last_good=tuple(spec.source for spec in kept),
                role_prompts=prompt_names((*self._config_dirs, *((self._samples,) if self._samples else ()))),
            )

    def _rank(self, source: str) -> tuple[int, str]:
        """Return the sort key of files: earlier directories first, then by name."""
        folders = [directory / "agents" for directory in self._config_dirs]
        return folders.index(Path(source).parent), Path(source).name

    def _create(self, new: NewAgent) -> str:
        text = new_file(new)
        wrong = problems_of(parse(text))
        if wrong:
            raise ConfigError(wrong[0].note)
        if not self._config_dirs:
            raise ConfigError(Note(ConfigReason.NO_CONFIG_DIRECTORY))
        agents = self._config_dirs[0] / "agents"
        self._refuse_samples(agents)
        path = agents / f"{new.name}.md"
        with self._lock:
            try:
                agents.mkdir(parents=True, exist_ok=True)
                self._check_free(new, agents)
                self._copy_prompts(new)
                write_atomic(path, text)
            except OSError as error:
                raise ConfigError(
                    Note(ConfigReason.AGENT_NOT_WRITTEN, str(agents), more=str(error.strerror or error))
                ) from error
        return str(path)

    def _copy_prompts(self, new: NewAgent) -> None:
        """Copy missing prompts for a new agent from the samples: its role prompts and the model-specific one."""
        for name in (*new.role_prompts, MODEL_PROMPT):
            path = Path("prompts") / f"{name}.md"
            sample = self._samples / path if self._samples is not None else None
            places = [*self._config_dirs, *(directory / "agents" / new.name for directory in self._config_dirs)]
            if sample is not None and sample.is_file() and not any((place / path).exists() for place in places):
                copy = self._config_dirs[0] / path
                copy.parent.mkdir(parents=True, exist_ok=True)
                write_atomic(copy, sample.read_bytes())

    def _check_free(self, new: NewAgent, agents: Path) -> None:
        for path in agents.iterdir():
            if is_agents_file(path) and folded(path.stem) == folded(new.name):
                raise ConfigError(Note(ConfigReason.NAME_HAS_FILE, new.name, more=str(path)))
        for spec in load_agents(self._config_dirs)[0]:
            if folded(spec.name) == folded(new.name):
                raise ConfigError(Note(ConfigReason.NAME_IS_USED, new.name, more=spec.source))
            if spec.phone == phone_of(new.phone):
                raise ConfigError(Note(ConfigReason.NUMBER_IS_USED, spec.phone, more=spec.name))

    def _check_number_free(self, phone: str, path: Path) -> None:
        for spec in load_agents(self._config_dirs)[0]:
            if spec.phone == phone and spec.source != str(path):
                raise ConfigError(Note(ConfigReason.NUMBER_IS_USED, phone, more=spec.name))

    def _refuse_samples(self, agents: Path) -> None:
        """Refuse to write to the samples: they belong to the program, and a rehearsal must not change them."""
        if self._samples is not None and agents == self._samples / "agents":
            raise ConfigError(Note(ConfigReason.COMES_WITH_CHIMEIN, str(agents)))

    def _set_phone(self, path: Path, phone: str) -> None:
        reason = phone_problem(phone)
        if reason is not None:
            raise ConfigError(reason)
        if path.parent not in {directory / "agents" for directory in self._config_dirs}:
            raise ConfigError(Note(ConfigReason.NOT_IN_CONFIG, str(path)))
        self._refuse_samples(path.parent)
        with self._lock:
            try:
                data = path.read_bytes() if path.is_file() else b""
                if not 0 < len(data) <= MAX_BYTES:
                    raise ConfigError(Note(ConfigReason.AGENT_FILE_ODD, str(path)))
                self._check_number_free(phone_of(phone), path)
                changed = with_phone(data.decode("utf-8"), phone_of(phone))
                write_atomic(path, changed, mode=(path.stat().st_mode & 0o777) or PRIVATE)
            except UnicodeDecodeError as error:
                raise ConfigError(Note(ConfigReason.AGENT_FILE_NO_TEXT, str(path))) from error
            except OSError as error:
                raise ConfigError(
                    Note(ConfigReason.AGENT_FILE_NOT_WRITTEN, str(path), more=str(error.strerror or error))
                ) from error


def _lost(config_dirs: Sequence[Path], good: Mapping[str, AgentSpec]) -> list[FileProblem]:
    """Return missing directories from which agents in use came.

    An unmounted disk or network share looks like deleted files. Keeping its agents is safer than dropping them all.
    """
    places = {str(directory / "agents") for directory in config_dirs} & {str(Path(source).parent) for source in good}
    return [FileProblem(place, 0, Note(FileReason.FOLDER_LOST)) for place in sorted(places) if not Path(place).exists()]


def _marked(problems: Sequence[FileProblem], kept: Sequence[AgentSpec]) -> list[FileProblem]:
    """Mark problems of files whose last good version is in use."""
    sources = {spec.source for spec in kept}
    return [replace(one, last_good=one.path in sources and not one.is_warning) for one in problems]


def _stepped_back(
    good: Mapping[str, AgentSpec],
    unused: Set[str],
    specs: Sequence[AgentSpec],
    problems: Sequence[FileProblem],
    rank: Callable[[str], tuple[int, str]],
) -> tuple[tuple[AgentSpec, ...], tuple[FileProblem, ...]]:
    """Drop files that were hidden by an earlier file of the same name or number, while that one is broken.

    They were not chosen: a mistake in the operator's own file must not activate the sample it was made from.
    """
    places = {problem.path for problem in problems if not problem.is_warning}
    broken = [spec for source, spec in good.items() if places & {source, *map(str, PurePath(source).parents)}]
    owners = {key: spec.source for spec in broken for key in (folded(spec.name), spec.phone)}
    left: list[AgentSpec] = []
    reported = list(problems)
    for spec in specs:
        owner = owners.get(folded(spec.name)) or owners.get(spec.phone)
        if spec.source in unused and owner is not None and rank(owner) < rank(spec.source):
            reported.append(FileProblem(spec.source, 0, Note(FileReason.EARLIER_IS_BROKEN, owner), stands_back=True))
        else:
            left.append(spec)
    return tuple(left), tuple(reported)


def _still_good(
    good: Mapping[str, AgentSpec], specs: Sequence[AgentSpec], problems: Sequence[FileProblem]
) -> list[AgentSpec]:
    """Return the last good versions of files that are broken now, unless another file has the same agent."""
    places = {problem.path for problem in problems if not problem.is_warning}
    sources = {spec.source for spec in specs}
    taken = {folded(spec.name) for spec in specs} | {spec.phone for spec in specs}
    return [
        spec
        for source, spec in good.items()
        if source not in sources
        and places & {source, *map(str, PurePath(source).parents)}
        and not taken & {folded(spec.name), spec.phone}
    ]


def _move_state(state: Path, old_name: str, new_name: str) -> None:
    """Rename an agent's state directory; nothing happens if there is none, or if it was done already.

    Raises:
        ConfigError: Another agent's state is in the way, or the disk write fails.
    """
    old, new = state / old_name, state / new_name
    try:
        if old_name == new_name or not _exists(old):
            return
        if _exists(new) and not new.samefile(old):
            if any(new.iterdir()):
                raise ConfigError(Note(ConfigReason.STATE_IN_THE_WAY, old_name, more=str(new)))
            new.rmdir()
        old.rename(new)
    except OSError as error:
        reason = f"{new}: {error.strerror or error}"
        raise ConfigError(Note(ConfigReason.STATE_NOT_MOVED, old_name, more=reason)) from error


def _exists(directory: Path) -> bool:
    return directory.exists() or directory.is_symlink()
