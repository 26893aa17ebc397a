"""No widget reads markup, and none has a style sheet of its own: what of that can be read off the code.

What tool tips, menus and tabs make of foreign text is seen in the window: `tests/panes/test_hostile_display.py`.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from chimein_gui.ui.widgets.theme.tokens import colour_names
from tests.architecture.rules import Finding, calls, nodes_of, tail

READS_MARKUP = frozenset({"setHtml", "insertHtml", "appendHtml", "setMarkdown", "setWhatsThis", "toHtml", "toMarkdown"})
RICH_WIDGETS = frozenset({"QTextBrowser", "QTextEdit", "QTextDocument", "QErrorMessage", "QStaticText", "QWhatsThis"})
RICH_FORMATS = frozenset({"RichText", "AutoText", "MarkdownText"})

LABEL_MAKER = "chimein_gui/ui/widgets/text/labels.py"

STYLE_SHEET_MAKER = "chimein_gui/ui/shell/appearance/theme.py"

CONTROL_COLOURS = "chimein_gui/ui/widgets/theme/control_colours.py"

TELLS_A_STATE = frozenset(
    {"isEnabled", "isDown", "isChecked", "underMouse", "hasFocus", "HOVERED", "SELECTED", "FOCUSED"}
    | {"hovered", "pressed", "checked", "selected", "focused", "_hovered", "_pressed", "_active"}
)
"""What tells how a control or a row is, as methods, bits and names."""

COLOURS = frozenset({"color", "QColor", "blend"})

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

SENTENCE = re.compile(r"(?=[A-Z“…])[^\n]*[\w”…] [\w“][^\n]*(?:[.!?…]$|(?: \S+){3})")
"""What reads like one: it begins like one, and ends like one or has five words."""

SQL = re.compile(
    r"\b(?:SELECT|WHERE|JOIN|PRAGMA|ORDER BY|DELETE FROM|DROP INDEX|BEGIN|CREATE|CASE|LIKE|GLOB|INSERT|UPDATE|AND|ON)\b"
)

LOGS = frozenset({"debug", "info", "warning", "error", "exception", "critical", "log"})

SAY_SENTENCES = (
    *("chimein_gui/domain/memory/orders/answers.py", "chimein_gui/domain/retrieval/texts.py"),
    *(
        "chimein_gui/domain/prompt/marks.py",
        "chimein_gui/domain/prompt/memories.py",
        "chimein_gui/engine/prompt/",
    ),
    *("chimein_gui/domain/media/in_prompts.py", "chimein_gui/engine/media/describer.py"),
    *("chimein_gui/engine/planning/model_loop.py", "chimein_gui/engine/planning/variant_store.py"),
    *(
        "chimein_gui/engine/tools/",
        "chimein_gui/adapters/files/diagnostics.py",
        "chimein_gui/adapters/gemini/replies.py",
        "chimein_gui/adapters/onnx/files.py",
    ),
    *("chimein_gui/adapters/telegram/transport/log_filter.py", "chimein_gui/adapters/store/migrations/"),
)
"""What the model reads, what stands in files and logs for others, and what older versions stored."""

PICTURES = frozenset({"IconLabel"})
"""Labels that only ever show a picture."""


def in_ui(path: PurePosixPath) -> bool:
    """Tell whether a module makes widgets."""
    return path.parts[1:2] == ("ui",)


def rich_text(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """Nothing that reads markup is used at all; labels are made in one place, which sets them to plain text."""
    if not in_ui(path):
        return
    for node in nodes_of(tree):
        if isinstance(node, ast.Attribute) and node.attr in READS_MARKUP:
            yield node.lineno, f"{node.attr} reads markup"
        elif isinstance(node, ast.Attribute) and node.attr in RICH_FORMATS and tail(node.value) == "TextFormat":
            yield node.lineno, f"TextFormat.{node.attr}"
        elif isinstance(node, ast.Call) and tail(node.func) in RICH_WIDGETS:
            yield node.lineno, f"{tail(node.func)} reads markup"
        elif isinstance(node, ast.Call) and tail(node.func) == "QLabel" and str(path) != LABEL_MAKER:
            yield node.lineno, "QLabel guesses markup: make a PlainLabel"
        elif isinstance(node, ast.ClassDef) and str(path) != LABEL_MAKER and node.name not in PICTURES:
            yield from ((node.lineno, f"{node.name} is a bare QLabel") for base in node.bases if tail(base) == "QLabel")
    boxes = [node.lineno for node in calls(tree) if tail(node.func) == "QMessageBox"]
    if boxes and not any(tail(node.func) == "setTextFormat" for node in calls(tree)):
        yield boxes[0], "QMessageBox guesses markup until setTextFormat(PlainText)"


def style_sheets(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """There is one style sheet, made of the theme alone; a widget says by a property how it is drawn."""
    if in_ui(path) and str(path) != STYLE_SHEET_MAKER:
        yield from (
            (call.lineno, "a style sheet of its own: use the property CONTROL")
            for call in calls(tree)
            if tail(call.func) == "setStyleSheet"
        )


def leading_edges(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """Left and right margins that differ are leading and trailing ones: they change sides with the layout."""
    if not in_ui(path) or str(path) == MIRROR:
        return
    for call in calls(tree):
        if tail(call.func) in MARGINS and not (
            len(call.args) == 4 and ast.unparse(call.args[0]) == ast.unparse(call.args[2])
        ):
            yield call.lineno, f"{tail(call.func)} with sides: use set_rtl_margins or set_rtl_field"


def state_colours(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """Which colours a state has is said in one module; a paint method asks there."""
    if not in_ui(path) or str(path) == CONTROL_COLOURS:
        return
    for function in (node for node in nodes_of(tree) if isinstance(node, ast.FunctionDef)):
        if "paint" not in function.name and "draw" not in function.name:
            continue
        states = set(TELLS_A_STATE)
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and not _has_call(node.value, COLOURS) and _names(node.value) & states:
                states |= {name for target in node.targets for name in _names(target)} - {"self"}
        for node in ast.walk(function):
            if isinstance(node, ast.IfExp) and _names(node.test) & states:
                chosen: tuple[ast.AST, ...] = (node.body, node.orelse)
            elif isinstance(node, ast.If) and _names(node.test) & states:
                chosen = (*node.body, *node.orelse)
            else:
                continue
            if any(_has_call(part, COLOURS) or _is_token(part) for part in chosen):
                yield node.lineno, "a colour chosen by a state: ask colours_of"


def errors_in_words(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """No window shows what an error says to the log: `viewmodels/words/errors.py` has the words."""
    if path.parts[1:2] not in {("ui",), ("viewmodels",)} or str(path) in HAVE_WORDS_OF_ERRORS:
        return
    for handler in (node for node in nodes_of(tree) if isinstance(node, ast.ExceptHandler) and node.name):
        for node in ast.walk(handler):
            shown = node.args[0] if isinstance(node, ast.Call) and tail(node.func) == "str" and node.args else None
            shown = node.value if isinstance(node, ast.FormattedValue) else shown
            if isinstance(shown, ast.Name) and shown.id == handler.name:
                yield shown.lineno, f"{handler.name} as text: use error_words"


def errors_by_name(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """What goes wrong below the view models is named by a `Note`: a sentence there could not be translated."""
    if path.parts[1:2] in {("engine",), ("adapters",), ("domain",)}:
        for call in calls(tree):
            said = call.args[0] if call.args and tail(call.func) in NAMED_BY_A_NOTE else None
            is_refusal = tail(call.func) == "RefusedError" and len(call.args) == 1
            if is_refusal and _is_text(call.args[0]):
                said = call.args[0]
            if isinstance(said, ast.JoinedStr | ast.Constant):
                yield call.lineno, f"{tail(call.func)} in words: give it a Note"


def _names(node: ast.AST) -> set[str]:
    """Return all names and attributes in a piece of code."""
    return {tail(one) for one in ast.walk(node) if isinstance(one, ast.Name | ast.Attribute)}


def _has_call(tree: ast.AST, names: frozenset[str]) -> bool:
    return any(tail(call.func) in names for call in calls(tree))


def _is_token(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value in colour_names()


def sentences_below(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """Nobody below the view models words what the operator reads: it could not be translated there.

    What an error says is for the log, and not asked here; docstrings, SQL and what the model reads are not either.
    """
    below = path.parts[1:2] in {("engine",), ("adapters",), ("domain",), ("sandbox_api",)}
    if not below or str(path).startswith(SAY_SENTENCES):
        return
    for node, text in _texts(tree):
        if SENTENCE.match(text) and not SQL.search(text):
            yield node.lineno, f"a sentence: name it in domain/notes, and word it in viewmodels/words: {text[:60]!r}"


def _texts(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Give the texts that are neither docstrings nor for the log."""
    for child in ast.iter_child_nodes(node):
        called = tail(child.func) if isinstance(child, ast.Call) else ""
        is_log = called in LOGS or (called.endswith("Error") and called not in NAMED_BY_A_NOTE)
        if is_log or isinstance(child, ast.Assert) or (isinstance(child, ast.Expr) and _is_text(child.value)):
            continue
        if isinstance(child, ast.JoinedStr):
            yield child, "".join(str(one.value) if isinstance(one, ast.Constant) else "…" for one in child.values)
        elif isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield child, child.value
        else:
            yield from _texts(child)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


ONLY_READ = frozenset(
    f"chimein_gui/ui/panes/{name}.py"
    for name in ("conversations/transcript/scroll", "rehearsal/active_page", "costs/table", "decisions/rates")
)
"""Lists in which a row is neither opened nor chosen."""

CHOSEN_OTHERWISE = frozenset(
    {"chimein_gui/ui/panes/approvals/list/cursor_list.py", "chimein_gui/ui/panes/media/facets.py"}
)
"""The base of a list that follows the selection itself; and one whose rows are switches, pressed by Return."""


def selected_by_action(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """A row that a screen reader selects becomes the current one, which is the one that is shown."""
    if not in_ui(path) or str(path) in ONLY_READ | CHOSEN_OTHERWISE:
        return
    if _has_call(tree, frozenset({"make_selected_current"})) or any(
        isinstance(node, ast.FunctionDef) and node.name == "selectionChanged" for node in nodes_of(tree)
    ):
        return
    for call in calls(tree):
        if tail(call.func) == "speak_rows_only":
            yield call.lineno, "a row selected by an action stays what it was: call make_selected_current"


RULES = (rich_text, style_sheets, state_colours, leading_edges, selected_by_action)
