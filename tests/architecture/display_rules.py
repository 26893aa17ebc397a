"""No widget reads markup, and none has a style sheet of its own: what of that can be read off the code.

What tool tips, menus and tabs make of foreign text is seen in the window: `tests/panes/test_hostile_display.py`.
"""

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

from tests.architecture.rules import Finding

READS_MARKUP = frozenset({"setHtml", "insertHtml", "appendHtml", "setMarkdown", "setWhatsThis", "toHtml", "toMarkdown"})
RICH_WIDGETS = frozenset({"QTextBrowser", "QTextEdit", "QTextDocument", "QErrorMessage", "QStaticText", "QWhatsThis"})
RICH_FORMATS = frozenset({"RichText", "AutoText", "MarkdownText"})

LABEL_MAKER = "chimein_gui/ui/widgets/text/labels.py"

STYLE_SHEET_MAKER = "chimein_gui/ui/shell/appearance/theme.py"

MIRROR = "chimein_gui/ui/widgets/theme/mirror.py"

MARGINS = frozenset({"setContentsMargins", "setTextMargins", "setViewportMargins"})

PICTURES = frozenset({"IconLabel"})
"""Labels that only ever show a picture."""


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


def style_sheets(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """There is one style sheet, made of the theme alone; a widget says by a property how it is drawn."""
    if in_ui(path) and str(path) != STYLE_SHEET_MAKER:
        yield from (
            (call.lineno, "a style sheet of its own: use the property CONTROL")
            for call in _calls(tree)
            if _tail(call.func) == "setStyleSheet"
        )


def leading_edges(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """Left and right margins that differ are leading and trailing ones: they change sides with the layout."""
    if not in_ui(path) or str(path) == MIRROR:
        return
    for call in _calls(tree):
        if _tail(call.func) in MARGINS and not (
            len(call.args) == 4 and ast.unparse(call.args[0]) == ast.unparse(call.args[2])
        ):
            yield call.lineno, f"{_tail(call.func)} with sides: use set_rtl_margins or set_rtl_field"


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _tail(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


RULES = (rich_text, style_sheets, leading_edges)
