"""Edits the files of agents and prompts for the operator: changes of other programs are merged or asked about."""

from __future__ import annotations

import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui.domain.agent_files.edits import with_line, with_value
from chimein_gui.domain.agent_files.parsing import parse
from chimein_gui.domain.agent_files.sources import SourceFile, SourceKind
from chimein_gui.domain.errors import RefusedError, StoreError
from chimein_gui.domain.input.names import folded, has_path_character, name_problem
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.configs import ConfigReason
from chimein_gui.domain.notes.files import FileReason
from chimein_gui.domain.text.line_merge import merge_lines
from chimein_gui.engine.agents.fixed_part import SharedByAll, fixed_part, role_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from chimein_gui.domain.agent_files.fixed_part import FixedPart
    from chimein_gui.domain.agent_files.sources import Draft
    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.engine.agents.agent_files import AgentFileWatcher
    from chimein_gui.engine.ports import SourceFiles

NAME, PHONE, ROLES = "Agent Name", "Agent Phone", "Role Prompt"

_MOST_NAME = 240
"""Bytes of a prompt's name; file systems allow 255 with the ending."""


@dataclass(frozen=True, slots=True)
class SaveResult:
    """What became of a save.

    Attributes:
        text: The text of the file now.
        is_merged: Another program had changed other lines; their changes are in it.
        is_conflict: Another program has changed the same lines: nothing is written, and `text` is theirs.
    """

    text: str
    is_merged: bool = False
    is_conflict: bool = False


class SourceEditor:
    """Reads, saves, renames, copies and archives the files that agents are made of."""

    def __init__(
        self,
        files: SourceFiles | None,
        watcher: AgentFileWatcher,
        specs: Callable[[], Iterable[AgentSpec]],
        shared: Callable[[], SharedByAll] = SharedByAll,
    ) -> None:
        """Create the service.

        Args:
            files: The files; without them nothing can be edited.
            watcher: Takes what was written into use.
            specs: Returns the agents in use.
            shared: Returns what the prompts of all agents have in common.
        """
        self._given = files
        self._watcher = watcher
        self._specs = specs
        self._shared = shared

    @property
    def _files(self) -> SourceFiles:
        if self._given is None:
            raise RefusedError(Note(ConfigReason.NO_CONFIG_DIRECTORY))
        return self._given

    async def files(self) -> tuple[SourceFile, ...]:
        """Return all agent files and prompts; archived ones last."""
        return await self._given.files() if self._given is not None else ()

    async def read(self, path: str) -> str:
        """Return a file as it is written, byte for byte.

        Raises:
            RefusedError: It can't be read as text; says why.
        """
        return await self._files.read(path)

    def used_by(self, path: str) -> tuple[str, ...]:
        """Return the names of the agents that use a prompt."""
        return tuple(spec.name for spec in self._specs() if path in spec.role_sources)

    async def fixed_part(self, text: str, prompts: Mapping[str, str]) -> FixedPart:
        """Estimate the part of an agent's prompts that is the same in all its calls.

        Args:
            text: The agent file, perhaps not saved yet.
            prompts: Paths of the role prompts by name; one that can't be read counts nothing.
        """
        found: dict[str, str] = {}
        for name in role_names(text):
            if name in prompts:
                with suppress(RefusedError):
                    found[name] = await self._files.read(prompts[name])
        return fixed_part(text, found, self._shared())

    async def save(self, path: str, base: str, text: str) -> SaveResult:
        """Write a changed file. What another program changed since `base` was read is kept, or nothing is written.

        An agent's own folder of prompts and memories follows its new name.

        Raises:
            RefusedError: It can't be written; says why.
        """
        result = await self._write_merged(path, base, text)
        if result.is_conflict:
            return result
        before, after = (_name_in(one) for one in (base, result.text))
        if _is_agent(path) and before and after and before != after:
            await self._move_own_folder(path, before, after)
        await self._take()
        return result

    async def create_prompt(self, name: str, text: str, agent: str = "") -> str:
        """Write a new prompt into the first config directory that can be written to, and return its path.

        Args:
            name: Its name.
            text: Its text.
            agent: Name of the agent for whom alone it is; empty for all.

        Raises:
            RefusedError: The name can't be used or is taken, or the file can't be written; says which.
        """
        _check_prompt_name(name)
        folder = await self._home()
        place = folder / "agents" / agent / "prompts" if agent else folder / "prompts"
        path = place / f"{name}.md"
        await self._files.write(str(path), text, None)
        await self._take()
        return str(path)

    async def rename(self, path: str, name: str) -> str:
        """Rename an agent or a prompt, and return the new path; agents that use the prompt follow.

        Raises:
            RefusedError: The name can't be used or is taken, or a file can't be written; says which.
        """
        source = Path(path)
        target = source.with_name(f"{name}.md")
        if _is_agent(path):
            _check_agent_name(name)
            self._check_free(name, path)
            base = await self._files.read(path)
            before = _name_in(base)
            text = with_value(base, NAME, name)
            await self._write_or_refuse(path, base, text)
            moves = [(path, str(target))]
            if before:
                moves.append((str(source.parent / before), str(source.parent / name)))
            try:
                await self._files.move(tuple(moves))
            except RefusedError:
                await self._files.write(path, base, text)
                raise
        else:
            _check_prompt_name(name)
            users = [spec.source for spec in self._specs() if path in spec.role_sources]
            await self._files.move(((path, str(target)),))
            for user in dict.fromkeys(users):
                await self._rename_role(user, source.stem, name)
        await self._take()
        return str(target)

    async def duplicate(self, path: str, name: str) -> str:
        """Copy an agent or a prompt under another name, and return the path.

        The copy of an agent has no number: two agents can't share one, so it is not used before it gets its own.

        Raises:
            RefusedError: The name can't be used or is taken, or a file can't be written; says which.
        """
        source = Path(path)
        text = await self._files.read(path)
        folder = await self._home()
        if _is_agent(path):
            _check_agent_name(name)
            self._check_free(name, "")
            before = _name_in(text)
            text = with_value(with_value(text, NAME, name), PHONE, "")
            target = folder / "agents" / f"{name}.md"
            await self._files.write(str(target), text, None)
            if before:
                await self._files.copy(str(source.parent / before / "prompts"), str(target.parent / name / "prompts"))
        else:
            _check_prompt_name(name)
            own = source.parent.parent.name if source.parent.parent.parent.name == "agents" else ""
            place = folder / "agents" / own / "prompts" if own else folder / "prompts"
            target = place / f"{name}.md"
            await self._files.write(str(target), text, None)
        await self._take()
        return str(target)

    async def archive(self, path: str) -> str:
        """Move an agent or a prompt to the archive, which is not loaded, and return its new path.

        Raises:
            RefusedError: An agent uses the prompt, or it can't be moved; says which.
        """
        users = self.used_by(path)
        if users:
            raise RefusedError(Note(ConfigReason.PROMPT_IS_USED, Path(path).stem, more=", ".join(users)))
        source = await self._known(path)
        inside = Path(path).relative_to(source.folder)
        target = Path(source.folder) / "archive" / inside
        taken = {one.path for one in await self._files.files()}
        number = 2
        while str(target) in taken:
            target = target.with_name(f"{source.name} {number}.md")
            number += 1
        await self._move_with_folder(path, str(target), source)
        return str(target)

    async def restore(self, path: str) -> str:
        """Move a file from the archive back to its place, and return its path.

        Raises:
            RefusedError: Another file has its place, or it can't be moved.
        """
        source = await self._known(path)
        target = Path(source.folder) / Path(path).relative_to(Path(source.folder) / "archive")
        await self._move_with_folder(path, str(target), source)
        return str(target)

    async def keep_draft(self, draft: Draft) -> None:
        """Keep unsaved changes against a crash.

        Raises:
            RefusedError: They can't be kept.
        """
        await self._files.keep_draft(draft)

    async def drop_draft(self, path: str) -> None:
        """Forget unsaved changes."""
        await self._files.drop_draft(path)

    async def drafts(self) -> tuple[Draft, ...]:
        """Return the unsaved changes that an earlier run left."""
        return await self._given.drafts() if self._given is not None else ()

    # --- parts ----------------------------------------------------------------------------------------------------

    async def _write_merged(self, path: str, base: str, text: str) -> SaveResult:
        expected, merged = base, text
        while True:
            theirs = await self._files.write(path, merged, expected)
            if theirs is None:
                return SaveResult(merged, is_merged=merged != text)
            both = merge_lines(base, text, theirs)
            if both is None:
                return SaveResult(theirs, is_conflict=True)
            expected, merged = theirs, both

    async def _write_or_refuse(self, path: str, base: str, text: str) -> None:
        if await self._files.write(path, text, base) is not None:
            raise RefusedError(Note(ConfigReason.FILE_CHANGED, path))

    async def _move_own_folder(self, path: str, before: str, after: str) -> None:
        place = Path(path).parent
        known = {one.agent for one in await self._files.files() if Path(one.path).is_relative_to(place)}
        if before in known:
            await self._files.move(((str(place / before), str(place / after)),))

    async def _move_with_folder(self, path: str, target: str, source: SourceFile) -> None:
        moves = [(path, target)]
        if source.kind is SourceKind.AGENT:
            name = _name_in(await self._files.read(path))
            if name and name_problem(name) is None:
                moves.append((str(Path(path).parent / name), str(Path(target).parent / name)))
        await self._files.move(tuple(moves))
        await self._take()

    async def _rename_role(self, path: str, before: str, after: str) -> None:
        base = await self._files.read(path)
        field = parse(base).fields.get(ROLES)
        if field is None:
            return
        text = base
        for number, written in field.lines():
            if written.removesuffix(".md") == before:
                text = with_line(text, number, after)
        await self._write_or_refuse(path, base, text)

    async def _home(self) -> Path:
        """Return the first config directory that can be written to."""
        return Path(await self._files.home())

    async def _known(self, path: str) -> SourceFile:
        found = next((one for one in await self._files.files() if one.path == path), None)
        if found is None:
            raise RefusedError(Note(FileReason.NOT_THERE, path))
        return found

    def _check_free(self, name: str, path: str) -> None:
        for spec in self._specs():
            if folded(spec.name) == folded(name) and spec.source != path:
                raise RefusedError(Note(ConfigReason.NAME_IS_USED, name, more=spec.source))

    async def _take(self) -> None:
        with suppress(StoreError):  # it is taken as soon as the database works again
            await self._watcher.reload()


def _is_agent(path: str) -> bool:
    return Path(path).parent.name == "agents"


def _name_in(text: str) -> str:
    field = parse(text).fields.get(NAME)
    return unicodedata.normalize("NFC", field.word) if field is not None else ""


def _check_agent_name(name: str) -> None:
    problem = name_problem(unicodedata.normalize("NFC", name))
    if problem is not None:
        raise RefusedError(problem)


def _check_prompt_name(name: str) -> None:
    if not name.strip() or name.startswith(".") or has_path_character(name) or len(name.encode()) > _MOST_NAME:
        raise RefusedError(Note(FileReason.PROMPT_NAME, name[:60]))
