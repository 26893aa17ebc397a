"""Automatic reactions of partners to what the accounts write to them while a scene plays."""

from collections.abc import Iterator
from random import Random

from chimein_gui.sandbox.scenes.acting import Actors
from chimein_gui.sandbox.scenes.script import Habit, Read, Say, Scene, Type
from chimein_gui.sandbox.scenes.timeline import Act
from chimein_gui.sandbox.world.records import StoredMessage

_READS_WITHIN_S = 2.0
_TYPES_S = 3.0


class Habits:
    """Reads, types and sometimes answers; the number of answers is limited, so that two machines never loop."""

    def __init__(self, scene: Scene, actors: Actors, seed: int) -> None:
        self._actors = actors
        self._habits = {habit.who: habit for habit in scene.habits}
        self._chance = {who: Random(f"{seed}/{scene.name}/{who}") for who in self._habits}
        self._answers: dict[str, int] = {}

    def towards(self, message: StoredMessage) -> Iterator[tuple[float, Act]]:
        """Yield the recipient's reactions to a direct message, each with its delay in scene seconds."""
        who = self._actors.name_of(message.peer_id)
        writer = self._actors.name_of(message.sender_id)
        habit = self._habits.get(who)
        if habit is None or not writer:
            return
        chance = self._chance[who]
        reads_after = max(0.0, habit.reads_after) * chance.uniform(0.5, 1.5)
        if habit.reads_after >= 0:
            yield reads_after, lambda _at: self._actors.do(Read(who, writer), "")
        said = self._answers.get(who, 0)
        if not habit.answers or said >= habit.at_most or chance.random() >= habit.chance:
            return
        self._answers[who] = said + 1
        types_at = reads_after + chance.uniform(0.5, _READS_WITHIN_S)
        yield types_at, lambda _at: self._actors.do(Type(who, writer, _TYPES_S), "")
        yield types_at + _TYPES_S, lambda _at: self._actors.do(self._answer(habit, said, writer), "")

    def _answer(self, habit: Habit, said: int, to: str) -> Say:
        line = habit.answers[said % len(habit.answers)]
        return Say(habit.who, to, line.text, answers=line.answers)
