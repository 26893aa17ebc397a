"""Paths of the program's resource files: in a checkout, in an installed package, in a PyInstaller bundle.

They are part of the package, in `chimein_gui/resources`. `samples` is a link to the top level there; a wheel and a
bundle contain the files themselves. This module uses only the standard library, because the sandbox imports it, too.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def resource_path(*parts: str) -> Path:
    """Return the real path of a resource.

    Args:
        *parts: For example ``"icons", "check.svg"``, or ``"samples"``.
    """
    return Path(str(files("chimein_gui"))).joinpath("resources", *parts).resolve()
