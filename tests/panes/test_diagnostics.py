"""Saving diagnostics from the window: where one looks for it, how it went, and what to do if it did not go."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from chimein_gui.domain.errors import DiagnosticsError
from chimein_gui.viewmodels.diagnostics import make_diagnostics

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


@pytest.fixture
def asked(desktop):
    desktop.window.action("diagnostics").trigger()
    chooser = desktop.window.lazy.diagnostics.chooser
    assert isinstance(chooser, QFileDialog)
    yield desktop, chooser
    if desktop.window.lazy.diagnostics.chooser is not None:
        chooser.close()
    desktop.models.toasts.detach()


def choose(desktop, chooser, path: Path) -> None:
    chooser.fileSelected.emit(str(path))
    chooser.done(QFileDialog.DialogCode.Accepted)
    desktop.settle()


def test_what_is_saved_is_said_and_its_folder_opened(asked, browser, tmp_path, qtbot):
    desktop, chooser = asked
    choose(desktop, chooser, tmp_path / "out.zip")
    assert desktop.api.diagnostics.saved == [tmp_path / "out.zip"]
    toast = desktop.window.toast
    assert toast.accessibleName() == "Diagnostics saved. out.zip"
    qtbot.mouseClick(toast.button, Qt.MouseButton.LeftButton)
    assert browser.opened == [f"file://{tmp_path}"]
    assert desktop.window.lazy.diagnostics.chooser is None


def test_nothing_is_saved_where_nothing_is_chosen(asked):
    desktop, chooser = asked
    chooser.reject()
    desktop.settle()
    assert desktop.api.diagnostics.saved == []
    assert desktop.window.lazy.diagnostics.chooser is None


def test_a_failure_stays_in_the_bar_until_it_works(asked, tmp_path):
    desktop, chooser = asked
    desktop.api.diagnostics.fail = DiagnosticsError("The diagnostics were not saved: the disk is full. Make room.")
    choose(desktop, chooser, tmp_path / "out.zip")
    bar = desktop.window.fault_bar
    assert bar.isVisible()
    assert "the disk is full. Make room." in bar.strip.accessibleName()
    desktop.api.diagnostics.fail = None
    desktop.models.own(make_diagnostics).save(tmp_path / "out.zip")
    desktop.settle()
    assert not bar.isVisible()


def test_before_the_engine_is_there_it_says_so(make_desktop):
    desktop = make_desktop()
    desktop.window.action("diagnostics").trigger()
    assert desktop.window.lazy.diagnostics.chooser is None
    assert "once Chimein has started" in desktop.window.toast.accessibleName()
    desktop.models.toasts.detach()
