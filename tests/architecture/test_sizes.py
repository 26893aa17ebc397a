"""Files, functions and classes stay small; what is larger is listed with its reason, and nothing else is."""

import ast
import re
from collections import Counter
from collections.abc import Iterator

from tests.architecture.source_tree import imports, modules, name_of, text_of, tree_of

MAX_MODULES_A_FOLDER = 15
GROWS_BY_NATURE = ("chimein_gui/adapters/store/migrations",)
"""A file a migration, named by its number, is found at a glance however many there are."""
MAX_FILE_LINES = 500
MIN_FILE_LINES = 40
"""A shorter module that only one other uses belongs into that one."""
MAX_FUNCTION_LINES = 60
MAX_CLASS_METHODS = 25
"""What Qt calls is not counted: a view has twenty such methods before it does anything of its own."""
QT_METHODS = re.compile(r"[a-z]+[A-Z]\w*|index|parent|data|event")

LONG_FILES: dict[str, str] = {}
"""`chimein_gui/…/file.py` → why it is one file."""

SMALL_FILES = {
    "chimein_gui/adapters/telegram/transport/data_centres.py": "what it takes of Telethon's inside has a named place",
    "chimein_gui/adapters/telegram/transport/log_filter.py": "what it knows of Telethon's logs has a named place",
    "chimein_gui/reporting/diagnostics.py": "it stands with the other reports; app.py only composes",
    "chimein_gui/ui/panes/approvals/coach_line.py": "a widget of its own; the pane is long without it",
    "chimein_gui/ui/shell/sandbox/start.py": "a live run starts a sandbox with it, and imports nothing else of one",
    "chimein_gui/viewmodels/panes/decisions.py": "the models of a pane stand where those of the others do",
}
"""`chimein_gui/…/file.py` → why it is a file of its own, although it is short and only one other uses it."""

LONG_FUNCTIONS: dict[str, str] = {}
"""`chimein_gui/…/file.py:Class.function` → why it is one function."""

BIG_CLASSES: dict[str, str] = {}
"""`chimein_gui/…/file.py:Class` → why it is one class."""

HALVES = {
    "chimein_gui/runtime/qt_loop.py:_Handle": "asyncio has handles and timer handles, and calls both",
    "chimein_gui/sandbox/wire/transports.py:IntermediateTransport": "MTProto has it with and without padding",
    "chimein_gui/ui/widgets/controls/spoken_role.py:SpokenGuest": "a role for screen readers, for any widget",
    "chimein_gui/ui/widgets/rows/spoken_views.py:SpokenTableView": "one of the three kinds of views that are spoken",
    "chimein_gui/viewmodels/paging/rows.py:PagedRows": "rows of which some pages are in memory, however they are read",
}
"""`chimein_gui/…/file.py:Class` → why it is a class of its own, although only its one subclass uses it."""


def _definitions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Give every class and function with its dotted name."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + node.name, node
            yield from _definitions(node, f"{prefix}{node.name}.")
        else:
            yield from _definitions(node, prefix)


def long_functions(tree: ast.Module) -> list[str]:
    return [
        name
        for name, node in _definitions(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= MAX_FUNCTION_LINES
    ]


def own_methods(node: ast.ClassDef) -> list[str]:
    """Return the methods of a class without those that Qt calls."""
    functions = (part for part in node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef))
    return [one.name for one in functions if not QT_METHODS.fullmatch(one.name)]


def big_classes(tree: ast.Module) -> list[str]:
    return [
        name
        for name, node in _definitions(tree)
        if isinstance(node, ast.ClassDef) and len(own_methods(node)) > MAX_CLASS_METHODS
    ]


def _compare(found: set[str], listed: dict[str, str], limit: str) -> None:
    assert not found - set(listed), (
        f"over {limit}, split them or list them with a reason: {sorted(found - set(listed))}"
    )
    assert not set(listed) - found, f"listed, but within {limit} or gone: {sorted(set(listed) - found)}"
    assert all(reason.strip() for reason in listed.values()), "each entry says why"


def test_no_folder_holds_more_than_fifteen_modules():
    """A room that nobody can take in at a glance wants to be several."""
    folders = Counter(path.parent for path in modules() if path.name != "__init__.py")
    too_full = {str(folder) for folder, count in folders.items() if count > MAX_MODULES_A_FOLDER}
    assert not too_full - set(GROWS_BY_NATURE)


def test_long_files_are_listed():
    found = {str(path) for path in modules() if len((text_of(path) or "").splitlines()) > MAX_FILE_LINES}
    _compare(found, LONG_FILES, f"{MAX_FILE_LINES} lines")


def test_small_files_that_only_one_other_uses_are_listed():
    users = Counter(used for uses in imports().values() for used in uses)
    small = {path for path in modules() if len((text_of(path) or "").splitlines()) < MIN_FILE_LINES}
    found = {
        str(path)
        for path in small
        if not path.name.startswith("__") and str(path.parent) not in GROWS_BY_NATURE and users[name_of(path)] <= 1
    }
    _compare(found, SMALL_FILES, f"no less than {MIN_FILE_LINES} lines, or used by several")


def test_long_functions_are_listed():
    found = {f"{path}:{name}" for path in modules() for name in long_functions(tree_of(path))}
    _compare(found, LONG_FUNCTIONS, f"{MAX_FUNCTION_LINES} lines")


def test_big_classes_are_listed():
    found = {f"{path}:{name}" for path in modules() for name in big_classes(tree_of(path))}
    _compare(found, BIG_CLASSES, f"{MAX_CLASS_METHODS} methods")


def base_name(node: ast.expr) -> str:
    """Return the last part of a base class's name; empty if it has none."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_kind(node: ast.ClassDef) -> bool:
    bases = {base_name(base) for base in node.bases}
    return "Protocol" in bases or any(one.endswith(("Exception", "Error")) for one in (node.name, *bases))


def halves(trees: dict[str, ast.Module]) -> set[str]:
    """Return the classes that only their one subclass knows: parts of it, cut off where it had become too large.

    Args:
        trees: The modules by path.
    """
    classes: dict[str, list[tuple[str, ast.ClassDef]]] = {}
    below: dict[str, list[str]] = {}
    users: dict[str, set[str]] = {}
    made: set[str] = set()
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, []).append((path, node))
                for base in node.bases:
                    below.setdefault(base_name(base), []).append(path)
            elif isinstance(node, ast.Call):
                made.add(base_name(node.func))
            elif isinstance(node, ast.Name | ast.Attribute):
                users.setdefault(base_name(node), set()).add(path)
    return {
        f"{path}:{name}"
        for name, [(path, node), *others] in classes.items()
        if not others and not _is_kind(node) and name not in made
        if len(below.get(name, ())) == 1 and users.get(name, set()) <= {path, *below[name]}
    }


def test_no_class_is_half_of_another():
    """What is too large for one class is several, which hold each other; inheriting makes it no smaller."""
    _compare(halves({str(path): tree_of(path) for path in modules()}), HALVES, "two classes for one subject")


def test_a_half_is_found():
    both = ast.parse("class Rows: ...\nclass Model(Rows): ...\nmodel = Model()")
    assert halves({"both.py": both}) == {"both.py:Rows"}
    assert halves({"both.py": both, "other.py": ast.parse("def use(rows: Rows): ...")}) == set()
    assert halves({"both.py": both, "other.py": ast.parse("rows = Rows()")}) == set()
    assert halves({"both.py": both, "other.py": ast.parse("class Other(Rows): ...")}) == set()
