"""Waits that Telegram imposes on accounts (FLOOD_WAIT), per method, and a gateway that obeys them.

The waits outlast connections and are shown. A look-up that has to wait is refused without asking Telegram.
"""

from __future__ import annotations

import logging
from contextlib import aclosing
from datetime import timedelta
from functools import wraps
from typing import TYPE_CHECKING, Any, cast

from chimein_gui.domain.agents import MethodWait
from chimein_gui.domain.errors import AccountFrozenError, RateLimitedError, SlowModeError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.engine.core.clock import pause
from chimein_gui.reporting.log_lines import FROM_OUTSIDE, about

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable
    from datetime import datetime

    from chimein_gui.domain.ids import AgentId
    from chimein_gui.engine.ports import Clock, FoundFile, Spawn, TelegramGateway


_log = logging.getLogger(__name__)


class MethodWaits:
    """The current waits of the accounts' methods.

    Attributes:
        on_new_wait: Called with a new wait of a look-up, to be stored: agent, method, end.
    """

    def __init__(
        self, clock: Clock, spawn: Spawn, on_changed: Callable[[AgentId], None], on_over: Callable[[AgentId], None]
    ) -> None:
        """`on_changed` is called when a wait has begun, `on_over` when one is over."""
        self._on_over = on_over
        self._clock = clock
        self._spawn = spawn
        self._on_changed = on_changed
        self._until: dict[AgentId, dict[str, datetime]] = {}
        self.on_new_wait: Callable[[AgentId, str, datetime], None] = lambda _agent_id, _method, _until: None

    def of(self, agent_id: AgentId) -> tuple[MethodWait, ...]:
        """Return an account's current waits, the one that ends first in front."""
        now = self._clock.now()
        waits = [MethodWait(method, until) for method, until in self._until.get(agent_id, {}).items() if until > now]
        return tuple(sorted(waits, key=lambda wait: (wait.until, wait.method)))

    def left_s(self, agent_id: AgentId, method: str) -> float:
        """Return for how many seconds a method still has to wait; 0 if it is free."""
        until = self._until.get(agent_id, {}).get(method)
        return 0.0 if until is None else max(0.0, (until - self._clock.now()).total_seconds())

    def begin(self, agent_id: AgentId, method: str, until: datetime) -> None:
        """Begin a wait of a method; a shorter one does not shorten a longer one."""
        mine = self._until.setdefault(agent_id, {})
        if until <= self._clock.now() or until <= mine.get(method, self._clock.now()):
            return
        mine[method] = until
        self._on_changed(agent_id)
        self._spawn(self._end(agent_id, method, until), name=f"flood wait of agent {agent_id}")

    def note(self, agent_id: AgentId, method: str, seconds: float) -> None:
        """Begin a look-up's wait that Telegram has just imposed; it is also stored, to survive a restart."""
        until = self._clock.now() + timedelta(seconds=seconds)
        self.begin(agent_id, method, until)
        self.on_new_wait(agent_id, method, until)

    def forget(self, agent_id: AgentId) -> None:
        """Drop the waits of an agent whose account has changed."""
        if self._until.pop(agent_id, None):
            self._on_changed(agent_id)

    async def _end(self, agent_id: AgentId, method: str, until: datetime) -> None:
        """Report the end of a wait, unless it was prolonged or belongs to another account now."""
        shown = until

        def show(now_until: datetime) -> None:
            nonlocal shown
            mine = self._until.get(agent_id, {})
            if mine.get(method) == shown and now_until < shown:  # the clock was set back
                mine[method] = shown = now_until
                self._on_changed(agent_id)

        await pause(self._clock, (until - self._clock.now()).total_seconds(), show)
        mine = self._until.get(agent_id, {})
        if mine.get(method) == shown:
            del mine[method]
            self._on_over(agent_id)


LOOK_UPS = frozenset(
    {
        "dialogs",
        "history",
        "find_sticker",
        "find_file",
        "blocked",
        "is_blocked",
        "muted_until",
        "is_frozen",
        "mark_read",
        "show_typing",
        "upload",
        "sticker_set",
    }
)
"""Methods that are refused here while they wait; the waits of sends and other changes are in the database."""

_FILES = "find_file"

_ONE_METHOD = {"is_blocked": "blocked"}
"""Methods that send the same request as another, so that they wait together."""

ACTIONS = frozenset(
    {
        "send_text",
        "send_sticker",
        "send_file",
        "edit_text",
        "delete_messages",
        "clear_conversation",
        "block",
        "unblock",
    }
)
"""Methods whose waits are only recorded here."""

OF_THE_CONNECTION = frozenset({"connect", "disconnect", "wait_lost", "is_up", "clock_ahead_s"})
"""Methods that are passed on unchanged."""


def rate_limited_gateway(
    gateway: TelegramGateway,
    agent_id: AgentId,
    waits: MethodWaits,
    clock: Clock,
    on_frozen: Callable[[], object] = lambda: None,
) -> TelegramGateway:
    """Wrap a gateway: a look-up that has to wait raises RateLimitedError without asking Telegram.

    Args:
        gateway: The gateway.
        agent_id: The agent.
        waits: The waits that Telegram has imposed.
        clock: Time.
        on_frozen: Called at every refusal because the account is frozen.
    """
    return cast("TelegramGateway", _RateLimitedGateway(gateway, agent_id, waits, clock, on_frozen))


class _RateLimitedGateway:
    """Passes every call on, and records waits."""

    def __init__(
        self,
        gateway: TelegramGateway,
        agent_id: AgentId,
        waits: MethodWaits,
        clock: Clock,
        on_frozen: Callable[[], object],
    ) -> None:
        self._gateway = gateway
        self._on_frozen = on_frozen
        self._agent_id = agent_id
        self._waits = waits
        self._clock = clock

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the gateway has
        if name in OF_THE_CONNECTION:
            return getattr(self._gateway, name)
        if name not in LOOK_UPS and name not in ACTIONS:
            # An unwrapped method would not obey the waits.
            raise AttributeError(f"{name} is in none of the lists of methods: LOOK_UPS, ACTIONS, OF_THE_CONNECTION")
        call = self._heeding(name, getattr(self._gateway, name))
        self.__dict__[name] = call  # cached
        return call

    def _heeding(self, name: str, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        is_look_up, method = name in LOOK_UPS, _ONE_METHOD.get(name, name)

        @wraps(call)
        async def heeding(*args: object, **options: object) -> object:
            left_s = self._waits.left_s(self._agent_id, method) if is_look_up else 0.0
            if left_s > 0:
                raise RateLimitedError(Note(ConnectionReason.WAIT_LEFT, number=round(left_s)), left_s, method)
            try:
                found = await call(*args, **options)
            except SlowModeError:
                raise  # the chat waits, not the account
            except AccountFrozenError:
                self._on_frozen()
                raise
            except RateLimitedError as error:
                self._note(method, error.retry_after_s, is_look_up=is_look_up)
                raise
            if name == _FILES:
                return _RateLimitedFile(found, lambda seconds: self._note(_FILES, seconds, is_look_up=True))
            return found

        return heeding

    def _note(self, method: str, seconds: float, *, is_look_up: bool) -> None:
        until = (self._clock.now() + timedelta(seconds=seconds)).astimezone()
        with about(agent_id=self._agent_id):
            _log.warning("FloodWait %d s on %s, until %s", seconds, method, f"{until:%H:%M:%S}", extra=FROM_OUTSIDE)
        if is_look_up:
            self._waits.note(self._agent_id, method, seconds)
        else:
            self._waits.begin(self._agent_id, method, self._clock.now() + timedelta(seconds=seconds))


class _RateLimitedFile:
    """A found file; Telegram may impose a wait on fetching it, too."""

    def __init__(self, found: FoundFile, note: Callable[[float], None]) -> None:
        self._found, self._note = found, note
        self.file_id, self.size = found.file_id, found.size

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """Fetch it, piece by piece."""
        try:
            async with aclosing(self._found.pieces()) as pieces:
                async for piece in pieces:
                    yield piece
        except RateLimitedError as error:
            self._note(error.retry_after_s)
            raise
