"""Paths of the program's resource files: in a checkout, in an installed package, in a PyInstaller bundle.

They are part of the package, in `chimein_gui/resources`. `samples` is a link to the top level there; a wheel and a
bundle contain the files themselves. This module uses only the standard library, because the sandbox imports it, too.
"""

from __future__ import annotations

from pathlib import Path

_RESOURCES = Path(__file__).resolve().parent / "resources"
"""`importlib.resources` would find it as well, but takes 3 ms before the first paint."""


def resource_path(*parts: str) -> Path:
    """Return the real path of a resource.

    Args:
        *parts: For example ``"icons", "check.svg"``, or ``"samples"``.
    """
    return _RESOURCES.joinpath(*parts).resolve()
