"""The voices that come with the program: one file per persona, each read when it is first needed."""

from functools import lru_cache
from pathlib import Path

from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.model.talk.patterns import words_of
from chimein_gui.sandbox.model.talk.reading import read_voice
from chimein_gui.sandbox.model.talk.voice import Voice
from chimein_gui.sandbox.scenes.fields import SceneError
from chimein_gui.sandbox.text_files import read_text
from chimein_gui.sandbox_api import SceneFault

ANYONE = "anyone"
"""File name of the neutral voice, for personas without a voice of their own."""


class VoiceLibrary:
    """Finds the voice of a persona by its file name: ``nora-vale.yaml`` is Nora Vale's.

    Reading one takes some tenths of a second of pure Python; in an event loop, do it in a thread.
    """

    def __init__(self, directory: Path | None = None) -> None:
        """Use the voices in a directory; None for those of the program."""
        self._directory = directory or resource_path("sandbox", "voices")

    @property
    def names(self) -> tuple[str, ...]:
        """The personas that have a voice, as file names without extension."""
        try:
            return _names_in(self._directory, self._directory.stat().st_mtime_ns)
        except OSError:
            return ()

    def voice(self, persona: str) -> Voice:
        """Return the voice of a persona, or the neutral one if it has none.

        Raises:
            SceneError: Its file can't be used; the error names file and line.
        """
        name = file_name_of(persona)
        path = self._directory / f"{name if name in self.names else ANYONE}.yaml"
        try:
            return _read(path, path.stat().st_mtime_ns)
        except SceneError:
            raise
        except (OSError, ValueError) as error:
            raise SceneError(path.name, 1, SceneFault.UNREADABLE, error) from None
        except (NotImplementedError, RecursionError, TypeError) as error:  # by ruamel.yaml, for unusual YAML
            raise SceneError(path.name, 1, SceneFault.NO_YAML, error) from None


@lru_cache(maxsize=256)
def file_name_of(persona: str) -> str:
    """Convert ``Nora Vale`` to ``nora-vale``."""
    return "-".join(words_of(persona))


@lru_cache(maxsize=4)
def _names_in(directory: Path, _changed_at: int) -> tuple[str, ...]:
    """Return the names of the voice files of a directory; cached until one comes or goes."""
    return tuple(path.stem for path in sorted(directory.glob("*.yaml")) if path.stem != ANYONE)


@lru_cache(maxsize=16)
def _read(path: Path, _changed_at: int) -> Voice:
    """Read a voice file; cached until the file changes, for all sandboxes of the process."""
    return read_voice(path.name, read_text(path))
