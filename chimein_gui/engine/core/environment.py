"""Data for decisions and claims that is not in the database: preferences, open editors, breaks, the state of accounts.

The environment is read inside transactions, on the writer or reader thread. It must be fast and safe to call there.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import MuteState

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from chimein_gui.domain.ids import AccountId, AgentId, ApprovalId, ChatId, PeerId
    from chimein_gui.domain.notes import Note
    from chimein_gui.domain.settings.preferences import Preferences


class LivePreferences:
    """Holds the preferences; safe to read from any thread, because they are replaced as a whole."""

    def __init__(self, now: Preferences) -> None:
        """`now` are the preferences from the file."""
        self._now = now
        self._listeners: list[Callable[[Preferences], None]] = []

    @property
    def now(self) -> Preferences:
        """Return the current preferences."""
        return self._now

    def tick_s(self) -> float:
        """Return the longest pause between two rounds of the scheduler, in seconds."""
        return self._now.tick_s

    def change(self, preferences: Preferences) -> None:
        """Replace the preferences and call the listeners."""
        self._now = preferences
        for listener in self._listeners:
            listener(preferences)

    def listen(self, listener: Callable[[Preferences], None]) -> None:
        """Call a listener now and after every change."""
        self._listeners.append(listener)
        listener(self._now)


class Editors:
    """Counts the open editors of each chat; `is_open` may be asked from any thread."""

    def __init__(self, on_closed: Callable[[ChatId], None]) -> None:
        """`on_closed` is called with chats whose last editor was closed."""
        self._on_closed = on_closed
        self._open: dict[ChatId, int] = {}

    def is_open(self, chat_id: ChatId) -> bool:
        """Tell whether a draft of this chat is being edited."""
        return chat_id in self._open

    def begin(self, chat_id: ChatId) -> None:
        """Count an opened editor."""
        self._open[chat_id] = self._open.get(chat_id, 0) + 1

    def end(self, chat_id: ChatId) -> None:
        """Count a closed editor; closing more than were opened is harmless."""
        left = self._open.pop(chat_id, 0) - 1
        if left > 0:
            self._open[chat_id] = left
        elif left == 0:
            self._on_closed(chat_id)


START_GRACE_S = 10.0
"""How long nothing is sent automatically after a start, so that the operator sees the window first."""

FROZEN = timedelta(seconds=5)
"""A round of the scheduler that is this late counts as a break, in which the operator could press nothing."""

EVER = datetime(1970, 1, 1, tzinfo=UTC)
"""The value before a start or a break was noted."""


class AwakeTime:
    """Detects breaks by the wall clock, which continues while the machine sleeps or the program hangs.

    The first call after a break detects it, so that no claim comes before the next round. Safe from any thread.
    """

    def __init__(self, now: Callable[[], datetime], start_grace_s: float = START_GRACE_S) -> None:
        """Until `start` is called, there was no break."""
        self._now, self._start_grace = now, timedelta(seconds=start_grace_s)
        self._lock = threading.Lock()
        self._since = self._automatic_from = EVER
        self._round_by: datetime | None = None

    def start(self) -> None:
        """Note the start of the program."""
        with self._lock:
            self._since = self._now()
            self._automatic_from = self._since + self._start_grace
            self._round_by = None

    def expect_round(self, within_s: float) -> None:
        """Note a round of the scheduler, with the longest time until the next one."""
        with self._lock:
            self._note_break()
            self._round_by = self._now() + timedelta(seconds=within_s)

    def since(self) -> datetime:
        """Return since when there was no break, aware UTC."""
        with self._lock:
            self._note_break()
            return self._since

    def automatic_from(self) -> datetime:
        """Return from when on anything automatic may leave after the start, aware UTC."""
        return self._automatic_from

    def _note_break(self) -> None:
        now = self._now()
        if self._round_by is not None and now > self._round_by + FROZEN:
            self._since = self._round_by = now


@dataclass(frozen=True, slots=True)
class TransactionEnvironment:
    """What a transaction needs beside the database; its functions are called on the writer or reader thread.

    Attributes:
        live: Adjustable behaviour; read it by `preferences`.
        now: Returns the wall-clock time, aware UTC.
        zone_of: Returns an agent's time zone (quiet hours are local).
        can_send: Returns whether an account is connected and has caught up.
        memory_hold: Returns why everything is held because the disk does not take writes; None if it is not.
        is_editing: Returns whether an editor is open on a draft of this chat; it holds the chat's automatic sends.
        clock_ahead_s: Returns how many seconds our clock is ahead of Telegram's, as far as an account knows: messages
            have Telegram's time, claims have ours.
        can_look: Returns whether an account is connected and has caught up, even if frozen, so that it can read;
            without this function, `can_send` is used.
        mute_of: Returns the known mute state of a DM; if it is unknown, it is looked up, and the chat is woken.
        awaits_slot: Returns whether a chat is in the queue for a plan's slot; meanwhile it does its other work.
        is_uploaded: Returns whether Telegram has the file of a send.
        is_uploading: Returns whether that file is being uploaded; the end of that wakes the chat.
        upload_again_at: Returns when an interrupted upload restarts, aware UTC; None if none is to restart.
        awake_since: Returns since when the operator could stop sends, aware UTC.
        automatic_from: Returns the earliest time of automatic sends after the start, aware UTC.
    """

    live: LivePreferences
    now: Callable[[], datetime]
    zone_of: Callable[[AgentId], tzinfo]
    can_send: Callable[[AccountId], bool]
    memory_hold: Callable[[], Note | None]
    is_editing: Callable[[ChatId], bool]
    clock_ahead_s: Callable[[AccountId], float] = lambda _account_id: 0.0
    awaits_slot: Callable[[ChatId], bool] = lambda _chat_id: False
    awake_since: Callable[[], datetime] = lambda: EVER
    automatic_from: Callable[[], datetime] = lambda: EVER
    mute_of: Callable[[AccountId, PeerId], MuteState] = lambda _account_id, _peer_id: MuteState.HEARD
    can_look: Callable[[AccountId], bool] | None = None
    is_uploaded: Callable[[ApprovalId], bool] = lambda _approval_id: False
    is_uploading: Callable[[ApprovalId], bool] = lambda _approval_id: False
    upload_again_at: Callable[[ApprovalId], datetime | None] = lambda _approval_id: None

    def can_look_up(self, account_id: AccountId) -> bool:
        """Return whether an account can look up the outcome of a send."""
        return (self.can_look or self.can_send)(account_id)

    @property
    def preferences(self) -> Preferences:
        """The current preferences; read them once where several values must fit together."""
        return self.live.now
