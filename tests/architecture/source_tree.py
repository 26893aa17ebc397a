"""Where our files are: for the tests of this folder."""

import ast
import functools
import subprocess
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "chimein_gui"


@functools.cache
def modules() -> tuple[PurePosixPath, ...]:
    """Return the Python files of the product, relative to the repository."""
    return tuple(sorted(PurePosixPath(path.relative_to(ROOT)) for path in PACKAGE.rglob("*.py")))


@functools.cache
def tree_of(path: PurePosixPath) -> ast.Module:
    """Return a module of the product, parsed once for all rules; nobody changes it."""
    return ast.parse(text_of(path) or "")


@functools.cache
def project_files() -> tuple[PurePosixPath, ...]:
    """Return what git tracks, and what it would take on `git add`: ignored files are not the project's."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listing = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"not a git checkout, so nothing tells which files are ours: {error}")
    names = sorted(set(filter(None, listing.split("\0"))))
    return tuple(PurePosixPath(name) for name in names if (ROOT / name).is_file())


def text_of(path: PurePosixPath) -> str | None:
    """Return a project file's text, or None where it is not text."""
    raw = (ROOT / path).read_bytes()
    try:
        return None if b"\0" in raw else raw.decode()
    except UnicodeDecodeError:
        return None


EXAMPLE_PLACES = {
    "chimein_gui/viewmodels/overview/__init__.py": "viewmodel.py",
    "chimein_gui/ui/panes/overview/__init__.py": "pane.py",
}
"""Where the example of docs/contributing.md would stand, and which file of `example_pane/` holds it."""


def name_of(path: PurePosixPath) -> str:
    """Return the dotted name of a module."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


@functools.cache
def imports() -> dict[str, set[str]]:
    """Return what each module of the product imports of ours, type-only imports too."""
    known = {name_of(path): path for path in modules()}
    found: dict[str, set[str]] = {}
    for name, path in known.items():
        found[name] = set()
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                for alias in node.names:
                    whole = f"{node.module}.{alias.name}"
                    found[name] |= {whole if whole in known else node.module} & known.keys()
            elif isinstance(node, ast.Import):
                found[name] |= {alias.name for alias in node.names} & known.keys()
        found[name].discard(name)
    return found
