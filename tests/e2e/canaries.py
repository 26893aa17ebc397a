"""Secrets of which each is one of a kind, and where they must not be found."""

from __future__ import annotations

import base64
import logging
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from PySide6.QtWidgets import QWidget

from chimein_gui import ui_driver as hand
from chimein_gui.reporting.logs import start_logging, stop_logging
from tests.e2e.screen_reader import things

NOISY = ("telethon", "httpx2", "httpcore2", "google_genai", "asyncio", "keyring", "qasync")
"""Libraries that the program keeps quiet: here they may say whatever they like."""


class Recorder(logging.Handler):
    """Keeps every record as it would be written, its arguments and its traceback included."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self._formatter = logging.Formatter("%(name)s %(message)s")

    def emit(self, record: logging.LogRecord) -> None:
        self.lines += [self._formatter.format(record), repr(record.args)]


@dataclass
class Canaries:
    """The secrets, and what was seen meanwhile.

    Attributes:
        secrets: By what they are.
        seen: Texts by where they were seen.
    """

    secrets: dict[str, str]
    seen: list[tuple[str, str]] = field(default_factory=list)

    def look(self, where: str, text: object) -> None:
        """Take a text down."""
        self.seen.append((where, text if isinstance(text, str) else repr(text)))

    def look_at(self, window: QWidget) -> None:
        """Take down everything that a window shows, says and explains; but for the stage's own pane.

        That one repeats faults to whoever ordered them, as they were ordered.
        """
        stage = window.findChild(QWidget, "rehearsal")
        for words in hand.words_in_sight(window):
            self.look("window", words)
        for widget in window.findChildren(QWidget):
            if stage is not None and stage.isAncestorOf(widget):
                continue
            self.look("window", " ".join((widget.toolTip(), widget.statusTip(), widget.whatsThis())))
        for thing in things_of(window):
            self.look("window", thing)

    def found(self) -> list[str]:
        """Return where a secret was seen."""
        return sorted({f"{what} in {where}: {_around(text, hit)}" for what, hit, where, text in self._hits()})

    def found_in_files(self, folder: Path) -> list[str]:
        """Return the files below a folder that hold a secret, in whatever form."""
        found = []
        for path in (one for one in folder.rglob("*") if one.is_file()):
            content = path.read_bytes()
            for what, secret in self.secrets.items():
                if any(form in content for form in _forms(secret)):
                    found.append(f"{what} in {path.relative_to(folder)}")
        return sorted(found)

    def _hits(self) -> Iterator[tuple[str, str, str, str]]:
        for where, text in self.seen:
            for what, secret in self.secrets.items():
                if secret in text:
                    yield what, secret, where, text


@contextmanager
def everything_logged(folder: Path) -> Iterator[Recorder]:
    """Log as the program does, but everything, whoever says it."""
    start_logging(folder)
    recorder, root = Recorder(), logging.getLogger()
    root.addHandler(recorder)
    before = {name: logging.getLogger(name).level for name in NOISY}
    root_level = root.level
    root.setLevel(logging.DEBUG)
    for name in NOISY:
        logging.getLogger(name).setLevel(logging.DEBUG)
    try:
        yield recorder
    finally:
        root.removeHandler(recorder)
        root.setLevel(root_level)
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
        stop_logging()


@contextmanager
def no_umask() -> Iterator[None]:
    """Let nothing be private by accident."""
    before = os.umask(0)
    try:
        yield
    finally:
        os.umask(before)


def open_to_others(folder: Path, is_secret: Callable[[Path], bool]) -> list[str]:
    """Return the directories, and those of the files below a folder that are secret, that others could look into."""
    return sorted(
        f"{path.relative_to(folder)} {stat.S_IMODE(path.lstat().st_mode):o}"
        for path in folder.rglob("*")
        if (path.is_dir() or is_secret(path)) and path.lstat().st_mode & 0o077
    )


def things_of(window: QWidget) -> Iterator[str]:
    """Return what a screen reader would say of a window."""
    from PySide6.QtGui import QAccessible

    for thing in things(QAccessible.queryAccessibleInterface(window)):
        yield f"{thing.name} {thing.description}"


def _forms(secret: str) -> tuple[bytes, ...]:
    """Return how a secret may be written."""
    plain = secret.encode()
    return plain, secret.encode("utf-16-le"), base64.b64encode(plain).rstrip(b"="), quote(secret).encode(), plain[::-1]


def _around(text: str, hit: str) -> str:
    at = text.index(hit)
    return text[max(0, at - 60) : at + len(hit) + 20]
