"""What Debian's package database says; read once, without network."""

import functools
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

BASE_PRIORITIES = frozenset({"required", "important"})
"""A system without these is not the base system."""

_FORMAT = "\t".join(
    f"${{{name}}}"
    for name in ("db:Status-Status", "Package", "Essential", "Priority", "Depends", "Pre-Depends", "Provides")
)


@dataclass(frozen=True, slots=True)
class Package:
    """One installed package: what it needs and what other names it answers to."""

    name: str
    base: bool
    needs: frozenset[str]
    provides: frozenset[str]


def _names(relation: str) -> frozenset[str]:
    """Return the package names of a relation field: `a (>= 1), b:any | c` gives a, b, c."""
    parts = re.split(r"[,|]", relation)
    return frozenset(part.split()[0].partition(":")[0] for part in parts if part.strip())


@functools.cache
def installed() -> dict[str, Package]:
    """Return all installed packages by name."""
    listing = subprocess.run(
        ["dpkg-query", "--show", f"--showformat={_FORMAT}\n"], capture_output=True, text=True, check=True
    ).stdout
    packages = {}
    for line in listing.splitlines():
        status, name, essential, priority, depends, pre_depends, provides = line.split("\t")
        if status == "installed":
            base = essential == "yes" or priority in BASE_PRIORITIES
            packages[name] = Package(name, base, _names(depends) | _names(pre_depends), _names(provides))
    return packages


def closure(seeds: Iterable[str], packages: dict[str, Package]) -> set[str]:
    """Return the installed packages that the seeds, and what they depend on in turn, bring along."""
    providers: dict[str, set[str]] = {}
    for package in packages.values():
        for name in {package.name, *package.provides}:
            providers.setdefault(name, set()).add(package.name)
    reached: set[str] = set()
    waiting = [provider for seed in seeds for provider in providers.get(seed, ())]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(provider for need in packages[name].needs for provider in providers.get(need, ()))
    return reached


def _spellings(path: Path) -> list[str]:
    """Return the ways in which the database may spell a file: before and after /usr was merged, and its links."""
    found = {str(path), str(path.parent.resolve() / path.name), str(path.resolve())}
    before_merge = {spelling.removeprefix("/usr") for spelling in found}
    return sorted(found | before_merge | {f"/usr{spelling}" for spelling in before_merge})


def owners(paths: Iterable[Path]) -> dict[Path, set[str]]:
    """Return for each file the packages it belongs to; none for a file that no package installed."""
    spelled = {spelling: path for path in paths for spelling in _spellings(path)}
    found: dict[Path, set[str]] = {path: set() for path in spelled.values()}
    if not spelled:
        return found
    # It fails where one path belongs to nobody, and still answers for the others.
    answer = subprocess.run(["dpkg-query", "--search", *spelled], capture_output=True, text=True, check=False).stdout
    for line in answer.splitlines():
        names, _, spelling = line.rpartition(": ")
        if spelling in spelled and not names.startswith("diversion by"):
            found[spelled[spelling]] |= {name.strip().partition(":")[0] for name in names.split(",")}
    return found
