"""The lock names no index, hashes everything, and holds what pyproject asks for."""

import re
import tomllib
from importlib.metadata import version

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.source_tree import ROOT

LOCK = (ROOT / "requirements.lock").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


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


def _asked_for() -> list[Requirement]:
    project = PROJECT["project"]
    groups = [project["dependencies"], project["optional-dependencies"]["dev"], PROJECT["build-system"]["requires"]]
    return [Requirement(line) for group in groups for line in group]


def test_the_lock_names_no_index_and_no_address():
    assert "://" not in LOCK
    assert not re.search(r"^\s*(-|--(?!hash=))", re.sub(r"--hash=", "", LOCK), re.MULTILINE)


def test_everything_is_pinned_and_hashed():
    for name, (requirement, hashes) in locked(LOCK).items():
        assert [specifier.operator for specifier in requirement.specifier] == ["=="], name
        assert hashes, name


@pytest.mark.parametrize("requirement", _asked_for(), ids=str)
def test_what_pyproject_asks_for_is_locked(requirement):
    pinned, _ = locked(LOCK)[canonicalize_name(requirement.name)]
    (specifier,) = pinned.specifier
    assert requirement.specifier.contains(specifier.version)


def test_aiohttp_is_not_locked():
    assert "aiohttp" not in locked(LOCK)


def test_the_large_extra_is_not_locked():
    (video,) = PROJECT["project"]["optional-dependencies"]["video"]
    assert canonicalize_name(Requirement(video).name) not in locked(LOCK)


def test_what_is_installed_is_what_is_locked():
    asked = {canonicalize_name(requirement.name) for requirement in _asked_for()}
    pinned = {name: next(iter(locked(LOCK)[name][0].specifier)).version for name in asked}
    assert {name: version(name) for name in asked} == pinned


def test_the_parser_sees_markers_and_missing_hashes():
    text = 'a==1 ; sys_platform == "win32" \\\n    --hash=sha256:00 \\\n    --hash=sha256:01\n    # via b\nb==2\n'
    assert {name: hashes for name, (_, hashes) in locked(text).items()} == {"a": 2, "b": 0}
