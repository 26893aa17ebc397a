"""What the contracts of pyproject.toml can't tell; that none is broken, lint-imports does."""

import re
import subprocess
import sys
import tomllib

from tests.architecture.source_tree import PACKAGE, ROOT

CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]


def test_every_module_of_the_product_is_in_a_contract():
    """A new room at the top has a place in the layers, or stands outside them by name."""
    (layers,) = [contract["layers"] for contract in CONTRACTS if contract["id"] == "layers"]
    placed = {name for layer in layers for name in re.findall(r"chimein_gui\.(\w+)", layer)} | {"adapters", "sandbox"}
    present = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert present - {"__init__"} <= placed


def _loaded_with(package):
    """Contracts tell what is written; this tells what is loaded, package initialisers included."""
    program = (
        "import importlib, pkgutil, sys\n"
        f"import {package} as box\n"
        f"for found in pkgutil.walk_packages(box.__path__, '{package}.'):\n"
        "    if not found.name.endswith('__main__'): importlib.import_module(found.name)\n"
        "print(*sorted(sys.modules), sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_sandbox_brings_nothing_else_of_ours():
    loaded = _loaded_with("chimein_gui.sandbox")
    ours = {name for name in loaded if name.startswith("chimein_gui") and not name.startswith("chimein_gui.sandbox")}
    ours = {name for name in ours if not name.startswith("chimein_gui.sandbox_api")}
    assert ours <= {"chimein_gui", "chimein_gui.resource_files"}
    assert not loaded & {"PySide6", "qasync", "google.genai", "aiohttp"}


def test_a_dry_run_loads_nothing_that_sends_decides_or_remembers():
    loaded = _loaded_with("chimein_gui.engine.what_if")
    wings = {name.split(".")[2] for name in loaded if name.startswith("chimein_gui.engine.")}
    assert wings == {"llm", "ports", "what_if"}
