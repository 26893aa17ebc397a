"""Reads the agents of the config directories."""

from __future__ import annotations

import contextlib
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.adapters.files.texts import UnreadableFileError, read_text
from chimein_gui.domain.agent_files.checks import (
    aliases_of,
    histories_of,
    hosts_of,
    is_none,
    problems_of,
    sticker_sets_of,
    stickers_of,
    warnings_of,
)
from chimein_gui.domain.agent_files.parsing import AgentFile, Field, Problem, parse
from chimein_gui.domain.agents import AgentSpec, FileProblem, PictureChoice
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.input.names import folded, phone_of
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

MODEL_PROMPT = "Gemini"
"""Name of the model-specific prompt, which tells the model how to write its replies."""

_MEMORY_SCOPE = "global"


class OutsideError(Exception):
    """A prompt is a link to a file outside the config directories that is not allowed.

    Attributes:
        target: The target of the link.
    """

    def __init__(self, target: str) -> None:
        self.target = target
        super().__init__(target)


def load_agents(
    config_dirs: Sequence[Path], allowed: Collection[str] = ()
) -> tuple[tuple[AgentSpec, ...], tuple[FileProblem, ...]]:
    """Read all agent files.

    Args:
        config_dirs: In order of priority; missing ones are skipped.
        allowed: Files outside of them to which prompts may link.

    Returns:
        The usable agents, in the order of directories and file names, and the problems of the others.
    """
    specs: list[AgentSpec] = []
    problems: list[FileProblem] = []
    taken: dict[str, str] = {}
    for path in _agent_paths(config_dirs, problems):
        spec, reported = _load(path, config_dirs, allowed)
        in_use = spec is not None
        problems.extend(
            FileProblem(str(path), one.line, one.note, is_warning=in_use, leads_to=one.leads_to) for one in reported
        )
        if spec is None:
            continue
        other = _other_owner(spec, taken)
        if other is not None:
            problems.append(FileProblem(str(path), 0, other, stands_back=True))
            continue
        taken[folded(spec.name)] = taken[spec.phone] = spec.source
        specs.append(spec)
    return tuple(specs), tuple(problems)


def load_model_prompt(
    config_dirs: Sequence[Path], allowed: Collection[str] = ()
) -> tuple[str, str, tuple[FileProblem, ...]]:
    """Read the model-specific prompt: `prompts/Gemini.md` of the first directory with a usable one.

    Returns:
        The prompt and its path, or empty texts; and the problems of the ones before it.
    """
    problems: list[FileProblem] = []
    for path in (directory / "prompts" / f"{MODEL_PROMPT}.md" for directory in config_dirs):
        if not _is_there(path):
            continue
        try:
            return _read_prompt(path, config_dirs, allowed), str(path), tuple(problems)
        except UnreadableFileError as error:
            problems.append(FileProblem(str(path), error.line, error.note))
        except OutsideError as error:
            problems.append(FileProblem(str(path), 0, Note(FileReason.LEADS_OUT, error.target), leads_to=error.target))
    return "", "", tuple(problems)


def prompt_names(config_dirs: Sequence[Path]) -> tuple[str, ...]:
    """Return the names of the shared prompts, sorted, without the model-specific one."""
    names: set[str] = set()
    for directory in config_dirs:
        with contextlib.suppress(OSError):
            names.update(path.stem for path in (directory / "prompts").iterdir() if is_agents_file(path))
    return tuple(sorted(names - {MODEL_PROMPT}))


def is_agents_file(path: Path) -> bool:
    """Return whether a directory entry is, by its name, a Markdown file and no editor's temporary file."""
    return path.suffix.casefold() == ".md" and not path.name.startswith(".")


def _agent_paths(config_dirs: Sequence[Path], problems: list[FileProblem]) -> Iterator[Path]:
    for directory in config_dirs:
        agents = directory / "agents"
        try:
            entries = sorted(agents.iterdir())
        except OSError as error:
            if not isinstance(error, FileNotFoundError) or agents.is_symlink():
                why = Note(FileReason.FOLDER_UNREADABLE, str(error.strerror or error))
                problems.append(FileProblem(str(agents), 0, why))
            continue
        for path in entries:
            if is_agents_file(path) and not _is_directory(path):
                yield path


def _load(path: Path, config_dirs: Sequence[Path], allowed: Collection[str]) -> tuple[AgentSpec | None, list[Problem]]:
    """Read one file: its agent with warnings, or None with problems."""
    try:
        file = parse(read_text(path))
    except UnreadableFileError as error:
        return None, [Problem(error.line, error.note)]
    problems = list(problems_of(file))
    if problems:
        return None, problems
    name = unicodedata.normalize("NFC", file.fields["Agent Name"].word)
    prompts = _role_prompts(file, name, config_dirs, allowed)
    problems.extend(prompt for prompt in prompts if isinstance(prompt, Problem))
    texts = [prompt for prompt in prompts if not isinstance(prompt, Problem)]
    if problems:
        return None, problems
    return _spec(path, name, file, texts), list(warnings_of(file))


class _RolePrompt(NamedTuple):
    """A role prompt that was read."""

    name: str
    text: str
    source: Path


def _spec(path: Path, name: str, file: AgentFile, prompts: list[_RolePrompt]) -> AgentSpec:
    def field(heading: str) -> Field:
        return file.fields.get(heading, Field(0, "", 0))

    def word(heading: str) -> str:
        return field(heading).word

    trust = word("Approval").casefold()
    if not trust and "Gagged" in file.fields:
        trust = TrustLevel.OFF.value  # stored and never answered, which is what the heading means
    timezone = word("Agent Timezone")
    dm_history, group_history = histories_of(field("Context"))
    return AgentSpec(
        name=name,
        phone=phone_of(word("Agent Phone")),
        instructions=file.fields["Agent Instructions"].value,
        instructions_line=file.fields["Agent Instructions"].value_line,
        role_prompts=tuple(prompt.name for prompt in prompts),
        role_texts=tuple(prompt.text for prompt in prompts),
        role_sources=tuple(str(prompt.source) for prompt in prompts),
        timezone="" if is_none(timezone) else timezone,
        model=word("LLM"),
        source=str(path),
        aliases=aliases_of(field("Aliases")),
        sticker_sets=sticker_sets_of(field("Agent Sticker Set"), field("Agent Sticker Sets")),
        stickers=stickers_of(field("Agent Stickers")),
        trust=TrustLevel(trust) if trust else None,
        memory_scope=word("Memory Scope").casefold() or _MEMORY_SCOPE,
        dm_history=dm_history,
        group_history=group_history,
        is_disabled="Disabled" in file.fields,
        allowed_hosts=hosts_of(field("Allowed Hosts")),
        denied_hosts=hosts_of(field("Denied Hosts")),
        pictures=PictureChoice(word("Pictures").casefold() or PictureChoice.WORDS),
    )


def _role_prompts(
    file: AgentFile, agent: str, config_dirs: Sequence[Path], allowed: Collection[str]
) -> list[_RolePrompt | Problem]:
    """Find the role prompts: the agent's own first, then the shared ones, in the order of the directories."""
    own = (directory / "agents" / agent / "prompts" for directory in config_dirs)
    places = [*own, *(directory / "prompts" for directory in config_dirs)]
    found: list[_RolePrompt | Problem] = []
    for line, written in file.fields["Role Prompt"].lines():
        name = written.removesuffix(".md")
        try:
            prompt = _first_prompt(name, places, config_dirs, allowed)
        except OutsideError as error:
            found.append(Problem(line, Note(FileReason.PROMPT_LEADS_OUT, name, more=error.target), error.target))
        else:
            found.append(prompt if isinstance(prompt, _RolePrompt) else Problem(line, _missing(name, prompt)))
    return found


def _read_prompt(path: Path, config_dirs: Sequence[Path], allowed: Collection[str]) -> str:
    """Read a prompt, with the blank lines at its beginning; one outside the config directories only with permission.

    Prompts are sent to the model's provider, and a config directory may come from another person.

    Raises:
        OutsideError: It is outside and not allowed.
        UnreadableFileError: As `read_text`.
    """
    try:
        target = path.resolve()
        homes = [directory.resolve() for directory in config_dirs]
    except (OSError, RuntimeError) as error:
        raise UnreadableFileError(FileReason.UNREADABLE, str(error)) from error
    if str(target) not in allowed and not any(target.is_relative_to(home) for home in homes):
        raise OutsideError(str(target))
    return read_text(path).rstrip()


def _first_prompt(
    name: str, places: Sequence[Path], config_dirs: Sequence[Path], allowed: Collection[str]
) -> _RolePrompt | UnreadableFileError | None:
    """Return the first file of that name; its error; or None if there is none.

    Raises:
        OutsideError: It is a link to a file outside that is not allowed.
    """
    for place in places:
        path = place / f"{name}.md"
        if not _is_there(path):
            continue
        try:
            return _RolePrompt(name, _read_prompt(path, config_dirs, allowed), path)
        except UnreadableFileError as error:
            return error
    return None


def _is_directory(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False  # reading it says what is wrong


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return True  # reading it says what is wrong


def _missing(name: str, error: UnreadableFileError | None) -> Note:
    if error is not None:
        return Note(FileReason.PROMPT_UNUSABLE, name, cause=error.note)
    return Note(FileReason.PROMPT_MISSING, name)


def _other_owner(spec: AgentSpec, taken: dict[str, str]) -> Note | None:
    if folded(spec.name) in taken:
        return Note(FileReason.NAME_COMES_LATER, spec.name, more=taken[folded(spec.name)])
    if spec.phone in taken:
        return Note(FileReason.NUMBER_COMES_LATER, spec.phone, more=taken[spec.phone])
    return None
