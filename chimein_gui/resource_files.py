"""Where the files lie that come with the program, in a checkout and in a bundle. Standard library only."""

from __future__ import annotations

import sys
from pathlib import Path


def resource_path(*parts: str) -> Path:
    """Return the path of something below the directory that holds `resources/` and `samples/`.

    Args:
        *parts: For example ``"resources", "icons", "check.svg"``.
    """
    bundle = getattr(sys, "_MEIPASS", None)
    root = Path(bundle) if isinstance(bundle, str) else Path(__file__).resolve().parent.parent
    return root.joinpath(*parts)
