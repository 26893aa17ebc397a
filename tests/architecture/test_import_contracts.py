"""The contracts of pyproject.toml bite: a planted import breaks each. (That none is broken now, lint-imports tells.)"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.architecture.source_tree import PACKAGE, ROOT

CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]

PLANTED = {
    "layers": ("domain/planted.py", "import chimein_gui.engine"),
    "outside": ("viewmodels/planted.py", "import chimein_gui.adapters.store"),
    "adapters-see-ports": ("adapters/files/planted.py", "import chimein_gui.engine.planted"),
    "ports-stand-alone": ("engine/ports.py", "import chimein_gui.engine.planted"),
    "adapters-apart": ("adapters/gemini/planted.py", "import chimein_gui.adapters.telegram"),
    "panes-apart": ("ui/panes/agents/planted.py", "import chimein_gui.ui.panes.approvals"),
    "sandbox-alone": ("sandbox/planted.py", "import chimein_gui.domain"),
    "qt-free": ("engine/planted.py", "from PySide6.QtCore import QObject"),
    "vendors": ("ui/planted.py", "def lazily():\n    from telethon.tl import types"),
    "pure-domain": ("domain/planted.py", "import tomlkit"),
    "numpy": ("domain/numbers.py", "import numpy"),
    "no-aiohttp": ("adapters/telegram/planted.py", "import aiohttp"),
}
"""Contract → where a line is added, and the line."""


def _lint(directory: Path) -> str:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    environment = os.environ | {"PYTHONPATH": str(directory), "COLUMNS": "200", "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def report_of_planted_imports(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Lint one copy of the product with all forbidden imports planted at once."""
    copy = tmp_path_factory.mktemp("planted")
    shutil.copytree(PACKAGE, copy / "chimein_gui", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    for name, line in PLANTED.values():
        with (copy / "chimein_gui" / name).open("a", encoding="utf-8") as module:
            module.write(f"\n{line}\n")
    return _lint(copy)


def test_every_contract_has_its_proof():
    assert {contract["id"] for contract in CONTRACTS} == set(PLANTED)


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract["id"])
def test_a_planted_import_breaks_the_contract(contract, report_of_planted_imports):
    assert f"{contract['name']} BROKEN" in report_of_planted_imports, report_of_planted_imports


def test_every_module_of_the_product_is_in_a_contract():
    """A new room at the top has a place in the layers, or stands outside them by name."""
    (layers,) = [contract["layers"] for contract in CONTRACTS if contract["type"] == "layers"]
    placed = {name for layer in layers for name in re.findall(r"chimein_gui\.(\w+)", layer)} | {"adapters", "sandbox"}
    present = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert present - {"__init__"} <= placed


def test_importing_the_sandbox_brings_nothing_else_of_ours():
    """Contracts tell what is written; this tells what is loaded, package initialisers included."""
    program = (
        "import importlib, pkgutil, sys\n"
        "import chimein_gui.sandbox as box\n"
        "for found in pkgutil.walk_packages(box.__path__, 'chimein_gui.sandbox.'):\n"
        "    if not found.name.endswith('__main__'): importlib.import_module(found.name)\n"
        "print(*sorted(sys.modules), sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    ours = {name for name in loaded if name.startswith("chimein_gui") and not name.startswith("chimein_gui.sandbox")}
    ours = {name for name in ours if not name.startswith("chimein_gui.engine.sandbox_port")}
    assert ours <= {"chimein_gui", "chimein_gui.engine", "chimein_gui.resource_files"}
    assert not loaded & {"PySide6", "qasync", "google.genai", "aiohttp"}
