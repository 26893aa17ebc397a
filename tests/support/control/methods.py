"""What the control channel serves: the console, and what tests and benchmarks need besides.

Each part is a table of names to functions; parameters are checked on the way in, so that a client that gets them wrong
is told so.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from typing import Any, TypeVar

from chimein_gui.engine.sandbox_port import DuplicateMode, FaultRule, from_json, to_json
from chimein_gui.sandbox.console import LocalConsole
from chimein_gui.sandbox.model.script import ModelScript
from tests.support.control.channel import Method, Params

T = TypeVar("T")
_LONGEST_POLL_S = 20.0
"""A client that waits for a change is answered after this long even without one, and asks again; so a client that has
gone leaves nothing waiting for it."""


def _given(params: Params, name: str, kind: type[T]) -> T:
    """Return a parameter of the type it is to have.

    Raises:
        KeyError: If it is missing.
        ValueError: If it is something else.
    """
    try:
        return from_json(kind, params[name])
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


class PeopleMethods:
    """Everybody, and speaking as the partners."""

    def __init__(self, console: LocalConsole) -> None:
        self._console = console

    def table(self) -> dict[str, Method]:
        """Return what is served."""
        return {
            "cast": self._cast,
            "partners": self._partners,
            "speak": self._speak,
            "speak_many": self._speak_many,
            "mailbox": self._mailbox,
            "mailbox_counts": self._mailbox_counts,
            "migrate_group": self._migrate_group,
            "login_codes": self._login_codes,
            "scan_login": self._scan_login,
        }

    async def _cast(self, _params: Params) -> Any:
        return to_json(await self._console.cast())

    async def _partners(self, _params: Params) -> Any:
        return to_json(await self._console.partners())

    async def _speak(self, params: Params) -> int:
        partner_id, peer_id = _given(params, "partner_id", int), _given(params, "peer_id", int)
        return await self._console.speak(partner_id, peer_id, _given(params, "text", str))

    async def _speak_many(self, params: Params) -> list[int]:
        return list(await self._console.speak_many([(one, other, text) for one, other, text in params["lines"]]))

    async def _mailbox(self, params: Params) -> Any:
        return to_json(await self._console.mailbox(_given(params, "partner_id", int)))

    async def _mailbox_counts(self, _params: Params) -> list[list[int]]:
        return [[user_id, count] for user_id, count in (await self._console.mailbox_counts()).items()]

    async def _migrate_group(self, params: Params) -> int:
        return await self._console.migrate_group(_given(params, "peer_id", int))

    async def _login_codes(self, _params: Params) -> Any:
        return to_json(await self._console.login_codes())

    async def _scan_login(self, params: Params) -> None:
        await self._console.scan_login(_given(params, "url", str), _given(params, "phone", str))


class FaultMethods:
    """What goes wrong."""

    def __init__(self, console: LocalConsole) -> None:
        self._console = console

    def table(self) -> dict[str, Method]:
        """Return what is served."""
        return {
            "rehearsal": self._rehearsal,
            "inject": self._inject,
            "remove_fault": self._remove_fault,
            "clear_faults": self._clear_faults,
            "set_duplicate_mode": self._set_duplicate_mode,
            "set_seed": self._set_seed,
            "forget_random_ids": self._forget_random_ids,
        }

    async def _rehearsal(self, params: Params) -> Any:
        """Wait for a change, but not for ever: the client sees by the revision whether there was one."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LONGEST_POLL_S):
                return to_json(await self._console.rehearsal(after=_given(params, "after", int)))
        return to_json(await self._console.rehearsal())

    async def _inject(self, params: Params) -> int:
        return await self._console.inject(_given(params, "rule", FaultRule))

    async def _remove_fault(self, params: Params) -> None:
        await self._console.remove_fault(_given(params, "fault_id", int))

    async def _clear_faults(self, _params: Params) -> None:
        await self._console.clear_faults()

    async def _set_duplicate_mode(self, params: Params) -> None:
        await self._console.set_duplicate_mode(_given(params, "mode", DuplicateMode))

    async def _set_seed(self, params: Params) -> None:
        await self._console.set_seed(_given(params, "seed", int))

    async def _forget_random_ids(self, params: Params) -> int:
        return self._console.faults.forget_random_ids(_given(params, "older_than_s", float))


class SceneMethods:
    """What is played."""

    def __init__(self, console: LocalConsole) -> None:
        self._console = console

    def table(self) -> dict[str, Method]:
        """Return what is served."""
        return {
            "start_scenario": self._start,
            "stop_scenario": self._stop,
            "pause_scenario": self._pause,
            "set_speed": self._set_speed,
        }

    async def _start(self, params: Params) -> None:
        await self._console.start_scenario(_given(params, "name", str))

    async def _stop(self, _params: Params) -> None:
        await self._console.stop_scenario()

    async def _pause(self, params: Params) -> None:
        await self._console.pause_scenario(paused=_given(params, "paused", bool))

    async def _set_speed(self, params: Params) -> None:
        await self._console.set_speed(_given(params, "speed", float))


class HouseMethods:
    """What tests and benchmarks need besides: the model's script, keys, the end.

    Args:
        model: What the model will answer and has been asked.
        auth_key: Gives an account's key, for clients that log in with preseeded keys.
        login_code: Gives the login code under way to a number.
        shutdown: Called when a client asks the server to end.
    """

    def __init__(
        self,
        model: ModelScript,
        auth_key: Callable[[int], bytes],
        login_code: Callable[[str], str],
        shutdown: Callable[[], None],
    ) -> None:
        self._model = model
        self._auth_key = auth_key
        self._login_code = login_code
        self._shutdown = shutdown

    def table(self) -> dict[str, Method]:
        """Return what is served."""
        return {
            "set_model_delay": self._set_model_delay,
            "queue_reply": self._queue_reply,
            "queue_error": self._queue_error,
            "model_calls": self._model_calls,
            "auth_key": self._give_auth_key,
            "login_code": self._give_login_code,
            "shutdown": self._end,
        }

    async def _set_model_delay(self, params: Params) -> None:
        self._model.set_delay(_given(params, "seconds", float))

    async def _queue_reply(self, params: Params) -> None:
        self._model.queue_reply(_given(params, "text", str))

    async def _queue_error(self, params: Params) -> None:
        self._model.queue_error(_given(params, "status", int), str(params.get("message", "")))

    async def _model_calls(self, _params: Params) -> list[Params]:
        return [asdict(call) for call in self._model.calls]

    async def _give_auth_key(self, params: Params) -> str:
        return self._auth_key(_given(params, "account_id", int)).hex()

    async def _give_login_code(self, params: Params) -> str:
        return self._login_code(_given(params, "phone", str))

    async def _end(self, _params: Params) -> None:
        self._shutdown()
