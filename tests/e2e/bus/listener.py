"""A listener with a keyboard: Orca reads the window, and what it says is in its log. No speech is made of it.

Orca speaks announcements (the bus event `object:announcement`) since its version 45. An older one is taught it by
what its users can put into `orca-customizations.py`; `Listener.announced` tells which words came so.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from chimein_gui import ui_driver as hand

if TYPE_CHECKING:
    from tests.support.accessibility_bus import BusReader, BusScreen, Node

T = TypeVar("T")

ORCA = Path("/usr/bin/orca")
SPEAKS_ANNOUNCEMENTS = 45
"""The first version that does."""

SPOKEN = re.compile(r"SPEECH OUTPUT: '(.*)'\s?(?:\{|None|$)", re.MULTILINE)
SETTINGS = {
    "general": {"enableKeyEcho": False, "presentTooltips": True},
    "profiles": {"default": {"profile": ["Default", "default"]}},
    "pronunciations": {},
    "keybindings": {},
}
"""All as it comes, but for the keys: they are not said one by one."""

TAUGHT = """\
from gi.repository import Atspi
from orca import debug, orca_state

def note(_level, text="", *_more):
    if debug.debugFile and text.startswith("SPEECH OUTPUT"):
        debug.debugFile.write(text + "\\n")
        debug.debugFile.flush()

debug.debugLevel, debug.println = debug.LEVEL_OFF, note

def say(event):
    if orca_state.activeScript is not None and isinstance(event.any_data, str):
        orca_state.activeScript.presentMessage(event.any_data)

listener = Atspi.EventListener.new(say)
listener.register("object:announcement")
"""
"""What a newer Orca does of its own. And only speech is noted: for all else it would ask about each event again."""

MOST_TABS = 60
WAIT_S = 60.0
"""Orca asks for much before it speaks, and the machine may be busy."""

KEY_MS = 400
"""Between two letters, as people who listen to each write.

The registry of the bus asks Orca about each and Orca asks the registry: on a busy machine each waits for the other, up
to three seconds a letter, if the next one comes before Orca is done with the last.
"""

FOCUS = "object:state-changed:focused"
VIEWS = ("list", "tree", "table", "tree table")


def version() -> int:
    """The version of Orca, 0 if it is not there."""
    if not ORCA.exists():
        return 0
    told = subprocess.run([ORCA, "--version"], capture_output=True, text=True, check=False).stdout
    return int(found[0]) if (found := re.findall(r"\d+", told)) else 0


class Listener:
    """Presses keys, and hears.

    Attributes:
        reader: What the bus tells; only to know where the keys go, and when.
    """

    def __init__(self, place: BusScreen, reader: BusReader, folder: Path) -> None:
        self.reader = reader
        self._log, self._from, self._marked = folder / "orca.log", 0, 0
        settings = folder / "orca"
        settings.mkdir()
        (settings / "user-settings.conf").write_text(json.dumps(SETTINGS), encoding="utf-8")
        if version() < SPEAKS_ANNOUNCEMENTS:
            (settings / "orca-customizations.py").write_text(TAUGHT, encoding="utf-8")
        self._orca = subprocess.Popen(
            [ORCA, "--user-prefs", str(settings), "--debug-file", str(self._log)],
            env={**place.environment, "SPEECHD_ADDRESS": "unix_socket:/nowhere", "HOME": str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def close(self) -> None:
        """Let Orca end."""
        self._orca.terminate()
        try:
            self._orca.wait(10)
        except subprocess.TimeoutExpired:
            self._orca.kill()
            self._orca.wait()

    # -- hearing

    def forget(self) -> None:
        """Hear from now on."""
        self._from = self._log.stat().st_size if self._log.exists() else 0
        self._marked = 0
        self.reader.forget()

    def mark(self) -> None:
        """Let `hears` wait for what is said from now on."""
        self._marked = len(self.said())

    def said(self) -> list[str]:
        """What was spoken since `forget`, oldest first."""
        if not self._log.exists():
            return []
        with self._log.open("rb") as file:
            file.seek(self._from)
            text = file.read().decode(errors="replace")
        return [hand.seen(words) for words in SPOKEN.findall(text)]

    def announced(self) -> list[str]:
        """What of it the program announced, wherever the focus was."""
        return self.reader.announced()

    def hears(self, *words: str) -> str:
        """Wait until something is said, since `mark`, that holds all these words, whatever else is; returns it."""
        wanted = [word.casefold() for word in words]

        def found() -> str | None:
            return next(
                (one for one in self.said()[self._marked :] if all(word in one.casefold() for word in wanted)), None
            )

        try:
            return self.until(f"{words} to be said", found)
        except AssertionError:
            raise AssertionError(f"{words} was not said in {WAIT_S} s, but: {self.said()}") from None

    def until(self, what: str, told: Callable[[], T | None]) -> T:
        return self.reader.until(what, told, WAIT_S)

    # -- pressing

    def focus(self) -> str:
        """The name of what had the focus last."""
        told = [one for one in self.reader.heard(FOCUS) if one["detail"] == 1]
        return hand.seen(told[-1]["name"]) if told else ""

    def press(self, *keys: str) -> None:
        self.reader.key(*keys)

    def focused_by(self, key: str) -> str:
        """Press a key that moves the focus, and wait until it has moved. Returns where it is."""
        before = len(self.reader.heard(FOCUS))
        self.press(key)
        self.until(
            f"the focus after {key}", lambda: [one for one in self.reader.heard(FOCUS)[before:] if one["detail"] == 1]
        )
        return self.focus()

    def tab_to(self, beginning: str, *, whole: bool = False) -> None:
        """Walk with Tab until the focus is on something whose name begins so, or is that."""
        names: list[str] = []
        while len(names) < MOST_TABS:
            names.append(self.focused_by("Tab"))
            if names[-1] == beginning or (names[-1].startswith(beginning) and not whole):
                return
        raise AssertionError(f"{beginning} cannot be reached: {names}")

    def writes(self, field: str, text: str) -> None:
        """Write into the empty field that has the keys, and wait until that is what stands in it."""
        self.types(text)

        def stands() -> bool:
            return any(one.text() == text for one in self.reader.search(("text",), field))

        self.until(f"{text!r} in {field}", stands)

    def adds(self, field: str, text: str) -> None:
        """Write at the end of the field that has the keys, and wait until it is there."""
        self.press("ctrl+End")
        self.types(text)

        def stands() -> bool:
            return any((one.text() or "").endswith(text) for one in self.reader.search(("text",), field))

        self.until(f"{text!r} in {field}", stands)

    def types(self, text: str) -> None:
        """Write where the keys are.

        Nothing is selected before: after all of several lines was, Orca 43 looks for selected text round and round.
        """
        self.reader.type(text, KEY_MS)

    def until_focus(self, beginning: str) -> None:
        self.until(f"the focus on {beginning}, not {self.focus()}", lambda: self.focus().startswith(beginning))

    # -- lists and trees

    def into(self, key: str, view: str) -> None:
        """Press the key that leads into a list or tree, and wait until it has the keys."""
        self.press(key)
        self.until(f"the focus in {view}", lambda: self.has_keys(view))

    def has_keys(self, view: str) -> bool:
        """Whether a list or tree, or a row of it, has the focus."""
        shown = self._view(view)
        return shown is not None and ("focused" in shown.states or self._row(shown, "focused") != "")

    def go_to(self, beginning: str, view: str, key: str = "Down", most: int = 40) -> None:
        """Walk through a list or tree with a key until the selected row begins so."""
        name = self.selected(view)
        for _ in range(most):
            if name.startswith(beginning):
                return
            self.press(key)
            name = self._after(view, name)
        raise AssertionError(f"no row {beginning}")

    def _after(self, view: str, name: str) -> str:
        """Wait until another row of a list is the selected one."""
        return self.until("the next row", lambda: now if (now := self.selected(view)) != name else None)

    def selected(self, view: str) -> str:
        """The name of the selected row of a list or tree of this name; empty for none."""
        shown = self._view(view)
        return "" if shown is None else self._row(shown, "selected")

    def _view(self, view: str) -> Node | None:
        return next(iter(self.reader.search(VIEWS, view)), None)

    @staticmethod
    def _row(view: Node, state: str) -> str:
        return next((one.name for one in view.children() if state in one.states), "")
