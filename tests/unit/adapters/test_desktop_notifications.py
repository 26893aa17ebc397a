"""The notification service over a real bus: strict signatures, one number a key, nobody else's signals."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from jeepney import DBusAddress, new_signal
from jeepney.io.asyncio import open_dbus_connection

from chimein_gui.adapters.desktop.notifications import NAME, PATH, FreedesktopNotifications, bus_address
from chimein_gui.engine.ports import DesktopNotification
from tests.support.notification_server import notification_server, session_bus

ACTIONS = (("default", "Open"), ("open", "Open"), ("hold", "Hold everything"))


class Client:
    """The adapter at work, and what it told."""

    def __init__(self, address: str) -> None:
        self.service = FreedesktopNotifications(address)
        self.found: list[bool] = []
        self.pressed: list[tuple[str, str, str]] = []
        self._heard = asyncio.Event()

    async def run(self) -> None:
        await self.service.run(self._note(self.found.append), self._note(lambda *said: self.pressed.append(said)))

    def _note(self, take: Callable[..., None]) -> Callable[..., None]:
        def noted(*said: Any) -> None:
            take(*said)
            self._heard.set()

        return noted

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not holds():
                self._heard.clear()
                await self._heard.wait()


@asynccontextmanager
async def client_on(address: str) -> AsyncIterator[Client]:
    client = Client(address)
    job = asyncio.get_running_loop().create_task(client.run())
    try:
        yield client
    finally:
        job.cancel()
        await asyncio.gather(job, return_exceptions=True)


async def test_a_notification_is_shown_replaced_and_closed():
    async with session_bus() as bus, notification_server(bus) as server, client_on(bus) as client:
        await client.until(lambda: client.found == [True])
        client.service.show(DesktopNotification("waiting", "Nora waits", "<b>1 & 2</b>", ACTIONS))
        client.service.show(DesktopNotification("waiting", "Nora waits", "3", ACTIONS, has_sound=True))
        client.service.show(DesktopNotification("account", "Logged out"))
        await server.until(lambda: server.calls.count("Notify") == 3)
        assert sorted(server.shown) == [1, 2]
        (waiting,) = (one for one in server.shown.values() if one[0] == "Nora waits")
        assert waiting[1:3] == ("3", ["default", "Open", "open", "Open", "hold", "Hold everything"])
        assert waiting[3]["sound-name"]
        client.service.close("waiting")
        await server.until(lambda: [one[0] for one in server.shown.values()] == ["Logged out"])
        ((_title, _body, actions, hints),) = server.shown.values()
        assert actions == []
        assert hints["suppress-sound"] is True


async def test_what_is_closed_before_it_has_a_number_does_not_stay():
    async with session_bus() as bus, notification_server(bus) as server, client_on(bus) as client:
        await client.until(lambda: client.found == [True])
        client.service.show(DesktopNotification("waiting", "Nora waits"))
        client.service.close("waiting")
        await server.until(lambda: "CloseNotification" in server.calls)
        assert server.shown == {}


@pytest.mark.parametrize(
    ("capabilities", "body", "actions"),
    [(("body-markup", "actions"), "&lt;b&gt;1 &amp; 2&lt;/b&gt;", 6), ((), "<b>1 & 2</b>", 0)],
)
async def test_markup_is_escaped_for_servers_that_read_it(capabilities, body, actions):
    async with (
        session_bus() as bus,
        notification_server(bus, capabilities=capabilities) as server,
        client_on(bus) as client,
    ):
        await client.until(lambda: client.found == [True])
        client.service.show(DesktopNotification("waiting", "Nora", "<b>1 & 2</b>", ACTIONS))
        await server.until(lambda: bool(server.shown))
        assert server.shown[1][1] == body
        assert len(server.shown[1][2]) == actions


async def test_actions_are_told_by_key_with_the_token_of_the_desktop():
    async with session_bus() as bus, notification_server(bus) as server, client_on(bus) as client:
        await client.until(lambda: client.found == [True])
        client.service.show(DesktopNotification("waiting", "Nora", "", ACTIONS))
        client.service.show(DesktopNotification("account", "Nora", "", ACTIONS))
        await server.until(lambda: len(server.shown) == 2)
        client.service.close("nothing that stands")
        await server.press(99, "open")
        await server.press(1, "open", "token-7")
        await server.press(2, "hold")
        await client.until(lambda: len(client.pressed) == 2)
        assert client.pressed == [("waiting", "open", "token-7"), ("account", "hold", "")]
        await server.dismiss(1)
        await server.press(2, "default")
        await client.until(lambda: len(client.pressed) == 3)
        client.service.show(DesktopNotification("waiting", "Nora again"))
        await server.until(lambda: 3 in server.shown)


async def test_signals_of_another_program_are_not_heard():
    async with session_bus() as bus, notification_server(bus) as server, client_on(bus) as client:
        await client.until(lambda: client.found == [True])
        client.service.show(DesktopNotification("waiting", "Nora", "", ACTIONS))
        await server.until(lambda: 1 in server.shown)
        stranger = await open_dbus_connection(bus)
        assert client.service._connection is not None
        name = client.service._connection.unique_name
        forged = new_signal(DBusAddress(PATH, bus_name=name, interface=NAME), "ActionInvoked", "us", (1, "hold"))
        await stranger.send(forged)
        await server.press(1, "open")
        await client.until(lambda: bool(client.pressed))
        assert client.pressed == [("waiting", "open", "")]
        await stranger.close()


async def test_a_service_that_comes_later_is_found_and_one_that_goes_is_missed():
    async with session_bus() as bus, client_on(bus) as client:
        await client.until(lambda: client.found == [False])
        client.service.show(DesktopNotification("waiting", "nobody to show it"))
        async with notification_server(bus) as server:
            await client.until(lambda: client.found == [False, True])
            client.service.show(DesktopNotification("waiting", "Nora"))
            await server.until(lambda: bool(server.shown))
        await client.until(lambda: client.found == [False, True, False])


@pytest.mark.parametrize("address", ["", "unix:path=/nonexistent/bus", "tcp:host=127.0.0.1,port=1"])
async def test_without_a_bus_there_is_no_service(address):
    client = Client(address)
    await client.run()
    assert client.found == [False]
    client.service.show(DesktopNotification("waiting", "Nora"))
    client.service.close("waiting")


def test_where_the_bus_is(tmp_path):
    assert bus_address({"DBUS_SESSION_BUS_ADDRESS": "unix:abstract=/tmp/x,guid=1"}) == "unix:abstract=/tmp/x,guid=1"
    assert bus_address({"DBUS_SESSION_BUS_ADDRESS": "autolaunch:"}) == ""
    assert bus_address({"XDG_RUNTIME_DIR": str(tmp_path)}) == ""
    (tmp_path / "bus").touch()
    assert bus_address({"XDG_RUNTIME_DIR": str(tmp_path)}) == f"unix:path={tmp_path}/bus"
    assert bus_address({}) == ""
