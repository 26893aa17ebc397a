"""The rules for code that a linter can't tell: each a function from a parsed module to what breaks it."""

import ast
import functools
import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

Finding = tuple[int, str]
Rule = Callable[[PurePosixPath, ast.Module], Iterator[Finding]]

TASK_MAKERS = {
    "chimein_gui/engine/core/jobs.py": "JobRunner.spawn keeps the reference, names the job and reports its error",
    "chimein_gui/sandbox/wire/telegram_endpoint.py": "a rehearsed restart outlives who asked for it",
}
"""Modules that may create tasks outside an asyncio.TaskGroup."""

FIRST_LOOPS = {
    ("chimein_gui/program.py", "show_painted"): "until the first paint, before asyncio is imported: it nests in none"
}
"""Functions that may run a loop of Qt's own."""

NATIVE_MODAL = frozenset({"QMessageBox", "QFileDialog", "QInputDialog", "QColorDialog", "QFontDialog"})
"""Their static functions run a nested event loop."""

_WAITS_ON_THE_REAL_CLOCK = {
    "asyncio": {"sleep", "timeout", "timeout_at", "wait_for"},
    "time": {"monotonic", "monotonic_ns", "sleep", "time", "time_ns", "perf_counter"},
}


@functools.cache
def nodes_of(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Return all nodes of a module, which many rules ask for: a walk takes longer than what they look for."""
    return tuple(ast.walk(tree))


def tail(node: ast.expr) -> str:
    """Return the last name of a dotted expression: `QtWidgets.QMessageBox` gives QMessageBox."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Give the calls of a module, or of a part of one."""
    nodes = nodes_of(tree) if isinstance(tree, ast.Module) else ast.walk(tree)
    return (node for node in nodes if isinstance(node, ast.Call))


def _imported(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    """Give (line, module, name) for `from module import name`, and (line, module, "") for `import module`."""
    for node in nodes_of(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name, "") for alias in node.names)


def nested_loops(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """`exec()` and its kin run a nested loop, in which every other task stays pending."""
    functions = (node for node in nodes_of(tree) if isinstance(node, ast.FunctionDef))
    first = [node for node in functions if (str(path), node.name) in FIRST_LOOPS]
    allowed = {id(call) for function in first for call in calls(function)}
    for call in calls(tree):
        if id(call) in allowed:
            continue
        if isinstance(call.func, ast.Attribute) and call.func.attr in {"exec", "exec_"}:
            yield call.lineno, f".{call.func.attr}() nests the event loop: use open(), popup() or a Future"
    for node in nodes_of(tree):
        if isinstance(node, ast.Attribute) and node.attr == "processEvents":
            yield node.lineno, "processEvents nests the event loop"


def static_dialogs(_path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """`QMessageBox.question(…)` and the like block in a nested loop."""
    for call in calls(tree):
        func = call.func
        if isinstance(func, ast.Attribute) and tail(func.value) in NATIVE_MODAL and func.attr[:1].islower():
            yield call.lineno, f"{tail(func.value)}.{func.attr}() nests the event loop: make a dialog and open() it"


def _task_group_names(tree: ast.Module) -> set[str]:
    """Return the names bound by `async with asyncio.TaskGroup() as name`."""
    items = [item for node in nodes_of(tree) if isinstance(node, ast.AsyncWith) for item in node.items]
    return {
        tail(item.optional_vars)
        for item in items
        if item.optional_vars is not None
        and isinstance(item.context_expr, ast.Call)
        and tail(item.context_expr.func) == "TaskGroup"
    }


def raw_tasks(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """Only JobRunner, and a TaskGroup that awaits its children, make tasks; ruff bans the functions of asyncio."""
    if str(path) in TASK_MAKERS:
        return
    groups = _task_group_names(tree)
    makers = {"create_task", "ensure_future"}
    for call in calls(tree):
        if isinstance(call.func, ast.Attribute) and call.func.attr in makers and tail(call.func.value) not in groups:
            yield call.lineno, f"{ast.unparse(call.func)}: spawn jobs through JobRunner, or use a TaskGroup"


def widgets_in_viewmodels(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """View models are tested without a window: QtCore and QtGui only."""
    if path.parts[1:2] != ("viewmodels",):
        return
    for line, module, name in _imported(tree):
        if "QtWidgets" in f"{module}.{name}".split("."):
            yield line, "QtWidgets in a view model"


def compared_words(_path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """What happens must not depend on words in the operator's language."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Compare):
            for side in (node.left, *node.comparators):
                if isinstance(side, ast.Call) and tail(side.func) in {"tr", "translate"}:
                    yield node.lineno, f"{ast.unparse(side)} is compared: decide by data"


_GIVEN_THE_ENGINE = {("viewmodels", "window.py"), ("viewmodels", "core", "feed.py"), ("ui", "shell", "window.py")}
"""Where the window is attached to the engine: the other modules state what they ask, in a protocol of their own."""


def whole_engine_in_models(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """A view model names the services that it asks, so that one reads there what it can do."""
    if path.parts[1:] in _GIVEN_THE_ENGINE:
        return
    for line, _, name in _imported(tree):
        if name == "EngineApi":
            yield line, "the whole engine: say in a protocol what this model asks of it"


def real_time_in_engine(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """The engine asks the Clock port for time and waits through it, so that tests run on virtual time."""
    if path.parts[1:2] != ("engine",) or path.name == "clock.py":
        return
    for line, module, name in _imported(tree):
        if name in _WAITS_ON_THE_REAL_CLOCK.get(module, ()):
            yield line, f"from {module} import {name} in the engine: ask the Clock"
    for node in nodes_of(tree):
        if not isinstance(node, ast.Attribute):
            continue
        if node.attr in _WAITS_ON_THE_REAL_CLOCK.get(tail(node.value), ()):
            yield node.lineno, f"{ast.unparse(node)} in the engine: ask the Clock"
        elif node.attr in {"call_later", "call_at"}:
            yield node.lineno, f"{node.attr} in the engine: ask the Clock"


def unnamed_thread(_path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """A function that takes a transaction says on which thread it runs: it, its class or its module, in a docstring."""
    if _names_thread(tree):
        return
    told = {
        id(method)
        for node in nodes_of(tree)
        if isinstance(node, ast.ClassDef) and _names_thread(node)
        for method in node.body
    }
    for node in nodes_of(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or id(node) in told or _names_thread(node):
            continue
        given = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        if any(arg.annotation is not None and tail(arg.annotation) == "Transaction" for arg in given):
            yield node.lineno, f"{node.name} takes a transaction and does not say on which thread"


def _names_thread(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return "thread" in (ast.get_docstring(node) or "")


PRIVATE_WORDS = {
    "agent_watch": "agent file watcher",
    "brake": "hold reason",
    "carry_out": "execute",
    "context_watch": "staleness watch",
    "deed": "action",
    "desk": "service, editor",
    "entrance": "auth client",
    "fate": "status",
    "give_back": "restore, release",
    "groundwork": "backfill",
    "hand_over": "dispatch, submit",
    "hurry": "shorten, speed up",
    "late_part": "lazy part",
    "mend": "fix, remove the fault",
    "put_away": "dismiss, close, on_hidden",
    "roster": "directory",
    "settle_unknown": "reconcile unknown",
    "shelf": "saved edits",
    "shelved": "saved",
    "shelves": "caches",
    "take_back": "undo, revert, cancel, remove",
    "veil": "backdrop",
    "way_out": "external links",
    "wish": "request",
}
"""Words that only this project would understand, and the usual ones for what they meant."""

PRIVATE_IN_PRODUCT = {
    "house": "program",
    "remembering": "memory writer",
    "told": "reported, noted, loaded",
    "town": "world",
}
"""As `PRIVATE_WORDS`; tests still have them."""

USUAL_NAMES = {
    "AGENT_WATCH_STOPPED": "the reason is stored with these words",
    "CONTEXT_WATCH_STOPPED": "the reason is stored with these words",
    "_HELP_DESK": "the help desk of a shop is the template of a persona",
}
"""Names that keep such a word, and why."""


def may_hold_private_words(text: str) -> bool:
    """Tell whether a test may break `private_words`, so that only few of them need to be parsed."""
    return _ANY_PRIVATE_WORD.search(text) is not None


_ANY_PRIVATE_WORD = re.compile(
    "|".join(word.removesuffix("s").replace("_", "s?[^a-z]*") for word in PRIVATE_WORDS), re.IGNORECASE
)


@functools.cache
def _private_in(name: str, is_test: bool) -> tuple[str, ...]:
    """Return what to say instead of the private words in a name."""
    words = PRIVATE_WORDS if is_test else PRIVATE_WORDS | PRIVATE_IN_PRODUCT
    parts = (part.lower().removesuffix("s") for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name))
    plain = f"_{'_'.join(parts)}_"
    return tuple(usual for word, usual in words.items() if f"_{word.removesuffix('s')}_" in plain)


def private_words(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """Names use the usual terms, so that a newcomer finds things by them. Names of tests are sentences and exempt."""
    for node in nodes_of(tree):
        name = str(next((getattr(node, one) for one in ("id", "attr", "arg", "name") if hasattr(node, one)), ""))
        if name in USUAL_NAMES or name.startswith("test_"):
            continue
        for usual in _private_in(name, path.parts[0] == "tests"):
            yield getattr(node, "lineno", 0), f"{name}: say {usual}"


RULES: tuple[Rule, ...] = (
    nested_loops,
    static_dialogs,
    raw_tasks,
    widgets_in_viewmodels,
    whole_engine_in_models,
    compared_words,
    real_time_in_engine,
    unnamed_thread,
    private_words,
)


def check(rule: Rule, path: PurePosixPath, tree: ast.Module) -> list[str]:
    """Apply one rule to one module; each finding as `path:line: what`."""
    return [f"{path}:{line}: {what}" for line, what in rule(path, tree)]
