"""What code, tests and resources cite is in the repository: the file, and the heading that is named."""

import io
import re
import tokenize
from collections.abc import Mapping
from typing import Any

from chimein_gui.domain import transitions
from tests.architecture.source_tree import ROOT, project_files, text_of
from tests.benchmarks.rows import ROWS

# In halves, so that this file does not find itself.
NAMES = ["SP" + "EC", "FA" + "CTS", "BUD" + "GETS", "HO" + "USE", "ARCHI" + "TECTURE", "DUT" + "IES", "FOR" + "MATS"]
PAPERS = re.compile(rf"\b(?:{'|'.join(NAMES)}|[Ii]ssues? \d)")
CITATION = re.compile(r"(?P<file>docs/[\w/.-]+\.md)(?:,\s+(?:#\s+)?\"(?P<heading>[^\"]+)\")?")
TABLES: Mapping[str, list[Mapping[Any, frozenset[Any]]]] = {
    "Steps that nobody outside sees": [transitions.TASK_TABLE],
    "Planned sends": [transitions.PLANNED_TABLE],
    "Approvals and requests": [transitions.APPROVAL_TABLE, transitions.LEDGER_TABLE],
}


def words_of(text: str) -> str:
    """Return comments and strings of a Python file; what stands in backticks is a name."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    said = "\n".join(one.string for one in tokens if one.type in {tokenize.COMMENT, tokenize.STRING})
    return re.sub(r"`[^`\n]*`", "", said)


def test_what_is_cited_is_there():
    wrong = []
    for path in project_files():
        for found in CITATION.finditer(text_of(path) or ""):
            target = ROOT / found["file"]
            headings = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.MULTILINE) if target.is_file() else []
            if not headings or found["heading"] not in [None, *headings]:
                wrong.append(f"{path}: {found[0]}")
    assert not wrong


def test_no_paper_that_is_not_here_is_named():
    named = ((path, text_of(path) or "") for path in project_files() if path.suffix == ".py")
    assert not [str(path) for path, text in named if PAPERS.search(text) and PAPERS.search(words_of(text))]


def test_the_state_tables_that_people_read_are_those_of_the_code():
    document = (ROOT / "docs/behaviour.md").read_text("utf-8")
    for heading, tables in TABLES.items():
        section = re.split(r"\n#+ ", document.split(f"### {heading}\n")[1])[0]
        rows = re.findall(r"^\| ([\w ]+) \| (.+) \|$", re.sub(r" ?\([^)]*\)", "", section), re.MULTILINE)
        read = {(old, new) for old, news in rows for new in news.split(", ")} - {("from", "to")}
        changes = [(old, new) for table in tables for old, news in table.items() for new in news]
        assert read == {(old.replace("_", " "), new.replace("_", " ")) for old, new in changes}, heading


def test_the_budgets_that_people_read_are_those_that_are_measured():
    speed = (ROOT / "docs/budgets.md").read_text("utf-8").split("\n## ")[1]
    assert set(re.findall(r"^\| (\w+) \|", speed, re.MULTILINE)) - {"row"} == set(ROWS)
