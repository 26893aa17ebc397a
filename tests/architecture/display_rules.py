"""Foreign text reaches a widget through ui/widgets/text/foreign_text.py: what of that can be read off the code.

A text is *ours* where it is written in the code, comes from `tr()` or was made harmless by `foreign_text`; and what is
put together of such. Everything else that goes into a place which reads markup or makes a key of an & is a finding.
"""

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

from tests.architecture.rules import Finding

READS_MARKUP = frozenset({"setHtml", "insertHtml", "appendHtml", "setMarkdown", "setWhatsThis", "toHtml", "toMarkdown"})
RICH_WIDGETS = frozenset({"QTextBrowser", "QTextEdit", "QTextDocument", "QErrorMessage", "QStaticText", "QWhatsThis"})
RICH_FORMATS = frozenset({"RichText", "AutoText", "MarkdownText"})

GUESSES_MARKUP = {"setToolTip": 0, "showText": 1, "setStatusTip": 0}
"""Method → which argument is a text that Qt reads as markup where it looks like it."""

MAKES_KEYS = {"addAction": 0, "addMenu": 0, "addTab": 1, "insertTab": 2, "setTabText": 1, "setTitle": 0}
"""Method → which argument is a text in which an & makes a key."""

MAKES_KEYS_WHEN_MADE = frozenset({"QAction", "QMenu", "QGroupBox", "QCheckBox", "QRadioButton", "QToolButton"})

LABEL_MAKER = "chimein_gui/ui/widgets/text/labels.py"

PICTURES = frozenset({"IconLabel"})
"""Labels that only ever show a picture."""

OURS = {
    ("chimein_gui/ui/panes/approvals/list/head.py", "self._sort_words(sort)"): "the names of our orders",
    ("chimein_gui/ui/panes/approvals/list/head.py", "words"): "names went through foreign_text.action above",
    ("chimein_gui/ui/panes/approvals/actions/verb_bar.py", "action.why_not"): "why a verb of ours cannot be pressed",
    ("chimein_gui/ui/widgets/controls/verb_button.py", "why_not"): "why a verb of ours cannot be pressed",
    ("chimein_gui/ui/panes/approvals/actions/verbs.py", "words"): "our verbs and times",
    ("chimein_gui/ui/panes/conversations/chats/menu.py", "words"): "our verbs and times",
    ("chimein_gui/ui/panes/conversations/drafts/buttons.py", "hold.words"): "our verbs",
    ("chimein_gui/ui/panes/conversations/drafts/menu.py", "words"): "our verbs and times",
    ("chimein_gui/ui/panes/conversations/header/header.py", "left"): "a time",
    ("chimein_gui/ui/panes/conversations/header/header.py", "sign.word"): "a level of trust",
    ("chimein_gui/ui/panes/conversations/header/buttons.py", "name"): "our verbs",
    ("chimein_gui/ui/panes/conversations/transcript/menu.py", "words"): "links went through foreign_text.action above",
    ("chimein_gui/ui/panes/conversations/chats/trust_menu.py", "words"): "levels of trust",
    ("chimein_gui/ui/shell/commands/actions.py", "spec.text"): "our commands",
    (
        "chimein_gui/ui/shell/bars/cost_meter.py",
        "', '.join((part for part in (calls, unpriced, pretended) if part))",
    ): "numbers",
    ("chimein_gui/ui/shell/docking/docks.py", "self.word"): "the name of one of our panes",
    ("chimein_gui/ui/shell/docking/docks.py", "name"): "our verbs",
    ("chimein_gui/ui/shell/bars/fault_bar.py", "name"): "our verbs",
    ("chimein_gui/ui/shell/commands/menu.py", "title"): "the names of our menus",
    ("chimein_gui/ui/shell/docking/rail.py", "tip"): "the name of one of our panes",
    ("chimein_gui/ui/shell/bars/search_field.py", "key"): "the words of a key",
}
"""(file, expression) → why it is ours although the code beside it does not show it."""

_COUNTS = frozenset({"len", "round", "int"})
_TRANSLATORS = frozenset({"tr", "_tr", "translate"})
_KEEPERS = frozenset({"join", "format", "strip", "rstrip", "lstrip", "removesuffix"})


def in_ui(path: PurePosixPath) -> bool:
    """Tell whether a module makes widgets."""
    return path.parts[1:2] == ("ui",)


def rich_text(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """Nothing that reads markup is used at all; labels are made in one place, which sets them to plain text."""
    if not in_ui(path):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in READS_MARKUP:
            yield node.lineno, f"{node.attr} reads markup"
        elif isinstance(node, ast.Attribute) and node.attr in RICH_FORMATS and _tail(node.value) == "TextFormat":
            yield node.lineno, f"TextFormat.{node.attr}"
        elif isinstance(node, ast.Call) and _tail(node.func) in RICH_WIDGETS:
            yield node.lineno, f"{_tail(node.func)} reads markup"
        elif isinstance(node, ast.Call) and _tail(node.func) == "QLabel" and str(path) != LABEL_MAKER:
            yield node.lineno, "QLabel guesses markup: make a PlainLabel"
        elif isinstance(node, ast.ClassDef) and str(path) != LABEL_MAKER and node.name not in PICTURES:
            yield from (
                (node.lineno, f"{node.name} is a bare QLabel") for base in node.bases if _tail(base) == "QLabel"
            )
    boxes = [node.lineno for node in _calls(tree) if _tail(node.func) == "QMessageBox"]
    if boxes and not any(_tail(node.func) == "setTextFormat" for node in _calls(tree)):
        yield boxes[0], "QMessageBox guesses markup until setTextFormat(PlainText)"


def foreign_text_at_the_door(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """Tool tips, menus and tabs get texts of ours, or what foreign_text has made harmless."""
    if not in_ui(path):
        return
    for function in [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))]:
        known = _assignments(function)
        for call in _own_calls(function):
            text = _text_of(call)
            if text is not None and not _is_ours(text, known, str(path)):
                yield call.lineno, f"{_tail(call.func)}({ast.unparse(text)}): through foreign_text"


def style_sheets(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """No style sheet is built of anything but colours and sizes of the theme."""
    if not in_ui(path):
        return
    for call in _calls(tree):
        if _tail(call.func) == "setStyleSheet" and call.args:
            for node in ast.walk(call.args[0]):
                if isinstance(node, ast.Call) and _tail(node.func) not in {"color", "name", "style_sheet_of", "join"}:
                    yield call.lineno, f"a style sheet with {ast.unparse(node)}"


def _text_of(call: ast.Call) -> ast.expr | None:
    """Return the argument of a call that Qt may misread, if it is given and may be a text."""
    name = _tail(call.func)
    if isinstance(call.func, ast.Attribute):
        place = {**GUESSES_MARKUP, **MAKES_KEYS}.get(name)
    else:
        place = 0 if name in MAKES_KEYS_WHEN_MADE else None
    if place is None or place >= len(call.args):
        return None
    # addAction(action) and QMenu(parent) take no text.
    return None if _is_object(call.args[place]) else call.args[place]


def _is_object(node: ast.expr) -> bool:
    named = _tail(node)
    return named in {"self", "parent", "view", "menu", "action", "later", "plan", "tab", "own", "drop", "_window"} or (
        isinstance(node, ast.Subscript) and "commands" in ast.unparse(node)
    )


def _is_ours(node: ast.expr, known: dict[str, list[ast.expr]], path: str, depth: int = 0) -> bool:
    if depth > 8:
        return False
    if isinstance(node, ast.Constant) or (path, ast.unparse(node)) in OURS:
        return True
    if isinstance(node, ast.Call) and _makes_harmless(node):
        return True
    parts = known.get(node.id, []) if isinstance(node, ast.Name) else _parts(node)
    return bool(parts) and all(_is_ours(one, known, path, depth + 1) for one in parts)


def _makes_harmless(call: ast.Call) -> bool:
    from_the_door = isinstance(call.func, ast.Attribute) and _tail(call.func.value) == "foreign_text"
    return from_the_door or _tail(call.func) in _TRANSLATORS | _COUNTS


def _parts(node: ast.expr) -> list[ast.expr]:
    """Return what a text is put together of; numbers under the name `n` do not count."""
    parts: list[ast.expr] = []
    match node:
        case ast.JoinedStr(values=values) | ast.BoolOp(values=values):
            parts = values
        case ast.FormattedValue(value=value):
            parts = [value]
        case ast.IfExp(body=first, orelse=second) | ast.BinOp(left=first, right=second):
            parts = [first, second]
        case ast.GeneratorExp(elt=element):
            parts = [element]
        case ast.Call(func=ast.Attribute(value=text, attr=name)) if name in _KEEPERS:
            parts = [text, *node.args, *(keyword.value for keyword in node.keywords if keyword.arg != "n")]
    return parts


def _assignments(function: ast.AST) -> dict[str, list[ast.expr]]:
    """Return what each name of a function is set to."""
    known: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    known.setdefault(target.id, []).append(node.value)
                elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    for name, value in zip(target.elts, node.value.elts, strict=False):
                        known.setdefault(_tail(name), []).append(value)
    return known


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _own_calls(function: ast.AST) -> Iterator[ast.Call]:
    """Give the calls of a function, without those of functions inside it."""
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            continue
        if isinstance(node, ast.Call):
            yield node
        waiting.extend(ast.iter_child_nodes(node))


def _tail(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


RULES = (rich_text, foreign_text_at_the_door, style_sheets)
