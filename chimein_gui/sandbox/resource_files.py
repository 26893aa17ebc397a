"""Where the sandbox's own files lie: the sandbox sees nothing of the product, so it looks for itself."""

import sys
from pathlib import Path

MAX_BYTES = 1_000_000


def resource_path(*parts: str) -> Path:
    """Return the path of something below `resources/`, in a checkout and in a bundle.

    Args:
        *parts: For example ``"sandbox", "web", "cafe.html"``.
    """
    bundle = getattr(sys, "_MEIPASS", None)
    root = Path(bundle) if isinstance(bundle, str) else Path(__file__).resolve().parent.parent.parent
    return root.joinpath("resources", *parts)


def read_text(path: Path) -> str:
    """Read a UTF-8 file of at most 1 MB: of a larger one YAML would be read for minutes.

    Raises:
        OSError: It can't be read.
        ValueError: It is larger, or no UTF-8.
    """
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError("it is larger than 1 MB")
    return data.decode("utf-8")
