"""Decides who of a crowd says what and when; nothing else in a scene but habits is random, and it follows the seed."""

from random import Random

from chimein_gui.sandbox.scenes.script import Crowd, Say


class CrowdTalk:
    """One crowd that talks; it has its own random generator, so that nothing else changes what it says.

    Args:
        crowd: The people and their subjects.
        seed: Seed of the generator.
        began_at: Scene time in seconds.
    """

    def __init__(self, crowd: Crowd, seed: str, *, began_at: float) -> None:
        self._crowd = crowd
        self._chance = Random(seed)
        self._ends_at = began_at + crowd.lasts
        self._next = [0] * len(crowd.subjects)
        self._spoken = [0] * len(crowd.subjects)
        self._seed = seed

    def next_moment(self, moment: float) -> float | None:
        """Return the scene time of the next line; None if there is no further one."""
        if not self._open():
            if not self._crowd.lasts:
                return None
            self._next = [0] * len(self._crowd.subjects)
        due = moment + self._crowd.every * self._chance.uniform(0.4, 1.6)
        return None if self._crowd.lasts and due > self._ends_at else due

    def next_line(self) -> tuple[Say, str]:
        """Return the next line of a randomly chosen subject, and its label."""
        subject = self._chance.choice(self._open())
        line = self._crowd.subjects[subject][self._next[subject]]
        is_answer = self._next[subject] > 0 and self._chance.random() < self._crowd.answers
        before = self._label(subject, self._spoken[subject]) if is_answer else ""
        self._next[subject] += 1
        self._spoken[subject] += 1
        say = Say(line.who, self._crowd.to, line.text, reply_to=before, answers=line.answers)
        return say, self._label(subject, self._spoken[subject])

    def _open(self) -> list[int]:
        """Return the subjects that have lines left."""
        return [one for one, lines in enumerate(self._crowd.subjects) if self._next[one] < len(lines)]

    def _label(self, subject: int, number: int) -> str:
        return f"{self._seed}/{subject}/{number}"
