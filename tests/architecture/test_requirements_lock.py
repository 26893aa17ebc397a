"""Each lock names no index and hashes everything; one holds what use needs, the other the tests and tools."""

import re
from importlib.metadata import requires, version

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.locks import CAMPAIGN, EXTRAS, FOR_USE, LOCKS, locked, needed, pinned


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_index_and_no_address(name):
    assert "://" not in LOCKS[name]
    assert not re.search(r"^\s*(-|--(?!hash=))", re.sub(r"--hash=", "", LOCKS[name]), re.MULTILINE)


@pytest.mark.parametrize("name", LOCKS)
def test_everything_is_pinned_and_hashed(name):
    for package, (requirement, hashes) in locked(LOCKS[name]).items():
        assert [specifier.operator for specifier in requirement.specifier] == ["=="], package
        assert hashes, package


@pytest.mark.parametrize(
    ("name", "lines"), [("requirements", FOR_USE), ("requirements-dev", EXTRAS["dev"])], ids=["use", "dev"]
)
def test_what_pyproject_asks_for_is_locked(name, lines):
    for requirement in map(Requirement, lines):
        assert requirement.specifier.contains(pinned(name)[canonicalize_name(requirement.name)]), requirement


def test_the_extras_that_a_package_asks_for_stand_in_the_lock():
    # pip does not hold a pin without an extra against a requirement with one: it would take a newer release, unhashed.
    lines = {package: one for name in LOCKS for package, (one, _) in locked(LOCKS[name]).items()}
    here = [package for package, one in lines.items() if not one.marker or one.marker.evaluate()]
    asked = [one for package in here for one in map(Requirement, requires(package) or ()) if one.extras]
    asked = [one for one in asked if not one.marker or one.marker.evaluate({"extra": ""})]
    assert asked
    for one in asked:
        assert one.extras <= lines[canonicalize_name(one.name)].extras, one


def test_the_lock_for_use_holds_what_use_needs_and_nothing_else():
    known = {
        package
        for package, (one, _) in locked(LOCKS["requirements"]).items()
        if not one.marker or one.marker.evaluate()
    }
    assert known == needed(FOR_USE)


def test_the_other_lock_holds_what_tests_and_tools_need_in_addition():
    assert not pinned("requirements").keys() & pinned("requirements-dev").keys()
    assert needed(EXTRAS["dev"]) <= pinned("requirements").keys() | pinned("requirements-dev").keys()


@pytest.mark.parametrize("name", LOCKS)
def test_aiohttp_and_the_large_extras_are_not_locked(name):
    asked = (one for extra in ("video", "local", "postgres") for one in EXTRAS[extra])
    large = {canonicalize_name(Requirement(one).name) for one in asked}
    assert not {"aiohttp", *large} & pinned(name).keys()


@pytest.mark.parametrize("name", LOCKS)
def test_what_is_installed_is_what_is_locked(name):
    here = {package for package, (one, _) in locked(LOCKS[name]).items() if not one.marker or one.marker.evaluate()}
    assert {package: version(package) for package in here} == {package: pinned(name)[package] for package in here}


def test_the_campaign_has_the_extras_for_the_search_of_memories_hashed_and_nothing_twice():
    found = locked(CAMPAIGN)
    assert "://" not in CAMPAIGN
    assert all(hashes and one.specifier for one, hashes in found.values())
    asked = {canonicalize_name(Requirement(one).name) for extra in ("local", "postgres") for one in EXTRAS[extra]}
    assert asked <= found.keys()
    assert not found.keys() & (pinned("requirements").keys() | pinned("requirements-dev").keys())
