"""Files of agents and prompts as the editor opens them: byte for byte, and never over a change by somebody else."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import threading
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.agents.agents import is_agents_file
from chimein_gui.adapters.files.atomic import PRIVATE, make_private, write_atomic
from chimein_gui.adapters.files.texts import UnreadableFileError, read_text
from chimein_gui.domain.agent_files.sources import Draft, SourceFile, SourceKind
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.configs import ConfigReason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

AGENTS, PROMPTS = "agents", "prompts"

ARCHIVE = "archive"
"""Folder of a config directory for files that are not loaded; it has the same folders inside."""

DRAFTS = "chimein-drafts"
"""Folder of the state directory for unsaved changes; no agent can have this name."""


class ConfigSourceFiles:
    """Implements `engine.ports.SourceFiles`; disk access runs in threads, one at a time."""

    def __init__(self, config_dirs: Sequence[Path], state: Path, samples: Path | None = None) -> None:
        """Create the adapter.

        Args:
            config_dirs: In order of priority; they may be missing.
            state: The state directory, which keeps unsaved changes.
            samples: The config directory that comes with Chimein; nothing is written there.
        """
        self._config_dirs = tuple(dict.fromkeys(config_dirs))
        self._drafts = state / DRAFTS
        self._samples = samples
        self._lock = threading.Lock()

    async def files(self) -> tuple[SourceFile, ...]:
        return await asyncio.to_thread(self._files)

    async def home(self) -> str:
        found = next((directory for directory in self._config_dirs if directory != self._samples), None)
        if found is None:
            raise RefusedError(Note(ConfigReason.NO_CONFIG_DIRECTORY))
        return str(found)

    async def read(self, path: str) -> str:
        return await asyncio.to_thread(self._read, Path(path))

    async def write(self, path: str, text: str, expected: str | None) -> str | None:
        return await asyncio.to_thread(self._write, Path(path), text, expected)

    async def move(self, moves: tuple[tuple[str, str], ...]) -> None:
        await asyncio.to_thread(self._move, [(Path(old), Path(new)) for old, new in moves])

    async def copy(self, source: str, target: str) -> None:
        await asyncio.to_thread(self._copy, Path(source), Path(target))

    async def keep_draft(self, draft: Draft) -> None:
        await asyncio.to_thread(self._keep_draft, draft)

    async def drop_draft(self, path: str) -> None:
        await asyncio.to_thread(self._drop_draft, path)

    async def drafts(self) -> tuple[Draft, ...]:
        return await asyncio.to_thread(self._kept_drafts)

    # --- in threads -----------------------------------------------------------------------------------------------

    def _files(self) -> tuple[SourceFile, ...]:
        loaded = [one for directory in self._config_dirs for one in self._in(directory, directory, is_archived=False)]
        archived = [
            one for directory in self._config_dirs for one in self._in(directory, directory / ARCHIVE, is_archived=True)
        ]
        return (*loaded, *archived)

    def _in(self, home: Path, directory: Path, *, is_archived: bool) -> Iterator[SourceFile]:
        is_fixed = home == self._samples

        def made(path: Path, kind: SourceKind, agent: str = "") -> SourceFile:
            return SourceFile(str(path), kind, path.stem, str(home), agent, is_archived, is_fixed)

        for path in _entries(directory / AGENTS):
            if is_agents_file(path):
                yield made(path, SourceKind.AGENT)
        for path in _entries(directory / PROMPTS):
            if is_agents_file(path):
                yield made(path, SourceKind.PROMPT)
        for own in _entries(directory / AGENTS):
            if not is_agents_file(own):
                for path in _entries(own / PROMPTS):
                    if is_agents_file(path):
                        yield made(path, SourceKind.PROMPT, own.name)

    def _read(self, path: Path) -> str:
        self._check_place(path)
        try:
            return read_text(path, is_exact=True)
        except UnreadableFileError as error:
            raise RefusedError(error.note) from error

    def _write(self, path: Path, text: str, expected: str | None) -> str | None:
        self._check_writable(path)
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise RefusedError(Note(ConfigReason.SURROGATES, str(path))) from error
        with self._lock:
            try:
                if expected is None:
                    if path.exists() or path.is_symlink():
                        raise RefusedError(Note(ConfigReason.FILE_IS_THERE, str(path)))
                    path.parent.mkdir(parents=True, exist_ok=True)
                    write_atomic(path, data)
                    return None
                now = self._read(path)
                if now != expected:
                    return now
                write_atomic(path, data, mode=(path.stat().st_mode & 0o777) or PRIVATE)
            except OSError as error:
                raise _refused(ConfigReason.AGENT_FILE_NOT_WRITTEN, path, error) from error
        return None

    def _move(self, moves: list[tuple[Path, Path]]) -> None:
        for pair in moves:
            for path in pair:
                self._check_writable(path)
        done: list[tuple[Path, Path]] = []
        with self._lock:
            try:
                for old, new in moves:
                    if done and not old.exists():
                        continue
                    if (new.exists() or new.is_symlink()) and not (old.exists() and new.samefile(old)):
                        raise RefusedError(Note(ConfigReason.FILE_IS_THERE, str(new)))
                    new.parent.mkdir(parents=True, exist_ok=True)
                    old.rename(new)
                    done.append((old, new))
            except (OSError, RefusedError) as error:
                for old, new in reversed(done):
                    with contextlib.suppress(OSError):
                        new.rename(old)
                if isinstance(error, OSError):
                    raise _refused(ConfigReason.FILE_NOT_MOVED, moves[0][0], error) from error
                raise

    def _copy(self, source: Path, target: Path) -> None:
        self._check_writable(target)
        files = [path for path in _entries(source) if is_agents_file(path)]
        if not files:
            return
        try:
            target.mkdir(parents=True, exist_ok=True)
            for path in files:
                shutil.copyfile(path, target / path.name)
        except OSError as error:
            raise _refused(ConfigReason.AGENT_FILE_NOT_WRITTEN, target, error) from error

    def _check_place(self, path: Path) -> None:
        """Refuse paths that are no agents, prompts or directories of agents."""
        if not any(_is_inside(path, directory) for directory in self._config_dirs) or ".." in path.parts:
            raise RefusedError(Note(ConfigReason.NOT_IN_CONFIG, str(path)))

    def _check_writable(self, path: Path) -> None:
        """Refuse the samples, which belong to the program, and links that lead out of the config directories."""
        self._check_place(path)
        if self._samples is not None and path.is_relative_to(self._samples):
            raise RefusedError(Note(ConfigReason.COMES_WITH_CHIMEIN, str(path.parent)))
        try:
            target = path.resolve()
            homes = [directory.resolve() for directory in self._config_dirs]
        except (OSError, RuntimeError) as error:
            raise RefusedError(Note(ConfigReason.NOT_IN_CONFIG, str(path))) from error
        if not any(target.is_relative_to(home) for home in homes):
            raise RefusedError(Note(ConfigReason.NOT_IN_CONFIG, str(target)))

    def _draft_path(self, path: str) -> Path:
        return self._drafts / f"{sha256(path.encode('utf-8', 'surrogatepass')).hexdigest()}.json"

    def _keep_draft(self, draft: Draft) -> None:
        kept = json.dumps({"path": draft.path, "base": draft.base, "text": draft.text})
        try:
            make_private(self._drafts)
            write_atomic(self._draft_path(draft.path), kept)
        except OSError as error:
            raise _refused(ConfigReason.AGENT_FILE_NOT_WRITTEN, self._drafts, error) from error

    def _drop_draft(self, path: str) -> None:
        with contextlib.suppress(OSError):
            self._draft_path(path).unlink()

    def _kept_drafts(self) -> tuple[Draft, ...]:
        found = []
        for path in _entries(self._drafts):
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                kept = json.loads(path.read_text(encoding="utf-8"))
                found.append(Draft(str(kept["path"]), str(kept["base"]), str(kept["text"])))
        return tuple(found)


def _entries(directory: Path) -> list[Path]:
    try:
        return sorted(directory.iterdir())
    except OSError:
        return []  # that it can't be read is a problem that reading the agents tells


def _is_inside(path: Path, directory: Path) -> bool:
    roots = (directory / AGENTS, directory / PROMPTS, directory / ARCHIVE)
    return any(path.is_relative_to(root) and path != root for root in roots)


def _refused(why: ConfigReason, path: Path, error: OSError) -> RefusedError:
    return RefusedError(Note(why, str(path), more=str(error.strerror or error)))
