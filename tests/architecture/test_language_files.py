"""The translations: every text that is looked up is found by lupdate, is translated, and has its plural forms."""

import ast
import re
from collections import Counter

import pytest

from tests.architecture.source_tree import modules, tree_of
from tests.support import translations
from tests.support.translations import Key

MARKS = frozenset({"tr", "translate", "QT_TRANSLATE_NOOP"})


def _calls(tree: ast.Module) -> list[tuple[str, str, ast.Call]]:
    """Return each call that translates or marks: its name, the class around it, and the call."""
    found = []

    def visit(node: ast.AST, around: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Call):
                name = child.func.attr if isinstance(child.func, ast.Attribute) else getattr(child.func, "id", "")
                if name in MARKS and not _is_of_str_or_painter(name, child):
                    found.append((name, around, child))
            visit(child, child.name if isinstance(child, ast.ClassDef) else around)

    visit(tree, "")
    return found


def _is_of_str_or_painter(name: str, call: ast.Call) -> bool:
    """Tell whether it is `str.translate`, or a painter that moves."""
    return name == "translate" and (len(call.args) < 2 or not isinstance(getattr(call.args[0], "value", None), str))


def _texts() -> tuple[set[Key], list[tuple[str, str]], list[str]]:
    """Return the texts in the code, what is translated through a variable, and plural forms without a number."""
    keys, contexts, unmarked, plural = set(), Counter[str](), [], []
    for path in modules():
        for name, around, call in _calls(tree_of(path)):
            context = around if name == "tr" else call.args[0].value if isinstance(call.args[0], ast.Constant) else ""
            text = call.args[0 if name == "tr" else 1]
            if isinstance(text, ast.Constant):
                keys.add(Key(str(context), str(text.value)))
                contexts[str(context)] += name == "QT_TRANSLATE_NOOP"
                if name != "QT_TRANSLATE_NOOP" and translations.is_plural(str(text.value)) != (
                    len(call.args) == (3 if name == "tr" else 4)
                ):
                    plural.append(f"{path}:{call.lineno}: {text.value!r}")
            else:
                unmarked.append((str(context), f"{path}:{call.lineno}: {ast.unparse(call)}"))
    return keys, [one for one in unmarked if not contexts[one[0]]], plural


def test_what_is_translated_through_a_variable_is_marked_in_that_context():
    elsewhere = {key.context for key in translations.offered()}
    assert [where for context, where in _texts()[1] if context not in elsewhere] == []


def test_a_number_goes_with_plural_forms_and_no_form_is_made_by_hand():
    assert _texts()[2] == []


def test_lupdate_finds_what_the_code_shows():
    assert _texts()[0] | translations.offered() == translations.sources()


@pytest.mark.gate_slow
@pytest.mark.parametrize("language", translations.LANGUAGES)
def test_every_text_is_translated_and_the_files_are_up_to_date(language):
    known = translations.updated(language, translations.sources())
    assert translations.missing(known) == []
    assert translations.catalogue(language) == known, "run .ci/translations"
    made = (translations.FOLDER / f"chimein_{language}.qm").read_bytes()
    assert made == translations.compiled(language), "run .ci/translations"


@pytest.mark.gate_slow
def test_translations_keep_the_placeholders():
    known = translations.catalogue("de")
    wrong = [key for key, forms in known.items() for form in forms if _fields(form) != _fields(key.source)]
    assert wrong == []


def _fields(text: str) -> set[str]:
    return set(re.findall(r"\{\w*\}", text))
