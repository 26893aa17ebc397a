"""What the console asks of whoever plays scenes, and what a scene asks of whoever makes faults."""

from collections.abc import Callable
from typing import Protocol

from chimein_gui.sandbox_api import FaultRule, Scenario, ScenarioProgress


class Stage(Protocol):
    """Plays one scene at a time; every method returns at once.

    Attributes:
        changed: Called whenever `progress`, `speed` or `seed` changed; the console sets it.
    """

    changed: Callable[[], None]

    @property
    def speed(self) -> float:
        """Scene seconds a second."""
        ...

    @property
    def seed(self) -> int:
        """Of all chance in scenes."""
        ...

    def scenarios(self) -> tuple[Scenario, ...]:
        """Return all that can be played, in a stable order; may read files, so a thread may ask."""
        ...

    def start(self, name: str) -> None:
        """Play a scene from its beginning; one that plays already ends.

        Raises:
            LookupError: There is none of that name, or the world lacks one of its people.
            ValueError: Its file is faulty.
        """
        ...

    def stop(self) -> None:
        """End what plays and take back the faults it brought; without a scene nothing happens."""
        ...

    def pause(self, *, paused: bool) -> None:
        """Pause or go on."""
        ...

    def set_speed(self, speed: float) -> None:
        """Play faster or slower from now on; ValueError outside 0.1 to 1,000."""
        ...

    def set_seed(self, seed: int) -> None:
        """Take another seed, from the next start on."""
        ...

    def progress(self) -> ScenarioProgress | None:
        """Return what plays or has played last, None if nothing has."""
        ...

    def close(self) -> None:
        """Stop for good."""
        ...


class WrittenDown(Protocol):
    """Takes the answers of a scene."""

    def tell(self, persona: str, sender_id: int, message_id: int, answers: tuple[str, ...]) -> None:
        """Note how a message is answered, in place of what was noted before.

        Args:
            persona: Who answers, by name.
            sender_id: Who wrote the message.
            message_id: Its number in the persona's own box.
            answers: Written variants.
        """
        ...


class SceneModel(Protocol):
    """What the model says while a scene plays; the server's script.

    Attributes:
        seed: Decides between evasions.
    """

    seed: int

    @property
    def written(self) -> WrittenDown:
        """Where scenes tell their answers."""
        ...


class SceneFaults(Protocol):
    """Takes the faults of a scene; the server's fault desk."""

    def begin(self, rule: FaultRule) -> int:
        """Put a rule into force or let it happen, without waiting for the end of a RESTART.

        Returns:
            The id of the rule; 0 for what has happened at once.

        Raises:
            LookupError: It is to happen to an account that does not exist.
            ValueError: It makes no sense; in words for the operator.
        """
        ...

    def remove(self, fault_id: int) -> None:
        """Take a rule back; one that has ended already is no error."""
        ...
