"""Finds what a test has left: top-level widgets, running timers, threads, open databases."""

import functools
import gc
import sqlite3
import sys
import threading
import warnings
from typing import Any

_JOIN_S = 2.0
"""Time limit for a thread that is already ending."""

OWN_ACCORD_WIDGETS = frozenset({"QTipLabel"})
"""Top-level widgets that Qt itself creates and keeps."""


class _ToldIfLeftOpen(sqlite3.Connection):
    """Warns when it is freed without having been closed, as every connection does from Python 3.13 on."""

    def __del__(self) -> None:
        try:
            self.total_changes  # noqa: B018 - closed, it refuses to tell
        except sqlite3.ProgrammingError:
            return
        warnings.warn(f"unclosed database in {self!r}", ResourceWarning, stacklevel=1, source=self)


def tell_of_open_databases() -> None:
    """Make tests fail that leave a database open, in every Python version."""
    if sys.version_info < (3, 13):
        sqlite3.connect = functools.partial(sqlite3.connect, factory=_ToldIfLeftOpen)  # type: ignore[assignment]


def _application() -> Any:
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance()
    return application if isinstance(application, QApplication) else None


def top_level_widgets() -> list[Any]:
    """Return the windows without a parent, hidden ones included."""
    application = _application()
    if application is None:
        return []
    return [
        widget
        for widget in application.topLevelWidgets()
        if widget.parent() is None and widget.metaObject().className() not in OWN_ACCORD_WIDGETS
    ]


def active_timers() -> list[Any]:
    """Return the running QTimers that were made in Python."""
    if _application() is None:
        return []
    import shiboken6
    from PySide6.QtCore import QTimer

    kinds = _with_subclasses(QTimer)
    timers = [item for item in gc.get_objects() if type(item) in kinds]
    return [timer for timer in timers if shiboken6.isValid(timer) and timer.isActive()]


def _with_subclasses(kind: type) -> set[type]:
    """Return a class and all that derive from it: asking each of thousands of objects with isinstance takes longer."""
    return {kind}.union(*map(_with_subclasses, kind.__subclasses__()))


def settle() -> None:
    """Process deferred deletions and collect garbage, so that __del__ warnings appear here."""
    if _application() is not None:
        from PySide6.QtCore import QCoreApplication, QEvent

        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()


class LeakWatch:
    """Records what exists before a test, reports what exists in addition after it, and removes that."""

    def __init__(self) -> None:
        self._threads = set(threading.enumerate())
        self._widgets = {id(widget): widget for widget in top_level_widgets()}
        self._timers = {id(timer): timer for timer in active_timers()}

    def leaks(self) -> list[str]:
        """Settle, then return a line for every leak; leaks are removed, so that later tests start clean."""
        settle()
        return [*self._leaked_timers(), *self._leaked_widgets(), *self._leaked_threads()]

    def _leaked_widgets(self) -> list[str]:
        leaked = [widget for widget in top_level_widgets() if id(widget) not in self._widgets]
        found = [f"top-level widget left: {widget!r}" for widget in leaked]
        for widget in leaked:
            widget.hide()
            widget.deleteLater()
        if leaked:
            settle()
        return found

    def _leaked_timers(self) -> list[str]:
        leaked = [timer for timer in active_timers() if id(timer) not in self._timers]
        for timer in leaked:
            timer.stop()
        return [f"running timer left: {timer!r}, child of {timer.parent()!r}" for timer in leaked]

    def _leaked_threads(self) -> list[str]:
        leaked = []
        for thread in set(threading.enumerate()) - self._threads:
            if thread.daemon:
                continue
            thread.join(_JOIN_S)
            if thread.is_alive():
                leaked.append(f"thread left: {thread!r}")
        return leaked
