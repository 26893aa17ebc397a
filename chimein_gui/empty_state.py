"""Texts of a window without agents, and the places of the run's files for it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.directories import CONFIG_VARIABLES
from chimein_gui.ui.pane import EmptyStateText

if TYPE_CHECKING:
    from chimein_gui.directories import Directories
    from chimein_gui.viewmodels.accounts.first_run import Found, Places

LIVE_EMPTY_STATE = EmptyStateText(
    str(QT_TRANSLATE_NOOP("FirstStep", "No account yet")),
    (
        str(
            QT_TRANSLATE_NOOP(
                "FirstStep",
                "Set up a persona to write for you, or try the sandbox first: no account, no key, no internet.",
            )
        ),
    ),
)


def places_of(directories: Directories, *, is_sandbox: bool = False) -> Places:
    """Return the places of the run's files, as the window shows them."""
    from chimein_gui.viewmodels.accounts.first_run import Places

    fixed = next((name for name in CONFIG_VARIABLES if os.environ.get(name)), "")
    config = tuple(str(path) for path in directories.config)
    return Places(config, str(directories.state), "" if is_sandbox else fixed, _look_into)


async def _look_into(paths: tuple[str, ...]) -> Found:
    from chimein_gui.app import look_into
    from chimein_gui.viewmodels.accounts.first_run import Found

    agents, problems = await look_into([Path(path) for path in paths])
    return Found(agents, problems)


SANDBOX_EMPTY_STATE = EmptyStateText(
    str(QT_TRANSLATE_NOOP("FirstStep", "The sandbox is starting")),
    (str(QT_TRANSLATE_NOOP("FirstStep", "Loading its people and messages…")),),
)
