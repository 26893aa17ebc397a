"""The only module that passes links and files to other programs, with the checks for foreign ones."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

if TYPE_CHECKING:
    from pathlib import Path

SCHEMES = frozenset({"http", "https", "tg"})
"""Allowed schemes of links."""

_PROGRAMS = frozenset(
    "apk app bat cmd com cpl desktop dll dmg exe hta html htm iso jar js jse lnk msi msix ps1 py reg scr sh svg url vb vbe vbs wsf xhtml".split()  # noqa: E501, SIM905
)
"""Extensions of files that may run something when they are opened."""

_PROGRAM_TYPES = frozenset({"application/x-desktop", "application/x-sh", "text/html", "application/java-archive"})


def may_open(address: str) -> bool:
    """Tell whether a link may be opened."""
    url = QUrl(address, QUrl.ParsingMode.StrictMode)
    return url.isValid() and url.scheme() in SCHEMES and (url.scheme() == "tg" or bool(url.host()))


def open_link(address: str) -> bool:
    """Open a link after a click; return whether that worked."""
    return may_open(address) and QDesktopServices.openUrl(QUrl(address, QUrl.ParsingMode.StrictMode))


def is_program(file_name: str, mime_type: str) -> bool:
    """Tell whether opening a file could run something. Name and type are foreign, so one of them is enough."""
    ending = PurePath(file_name.strip().rstrip(".")).suffix.lstrip(".").lower()
    kind = mime_type.split(";")[0].strip().lower()
    return ending in _PROGRAMS or kind in _PROGRAM_TYPES or "executable" in kind or "msdownload" in kind


def open_file(path: Path, file_name: str, mime_type: str) -> bool:
    """Open a downloaded file with another program, after a confirmation; return whether that worked."""
    return not is_program(file_name, mime_type) and QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
