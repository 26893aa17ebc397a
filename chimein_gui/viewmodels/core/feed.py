"""What a view model needs at construction, and the registry that attaches models to the engine and detaches them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.engine_api.engine import EngineApi

Api = TypeVar("Api")
ApiIn = TypeVar("ApiIn", contravariant=True)
Registered = TypeVar("Registered", bound="Attachable[EngineApi]")


class Attachable(Protocol[ApiIn]):
    """A model that calls the engine; `ApiIn` is the part of the engine that it uses, a protocol in its own module."""

    def attach(self, api: ApiIn, spawn: Spawn, /) -> None:
        """Keep the engine to query, and fetch; events are already subscribed to."""
        ...


@runtime_checkable
class Detachable(Protocol):
    """A model with something to stop before the engine is closed."""

    def detach(self) -> None:
        """Stop timers and pending work."""
        ...


class ModelRegistry(Generic[Api]):
    """Attaches every registered model in the order of registration, and detaches them in reverse order."""

    def __init__(self) -> None:
        self._models: list[Attachable[Api]] = []
        self._api: Api | None = None
        self._spawn: Spawn | None = None

    def register(self, model: Attachable[Api]) -> None:
        """Attach a model once there is an engine; at once where there is one already."""
        self._models.append(model)
        if self._api is not None and self._spawn is not None:
            model.attach(self._api, self._spawn)

    def attach(self, api: Api, spawn: Spawn) -> None:
        """Attach all models; the bridge must be attached before."""
        self._api, self._spawn = api, spawn
        for model in tuple(self._models):
            model.attach(api, spawn)

    def detach(self) -> None:
        """Detach every model that is `Detachable`."""
        for model in reversed(self._models):
            if isinstance(model, Detachable):
                model.detach()
        self._api = self._spawn = None

    def spawn(self, job: Coroutine[Any, Any, None], *, name: str) -> None:
        """Run a coroutine as an engine job; without an engine it is dropped."""
        if self._spawn is None:
            job.close()
        else:
            self._spawn(job, name=name)


class Feed(Protocol):
    """What a model's factory receives: the part of `WindowModels` that most models need.

    A factory whose model builds on shared models takes `WindowModels` itself.
    """

    @property
    def bridge(self) -> EngineBridge:
        """Delivers events and answers in Qt's loop."""
        ...

    @property
    def clock(self) -> ClockFace:
        """Formats times."""
        ...

    def spawn(self, job: Coroutine[Any, Any, None], *, name: str) -> None:
        """Run a coroutine as an engine job; without an engine it is dropped."""
        ...

    def register(self, model: Registered) -> Registered:
        """Have a model attached when there is an engine, and detached before it is closed; return it."""
        ...
