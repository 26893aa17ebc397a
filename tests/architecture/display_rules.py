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

HAVE_WORDS_OF_ERRORS = frozenset(
    f"chimein_gui/viewmodels/{name}.py"
    for name in ("words/errors", "rehearsal/words", "composer/attachments", "media/pictures")
)
"""The one owner of such words; the rehearsal's, whose sandbox answers in English; and two that raise translated
ones, or keep the text for the log."""

NAMED_BY_A_NOTE = frozenset(
    [
        "ConfigError",
        "DiagnosticsError",
        "SecretError",
        "StoreError",
        "StoreWriteError",
        "StoreUnreadableError",
        "StoreTooNewError",
        "GatewayError",
        "NotConnectedError",
        "ProxyError",
        "LoggedOutError",
        "RevokedError",
        "BannedError",
        "RateLimitedError",
        "SlowModeError",
        "OutcomeUnknownError",
        "AccountFrozenError",
    ]
)

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


def errors_in_words(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """No window shows what an error says to the log: `viewmodels/words/errors.py` has the words."""
    if path.parts[1:2] not in {("ui",), ("viewmodels",)} or str(path) in HAVE_WORDS_OF_ERRORS:
        return
    for handler in (node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler) and node.name):
        for node in ast.walk(handler):
            shown = node.args[0] if isinstance(node, ast.Call) and _tail(node.func) == "str" and node.args else None
            shown = node.value if isinstance(node, ast.FormattedValue) else shown
            if isinstance(shown, ast.Name) and shown.id == handler.name:
                yield shown.lineno, f"{handler.name} as text: use error_words"


def errors_by_name(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """What goes wrong below the view models is named by a `Note`: a sentence there could not be translated."""
    if path.parts[1:2] in {("engine",), ("adapters",), ("domain",)}:
        for call in _calls(tree):
            said = call.args[0] if call.args and _tail(call.func) in NAMED_BY_A_NOTE else None
            if isinstance(said, ast.JoinedStr | ast.Constant):
                yield call.lineno, f"{_tail(call.func)} in words: give it a Note"


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _tail(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


RULES = (rich_text, style_sheets, leading_edges)
