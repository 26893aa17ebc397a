"""Where the files lie that come with the program: in a checkout, in an installed package, in a bundle of PyInstaller's.

They are part of the package, in `chimein_gui/resources`. `samples` is a link to the top level there; a wheel and a
bundle hold the files themselves in its place. Standard library only: the sandbox asks here, too.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def resource_path(*parts: str) -> Path:
    """Return the real path of something in `chimein_gui/resources`.

    Args:
        *parts: For example ``"icons", "check.svg"``, or ``"samples"``.
    """
    return Path(str(files("chimein_gui"))).joinpath("resources", *parts).resolve()
