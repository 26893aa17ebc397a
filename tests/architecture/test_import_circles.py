"""No module of the product imports, directly or through others, what imports it; type-only imports count too."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import PurePosixPath

from tests.architecture.source_tree import modules, tree_of


def name_of(path: PurePosixPath) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def imports() -> dict[str, set[str]]:
    """Return what each module imports of ours."""
    known = {name_of(path): path for path in modules()}
    found: dict[str, set[str]] = {}
    for name, path in known.items():
        found[name] = set()
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                for alias in node.names:
                    whole = f"{node.module}.{alias.name}"
                    found[name] |= {whole if whole in known else node.module} & known.keys()
            elif isinstance(node, ast.Import):
                found[name] |= {alias.name for alias in node.names} & known.keys()
        found[name].discard(name)
    return found


def test_no_module_imports_what_imports_it():
    graph = imports()
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" imports ".join(reversed(error.args[1]))) from None
