"""What docs/contributing.md says of adding a pane is done to the letter, in a copy of the program."""

import os
import re
import shutil
import subprocess
import sys

from tests.architecture.source_tree import PACKAGE, ROOT

WHAT_THE_SHELL_MAKES = """
import os
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from PySide6.QtWidgets import QApplication
app = QApplication([])
from chimein_gui.ui.shell.start import build_window
from chimein_gui.ui.pane import FirstStep
from chimein_gui.viewmodels.palette.palette import PaletteModel
from chimein_gui.viewmodels.window import WindowModels
import chimein_gui
window = build_window(models=WindowModels(), first_step=FirstStep("", ()))
window.show()
print("package", chimein_gui.__file__)
print("rail", window.rail.buttons["notes"].accessibleName())
print("menu", [one.text() for one in window.late.menu.menus["view"].actions() if one.objectName() == "show_notes"])
found = PaletteModel(window.models, window.late.palette.commands(), ())
found.set_query("notes")
print("palette", [(one.title, one.shortcut) for one in found.entries() if one.key == "show_notes"])
window.action("show_notes").trigger()
dock = window.docks["notes"]
print("dock", dock.isVisible(), dock.windowTitle(), window.focus_of_panes.last)
"""


def document_says() -> tuple[str, str]:
    """Return the code of the pane, and the line that registers it."""
    text = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
    part = text[text.index("## Add a pane") :]
    code = re.search(r"```python\n(.*?)```", part, re.DOTALL)
    line = re.search(r'The line is `("\w+",)`', part)
    assert code is not None
    assert line is not None
    return code.group(1), line.group(1)


def test_one_folder_and_one_line_make_a_pane(tmp_path):
    code, line = document_says()
    shutil.copytree(PACKAGE, tmp_path / "chimein_gui", ignore=shutil.ignore_patterns("__pycache__", "sandbox"))
    folder = tmp_path / "chimein_gui/ui/panes/notes"
    folder.mkdir()
    (folder / "__init__.py").write_text(code, encoding="utf-8")
    registry = tmp_path / "chimein_gui/ui/shell/registry.py"
    before = registry.read_text(encoding="utf-8")
    registry.write_text(before.replace('    "agents",\n', f'    "agents",\n    {line}\n'), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", WHAT_THE_SHELL_MAKES]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        f"package {tmp_path / 'chimein_gui/__init__.py'}",
        "rail Notes",
        "menu ['Notes']",
        "palette [('Notes', 'Ctrl+9')]",
        "dock True Notes notes",
    ]
