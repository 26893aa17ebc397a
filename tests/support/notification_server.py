"""A separate session bus with a small freedesktop notification server, for tests of notifications."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from jeepney import DBusAddress, HeaderFields, Message, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.asyncio import DBusConnection, open_dbus_connection

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
SIGNATURES = {"Notify": "susssasa{sv}i", "CloseNotification": "u", "GetCapabilities": ""}


@asynccontextmanager
async def session_bus() -> AsyncIterator[str]:
    """Start a bus that ends with the test; the test is skipped where there is no dbus-daemon."""
    program = shutil.which("dbus-daemon")
    if program is None:
        pytest.skip("there is no dbus-daemon here")
    bus = await asyncio.create_subprocess_exec(
        program,
        "--session",
        "--nofork",
        "--nopidfile",
        "--print-address",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        assert bus.stdout is not None
        yield (await bus.stdout.readline()).decode().strip()
    finally:
        if bus.returncode is None:
            bus.terminate()
        await bus.wait()


@dataclass
class NotificationServer:
    """Refuses what a strict server refuses: calls with another signature than the specification's.

    Attributes:
        capabilities: The capabilities that it reports.
        shown: The notifications on screen, by number: title, body, actions, hints.
        calls: All calls, by name.
    """

    connection: DBusConnection
    capabilities: tuple[str, ...] = ("actions", "body", "body-markup")
    shown: dict[int, tuple[str, str, list[str], dict[str, Any]]] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    number: int = 0
    called: asyncio.Event = field(default_factory=asyncio.Event)

    async def serve(self) -> None:
        """Answer until cancelled."""
        while True:
            message = await self.connection.receive()
            if message.header.message_type is MessageType.method_call:
                await self.connection.send(self._answer(message))
                self.called.set()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for the call after which a condition holds."""
        async with asyncio.timeout(60):
            while not holds():
                self.called.clear()
                await self.called.wait()

    async def press(self, number: int, action: str, token: str = "") -> None:
        """Press an action, as the operator would."""
        if token:
            await self._signal("ActivationToken", "us", (number, token))
        await self._signal("ActionInvoked", "us", (number, action))

    async def dismiss(self, number: int) -> None:
        """Close a notification, as the operator would."""
        del self.shown[number]
        await self._signal("NotificationClosed", "uu", (number, 2))

    async def _signal(self, name: str, signature: str, body: tuple[object, ...]) -> None:
        await self.connection.send(new_signal(DBusAddress(PATH, interface=NAME), name, signature, body))

    def _answer(self, message: Message) -> Message:
        member = message.header.fields[HeaderFields.member]
        self.calls.append(member)
        if message.header.fields.get(HeaderFields.signature, "") != SIGNATURES[member]:
            return new_error(message, "org.freedesktop.DBus.Error.InvalidArgs")
        if member == "GetCapabilities":
            return new_method_return(message, "as", (list(self.capabilities),))
        if member == "CloseNotification":
            return self._close(message)
        _name, replaced, _icon, title, body, actions, hints, _expires = message.body
        if replaced not in self.shown:
            self.number += 1
            replaced = self.number
        self.shown[replaced] = (title, body, actions, {key: value for key, (_kind, value) in hints.items()})
        return new_method_return(message, "u", (replaced,))

    def _close(self, message: Message) -> Message:
        if self.shown.pop(message.body[0], None) is None:
            return new_error(message, "org.freedesktop.Notifications.Error.NotFound")
        return new_method_return(message)


@asynccontextmanager
async def notification_server(address: str, **how: Any) -> AsyncIterator[NotificationServer]:
    """Start a server on the bus."""
    connection = await open_dbus_connection(address)
    server = NotificationServer(connection, **how)
    await connection.send(message_bus.RequestName(NAME, 4))
    while True:  # messages of the bus before our answer are ignored
        answer = await connection.receive()
        if HeaderFields.reply_serial in answer.header.fields:
            assert answer.body == (1,)
            break
    serving = asyncio.get_running_loop().create_task(server.serve())
    try:
        yield server
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        await connection.close()
