"""The voices that come with the program: one file a persona, each read when its persona first has to speak."""

from functools import lru_cache
from pathlib import Path

from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.model.talk.patterns import words_of
from chimein_gui.sandbox.model.talk.reading import read_voice
from chimein_gui.sandbox.model.talk.voice import Voice
from chimein_gui.sandbox.scenes.fields import SceneError
from chimein_gui.sandbox.text_files import read_text

ANYONE = "anyone"
"""The file of the neutral voice, of whoever has none."""


class VoiceLibrary:
    """Knows whose voices there are by the names of their files: ``nora-vale.yaml`` is Nora Vale's.

    Reading one takes some tenths of a second of pure Python, so whoever does it in an event loop does it in a thread.
    """

    def __init__(self, directory: Path | None = None) -> None:
        """Look where the program's own voices are, or elsewhere."""
        self._directory = directory or resource_path("sandbox", "voices")

    @property
    def names(self) -> tuple[str, ...]:
        """Whose voices there are, as file names without their ending."""
        return tuple(path.stem for path in sorted(self._directory.glob("*.yaml")) if path.stem != ANYONE)

    def voice(self, persona: str) -> Voice:
        """Return the voice of a persona, the neutral one if it has none of its own.

        Raises:
            SceneError: Its file can't be used; names file and line.
        """
        name = file_name_of(persona)
        path = self._directory / f"{name if name in self.names else ANYONE}.yaml"
        try:
            return _read(path, path.stat().st_mtime_ns)
        except SceneError:
            raise
        except (OSError, ValueError) as error:
            raise SceneError(path.name, 1, f"can't be read: {error}") from None
        except (NotImplementedError, RecursionError, TypeError) as error:  # ruamel.yaml, on YAML of the odder kinds
            raise SceneError(path.name, 1, f"can't be understood: {error}") from None


def file_name_of(persona: str) -> str:
    """Return ``nora-vale`` for Nora Vale."""
    return "-".join(words_of(persona))


@lru_cache(maxsize=16)
def _read(path: Path, _changed_at: int) -> Voice:
    """Read a file; one that has not changed is read once, however many sandboxes a process starts."""
    return read_voice(path.name, read_text(path))
