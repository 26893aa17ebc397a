"""One scene being played: the position of each track, what it waits for, and the faults it has activated."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from chimein_gui.sandbox.scenes.acting import Actors, LineError
from chimein_gui.sandbox.scenes.crowd import CrowdTalk
from chimein_gui.sandbox.scenes.habits import Habits
from chimein_gui.sandbox.scenes.script import Crowd, Inject, RemoveFault, Repeat, Scene, Step, Type, Wait
from chimein_gui.sandbox.scenes.stage import SceneFaults
from chimein_gui.sandbox.scenes.timeline import Act, Timeline
from chimein_gui.sandbox.world.records import StoredMessage
from chimein_gui.sandbox_api import SandboxRefusedError, SceneFault, SceneProblem

TYPING_LASTS_S = 5.0
"""Seconds after which typing is shown again; clients show it for six seconds."""


@dataclass(slots=True)
class _Frame:
    """Steps that are played in order.

    Attributes:
        rounds: How many rounds remain, this one included; 0 for ever.
        counts: Whether its steps count for the progress.
    """

    steps: tuple[Step, ...]
    rounds: int = 1
    counts: bool = True
    index: int = 0


_Track = list[_Frame]
"""Nested frames; the last one is being played."""


class Performance:
    """Plays one scene on a timeline.

    Attributes:
        done: How many of its steps have been played.
        problem: Why it stopped before its end; None without a problem.
    """

    def __init__(self, scene: Scene, actors: Actors, injector: SceneFaults, timeline: Timeline, seed: int) -> None:
        self.scene = scene
        self.done = 0
        self.problem: SceneProblem | None = None
        self._actors = actors
        self._injector = injector
        self._timeline = timeline
        self._seed = seed
        self._unfinished = 0
        self._waiting: list[tuple[_Track, Step, Wait]] = []
        self._faults: dict[str, list[int]] = {}
        self._habits = Habits(scene, actors, seed)

    @property
    def is_over(self) -> bool:
        """Whether all tracks and crowds have ended."""
        return self._unfinished == 0

    def begin(self) -> None:
        """Schedule the first step of every track."""
        for steps in self.scene.tracks:
            self._unfinished += 1
            self._go_on([_Frame(steps)], 0.0)

    def end(self) -> None:
        """Remove the faults that the scene has activated."""
        faults, self._faults = self._faults, {}
        for fault_ids in faults.values():
            self._remove_faults(fault_ids)

    def heard(self, message: StoredMessage) -> None:
        """React to a message of an account: tracks that wait for it continue, and habits apply.

        Args:
            message: The writer's own copy.
        """
        now = self._timeline.now()
        self._actors.hear(message)
        for waiting in self._waiting:
            if self._actors.answer(waiting[2]) is message:
                self._timeline.at(now, self._guarded(waiting[1], partial(self._answered, waiting, message)))
        for delay, act in self._habits.towards(message):
            self._timeline.at(now + delay, self._guarded(None, act))

    def _guarded(self, step: Step | None, act: Act) -> Act:
        """Wrap an action so that an error ends the scene and is stored as its problem."""

        def guarded(moment: float) -> None:
            try:
                act(moment)
            except LineError as error:
                self._break(step, error.fault, *error.said)
            except SandboxRefusedError as error:
                self._break(step, SceneFault.RULE, error.why, *error.said)
            except (LookupError, ValueError, PermissionError) as error:  # by the world
                self._break(step, SceneFault.REFUSED, str(error))
            except Exception:
                self._break(step, SceneFault.BROKEN)
                raise

        return guarded

    def _break(self, step: Step | None, fault: SceneFault, *said: str) -> None:
        self.problem = SceneProblem(fault, self.scene.path, step.line if step else 0, said)
        self._timeline.rewind()

    # -- how a track goes on ------------------------------------------------------------------------------------------

    def _go_on(self, track: _Track, moment: float) -> None:
        """Schedule the next step of a track, or end the track."""
        while track and track[-1].index == len(track[-1].steps):
            frame = track[-1]
            frame.index = 0
            if frame.rounds == 1:
                track.pop()
            elif frame.rounds:
                frame.rounds -= 1
        if not track:
            self._unfinished -= 1
            return
        step = track[-1].steps[track[-1].index]
        track[-1].index += 1
        self._timeline.at(moment + step.after, self._guarded(step, lambda at: self._play(track, step, at)))

    def _play(self, track: _Track, step: Step, moment: float) -> None:
        action = step.action
        if isinstance(action, Repeat):
            track.append(_Frame(action.steps, action.times, counts=track[-1].counts))
        else:
            self.done += track[-1].counts
        if isinstance(action, Wait):
            self._wait(track, step, action, moment)
            return
        if isinstance(action, Type):
            moment = self._type(step, action, moment)
        elif isinstance(action, Crowd):
            self._gather(step, action, moment, counts=track[-1].counts and action.size > 0)
        elif isinstance(action, Inject):
            self._inject(step, action)
        elif isinstance(action, RemoveFault):
            self._remove_fault(action)
        elif not isinstance(action, Repeat):
            self._actors.do(action, step.label)
        self._go_on(track, moment)

    # -- waiting for an account ---------------------------------------------------------------------------------------

    def _wait(self, track: _Track, step: Step, wait: Wait, moment: float) -> None:
        waiting = (track, step, wait)
        self._waiting.append(waiting)
        answer = self._actors.answer(wait)
        if answer is not None:
            self._answered(waiting, answer, moment)
        else:
            self._timeline.at(moment + wait.up_to, self._guarded(step, lambda at: self._gave_up(waiting, at)))

    def _answered(self, waiting: tuple[_Track, Step, Wait], answer: StoredMessage, moment: float) -> None:
        track, step, wait = waiting
        if self._no_longer(waiting):
            return
        self._actors.remember(step.label, answer)
        self._branch(track, wait.then, moment)

    def _gave_up(self, waiting: tuple[_Track, Step, Wait], moment: float) -> None:
        if not self._no_longer(waiting):
            self._branch(waiting[0], waiting[2].otherwise, moment)

    def _no_longer(self, waiting: tuple[_Track, Step, Wait]) -> bool:
        """Remove a track from the waiting ones; return True if it was not waiting any more."""
        for index, one in enumerate(self._waiting):
            if one is waiting:
                del self._waiting[index]
                return False
        return True

    def _branch(self, track: _Track, steps: tuple[Step, ...], moment: float) -> None:
        if steps:
            track.append(_Frame(steps, counts=False))
        self._go_on(track, moment)

    # -- lasting actions ----------------------------------------------------------------------------------------------

    def _type(self, step: Step, action: Type, moment: float) -> float:
        """Show someone typing, with repeated notices; return the scene time at which it ends."""
        end = moment + action.seconds
        self._actors.do(action, "")
        while (moment := moment + TYPING_LASTS_S) < end:
            self._timeline.at(moment, self._guarded(step, lambda _at: self._actors.do(action, "")))
        return end

    def _gather(self, step: Step, action: Crowd, moment: float, *, counts: bool) -> None:
        """Start a crowd, which talks in parallel to the tracks."""
        self._unfinished += 1
        talk = CrowdTalk(action, f"{self._seed}/{self.scene.name}/{step.line}", began_at=moment)

        def go_on(at: float) -> None:
            next_moment = talk.next_moment(at)
            if next_moment is None:
                self._unfinished -= 1
            else:
                self._timeline.at(next_moment, self._guarded(step, speak))

        def speak(at: float) -> None:
            say, label = talk.next_line()
            self._actors.do(say, label)
            self.done += counts
            go_on(at)

        go_on(moment)

    # -- faults -------------------------------------------------------------------------------------------------------

    def _inject(self, step: Step, action: Inject) -> None:
        account_id = self._actors.peer_id(action.account) if action.account else 0
        fault_id = self._injector.begin(replace(action.rule, account_id=account_id))
        if fault_id:
            self._faults.setdefault(step.label or f"#{fault_id}", []).append(fault_id)  # repeated lines bring several

    def _remove_fault(self, action: RemoveFault) -> None:
        labels: Sequence[str] = [action.fault] if action.fault else list(self._faults)
        for label in labels:
            self._remove_faults(self._faults.pop(label, []))

    def _remove_faults(self, fault_ids: Sequence[int]) -> None:
        for fault_id in fault_ids:
            self._injector.remove(fault_id)
