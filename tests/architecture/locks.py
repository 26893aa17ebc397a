"""What is locked, and what is needed: for the tests of this folder."""

import re
import tomllib
from importlib.metadata import requires

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.source_tree import ROOT

LOCKS = {name: (ROOT / f"{name}.lock").read_text("utf-8") for name in ("requirements", "requirements-dev")}
CAMPAIGN = (ROOT / "requirements-campaign.lock").read_text("utf-8")
"""What `.ci/setup --campaign` installs in addition: the extras that most people do not have."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]

FOR_USE = [*PROJECT["project"]["dependencies"], *EXTRAS["sandbox"], *PROJECT["build-system"]["requires"]]
"""What `.ci/setup` installs for everybody; setuptools installs Chimein itself."""


def locked(text: str) -> dict[str, tuple[Requirement, int]]:
    """Return each requirement of a lock with the number of its hashes."""
    logical_lines = re.sub(r"\\\n", " ", re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE)).splitlines()
    entries = [line for line in logical_lines if line.strip()]
    parsed: dict[str, tuple[Requirement, int]] = {}
    for entry in entries:
        specification, *hashes = re.split(r"\s--hash=", entry)
        requirement = Requirement(specification.strip())
        parsed[canonicalize_name(requirement.name)] = requirement, len(hashes)
    return parsed


def pinned(name: str) -> dict[str, str]:
    """Return the version of each package of a lock."""
    return {package: next(iter(one.specifier)).version for package, (one, _) in locked(LOCKS[name]).items()}


def needed(lines: list[str]) -> set[str]:
    """Return what these requirements need on this machine, themselves included, as what is installed tells."""
    found: set[tuple[str, frozenset[str]]] = set()
    waiting = [Requirement(line) for line in lines]
    while waiting:
        one = waiting.pop()
        if (key := (canonicalize_name(one.name), frozenset(one.extras))) in found:
            continue
        found.add(key)
        extras = one.extras | {""}
        waiting += [
            further
            for further in map(Requirement, requires(one.name) or ())
            if not further.marker or any(further.marker.evaluate({"extra": extra}) for extra in extras)
        ]
    return {name for name, _ in found}
