"""What is slow only the first time is done beforehand, once a program, in steps; and nothing is left running."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QColor

from chimein_gui.resource_files import resource_path
from chimein_gui.ui.shell import warm_up
from chimein_gui.ui.shell.warm_up import WarmUp
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.theme import Theme

pytestmark = pytest.mark.whole_window


@pytest.fixture
def anew(monkeypatch):
    monkeypatch.setattr(WarmUp, "_left", None)
    monkeypatch.setattr(warm_up, "BEGINS_MS", 0)
    monkeypatch.setattr(warm_up, "BETWEEN_MS", 0)


def test_every_face_meets_every_sample_in_a_step_of_its_own(anew, qtbot, monkeypatch):
    met = []
    monkeypatch.setattr(warm_up, "_measure", lambda _theme, face, sample: met.append((face, sample)))
    owner = QObject()
    WarmUp(Theme(), owner).start()
    qtbot.waitUntil(lambda: WarmUp._left == [])
    assert len(met) == len(set(met)) == len(warm_up._FACES) * len(warm_up.SAMPLES)


def test_no_paint_waits_for_the_disk_to_read_an_icon(anew, qtbot, monkeypatch):
    icons._source.cache_clear()
    icons._pixmap.cache_clear()
    owner = QObject()
    WarmUp(Theme(), owner).start()
    names = sorted(path.stem for path in resource_path("icons").glob("*.svg"))
    qtbot.waitUntil(lambda: icons._source.cache_info().currsize == len(names))
    monkeypatch.setattr(icons, "resource_path", None)  # whoever asks for a file now fails
    for name in names:
        assert not icons.icon(name, QColor("black"), QColor("grey")).pixmap(16).isNull()
