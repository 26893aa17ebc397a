"""What the documents list is what the program has."""

import ast
import re
import subprocess
import sys
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest

from chimein_gui.domain.agent_files.parsing import EARLIER_NAMES, FIELD_NAMES
from chimein_gui.domain.settings.preferences import Preferences
from tests.architecture.source_tree import EXAMPLE_PLACES as PLACES
from tests.architecture.source_tree import ROOT, modules, project_files, tree_of

CONFIGURATION = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
VARIABLE = re.compile(r"DISPLAY|(?:CHIMEIN|CINDY|GEMINI|OPENBLAS|QT|WAYLAND|XDG)_[A-Z_]*[A-Z]")
"""How environment variables are called that the program reads or sets."""

NAME = re.compile(r"\b(?:[A-Z][a-z]+[A-Z]\w*|[A-Z][a-z]{5,}|[a-z]+_[a-z]\w*)\b")
"""What a class or a function looks like."""


def section(title: str) -> str:
    """Return a part of the configuration reference, up to the next heading of its level."""
    return re.split(r"^## ", CONFIGURATION.partition(f"\n## {title}\n")[2], flags=re.MULTILINE)[0]


def first_column(text: str) -> list[str]:
    """Return what the rows of tables name, without their heads and marks."""
    return [name for row in re.findall(r"^\| (`.+?) \|", text, re.MULTILINE) for name in re.findall(r"`(.+?)`", row)]


def options_of(*command: str) -> set[str]:
    call = [sys.executable, "-m", "chimein_gui", *command, "--help"]
    return set(
        re.findall(r"--[a-z-]+", subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    )


def test_every_option_is_listed():
    listed = set(re.findall(r"--[a-z-]+", " ".join(first_column(section("Command line")))))
    of_sandbox = {"--config", "--model", "--tour", "--one-look", "--acts"}
    assert options_of() == listed - of_sandbox
    assert options_of("sandbox") == of_sandbox | {"--help"}


def test_every_environment_variable_is_listed():
    read = {
        node.value
        for path in modules()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and VARIABLE.fullmatch(node.value)
    }
    assert set(VARIABLE.findall(section("Environment variables"))) == read


def test_every_heading_of_an_agent_file_is_listed():
    text = section("The agent file")
    assert first_column(text) == list(dict.fromkeys(first_column(text)))
    assert set(first_column(text)) == set(FIELD_NAMES)
    assert not [name for name in EARLIER_NAMES if f"`{name}`" not in text]


def test_every_preference_is_listed_with_its_default():
    listed = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", section("Preferences"), re.MULTILINE))
    defaults = Preferences()
    values = {one.name: getattr(defaults, one.name) for one in fields(Preferences)}
    shown = {name: str(value).lower() if isinstance(value, bool) else repr(value) for name, value in values.items()}
    shown = {name: words.replace("'", '"') for name, words in shown.items()}
    assert {name: value.strip("`") for name, value in listed.items()} == shown | {
        "config_dirs": "[]",
        "prices": "a list",
    }


def test_what_documents_show_and_link_to_is_there():
    documents = [path for path in project_files() if path.suffix == ".md" and path.parts[0] not in {"tests", "samples"}]
    missing = []
    for path in documents:
        here = (ROOT / path).resolve()
        for link in re.findall(r"\]\(([^)\s:]*)\)", here.read_text(encoding="utf-8")):
            name, _, anchor = link.partition("#")
            target = here.parent / name if name else here
            if not target.is_file() or (anchor and anchor not in anchors_of(target)):
                missing.append(f"{path}: {link}")
    assert not missing


def anchors_of(document: Path) -> set[str]:
    """Return what the headings of a document are called in links."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_place_that_contributors_are_sent_to_exists():
    text = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:chimein_gui|docs|samples|tests|\.ci)/[\w./]*)`", text))
    assert len(named) > 50  # the pattern still finds them
    assert {name for name in named if not (ROOT / name).exists()} == set(PLACES)


@pytest.mark.parametrize("document", ["architecture.md", "contributing.md"])
def test_what_they_call_a_class_or_a_function_is_called_so_in_the_sources(document: str) -> None:
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    named = {word for code in re.findall(r"`([^`\n]+)`", text) for word in NAME.findall(code)}
    assert len(named) > 50  # the pattern still finds them
    assert not named - names_in_sources()


@cache
def names_in_sources() -> frozenset[str]:
    """Return what is called something in the product and the tests, and the words of file names and short texts."""
    found = set[str]()
    for path in project_files():
        found.update(re.findall(r"\w+", str(path)))
        if path.suffix == ".py" and path.parts[0] in {"chimein_gui", "tests"}:
            for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
                names = [getattr(node, field, None) for field in ("name", "attr", "id", "arg", "asname", "value")]
                found.update(*(re.findall(r"\w+", one) for one in names if isinstance(one, str) and len(one) < 80))
    return frozenset(found)


def test_every_place_that_the_architecture_names_exists():
    ours = ROOT / "chimein_gui"
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    tops = "|".join([*(path.name for path in ours.iterdir() if path.is_dir()), "docs", "tests", "samples"])
    named = set(re.findall(rf"`((?:{tops})/[\w./]*|\w+\.py)`", text))
    assert len(named) > 150  # the pattern still finds them
    assert not [name for name in named if not (ours / name).exists() and not (ROOT / name).exists()]


def test_the_architecture_lists_every_package_and_no_other():
    ours = ROOT / "chimein_gui"
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    packages = text.partition("\n## Packages\n")[2].partition("\n### Beside them\n")[0]
    found = {path.parent.relative_to(ours) for path in ours.rglob("__init__.py")}
    listed = {"engine", "viewmodels", "ui", "adapters", "domain", "sandbox", "tour"}
    assert sorted(first_column(packages)) == sorted(f"{one}/" for one in found if one.parts and one.parts[0] in listed)
    for name, words in re.findall(r"^\| `([a-z_/]+)/` \| (.*?) \|$", packages, re.MULTILINE):
        told = ast.get_docstring(ast.parse((ours / name / "__init__.py").read_text(encoding="utf-8"))) or ""
        assert words == " ".join(told.partition("\n\n")[0].split()), f"{name}: its row is not its docstring"
