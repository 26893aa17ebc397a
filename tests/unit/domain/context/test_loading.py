"""Rows can be had without numpy: a window that paints does not wait for it."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from chimein_gui.domain.context import HistoryRow, Reason, union
import chimein_gui.domain.context.time_gap
assert "numpy" not in sys.modules
from chimein_gui.domain.context import select_context
assert "numpy" in sys.modules
"""


def test_numpy_is_loaded_with_the_first_choice_only() -> None:
    subprocess.run([sys.executable, "-c", PROGRAM], check=True)
