"""The top level holds what a newcomer is told it holds, and no file holds what belongs to one machine."""

import re
from pathlib import PurePosixPath

import pytest

from tests.architecture.source_tree import project_files, text_of

TOP_LEVEL = {
    "pyproject.toml",
    "requirements.lock",
    "requirements-campaign.lock",
    "requirements-dev.lock",
    "CHANGELOG.md",
    "README.md",
    "LICENSE",
    "build_app.spec",
    ".ci",
    "chimein_gui",
    "docs",
    "samples",
    "tests",
}

# In halves, so that this file does not find itself.
MACHINE_PATHS = re.compile("|".join(["/wor" + "k/", "/roo" + "t/", "/opt/" + "pypi", "/opt/" + "wheels", r"/home/\w"]))
REGISTRY_HOSTS = re.compile(
    "|".join(
        ["pypi" + r"\.org", "python" + r"hosted", "debian" + r"\.org", "registry" + r"\.npmjs", "ubuntu" + r"\.com"]
    )
)
PHONE_NUMBER = re.compile(r"(?<![\w.+])\+\d[\d ()-]{5,}\d")
TEST_NUMBERS = "+99966"
"""Telegram's own range for tests: no number in it can ever belong to anybody."""

WITH_NUMBERS = ("samples", "chimein_gui")


def foreign_numbers(text: str) -> list[str]:
    """Return what looks like a telephone number of the real world."""
    numbers = [re.sub(r"[ ()-]", "", found) for found in PHONE_NUMBER.findall(text)]
    return [number for number in numbers if not number.startswith(TEST_NUMBERS)]


def _is_dot_file(path: PurePosixPath) -> bool:
    return len(path.parts) == 1 and path.name.startswith(".")


def test_the_top_level_is_what_the_readme_says():
    found = {path.parts[0] for path in project_files() if not _is_dot_file(path)}
    assert found <= TOP_LEVEL, f"not at home at the top level: {sorted(found - TOP_LEVEL)}"
    assert found >= TOP_LEVEL, f"missing: {sorted(TOP_LEVEL - found)}"


@pytest.mark.parametrize("pattern", [MACHINE_PATHS, REGISTRY_HOSTS], ids=["machine paths", "registry hosts"])
def test_no_file_names_a_machine_or_a_registry(pattern):
    found = [
        f"{path}:{number}: {line.strip()[:120]}"
        for path in project_files()
        for number, line in enumerate((text_of(path) or "").splitlines(), 1)
        if pattern.search(line)
    ]
    assert not found, "\n" + "\n".join(found)


def test_no_telephone_number_could_be_anybodys():
    found = {
        str(path): foreign_numbers(text_of(path) or "") for path in project_files() if path.parts[0] in WITH_NUMBERS
    }
    assert not {path: numbers for path, numbers in found.items() if numbers}
