"""Builds the diagnostics file from this run's logs and database, without secrets."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.reporting.redaction import Redaction

if TYPE_CHECKING:
    from chimein_gui.directories import Directories
    from chimein_gui.engine.ports import DiagnosticsFile
    from chimein_gui.engine.settings.secrets import SecretCache


def diagnostics_file(directories: Directories, secrets: SecretCache) -> DiagnosticsFile:
    """Return the object that saves diagnostics; secrets entered later in this run are hidden too."""
    from PySide6.QtCore import qVersion

    from chimein_gui.adapters.files.diagnostics import DiagnosticsZip
    from chimein_gui.adapters.store.census import census

    redaction = Redaction()
    secrets.hide_with(redaction.hide)
    return DiagnosticsZip(directories.logs, redaction.clean, partial(census, directories.database), qVersion())
