"""A gateway whose look-ups wait as long as Telegram told, instead of asking again (SPEC §3, Failures)."""

from __future__ import annotations

from datetime import timedelta
from functools import wraps
from typing import TYPE_CHECKING, Any, cast

from chimein_gui.domain.errors import RateLimitedError, SlowModeError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chimein_gui.domain.ids import AgentId
    from chimein_gui.engine.method_waits import MethodWaits
    from chimein_gui.engine.ports import Clock, TelegramGateway

LOOK_UPS = frozenset(
    {
        "dialogs",
        "history",
        "find_sticker",
        "find_file",
        "blocked",
        "is_blocked",
        "muted_until",
        "mark_read",
        "show_typing",
    }
)
"""Verbs that are refused here while they wait; sends and the like have their own clocks in the database."""

_ONE_METHOD = {"is_blocked": "blocked"}
"""Verbs that ask Telegram what another one asks, so that they wait together."""

DEEDS = frozenset(
    {
        "send_text",
        "send_sticker",
        "edit_text",
        "delete_messages",
        "clear_conversation",
        "block",
        "unblock",
    }
)
"""Verbs whose waits are only noted here."""


def patient(gateway: TelegramGateway, agent_id: AgentId, waits: MethodWaits, clock: Clock) -> TelegramGateway:
    """Return the same gateway; asked a look-up that has to wait, it raises RateLimitedError without asking Telegram."""
    return cast("TelegramGateway", _PatientGateway(gateway, agent_id, waits, clock))


class _PatientGateway:
    """Passes every verb on, and listens for waits."""

    def __init__(self, gateway: TelegramGateway, agent_id: AgentId, waits: MethodWaits, clock: Clock) -> None:
        self._gateway = gateway
        self._agent_id = agent_id
        self._waits = waits
        self._clock = clock

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the gateway has
        verb = getattr(self._gateway, name)
        if name in LOOK_UPS or name in DEEDS:
            verb = self._heeding(name, verb)
            self.__dict__[name] = verb  # asked for once
        return verb

    def _heeding(self, name: str, verb: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        is_look_up, method = name in LOOK_UPS, _ONE_METHOD.get(name, name)

        @wraps(verb)
        async def heeding(*args: object, **options: object) -> object:
            left_s = self._waits.left_s(self._agent_id, method) if is_look_up else 0.0
            if left_s > 0:
                raise RateLimitedError(f"Telegram asks to wait {left_s:.0f} s more.", left_s, method)
            try:
                return await verb(*args, **options)
            except SlowModeError:
                raise  # the chat waits, not the account
            except RateLimitedError as error:
                if is_look_up:
                    self._waits.told(self._agent_id, method, error.retry_after_s)
                else:
                    until = self._clock.now() + timedelta(seconds=error.retry_after_s)
                    self._waits.begin(self._agent_id, method, until)
                raise

        return heeding
