"""The scenes of a directory."""

import threading
from collections.abc import Mapping
from pathlib import Path

from chimein_gui.sandbox.scenes.fields import SceneError
from chimein_gui.sandbox.scenes.reading import read_scene
from chimein_gui.sandbox.scenes.script import Scene
from chimein_gui.sandbox.text_files import read_text
from chimein_gui.sandbox_api import FaultRule, Scenario, SceneFault


class SceneLibrary:
    """Reads `*.yaml` when first requested.

    An invalid file is listed too, with its problem, so that the picker shows it. Reading all takes some
    tenths of a second; in an event loop, list them in a thread. Several threads that list them at once read every file
    only once.
    """

    def __init__(self, directory: Path, catalogue: Mapping[str, FaultRule]) -> None:
        self._directory = directory
        self._catalogue = catalogue
        self._entries: dict[str, Scene | SceneError] = {}
        self._reading = threading.Lock()

    def scenarios(self) -> tuple[Scenario, ...]:
        """Return the scenes that can be played, in the order of file names; ``x.de.yaml`` is x in another language."""
        paths = sorted(self._directory.glob("*.yaml"))
        return tuple(_offer(path.stem, self._entry(path)) for path in paths if "." not in path.stem)

    def scene(self, name: str, language: str = "") -> Scene:
        """Return a scene.

        Args:
            name: As `scenarios` has it.
            language: The preferred language, used if there is such a file.

        Raises:
            LookupError: There is no scene of this name.
            SceneError: Its file is invalid.
        """
        path, known = self._directory / f"{name}.yaml", frozenset(self._directory.glob("*.yaml"))
        if path not in known:  # a name from outside must not lead elsewhere
            raise LookupError(f"there is no scene {name!r}")
        translated = self._directory / f"{name}.{language}.yaml"
        path = translated if translated in known else path
        entry = self._entry(path)
        if isinstance(entry, SceneError):
            raise entry
        return entry

    def _entry(self, path: Path) -> Scene | SceneError:
        if path.stem not in self._entries:
            with self._reading:
                if path.stem not in self._entries:
                    self._entries[path.stem] = self._load(path)
        return self._entries[path.stem]

    def _load(self, path: Path) -> Scene | SceneError:
        try:
            return read_scene(path.name, read_text(path), path.stem.partition(".")[0], self._catalogue)
        except SceneError as error:
            return error
        except (OSError, ValueError) as error:
            return SceneError(path.name, 1, SceneFault.UNREADABLE, error)
        except (NotImplementedError, RecursionError, TypeError) as error:  # by ruamel.yaml, for unusual YAML
            return SceneError(path.name, 1, SceneFault.NO_YAML, error)


def _offer(name: str, entry: Scene | SceneError) -> Scenario:
    if isinstance(entry, SceneError):
        return Scenario(name, name, "", problem=entry.problem)
    return Scenario(name, entry.title, entry.summary, entry.size)
