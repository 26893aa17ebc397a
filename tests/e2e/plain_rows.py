"""A list of Qt's own, without a line of ours, from which rows go while a process reads it over the accessibility bus.

python -m tests.e2e.plain_rows SECONDS PYTHON: one line of JSON, how many rows went and what Qt warned of.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QMessageLogContext, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QListView

ROWS = 40
BEAT_MS = 200
NOT_FOUND = "Could not find accessible on path"


def main() -> int:
    seconds, python = sys.argv[1:]
    count = {"went": 0, "gone": 0}

    def warned(_kind: QtMsgType, _context: QMessageLogContext, words: str) -> None:
        count["gone"] += NOT_FOUND in words

    qInstallMessageHandler(warned)
    app = QApplication(["chimein"])
    app.setApplicationName("chimein")
    model, view = QStandardItemModel(), QListView()
    for number in range(ROWS):
        model.appendRow(QStandardItem(f"row {number}"))
    view.setModel(model)
    view.show()
    walk = Path(__file__).with_name("bus_walk.py")
    reader = subprocess.Popen([python, str(walk), seconds], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def beat() -> None:
        if reader.poll() is not None:
            app.quit()
            return
        model.removeRow(7 * count["went"] % ROWS)
        count["went"] += 1
        model.insertRow(0, QStandardItem(f"row {ROWS + count['went']}"))

    timer = QTimer()
    timer.timeout.connect(beat)
    timer.start(BEAT_MS)
    app.exec()
    sys.stdout.write(json.dumps(count) + "\n")
    return reader.returncode or 0


if __name__ == "__main__":
    sys.exit(main())
