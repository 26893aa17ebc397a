"""What docs/contributing.md says of adding a pane is done to the letter, in a copy of the program.

The code stands in `example_pane/`, too, where mypy proves that the engine's facade has what the model asks for.
"""

import ast
import os
import re
import shutil
import subprocess
import sys

from PySide6.QtCore import QObject

from chimein_gui.viewmodels.window import WindowModels
from tests.architecture.source_tree import EXAMPLE_PLACES as PLACES
from tests.architecture.source_tree import PACKAGE, ROOT

EXAMPLE = ROOT / "tests" / "architecture" / "example_pane"

WHAT_THE_SHELL_MAKES = """
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
app = QApplication([])
from chimein_gui.ui.shell.start import build_window
from chimein_gui.ui.pane import EmptyStateText, Group
from chimein_gui.viewmodels.palette.palette import PaletteModel
from chimein_gui.viewmodels.window import WindowModels
from tests.fakes.engine_api import FakeEngineApi, NOON, agent, run_now
from tests.support.bridge import drain
import chimein_gui
api = FakeEngineApi(lambda: NOON)
api.agents[1] = agent()
window = build_window(models=WindowModels, empty_state=EmptyStateText("", ()))
window.show()
window.attach(api, run_now)
drain(window.models.bridge)
print("package", chimein_gui.__file__)
print("rail", [one.text() for one in window.rail.menus[Group.INSPECT].actions()])
print("menu", [one.text() for one in window.lazy.menu.menus["view"].actions() if one.objectName() == "show_overview"])
found = PaletteModel(window.models, window.lazy.palette.commands(), ())
found.set_query("overview")
print("palette", [(one.title, one.shortcut) for one in found.entries() if one.key == "show_overview"])
window.rail.menus[Group.INSPECT].actions()[0].trigger()
dock = window.docks["overview"]
print("dock", dock.isVisible(), dock.windowTitle(), window.dock_manager.focus.last, window.dockWidgetArea(dock).name)
rows = window.pane("overview").list.model()
api.put_agent(agent(2, "Bram"))
drain(window.models.bridge)
print("rows", [rows.index(row, 0).data() for row in range(rows.rowCount())])
"""


def code_of(part: str) -> str:
    """Return a part of the example as it stands in the program."""
    text = (EXAMPLE / part).read_text(encoding="utf-8")
    return text.replace("tests.architecture.example_pane.viewmodel", "chimein_gui.viewmodels.overview")


def document_says() -> tuple[list[str], str]:
    """Return the code of the pane, and the line that registers it."""
    text = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
    part = text[text.index("## Add a pane") : text.index("## Add a block type")]
    line = re.search(r'The line is `("\w+",)`', part)
    assert line is not None
    return re.findall(r"```python\n(.*?)```", part, re.DOTALL), line.group(1)


def test_two_folders_and_one_line_make_a_pane_that_lists_something(tmp_path):
    blocks, line = document_says()
    assert blocks == [code_of(part) for part in PLACES.values()], "the document shows exactly what is type-checked"
    shutil.copytree(PACKAGE, tmp_path / "chimein_gui", ignore=shutil.ignore_patterns("__pycache__", "sandbox"))
    for place, code in zip(PLACES, blocks, strict=True):
        (tmp_path / place).parent.mkdir()
        (tmp_path / place).write_text(code, encoding="utf-8")
    registry = tmp_path / "chimein_gui/ui/shell/registry.py"
    before = registry.read_text(encoding="utf-8")
    registry.write_text(before.replace('    "agents",\n', f'    "agents",\n    {line}\n'), encoding="utf-8")
    paths = os.pathsep.join((str(tmp_path), str(ROOT)))
    environment = {**os.environ, "PYTHONPATH": paths, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", WHAT_THE_SHELL_MAKES]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        f"package {tmp_path / 'chimein_gui/__init__.py'}",
        "rail ['Overview', 'Decisions', 'Next', 'Costs', 'Context', 'Prompt', 'Traces', 'Log']",
        "menu ['Overview']",
        "palette [('Overview', 'Ctrl+Shift+O')]",
        "dock True Overview overview BottomDockWidgetArea",
        "rows ['Nora Vale: Online', 'Bram: Online']",
    ]


def used_in(path):
    """Return what of the window's models a module uses; in their own module, what other models are built on."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    is_home = path == PACKAGE / "viewmodels" / "window.py"
    if is_home:
        tree = next(node for node in ast.walk(tree) if getattr(node, "name", "") == "__init__")
    loads = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)]
    holders = {"self"} if is_home else {"models", "_models"}
    return {one.attr for one in loads if getattr(one.value, "attr", getattr(one.value, "id", "")) in holders}


def test_the_windows_models_are_those_that_several_rooms_use():
    fields = {name for name, value in vars(WindowModels()).items() if isinstance(value, QObject)}
    rooms: dict[str, set[tuple[str, ...]]] = {
        name: set() for name in fields | {"preferences", "rehearsal", "single_keys"}
    }
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).parts
        for name in used_in(path) & set(rooms) if parts[0] != "tour" else ():  # the tour looks into everything
            rooms[name].add(parts[:3] if parts[:2] == ("ui", "panes") else parts[:2])
    assert {name: places for name, places in rooms.items() if len(places) < 2} == {}
