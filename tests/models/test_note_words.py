"""Words are made in the view models, and only there: no behaviour hangs on one, so any can be changed or translated."""

import ast
from pathlib import Path

import pytest

import chimein_gui
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.tasks import CancelReason
from chimein_gui.viewmodels.words.notes import (
    note_beside_fate,
    note_words,
    problem_cause,
    problem_sentence,
    problem_words,
)
from tests.fakes.console import approval

PACKAGE = Path(chimein_gui.__file__).parent


@pytest.mark.parametrize("kind", [*NoteKind, *CancelReason])
def test_every_note_has_words(kind):
    words = note_words(Note(kind, "said by others", 3, Note(NoteKind.HELD, "lunch")))
    assert words
    assert "{" not in words
    assert note_words(Note(kind)) or kind in {NoteKind.OTHER, NoteKind.REFUSED, NoteKind.LIMITED, NoteKind.NO_KEY}


@pytest.mark.parametrize("kind", PlanningKind)
def test_every_planning_problem_has_words(kind):
    problem = PlanningProblem(kind, "the {service} said so", 37, 4)
    for words in (problem_words(problem), problem_cause(problem), problem_sentence(problem)):
        assert words
        assert "{why}" not in words
    assert problem_words(PlanningProblem(kind)) or kind is PlanningKind.OTHER
    assert (problem_words(None), problem_sentence(None), note_words(None)) == ("", "", "")


def test_a_note_says_what_belongs_to_it():
    assert note_words(Note(NoteKind.HELD, "lunch")) == "Held: lunch"
    assert note_words(Note(NoteKind.REFUSED, "no", 2)) == (
        "Part 2 was refused, the parts before it were sent: Telegram refused: no."
    )
    against = Note(NoteKind.NOT_FOUND, cause=Note(NoteKind.TAKEN_OVER))
    assert note_words(against) == "No trace of it in the chat on Telegram. You wrote in this chat yourself"
    part = Note(NoteKind.PART_SENT, cause=Note(NoteKind.DELETED))
    assert note_words(part) == "Deleted for everyone; the partner may have seen it; a part of it was sent before"


def test_a_card_does_not_say_of_a_hold_what_its_fate_says():
    held = approval(note=Note(NoteKind.APPROVED_HELD))
    assert note_beside_fate(held, held=True) == ""
    assert note_beside_fate(held, held=False) == "Approved, held"
    assert note_beside_fate(approval(note=Note(NoteKind.WENT_ON)), held=True) != ""


def test_nothing_decides_by_a_sentence():
    """Neither the engine nor the window compares with words that a person reads, or looks into them."""
    trees = {
        module: ast.parse(module.read_text("utf-8"))
        for place in ("domain", "engine", "viewmodels", "ui")
        for module in (PACKAGE / place).rglob("*.py")
    }
    found = []
    for module, tree in trees.items():
        named = _named(tree, trees)
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
        compared = [(node.lineno, place) for node in nodes for place in _compared(node)]
        found += [
            f"{module.relative_to(PACKAGE)}:{line}"
            for line, place in compared
            if any(map(_is_sentence, _texts(place, named)))
        ]
    assert found == []


def _named(tree: ast.Module, trees: dict[Path, ast.Module]) -> dict[str, str]:
    """Return the texts that a module knows by a name, its own and those it imports."""
    imported = {
        name: text
        for statement in tree.body
        if isinstance(statement, ast.ImportFrom)
        for module in (PACKAGE.parent.joinpath(*(statement.module or "").split(".")).with_suffix(".py"),)
        if module in trees
        for name, text in _constants(trees[module])
        if name in {alias.name for alias in statement.names}
    }
    return imported | dict(_constants(tree))


def _constants(tree: ast.Module) -> list[tuple[str, str]]:
    """Return the texts that have a name of their own in a module."""
    return [
        (target.id, text)
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
        for text in _texts(statement.value, {})
    ]


def _compared(node: ast.expr) -> list[ast.expr]:
    """Return what something is compared with, or what it is asked to begin or end with."""
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.args if node.func.attr in {"startswith", "endswith", "removeprefix", "removesuffix"} else []
    return []


def _texts(place: ast.expr, named: dict[str, str]) -> list[str]:
    if isinstance(place, ast.Call):
        return []  # what a call makes of a text is something else
    found = [one.value for one in ast.walk(place) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return found + [named[one.id] for one in ast.walk(place) if isinstance(one, ast.Name) and one.id in named]


def _is_sentence(text: str) -> bool:
    """Tell whether a text is for people: several words that begin with a capital letter, or end as sentences do."""
    return " " in text.strip() and (text[:1].isupper() or text.endswith("."))
