"""Every shared library that Qt's plugins and our extensions need is bundled, in Debian's base, or in `.ci/apt.txt`.

What pyproject.toml does not list of Qt's plugins is not used, and may need whatever it likes.
"""

import ast
import functools
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.architecture import debian
from tests.architecture.source_tree import ROOT, modules, tree_of

SITE = Path(sysconfig.get_paths()["platlib"])
PYSIDE = SITE / "PySide6"
PLUGINS = PYSIDE / "Qt" / "plugins"

on_debian = pytest.mark.skipif(
    not (shutil.which("dpkg-query") and shutil.which("ldd")), reason="no dpkg here: only Debian's packages are listed"
)

USED_MODULES = frozenset({"QtCore", "QtGui", "QtWidgets", "QtNetwork", "QtSvg", "QtSvgWidgets", "QtDBus", "QtTest"})

USED_PLUGINS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["chimein"]["qt-plugins"]


def _plugins() -> list[str]:
    return sorted(str(path.relative_to(PLUGINS)) for path in PLUGINS.rglob("*.so"))


def _matching(plugin: str, patterns) -> list[str]:
    return [pattern for pattern in patterns if fnmatch(plugin, pattern)]


def _extensions() -> list[Path]:
    """Return what can be imported: all extension modules of the environment, of PySide6 only the modules used."""
    elsewhere = [path for path in SITE.rglob("*.so") if not path.is_relative_to(PYSIDE)]
    return elsewhere + [PYSIDE / f"{module}.abi3.so" for module in sorted(USED_MODULES)]


def needed(files: list[Path]) -> dict[str, set[str]]:
    """Return each library that the files need, directly or not, with the files that need it; `not found` as it is."""
    # ldd fails where one file is linked statically, and still answers for the others.
    answer = subprocess.run(["ldd", *map(str, files)], capture_output=True, text=True, check=False).stdout
    libraries: dict[str, set[str]] = {}
    current = str(files[0])
    for line in answer.splitlines():
        if not line.startswith((" ", "\t")):
            current = line.removesuffix(":")
        elif match := re.match(r"\s+(?:(\S+) => )?(/.+?|not found)(?: \(0x[0-9a-f]+\))?$", line):
            name, target = match.groups()
            libraries.setdefault(f"{name} not found" if target == "not found" else target, set()).add(current)
    return libraries


@functools.cache
def libraries_outside() -> dict[str, set[str]]:
    """Return the libraries that neither the environment nor Python itself brings."""
    used = [PLUGINS / plugin for plugin in _plugins() if _matching(plugin, USED_PLUGINS)]
    ours = [SITE.resolve(), Path(sys.prefix).resolve()]
    if not sys.base_prefix.startswith("/usr"):
        ours.append(Path(sys.base_prefix).resolve())
    found = needed(used + _extensions())
    return {
        library: {str(Path(user).relative_to(SITE)) for user in users}
        for library, users in found.items()
        if not any(Path(library).resolve().is_relative_to(place) for place in ours)
    }


def listed_packages() -> list[str]:
    """Return the packages of `.ci/apt.txt`."""
    lines = (ROOT / ".ci" / "apt.txt").read_text("utf-8").splitlines()
    return [line.partition("#")[0].strip() for line in lines if line.partition("#")[0].strip()]


@on_debian
def test_every_library_is_bundled_or_listed():
    packages = debian.installed()
    base = [package.name for package in packages.values() if package.base]
    allowed = debian.closure([*base, "python3", *listed_packages()], packages)
    outside = libraries_outside()
    assert outside, "ldd told nothing"
    missing = sorted(name for name in outside if name.endswith("not found"))
    assert not missing, {name: sorted(outside[name])[:5] for name in missing}
    owners = debian.owners(map(Path, outside))
    strangers = {
        str(path): (sorted(names), sorted(outside[str(path)])[:3])
        for path, names in owners.items()
        if not names & allowed
    }
    assert not strangers, "belongs to no package of the base system or of .ci/apt.txt:\n" + "\n".join(
        f"  {path}: package {names}, needed by {users}" for path, (names, users) in sorted(strangers.items())
    )


def test_only_listed_modules_of_qt_are_imported():
    imported = set()
    for path in modules():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("PySide6"):
                parts = (node.module or "").split(".")
                imported |= {parts[1]} if len(parts) > 1 else {alias.name for alias in node.names}
    assert imported <= USED_MODULES
