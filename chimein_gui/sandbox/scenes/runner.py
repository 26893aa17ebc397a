"""Plays scenes in the server's event loop."""

from collections.abc import Callable
from dataclasses import replace

from chimein_gui.sandbox.scenes.acting import Actors, FindMedia
from chimein_gui.sandbox.scenes.library import SceneLibrary
from chimein_gui.sandbox.scenes.performance import Performance
from chimein_gui.sandbox.scenes.stage import SceneFaults, SceneModel
from chimein_gui.sandbox.scenes.timeline import LoopClock, Timeline
from chimein_gui.sandbox.seeds.made_up_accounts import company_in
from chimein_gui.sandbox.views.update_hub import Hub
from chimein_gui.sandbox.world.records import Change, Happenings, LogKind
from chimein_gui.sandbox.world.world import World
from chimein_gui.sandbox_api import Scenario, ScenarioProgress


class ScenarioRunner:
    """Plays one scene at a time; implements `stage.Stage`.

    Args:
        world: Where the scenes take place.
        hub: Pushes what happens, and reports what the accounts write.
        injector: Activates the faults of a scene.
        model: Gets the answers of a scene, and the seed.
        library: The scenes.
        find_media: Finds the files and stickers that scenes name.
        clock: The event loop's; simulated in tests.

    Attributes:
        changed: Called after every change of `progress`, `speed` or `seed`; the console sets it.
    """

    def __init__(
        self,
        world: World,
        hub: Hub,
        injector: SceneFaults,
        model: SceneModel,
        library: SceneLibrary,
        find_media: FindMedia,
        clock: LoopClock,
    ) -> None:
        self.changed: Callable[[], None] = _nobody_looks
        self._world = world
        self._hub = hub
        self._injector = injector
        self._model = model
        self._library = library
        self._find_media = find_media
        self._timeline = Timeline(clock, self._after_turn)
        self._seed = 0
        self._is_closed = False
        self._performance: Performance | None = None
        self._progress: ScenarioProgress | None = None

    @property
    def speed(self) -> float:
        """Scene seconds per second."""
        return self._timeline.speed

    @property
    def seed(self) -> int:
        """Seed of all random choices in scenes."""
        return self._seed

    def scenarios(self) -> tuple[Scenario, ...]:
        """Return all that can be played, in a stable order."""
        return self._library.scenarios()

    def progress(self) -> ScenarioProgress | None:
        """Return the progress of the current or the last scene, None before the first one."""
        return self._progress

    def start(self, name: str) -> None:
        """Play a scene from its beginning; a running one ends.

        Raises:
            ConnectionError: The sandbox has been closed.
            LookupError: There is no scene of this name.
            SceneError: Its file is invalid, or someone of its cast does not exist.
        """
        if self._is_closed:
            raise ConnectionResetError("the sandbox has gone")
        scene = self._library.scene(name, company_in(self._world).language)
        actors = Actors(scene, self._world, self._hub, self._find_media, self._model.written)
        self._leave()
        self._timeline.rewind()
        self._timeline.pause(paused=False)
        self._performance = Performance(scene, actors, self._injector, self._timeline, self._seed)
        self._hub.listen(self._listen)
        self._performance.begin()
        self._tell()

    def stop(self) -> None:
        """End the scene and remove its faults; its messages stay."""
        if self._performance is not None:
            self._leave()
            if self._progress is not None and not self._progress.finished:
                self._progress = replace(self._progress, stopped=True)
            self.changed()

    def pause(self, *, paused: bool) -> None:
        """Pause or continue the scene; without one, nothing happens."""
        if self._performance is not None:
            self._timeline.pause(paused=paused)
            self._tell()

    def set_speed(self, speed: float) -> None:
        """Set the speed from now on.

        Raises:
            ValueError: It is not within 0.1 and 1,000.
        """
        self._timeline.set_speed(speed)
        self.changed()

    def set_seed(self, seed: int) -> None:
        """Set the seed: for scenes from the next start on, for the model at once."""
        self._seed = seed
        self._model.seed = seed
        self.changed()

    def close(self) -> None:
        """Stop permanently; a second call has no effect."""
        self._is_closed = True
        self._leave()

    def _leave(self) -> None:
        performance, self._performance = self._performance, None
        if performance is None:
            return
        self._hub.listen(None)
        self._timeline.rewind()
        self._timeline.pause(paused=False)
        performance.end()
        self._progress = _progress(performance, paused=False)

    def _listen(self, happenings: Happenings) -> None:
        """Pass the accounts' messages on to the scene: the writer's own copy of each, once."""
        performance = self._performance
        if performance is None:
            return
        for happening in happenings:
            if isinstance(happening, Change) and happening.entry.kind is LogKind.MESSAGE:
                message = self._world.box(happening.owner_id).live(happening.entry.ids[0])
                is_own = message is not None and (message.outgoing or message.owner_id < 0)
                if message is not None and is_own and not self._world.users[message.sender_id].is_partner:
                    performance.heard(message)

    def _after_turn(self) -> None:
        performance = self._performance
        if performance is not None and (performance.problem or performance.is_over):
            self._leave()
            self.changed()
        elif performance is not None:
            self._tell()

    def _tell(self) -> None:
        if self._performance is not None:
            self._progress = _progress(self._performance, paused=self._timeline.is_paused)
        self.changed()


def _progress(performance: Performance, *, paused: bool) -> ScenarioProgress:
    return ScenarioProgress(
        name=performance.scene.name,
        done=min(performance.done, performance.scene.size),
        paused=paused,
        finished=performance.is_over and not performance.problem,
        problem=performance.problem,
    )


def _nobody_looks() -> None:
    """Do nothing; the default of `changed` until the console sets it."""
