"""The interfaces between the console, the player of scenes, the model and the faults."""

from collections.abc import Callable
from typing import Protocol

from chimein_gui.sandbox_api import FaultRule, Scenario, ScenarioProgress


class Stage(Protocol):
    """Plays one scene at a time; no method waits for the scene.

    Attributes:
        changed: Called after every change of `progress`, `speed` or `seed`; the console sets it.
    """

    changed: Callable[[], None]

    @property
    def speed(self) -> float:
        """Scene seconds per second."""
        ...

    @property
    def seed(self) -> int:
        """Seed of all random choices in scenes."""
        ...

    def scenarios(self) -> tuple[Scenario, ...]:
        """Return all scenes that can be played, in a stable order; it may read files, so a thread may call it."""
        ...

    def start(self, name: str) -> None:
        """Play a scene from its beginning; a running one ends.

        Raises:
            LookupError: There is no scene of this name, or someone of its cast does not exist.
            ValueError: Its file is invalid.
        """
        ...

    def stop(self) -> None:
        """End the scene and remove its faults; without a scene nothing happens."""
        ...

    def pause(self, *, paused: bool) -> None:
        """Pause or continue the scene."""
        ...

    def set_speed(self, speed: float) -> None:
        """Set the speed from now on.

        Raises:
            ValueError: It is not within 0.1 and 1,000.
        """
        ...

    def set_seed(self, seed: int) -> None:
        """Set the seed, from the next start on."""
        ...

    def progress(self) -> ScenarioProgress | None:
        """Return the progress of the current or the last scene, None before the first one."""
        ...

    def close(self) -> None:
        """Stop permanently."""
        ...


class WrittenDown(Protocol):
    """Stores the model's answers to messages of a scene."""

    def tell(self, persona: str, sender_id: int, message_id: int, answers: tuple[str, ...]) -> None:
        """Set a persona's answers to a message; earlier ones are replaced.

        Args:
            persona: Name of who answers.
            sender_id: Who wrote the message.
            message_id: Its id in the persona's own sequence.
            answers: Equivalent texts.
        """
        ...


class SceneModel(Protocol):
    """The model while a scene plays; implemented by the server's script.

    Attributes:
        seed: Selects among evasions.
    """

    seed: int

    @property
    def written(self) -> WrittenDown:
        """Stores the answers of scenes."""
        ...


class SceneFaults(Protocol):
    """Activates the faults of a scene; implemented by the server's fault injector."""

    def begin(self, rule: FaultRule) -> int:
        """Activate a rule or execute it at once; it does not wait for the end of a RESTART.

        Returns:
            The id of the rule; 0 if it was executed at once.

        Raises:
            LookupError: Its account does not exist.
            ValueError: It is invalid; the text is for the operator.
        """
        ...

    def remove(self, fault_id: int) -> None:
        """Remove a rule; one that has already ended is no error."""
        ...
