"""Where the sandbox's own files lie: the sandbox sees nothing of the product, so it looks for itself."""

import sys
from pathlib import Path


def resource_path(*parts: str) -> Path:
    """Return the path of something below `resources/`, in a checkout and in a bundle.

    Args:
        *parts: For example ``"sandbox", "web", "cafe.html"``.
    """
    bundle = getattr(sys, "_MEIPASS", None)
    root = Path(bundle) if isinstance(bundle, str) else Path(__file__).resolve().parent.parent.parent
    return root.joinpath("resources", *parts)
