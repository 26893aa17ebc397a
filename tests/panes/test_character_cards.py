"""A character card becomes an agent, and an agent a character card: what is shown, chosen, refused and written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel

from chimein_gui.domain.errors import ConfigError
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.ui.dialogs.character_cards.export_dialog import ExportCardDialog
from chimein_gui.ui.dialogs.character_cards.import_dialog import ImportCardDialog
from chimein_gui.ui.requests import ExportCard
from tests.support.character_cards import as_json, as_png, book, entry, v2, v3

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

PHONE = "+999 66 2 1009"


def choose(desktop, path: Path) -> None:
    """Choose a file in the dialog that is open."""
    chooser = next(one for one in desktop.window.findChildren(QFileDialog) if one.isVisible())
    chooser.fileSelected.emit(str(path))
    chooser.done(QFileDialog.DialogCode.Accepted)
    desktop.settle()


def shown(desktop, kind):
    desktop.settle()
    return next((one for one in desktop.window.findChildren(kind) if one.isVisible()), None)


def imported(desktop, path: Path, data: bytes) -> ImportCardDialog | None:
    path.write_bytes(data)
    desktop.window.action("import_card").trigger()
    choose(desktop, path)
    dialog = shown(desktop, ImportCardDialog)
    assert dialog is None or isinstance(dialog, ImportCardDialog)
    return dialog


def words_of(dialog: ImportCardDialog) -> str:
    return "\n".join(label.text() for label in dialog.contents.findChildren(QLabel))


@pytest.fixture(autouse=True)
def quiet(desktop):
    yield
    desktop.models.toasts.detach()


def test_the_preview_says_what_becomes_of_each_part_and_the_agent_gets_what_is_shown(desktop, tmp_path, qtbot):
    data = as_png(
        chara=v2(),
        ccv3=v3(
            character_book=book(entry(), entry(constant=False)), **{"<b>x</b>": 1}, description="<script>no</script>"
        ),
    )
    dialog = imported(desktop, tmp_path / "card.png", data)
    assert dialog is not None
    words = words_of(dialog)
    order = [words.index(title) for title in ("Used\n", "Used only if you want it", "Kept, not used", "Ignored")]
    assert order == sorted(order)
    for part in (
        "Lore that is always on: 1",
        "Lore that waits for keywords or is off: 1",
        "<b>x</b>",
        "older card",
        "First message",
    ):
        assert part in words
    assert dialog.name_field.text() == "Mira Holt"
    assert "<script>no</script>" in dialog.text.text()
    assert "Never leave the character." not in dialog.text.text()
    desktop.click(dialog.with_prompts)
    assert "Never leave the character." in dialog.text.text()
    desktop.click(dialog.make)
    assert dialog.lines["phone"].problem() != ""
    assert dialog.focusWidget() is dialog.phone
    qtbot.keyClicks(dialog.phone, PHONE)
    shown_text = dialog.text.text()
    desktop.click(dialog.make)
    desktop.settle()
    (made,) = desktop.api.agent_files.made
    assert (made.name, made.phone, made.instructions, made.role_prompts) == (
        "Mira Holt",
        PHONE,
        shown_text,
        ("Person",),
    )
    assert shown(desktop, ImportCardDialog) is None
    assert "The agent was created" in desktop.window.toast.accessibleName()


def test_what_is_refused_stays_in_the_form_with_its_reason(desktop, tmp_path, qtbot):
    dialog = imported(desktop, tmp_path / "card.json", as_json(v2()))
    assert dialog is not None
    assert "Ignored" not in words_of(dialog)
    desktop.api.agent_files.fail = ConfigError(Note(NoteKind.OTHER, "The disk is full."))
    qtbot.keyClicks(dialog.phone, PHONE)
    desktop.strike(dialog.phone, Qt.Key.Key_Return)
    assert desktop.sees("The disk is full.", dialog)
    desktop.api.agent_files.fail = None
    desktop.click(dialog.make)
    assert len(desktop.api.agent_files.made) == 1


def test_a_file_that_is_no_card_says_what_to_do_until_one_is_read(desktop, tmp_path):
    assert imported(desktop, tmp_path / "bad.png", as_png()) is None
    bar = desktop.window.fault_bar
    assert bar.isVisible()
    assert "download the original PNG" in bar.strip.accessibleName()
    dialog = imported(desktop, tmp_path / "good.json", as_json(v2()))
    assert dialog is not None
    assert not bar.isVisible()
    dialog.reject()


def test_an_agent_goes_out_as_it_is_now_or_as_it_was_imported(desktop, tmp_path, qtbot, browser):
    dialog = imported(desktop, tmp_path / "card.json", as_json(v2()))
    assert dialog is not None
    dialog.text.set_text(dialog.text.text().replace("dry, kind", "loud"))
    qtbot.keyClicks(dialog.phone, PHONE)
    desktop.click(dialog.make)
    desktop.settle()
    agent_id = max(desktop.api.agents)
    for as_imported in (False, True):
        desktop.window.requests.send(ExportCard(agent_id))
        export = shown(desktop, ExportCardDialog)
        assert export.agent.currentData() == agent_id
        assert export.imported.isEnabled()
        desktop.click(export.imported if as_imported else export.now)
        desktop.click(export.save)
        choose(desktop, tmp_path / "out.json")
        out = (tmp_path / "out.json").read_bytes()
        assert (out == as_json(v2())) is as_imported
        assert json.loads(out)["data"]["personality"] == ("dry, kind" if as_imported else "loud")
    desktop.models.toasts.act()


def test_an_agent_that_was_not_imported_has_only_the_card_as_it_is_now(desktop, tmp_path):
    desktop.window.action("export_card").trigger()
    export = shown(desktop, ExportCardDialog)
    assert not export.imported.isEnabled()
    assert desktop.sees("It was not made from a card", export)
    desktop.click(export.save)
    choose(desktop, tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_bytes())["data"]["name"] == "Nora Vale"


def test_before_the_engine_is_there_it_says_so(make_desktop):
    early = make_desktop()
    for command in ("import_card", "export_card"):
        early.window.action(command).trigger()
    assert "once Chimein has started" in early.window.toast.accessibleName()
    early.models.toasts.detach()
