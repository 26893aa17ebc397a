"""One life of the product under test.

The test is the operator: it calls the engine's own methods over a line and hears the engine's own events.
"""

from __future__ import annotations

import base64
import pickle
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Self

from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.settings.preferences import Preferences

AT_ONCE = Preferences(
    debounce_s=0,
    callout_debounce_s=0,
    undo_s=0,
    typing_base_s=0,
    typing_s_per_60=0,
    sticker_typing_s=0,
    countdown_s=0,
    chat_cap=0,
    account_cap=0,
)
"""Nothing waits for anything but its turn."""

EDIT_POINTS = (Failpoint.EDIT_BEGUN, Failpoint.EDIT_COMMITTED)
MEMORY_POINTS = (
    Failpoint.MEMORY_COMMITTED,
    Failpoint.BEFORE_MEMORY_FILE,
    Failpoint.AFTER_MEMORY_FILE,
    Failpoint.MEMORY_RECORDED,
)
TRAFFIC_POINTS = tuple(point for point in Failpoint if point not in MEMORY_POINTS)
"""Points that random traffic comes to; nothing is remembered there."""
SEND_POINTS = tuple(point for point in TRAFFIC_POINTS if point not in EDIT_POINTS)


@dataclass(frozen=True)
class Arming:
    """What happens at a failpoint.

    Attributes:
        point: Where.
        nth: At which time, counted from when it is armed.
        spare: None kills the process there; a number lets the store's log grow by so many bytes and no further.
    """

    point: Failpoint
    nth: int = 1
    spare: int | None = None


@dataclass(frozen=True)
class Life:
    """What a victim is to do.

    Attributes:
        folder: Its state directory; the next life in it is a restart.
        port_file: Of the sandbox.
        line_port: Where the test listens.
        accounts: User ids of the accounts it runs.
        arming: Armed from the beginning.
        preferences: As the operator has set them.
        ahead: How far its clock is ahead of the machine's.
        full_disk: Its store cannot grow, from the beginning.
        mutation: Name of a fault that is built into it, from `MUTATIONS`; empty for none.
    """

    folder: Path
    port_file: Path
    line_port: int
    accounts: tuple[int, ...]
    arming: Arming | None = None
    preferences: Preferences = field(default=AT_ONCE)
    ahead: timedelta = timedelta()
    full_disk: bool = False
    mutation: str = ""

    @property
    def database(self) -> Path:
        """Its store."""
        return self.folder / "chimein.db"

    @property
    def outgoing(self) -> Path:
        """Its copies of the files that it sends."""
        return self.folder / "outgoing"

    @property
    def log(self) -> Path:
        """What it logged from WARNING up, over all lives."""
        return self.folder / "warnings.log"

    def to_text(self) -> str:
        """Return it as one line."""
        return base64.b64encode(pickle.dumps(self)).decode()

    @classmethod
    def from_text(cls, line: str) -> Self:
        """Return what `to_text` made a line of."""
        life = pickle.loads(base64.b64decode(line))  # the test's own words
        assert isinstance(life, cls)
        return life
