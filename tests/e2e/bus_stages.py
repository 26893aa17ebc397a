"""Small windows to be read over the accessibility bus, each in a process of its own.

python -m tests.e2e.bus_stages NAME: shows it and prints "ready"; it lives until it is killed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QApplication, QFormLayout, QLabel, QLineEdit, QPushButton, QWidget


def plain() -> QWidget:
    """Widgets of Qt's own, without a line of ours."""
    window = QWidget()
    field, button, label = QLineEdit(), QPushButton("Greet"), QLabel("Nobody")
    form = QFormLayout(window)
    form.addRow("Name", field)
    form.addRow(button)
    form.addRow(label)

    def greet() -> None:
        label.setText(f"Good day, {field.text()}")
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(label, label.text()))

    button.clicked.connect(greet)
    return window


STAGES: dict[str, Callable[[], QWidget]] = {"plain": plain}


def main() -> int:
    app = QApplication(["chimein", "-style", "Fusion"])
    app.setApplicationName("chimein")
    window = STAGES[sys.argv[1]]()
    window.show()
    window.activateWindow()
    QTimer.singleShot(0, lambda: sys.stdout.write("ready\n") and sys.stdout.flush())
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
