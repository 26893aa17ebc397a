"""No module of the product imports, directly or through others, what imports it; type-only imports count too."""

from graphlib import CycleError, TopologicalSorter

from tests.architecture.source_tree import imports


def test_no_module_imports_what_imports_it():
    graph = imports()
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" imports ".join(reversed(error.args[1]))) from None
