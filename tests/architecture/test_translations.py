"""Every word that reaches the screen goes through tr(): no literal is handed to a widget as it stands."""

import ast
import re
from collections.abc import Iterator

from PySide6 import QtWidgets

from tests.architecture.source_tree import modules, tree_of

ROOMS = ("ui", "viewmodels")

SINKS: dict[str, tuple[int, ...]] = {
    "setText": (0,),
    "setToolTip": (0,),
    "setAccessibleName": (0,),
    "setAccessibleDescription": (0,),
    "setPlaceholderText": (0,),
    "setWindowTitle": (0,),
    "setTitle": (0,),
    "addAction": (0,),
    "addMenu": (0,),
    "PlainLabel": (1,),
    "ElidedLabel": (1,),
    "ActionButton": (1,),
    "CheckBox": (1,),
    "IconLabel": (1,),
    "set_look": (0,),
    "refuse": (0,),
    "say": (0, 1),
    "Activity": (1,),
    "Problem": (3, 4),
    "ProblemAction": (1,),
}
"""Function → which of its arguments the operator reads or hears."""

OF_QT = frozenset({"setTitle", "setPlaceholderText", "addMenu"})
"""Those of Qt's own widgets and menus."""

TRANSLATES = frozenset({"tr", "_tr", "translate"})
PASSES_ON = frozenset({"format", "join", "strip", "rstrip", "removeprefix", "capitalize"})

NAMES = frozenset({"Chimein", "Ctrl K", "Esc", "F8"})
"""What is called the same in every language."""

WORD = re.compile(r"[^\W\d_]{2,}")


def untranslated(tree: ast.Module) -> list[str]:
    """Return the visible literals of a module that no translator sees."""
    return [f"{node.lineno}: {words}" for node, words in _found(tree)]


def _found(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for place in SINKS.get(_name(node.func), ()):
                if place < len(node.args):
                    for words in _literals(node.args[place]):
                        yield node, words


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _literals(node: ast.expr) -> Iterator[str]:
    """Give the words in an expression that become part of what is shown."""
    match node:
        case ast.Constant(value=str() as words):
            if WORD.search(words) and words not in NAMES:
                yield words
        case ast.JoinedStr(values=parts) | ast.BoolOp(values=parts):
            for part in parts:
                yield from _literals(part)
        case ast.FormattedValue(value=value):
            yield from _literals(value)
        case ast.IfExp(body=first, orelse=second) | ast.BinOp(left=first, right=second):
            yield from _literals(first)
            yield from _literals(second)
        case ast.Call(func=ast.Attribute(attr=attr, value=value)) if attr in PASSES_ON and attr not in TRANSLATES:
            yield from _literals(value)
        case _:
            return


def test_no_visible_literal_escapes_the_translator():
    found = [f"{path}:{line}" for path in modules() if path.parts[1] in ROOMS for line in untranslated(tree_of(path))]
    assert not found, "\n" + "\n".join(found)


def test_every_function_that_shows_words_exists():
    ours = {
        node.name
        for path in modules()
        if path.parts[1] in ROOMS
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    }
    assert {name for name in SINKS if name not in ours and not hasattr(QtWidgets.QWidget, name)} == OF_QT


BAD = [
    "label.setText('Hold everything')",
    "IconLabel('hand', f'{n} waiting', 'ok')",
    "label.setText('{n} chats'.format(n=3))",
    "self.say('Nothing here', self.tr('Really'))",
]

GOOD = [
    "label.setText(self.tr('{n} chats').format(n=3))",
    "label.setText(_tr('No') if here else '')",
    "label.setText(f'{self.tr(\"No\")}: {name}')",
    "IconLabel('hand', str(3), 'attention')",
    "self.setWindowTitle('Chimein')",
]


def test_the_rule_bites_and_lets_pass():
    assert [source for source in BAD if not untranslated(ast.parse(source))] == []
    assert [source for source in GOOD if untranslated(ast.parse(source))] == []
