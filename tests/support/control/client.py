"""The client of the sandbox's control channel: `SandboxConsole` for a sandbox in another process (SPEC §11).

The server's side is `tests.support.control.channel`. Who waits for a change of the rehearsal does so on a
connection of its own, so that nothing else waits with it.
"""

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

from chimein_gui.engine.sandbox_port import (
    Cast,
    DuplicateMode,
    FaultRule,
    RehearsalState,
    SandboxDelivery,
    SandboxLoginCode,
    SandboxPartner,
    from_json,
    to_json,
)
from tests.support.control.line import ControlLine, SandboxControlError

__all__ = ["ControlChannelConsole", "HouseKeys", "SandboxControlError"]


class HouseKeys:
    """What tests and benchmarks need besides the console: the model's script, keys, the end."""

    def __init__(self, line: ControlLine) -> None:
        self._line = line

    async def set_model_delay(self, seconds: float) -> None:
        """Let every answer of the model take this long."""
        await self._line.ask("set_model_delay", seconds=seconds)

    async def queue_reply(self, text: str) -> None:
        """Let the model answer one of the next calls with `text`."""
        await self._line.ask("queue_reply", text=text)

    async def queue_error(self, status: int, message: str = "") -> None:
        """Let the model answer one of the next calls with an HTTP error."""
        await self._line.ask("queue_error", status=status, message=message)

    async def model_calls(self) -> list[dict[str, Any]]:
        """Return the last thousand model calls: model, system_instruction, contents."""
        calls: list[dict[str, Any]] = await self._line.ask("model_calls")
        return calls

    async def auth_key(self, account_id: int) -> bytes:
        """Return an account's preseeded auth key.

        Raises:
            SandboxRefusedError: If there is no such account.
        """
        return bytes.fromhex(await self._line.ask("auth_key", account_id=account_id))

    async def login_code(self, phone: str) -> str:
        """Return the login code that is under way to a number.

        Raises:
            SandboxRefusedError: If there is none.
        """
        code: str = await self._line.ask("login_code", phone=phone)
        return code

    async def speak_many(self, lines: Iterable[tuple[int, int, str]]) -> tuple[int, ...]:
        """Send many (partner, peer, text) in one request.

        Returns:
            The message ids in the partners' own sequences.

        Raises:
            SandboxRefusedError: If anybody does not exist; then nothing is sent.
            SandboxRefusedError: If a text can't be sent; then nothing is sent.
        """
        return tuple(await self._line.ask("speak_many", lines=list(lines)))

    async def mailbox_counts(self) -> dict[int, int]:
        """Return how many messages each partner has received, by user id."""
        return dict(await self._line.ask("mailbox_counts"))

    async def forget_random_ids(self, older_than_s: float) -> int:
        """Let the server forget the `random_id` of messages sent at least so long ago; returns how many."""
        forgotten: int = await self._line.ask("forget_random_ids", older_than_s=older_than_s)
        return forgotten

    async def shutdown(self) -> None:
        """Ask the sandbox to end in an orderly way."""
        await self._line.ask("shutdown")


class ControlChannelConsole(HouseKeys):
    """Implements `SandboxConsole` over the control channel."""

    def __init__(self, line: ControlLine, port: int, token: str) -> None:
        super().__init__(line)
        self._port = port
        self._token = token

    @classmethod
    async def connect(cls, port: int, token: str) -> Self:
        """Connect on the loopback address and show the token.

        Raises:
            OSError: If nobody listens.
            SandboxControlError: If the token is wrong.
        """
        return cls(await ControlLine.connect(port, token), port, token)

    @classmethod
    async def from_port_file(cls, path: Path) -> Self:
        """Connect to the sandbox that wrote this file.

        Raises:
            OSError: If there is no file, or nobody listens any more.
            SandboxControlError: If the token is wrong, or the file is another one.
        """
        try:
            description = json.loads(await asyncio.to_thread(path.read_text, encoding="utf-8"))
            port, token = int(description["control_port"]), str(description["token"])
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            raise SandboxControlError(f"{path} is not what a sandbox writes: {error!r}") from error
        return await cls.connect(port, token)

    # -- people -------------------------------------------------------------------------------------------------------

    async def cast(self) -> Cast:
        """Return everybody, what can be played and what can go wrong."""
        return from_json(Cast, await self._line.ask("cast"))

    async def partners(self) -> tuple[SandboxPartner, ...]:
        """Return all simulated people, in a stable order."""
        return tuple(from_json(SandboxPartner, one) for one in await self._line.ask("partners"))

    async def speak(self, partner_id: int, peer_id: int, text: str) -> int:
        """Send `text` as the partner to an agent's account or a group.

        Returns:
            The message id in the partner's own sequence.

        Raises:
            SandboxRefusedError: If either does not exist, or the partner is not in the group.
            SandboxRefusedError: If the text can't be sent, in words for the operator.
        """
        message_id: int = await self._line.ask("speak", partner_id=partner_id, peer_id=peer_id, text=text)
        return message_id

    async def mailbox(self, partner_id: int) -> tuple[SandboxDelivery, ...]:
        """Return everything the partner received, oldest first.

        Raises:
            SandboxRefusedError: If there is no such partner.
        """
        return tuple(from_json(SandboxDelivery, one) for one in await self._line.ask("mailbox", partner_id=partner_id))

    # -- logging in ---------------------------------------------------------------------------------------------------

    async def login_codes(self) -> tuple[SandboxLoginCode, ...]:
        """Return the log-in codes under way, newest first."""
        return tuple(from_json(SandboxLoginCode, one) for one in await self._line.ask("login_codes"))

    async def scan_login(self, url: str, phone: str) -> None:
        """Accept a QR log-in as another device of the number's account would.

        Raises:
            SandboxRefusedError: If nobody has that number.
            SandboxRefusedError: If the picture is worth nothing; in words for the operator.
        """
        await self._line.ask("scan_login", url=url, phone=phone)

    # -- faults -------------------------------------------------------------------------------------------------------

    async def rehearsal(self, *, after: int = -1) -> RehearsalState:
        """Return the state as soon as its revision is above `after`; -1 for at once."""
        line = self._line if after < 0 else await ControlLine.connect(self._port, self._token)
        try:
            while (state := from_json(RehearsalState, await line.ask("rehearsal", after=after))).revision <= after:
                pass  # the sandbox answers now and then without a change
        finally:
            if line is not self._line:
                await line.aclose()
        return state

    async def inject(self, rule: FaultRule) -> int:
        """Put a rule into force, or let it happen.

        Returns:
            The id of the rule; 0 for what has happened at once.

        Raises:
            SandboxRefusedError: If it is to happen to an account that does not exist.
            SandboxRefusedError: If it makes no sense; in words for the operator.
        """
        fault_id: int = await self._line.ask("inject", rule=to_json(rule))
        return fault_id

    async def remove_fault(self, fault_id: int) -> None:
        """Take a rule back; one that has ended already is no error.

        Raises:
            SandboxRefusedError: If there has never been a rule of this id.
        """
        await self._line.ask("remove_fault", fault_id=fault_id)

    async def clear_faults(self) -> None:
        """Take all rules back."""
        await self._line.ask("clear_faults")

    async def set_duplicate_mode(self, mode: DuplicateMode) -> None:
        """Decide what a repeated `random_id` gets."""
        await self._line.ask("set_duplicate_mode", mode=to_json(mode))

    async def set_seed(self, seed: int) -> None:
        """Start the generator of all chance anew."""
        await self._line.ask("set_seed", seed=seed)

    # -- scenarios ----------------------------------------------------------------------------------------------------

    async def start_scenario(self, name: str) -> None:
        """Play a scenario from its beginning; one that plays already ends.

        Raises:
            SandboxRefusedError: If there is none of this name.
        """
        await self._line.ask("start_scenario", name=name)

    async def stop_scenario(self) -> None:
        """End what plays and take back the faults it brought."""
        await self._line.ask("stop_scenario")

    async def pause_scenario(self, *, paused: bool) -> None:
        """Pause or go on."""
        await self._line.ask("pause_scenario", paused=paused)

    async def set_speed(self, speed: float) -> None:
        """Play faster or slower from now on.

        Raises:
            SandboxRefusedError: If `speed` is not within 0.1 and 1,000.
        """
        await self._line.ask("set_speed", speed=speed)

    async def aclose(self) -> None:
        """Close the connection; calling it twice is harmless."""
        await self._line.aclose()
