"""The freedesktop notification service (https://specifications.freedesktop.org/notification-spec) over D-Bus.

QtDBus cannot be used from Python for it: it has no way to send the unsigned number that `Notify` takes.
"""

from __future__ import annotations

import asyncio
import html
import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from jeepney import (
    DBusAddress,
    HeaderFields,
    MatchRule,
    Message,
    MessageType,
    new_method_call,
)
from jeepney.bus_messages import message_bus
from jeepney.io.asyncio import DBusConnection, open_dbus_connection
from jeepney.io.common import RouterClosed

from chimein_gui.engine.ports import DesktopNotification

if TYPE_CHECKING:
    from collections.abc import Mapping

_log = logging.getLogger(__name__)

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
SERVICE = DBusAddress(PATH, bus_name=NAME, interface=NAME)
_BUS = "org.freedesktop.DBus"

CONNECT_S = 10.0
"""Seconds to connect to the bus; after that it is treated as missing."""

MOST_UNANSWERED = 50
"""Calls without an answer after which no more are made."""

Answered = Callable[[Message], None]


def bus_address(environment: Mapping[str, str]) -> str:
    """Return the address of the session bus; empty if there is none with a socket."""
    named = environment.get("DBUS_SESSION_BUS_ADDRESS", "")
    if named:
        return named if "unix:" in named else ""
    path = Path(environment.get("XDG_RUNTIME_DIR") or "/nonexistent") / "bus"
    return f"unix:path={path}" if path.exists() else ""


class FreedesktopNotifications:
    """Implements `engine.ports.DesktopNotifications`.

    Calls are written at once, and one loop reads their answers, so that no caller waits and none needs a task.
    """

    def __init__(self, address: str) -> None:
        """Create the adapter; nothing is connected yet.

        Args:
            address: From `bus_address`.
        """
        self._address = address
        self._connection: DBusConnection | None = None
        self._answers: dict[int, Answered] = {}
        self._numbers: dict[str, int] = {}
        """The service's numbers of the shown notifications, by our keys."""
        self._next: dict[str, DesktopNotification | None] = {}
        """What to show under keys whose number is not known yet; None to close."""
        self._capabilities: frozenset[str] = frozenset()
        self._owner = ""
        """The bus name of the service; only its signals count."""
        self._token = (0, "")
        self._found: Callable[[bool], None] = lambda _found: None
        self._pressed: Callable[[str, str, str], None] = lambda _key, _action, _token: None
        self._is_found: bool | None = None

    async def run(self, found: Callable[[bool], None], pressed: Callable[[str, str, str], None]) -> None:
        """See the port."""
        self._found, self._pressed = found, pressed
        try:
            if self._address:
                await self._serve()
        except (OSError, EOFError, ValueError, RuntimeError, RouterClosed) as error:
            _log.info("no session bus: %s", type(error).__name__)
        self._say(found=False)

    def show(self, notification: DesktopNotification) -> None:
        """See the port."""
        key = notification.key
        if key in self._next:
            self._next[key] = notification
        elif self._is_found:
            self._next[key] = notification
            self._call(self._notify(notification), partial(self._take_number, notification))

    def close(self, key: str) -> None:
        """See the port."""
        if key in self._next:
            self._next[key] = None
        number = self._numbers.pop(key, 0)
        if number:
            self._call(new_method_call(SERVICE, "CloseNotification", "u", (number,)))

    # --- the connection -------------------------------------------------------------------------------------------

    async def _serve(self) -> None:
        async with asyncio.timeout(CONNECT_S):
            connection = await open_dbus_connection(self._address)
        self._connection = connection
        try:
            owner = MatchRule(type="signal", sender=_BUS, interface=_BUS, member="NameOwnerChanged")
            owner.add_arg_condition(0, NAME)
            for rule in (MatchRule(type="signal", sender=NAME, interface=NAME, path=PATH), owner):
                self._call(message_bus.AddMatch(rule))
            self._ask()
            while True:
                self._hear(await connection.receive())
        finally:
            self._connection = None
            connection.writer.close()

    def _call(self, message: Message, answered: Answered = lambda _answer: None) -> None:
        if self._connection is None or len(self._answers) >= MOST_UNANSWERED:
            return
        serial = next(self._connection.outgoing_serial)
        self._answers[serial] = answered
        self._connection.writer.write(message.serialise(serial))

    def _hear(self, message: Message) -> None:
        fields = message.header.fields
        answered = self._answers.pop(fields.get(HeaderFields.reply_serial, 0), None)
        if answered is not None:
            answered(message)
        elif message.header.message_type is MessageType.signal:
            sender, member = fields.get(HeaderFields.sender, ""), fields.get(HeaderFields.member, "")
            if sender == _BUS and member == "NameOwnerChanged":
                self._follow_owner(is_there=bool(message.body[2]))
            elif sender == self._owner and len(message.body) == 2:
                self._hear_of(member, *message.body)

    # --- what is asked of the service -----------------------------------------------------------------------------

    def _ask(self) -> None:
        """Find out whether there is a service, and its capabilities; the call starts one if the desktop has it."""
        self._call(new_method_call(SERVICE, "GetCapabilities"), self._take_capabilities)

    def _take_capabilities(self, answer: Message) -> None:
        if answer.header.message_type is MessageType.error:
            _log.info("no notification service: %s", answer.header.fields.get(HeaderFields.error_name))
            self._say(found=False)
            return
        self._owner = answer.header.fields.get(HeaderFields.sender, "")
        names = answer.body[0] if answer.body else ()
        self._capabilities = frozenset(map(str, names)) if isinstance(names, list) else frozenset()
        self._say(found=True)

    def _take_number(self, shown: DesktopNotification, answer: Message) -> None:
        wanted = self._next.pop(shown.key, shown)
        if answer.header.message_type is MessageType.error:
            _log.info("a notification was not shown: %s", answer.header.fields.get(HeaderFields.error_name))
        elif answer.body and isinstance(answer.body[0], int):
            self._numbers[shown.key] = answer.body[0]
            if wanted is None:
                self.close(shown.key)
            elif wanted != shown:
                self.show(wanted)

    def _notify(self, notification: DesktopNotification) -> Message:
        actions = [part for pair in notification.actions for part in pair] if "actions" in self._capabilities else []
        # Services without markup show escaped text literally.
        reads_markup = "body-markup" in self._capabilities
        body = html.escape(notification.body, quote=False) if reads_markup else notification.body
        hints: dict[str, tuple[str, object]] = {"desktop-entry": ("s", "chimein"), "urgency": ("y", 1)}
        if notification.has_sound:
            hints["sound-name"] = ("s", "message-new-instant")
        else:
            hints["suppress-sound"] = ("b", True)
        replaced = self._numbers.get(notification.key, 0)
        arguments = ("Chimein", replaced, "chimein", notification.title, body, actions, hints, -1)
        return new_method_call(SERVICE, "Notify", "susssasa{sv}i", arguments)

    # --- what it tells --------------------------------------------------------------------------------------------

    def _follow_owner(self, *, is_there: bool) -> None:
        """Start over with another service: it may have other capabilities, and does not know our numbers."""
        self._numbers.clear()
        self._next.clear()
        self._owner = ""
        if is_there:
            self._ask()
        else:
            self._say(found=False)

    def _hear_of(self, member: str, number: int, said: object) -> None:
        key = next((key for key, mine in self._numbers.items() if mine == number), "")
        if member == "ActivationToken":
            self._token = (number, str(said))
        elif member == "ActionInvoked" and key:
            self._pressed(key, str(said), self._token[1] if self._token[0] == number else "")
        elif member == "NotificationClosed" and key:
            del self._numbers[key]

    def _say(self, *, found: bool) -> None:
        if found is not self._is_found:
            self._is_found = found
            self._found(found)
