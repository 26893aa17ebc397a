"""What a view model is made from, and the one place that attaches models to the engine and detaches them again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.engine_api.engine import EngineApi

Api = TypeVar("Api")
ApiIn = TypeVar("ApiIn", contravariant=True)


class Attachable(Protocol[ApiIn]):
    """A model that asks something of the engine; `ApiIn` is what it asks, as a protocol that stands beside it."""

    def attach(self, api: ApiIn, spawn: Spawn, /) -> None:
        """Remember whom to ask, and fetch; events have been subscribed to before."""
        ...


@runtime_checkable
class Detachable(Protocol):
    """A model that has something to stop before the engine is closed."""

    def detach(self) -> None:
        """Come to rest."""
        ...


class ModelRegistry(Generic[Api]):
    """Attaches every registered model, in the order of their registration, and detaches them in the opposite order."""

    def __init__(self) -> None:
        self._models: list[Attachable[Api]] = []
        self._api: Api | None = None
        self._spawn: Spawn | None = None

    def register(self, model: Attachable[Api]) -> None:
        """Attach a model as soon as there is an engine, which may be now."""
        self._models.append(model)
        if self._api is not None and self._spawn is not None:
            model.attach(self._api, self._spawn)

    def attach(self, api: Api, spawn: Spawn) -> None:
        """Attach all models; the bridge must be attached before."""
        self._api, self._spawn = api, spawn
        for model in tuple(self._models):
            model.attach(api, spawn)

    def detach(self) -> None:
        """Let every model stop that has something to stop."""
        for model in reversed(self._models):
            if isinstance(model, Detachable):
                model.detach()
        self._api = self._spawn = None

    def spawn(self, job: Coroutine[Any, Any, None], *, name: str) -> None:
        """Run a job in the engine's jobs; without an engine it is dropped."""
        if self._spawn is None:
            job.close()
        else:
            self._spawn(job, name=name)


@dataclass(frozen=True, slots=True)
class Feed:
    """What the maker of a pane's model is given.

    Attributes:
        bridge: Hands over events and answers in Qt's loop.
        spawn: Runs a job of the engine's; one that is spawned without an engine is dropped.
        clock: Tells times.
        register: Has a model attached when there is an engine, and detached before it is closed.
    """

    bridge: EngineBridge
    spawn: Spawn
    clock: ClockFace
    register: Callable[[Attachable[EngineApi]], None]
