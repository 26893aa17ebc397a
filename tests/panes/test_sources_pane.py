"""The Agent files pane: form and Markdown in step, problems with repairs, and changes by other programs."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import PurePath
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication

from chimein_gui import ui_driver as hand
from chimein_gui.domain.agent_files.fixed_part import FixedKind
from chimein_gui.domain.agents import Health
from chimein_gui.domain.events import AgentChanged
from chimein_gui.domain.ids import AgentId, ChatId, Revision
from chimein_gui.ui.dialogs.ask_name import AskNameDialog
from chimein_gui.ui.panes.sources.chips import CLOSE
from chimein_gui.ui.panes.sources.fixed_part import FixedPartCard
from chimein_gui.ui.requests import OpenAgentSource, OpenLogin, PreviewPrompt, ShowChat
from chimein_gui.viewmodels.sources.document import SaveState
from tests.fakes.api_sources import sources_of
from tests.fakes.engine_api import agent

pytestmark = [pytest.mark.with_panes("sources", "prompt"), pytest.mark.qt_log_ignore("This plugin does not support")]

TEXT = (
    "\ufeff# Agent Name\r\nNora Vale\r\n\r\n# Agent Phone\r\n+99966 2 1001\r\n\r\n# Mystery\r\nkept \t\r\n"
    "# Role Prompt\r\nPerson\r\n# Agent Instructions\r\nYou are {{char}}.\u2028 \U0001f98a\r\n```\r\n# no field\r\n"
    "```\r\nBe kind.  \r\n"
)
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def write(folder, name, text):
    path = folder / f"config/{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


@pytest.fixture
def room(make_desktop, tmp_path, qtbot):
    """The editor with the file of Nora open."""
    nora = write(tmp_path, "agents/Nora Vale", TEXT)
    write(tmp_path, "prompts/Person", "You chat with {{user}}.\n")
    write(tmp_path, "prompts/Groups", "In groups, be brief.\n")
    desktop = make_desktop()
    desktop.api.sources = sources_of(desktop.api, tmp_path)
    desktop.furnish()
    spec = replace(
        agent().spec, phone="+9996621001", source=str(nora), role_sources=(str(tmp_path / "config/prompts/Person.md"),)
    )
    desktop.api.put_agent(agent(spec=spec))
    desktop.attach()
    desktop.window.requests.send(OpenAgentSource(str(nora)))
    desktop.settle()
    pane = desktop.window.panes["sources"]
    desktop.window.activateWindow()
    QApplication.processEvents()

    def press(key, held=Qt.KeyboardModifier.NoModifier):
        qtbot.keyClick(QApplication.focusWidget(), key, held)
        desktop.settle()

    def type_in(widget, words):
        widget.setFocus()
        qtbot.keyClicks(widget, words)
        desktop.settle()

    def seen_again():
        desktop.api.bus.publish(AgentChanged(agent(spec=spec), Revision(9_000)))
        desktop.settle()

    return SimpleNamespace(
        desktop=desktop, pane=pane, nora=nora, folder=tmp_path, press=press, type_in=type_in, seen_again=seen_again
    )


class SlowReads:
    """Reading a file takes some turns of the engine."""

    def __init__(self, room, monkeypatch, turns):
        self._turns, self._read = turns, room.desktop.api.sources._files.read
        room.pane.model._jobs.spawn = room.desktop.errands
        monkeypatch.setattr(room.desktop.api.sources._files, "read", self)

    async def __call__(self, path):
        for _ in range(self._turns.get(PurePath(path).stem, 0)):
            await asyncio.sleep(0)
        return await self._read(path)


def test_of_several_files_the_one_is_shown_that_was_asked_for_last(room, monkeypatch):
    SlowReads(room, monkeypatch, {"Groups": 5, "Person": 1})
    for name in ("Groups", "Person"):
        room.pane.model.open(str(room.folder / f"config/prompts/{name}.md"))
    for _ in range(5):
        room.desktop.settle()
    assert room.pane.model.document.file.name == room.pane.list.current.file.name == "Person"


def test_a_list_that_is_read_meanwhile_opens_no_other_file(room, monkeypatch):
    pane = room.pane
    pane.model._show(None)
    SlowReads(room, monkeypatch, {"Nora Vale": 5, "Person": 2})
    pane.model.open(str(room.folder / "config/prompts/Person.md"))
    pane.model.refresh()
    for _ in range(5):
        room.desktop.settle()
    assert pane.model.document.file.name == pane.list.current.file.name == "Person"


def test_a_file_that_can_t_be_read_keeps_no_other_one_from_being_shown(room, monkeypatch):
    path = write(room.folder, "prompts/Odd", "x")
    room.seen_again()
    path.unlink()
    room.pane.model.open(str(path))
    room.desktop.settle()
    assert room.pane.model.problem
    assert not room.pane.model._reading.is_under_way


def test_form_and_markdown_are_in_step_and_one_undo_goes_over_both(room):
    pane, document = room.pane, room.pane.model.document
    assert "Nora Vale, edited" not in hand.rows(pane.list)[0]
    model = pane.file.form.rows["LLM"].control.line
    room.type_in(model, "gemini-x")
    assert document.text == TEXT.replace("# Role Prompt", "# LLM\r\ngemini-x\r\n\r\n# Role Prompt")
    assert "# LLM\ngemini-x\n\n# Role Prompt" in pane.file.text.toPlainText()
    assert hand.rows(pane.list)[0] == "Nora Vale, edited, not saved, agents/Nora Vale.md"
    pane.file.text.go_to(2)
    room.press(Qt.Key.Key_E, CTRL)
    assert pane.file.text.hasFocus()
    pane.file.text.go_to(2)
    room.press(Qt.Key.Key_End)
    room.type_in(pane.file.text, "!")
    assert pane.file.form.rows["Agent Name"].control.line.text() == "Nora Vale!"
    room.press(Qt.Key.Key_Z, CTRL)
    model.setFocus()
    room.press(Qt.Key.Key_Z, CTRL)
    assert document.text == TEXT
    assert model.text() == ""
    room.press(Qt.Key.Key_Z, CTRL | SHIFT)
    assert model.text() == "gemini-x"
    room.press(Qt.Key.Key_S, CTRL)
    assert document.state is SaveState.SAVED
    assert room.nora.read_bytes() == document.text.encode()
    assert room.desktop.sees("Saved ", pane.file.head) or "Saved" in pane.file.head.chip.accessibleName()


def test_the_field_in_focus_is_tinted_in_the_markdown_and_back(room):
    pane = room.pane
    pane.file.form.focus_field("Agent Phone")
    tinted = [one for one in pane.file.text.extraSelections() if one.format.hasProperty(0x6000)]
    assert {one.cursor.blockNumber() + 1 for one in tinted} == {4, 5}
    room.press(Qt.Key.Key_E, CTRL)
    assert (QApplication.focusWidget(), pane.file.text.textCursor().blockNumber()) == (pane.file.text, 4)
    room.press(Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is pane.file.form.rows["Agent Phone"].control.line


def test_problems_stand_at_the_field_and_in_a_list_and_one_click_repairs_them(room):
    pane, document = room.pane, room.pane.model.document
    zone = pane.file.form.rows["Agent Timezone"].control.line
    room.type_in(zone, "Europe/Lodnon")
    assert room.desktop.sees("Europe/Lodnon", pane.file.problems)
    assert not pane.file.head.save.isEnabled(), "a usable file is not replaced by one that is not used"
    room.press(Qt.Key.Key_F4)
    room.press(Qt.Key.Key_F4)
    assert pane.file.text.textCursor().blockNumber() + 1 == document.rows[-1].problem.line
    assert room.nora.read_bytes() == TEXT.encode()
    next(one for one in pane.file.problems.buttons() if "Europe/London" in one.text()).click()
    assert zone.text() == "Europe/London"
    assert [row.is_warning for row in document.rows] == [True], "the unknown heading"
    room.press(Qt.Key.Key_S, CTRL)
    assert b"Europe/London\r\n" in room.nora.read_bytes()


def test_role_prompts_are_moved_and_removed_by_keys_and_a_missing_one_is_created(room):
    pane = room.pane
    document = pane.model.document
    document.set_value("Role Prompt", "Groups.md\nCartography\nPerson")
    roles = pane.file.form.roles.list
    roles.setFocus()
    room.press(Qt.Key.Key_End)
    assert hand.rows(roles) == ["Groups, prompts/Groups.md", "Cartography, missing", "Person, prompts/Person.md"]
    room.press(Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert document.value("Role Prompt") == "Groups.md\nPerson\nCartography"
    room.press(Qt.Key.Key_Home)
    room.press(Qt.Key.Key_Delete)
    assert document.value("Role Prompt") == "Person\nCartography"
    next(one for one in pane.file.problems.buttons() if "Create" in one.text()).click()
    room.desktop.settle()
    assert (room.folder / "config/prompts/Cartography.md").read_text() == ""
    assert pane.model.document.file.name == "Cartography"
    pane.model.open(str(room.nora))
    room.desktop.settle()
    assert pane.model.document.is_edited, "what was typed is still there"
    assert pane.model.document.errors == 0


def test_changes_of_another_program_are_merged_or_asked_about_and_never_overwritten(room):
    pane, document = room.pane, room.pane.model.document
    phone = pane.file.form.rows["Agent Phone"].control.line
    phone.end(False)
    room.type_in(phone, "5")
    room.nora.write_bytes(TEXT.replace("Be kind.", "Be brief.").encode())
    room.press(Qt.Key.Key_S, CTRL)
    assert room.nora.read_bytes().decode() == TEXT.replace("Be kind.", "Be brief.").replace("1001", "10015")
    assert document.was_merged
    room.type_in(phone, "6")
    theirs = document.base.replace("10015", "10017")
    room.nora.write_bytes(theirs.encode())
    room.press(Qt.Key.Key_S, CTRL)
    assert room.nora.read_bytes() == theirs.encode()
    assert document.state is SaveState.CONFLICT
    pane.file.head.both.click()
    assert document.text.count("<<<<<<<") == 1
    room.press(Qt.Key.Key_Z, CTRL)
    assert phone.text() == "+99966 2 100156"
    room.press(Qt.Key.Key_S, CTRL)
    assert b"100156" in room.nora.read_bytes()


def test_an_unchanged_file_follows_the_disk_and_unsaved_changes_outlive_the_window(room, make_desktop):
    pane, document = room.pane, room.pane.model.document
    room.nora.write_bytes(TEXT.replace("Be kind.", "Be brief.").encode())
    room.seen_again()
    assert "Be brief." in pane.file.text.toPlainText()
    assert not document.is_edited
    room.type_in(pane.file.form.rows["LLM"].control.line, "x")
    room.desktop.close(room.desktop.window)
    other = make_desktop()
    other.api.sources = sources_of(other.api, room.folder)
    other.furnish()
    other.attach()
    other.window.requests.send(OpenAgentSource(str(room.nora), 5))
    other.settle()
    again = other.window.panes["sources"]
    assert again.model.document.value("LLM") == "x"
    assert (again.file.text.textCursor().blockNumber(), again.model.document.is_edited) == (4, True)
    again.file.head.discard.click()
    other.settle()
    again.model.detach()
    assert not list((room.folder / "state/chimein-drafts").iterdir())


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"# Agent Name\n\xff\xfe", "UTF-8"),
        (b"\xed\xa0\x80", "UTF-8"),
        (b"x" * 1_000_001, "1 MB"),
        (b"\n" + b"x" * 900_000, "Line 2 is longer"),
    ],
    ids=["bytes", "lone surrogate", "large", "long line"],
)
def test_a_hostile_file_is_refused_with_the_reason(room, data, words):
    path = room.folder / "config/agents/Eve.md"
    path.write_bytes(data)
    room.pane.model.refresh()
    room.desktop.settle()
    room.pane.model.open(str(path))
    room.desktop.settle()
    assert words in room.pane.model.problem
    assert path.read_bytes() == data


def test_what_can_not_be_seen_is_shown_and_stays_as_it_is(room):
    path = write(room.folder, "prompts/Odd", "a\u202eb\u200b\r\nc\x07\ud7ffd\u00a0e")
    room.pane.model.open(str(path))
    room.desktop.settle()
    pane = room.pane
    assert pane.file.text.toPlainText().replace("\u00a0", " ") == "a␣b␣\nc␣\ud7ffd e"
    room.type_in(pane.file.text, "z")
    assert pane.model.document.text == "za\u202eb\u200b\r\nc\x07\ud7ffd\u00a0e"
    room.press(Qt.Key.Key_A, CTRL)
    room.press(Qt.Key.Key_Delete)
    room.press(Qt.Key.Key_Z, CTRL)
    assert pane.model.document.text.endswith("c\x07\ud7ffd\u00a0e")


def test_files_are_created_renamed_copied_and_archived_with_undo(room, popped):
    pane, toasts = room.pane, room.desktop.models.toasts

    def choose(words, name=None):
        pane.file.head.more.click()
        entries = {one.text().partition("\u2026")[0]: one for one in popped[-1].actions()}
        entries[words].trigger()
        if name is not None:
            dialog = pane.findChild(AskNameDialog)
            dialog.field.setText(name)
            dialog.keep.click()
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        room.desktop.settle()

    choose("New prompt", "Cartography")
    assert pane.model.document.file.name == "Cartography"
    assert pane.file.text.toPlainText() == ""
    choose("Rename", "Maps")
    assert pane.model.document.file.name == "Maps"
    assert toasts.current is not None
    choose("Archive")
    assert "Maps, archived, archive/prompts/Maps.md" in hand.rows(pane.list)
    assert pane.file.text.isReadOnly()
    while toasts.current.text != "“Maps” is in the archive":
        toasts.dismiss(toasts.current.number)
    toasts.act()
    room.desktop.settle()
    assert "Maps, used by nobody, prompts/Maps.md" in hand.rows(pane.list)
    pane.model.open(str(room.nora))
    room.desktop.settle()
    choose("Duplicate", "Nell")
    assert pane.model.document.value("Agent Name") == "Nell"
    assert [row.field for row in pane.model.document.rows if not row.is_warning] == ["Agent Phone"]
    room.type_in(pane.file.form.rows["Aliases"].control.lines.field, "Nelly")
    pane.file.head.more.click()
    assert not next(one for one in popped[-1].actions() if one.text() == "Archive").isEnabled()


def test_a_prompt_shows_its_users_completes_variables_and_is_previewed(room):
    pane = room.pane
    pane.model.open(str(room.folder / "config/prompts/Person.md"))
    room.desktop.settle()
    assert room.desktop.sees("used by Nora Vale", pane.file.prompt)
    pane.file.text.setFocus()
    room.press(Qt.Key.Key_End, CTRL)
    room.type_in(pane.file.text, "I am {")
    room.press(Qt.Key.Key_Space, CTRL)
    popup = pane.file.text.completion
    assert popup.isVisible()
    assert [popup.model().index(place, 0).data() for place in range(2)] == ["{{char}}", "{{user}}"]
    room.desktop.press(popup, Qt.Key.Key_Return)
    assert pane.model.document.text == "You chat with {{user}}.\nI am {{char}}"
    assert pane.file.prompt.chat.currentText() == "Nora Vale with Marta Oliveira"
    pane.file.prompt.fill()
    assert pane.file.prompt.preview.toPlainText() == "You chat with ⟦name: Marta Oliveira⟧.\nI am Nora Vale"


def test_stickers_are_chips_that_are_added_and_removed_by_keys_and_by_mouse(room, qtbot):
    pane, document = room.pane, room.pane.model.document
    control = pane.file.form.rows["Agent Sticker Sets"].control
    for name in ("PuffinMail", "TeaTime", "PuffinMail", "Foxes"):
        room.type_in(control.line, name)
        room.press(Qt.Key.Key_Return)
    assert document.value("Agent Sticker Sets") == "PuffinMail\nTeaTime\nFoxes"
    assert hand.rows(control.list) == ["PuffinMail", "TeaTime", "Foxes"]
    control.list.setFocus()
    control.list.setCurrentRow(1)
    room.press(Qt.Key.Key_Delete)
    cross = control.list.visualItemRect(control.list.item(0)).center()
    cross.setX(control.list.visualItemRect(control.list.item(0)).right() - 12)
    qtbot.mouseClick(control.list.viewport(), Qt.MouseButton.LeftButton, pos=cross)
    assert document.value("Agent Sticker Sets") == "Foxes"
    room.press(Qt.Key.Key_Z, CTRL)
    assert hand.rows(control.list) == ["PuffinMail", "Foxes"]


def test_the_fixed_part_of_prompts_follows_what_is_typed_and_the_prompts_on_the_disk(room, qtbot):
    pane = room.pane
    (card,) = pane.file.form.findChildren(FixedPartCard)
    before = dict(pane.model.fixed.part.tokens)
    assert set(before) == {FixedKind.ROLES, FixedKind.INSTRUCTIONS, FixedKind.OURS}
    assert f"roles {before[FixedKind.ROLES]}" in card.accessibleName()
    room.type_in(pane.file.form.rows["Agent Sticker Sets"].control.line, "PuffinMail")
    room.press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: (room.desktop.settle(), FixedKind.STICKERS in dict(pane.model.fixed.part.tokens))[1])
    write(room.folder, "prompts/Person", "You chat with {{user}}.\n" * 100)
    pane.model.refresh()
    qtbot.waitUntil(lambda: (room.desktop.settle(), dict(pane.model.fixed.part.tokens)[FixedKind.ROLES] > 500)[1])
    assert card.isVisibleTo(pane.file.form)


def test_the_form_of_a_small_window_never_scrolls_sideways_and_says_what_empty_means(room):
    form = room.pane.file.form
    (card,) = form.findChildren(FixedPartCard)
    card.total.setText("about 15,038 tokens · $0.0015 a call")
    room.desktop.window.resize(1280, 720)
    room.desktop.settle()
    form.focus_field("Allowed Hosts")
    room.desktop.settle()
    assert form.horizontalScrollBar().value() == form.horizontalScrollBar().maximum() == 0
    assert form.widget().width() <= form.viewport().width(), "and nothing is cut"
    assert room.desktop.sees("Empty: all public hosts.", form)
    form.widget().setMinimumWidth(2_000)
    room.desktop.settle()
    form.focus_field("Denied Hosts")
    assert form.horizontalScrollBar().value() == 0


def test_a_field_that_can_only_be_read_does_not_look_open(room):
    form = room.pane.file.form
    for name in ("Agent Name", "Aliases"):
        control, grounds = form.rows[name].control, []
        for allowed in (True, False):
            control.allow(allowed=allowed)
            picture = control.widget.grab().toImage()
            grounds.append(picture.pixelColor(picture.width() - 12, 5).name())
        theme = room.pane.file.form._context.theme
        assert grounds == [theme.color("field").name(), theme.color("raised").name()]


def test_the_total_of_the_fixed_part_stands_on_one_line_where_there_is_room(room):
    form = room.pane.file.form
    (card,) = form.findChildren(FixedPartCard)
    total, part = card.total, card._model.part
    tokens = tuple((kind, 1_000 * count) for kind, count in part.tokens)
    for width in (1440, 1280):
        room.desktop.window.resize(width, 800)
        card._model.part = replace(part, tokens=tokens)  # more digits
        card._show()
        room.desktop.settle()
        words = [one.fontMetrics().horizontalAdvance(one.text()) for one in (card._title, total)]
        assert max(words) + 40 < card.width()
        assert [one.height() < 2 * one.fontMetrics().height() for one in (card._title, total)] == [True, True]
        assert (card._title.y() == total.y()) is (sum(words) + 40 < card.width()), "below, where there is no room"
    card._title.setText("A title that has no room beside the total, whatever the width of the form may be")
    card._share()
    room.desktop.settle()
    assert card._title.height() >= 2 * card._title.fontMetrics().height(), "then it wraps, and nothing is cut"


def test_a_file_that_comes_with_chimein_offers_no_change(room):
    pane, document = room.pane, room.pane.model.document
    form, keys = pane.file.form, pane._keys
    stickers, sets = (form.rows[name].control for name in ("Agent Stickers", "Agent Sticker Sets"))
    sets.list.show_lines(["PuffinMail"])
    wide = sets.list.visualItemRect(sets.list.item(0)).width()
    assert "Ctrl+S Save" in keys.accessibleName()
    assert room.desktop.sees("It also names the agent's folders", form)
    document.file = replace(document.file, is_fixed=True)
    form.show_document(document)
    pane._show_file()
    room.desktop.settle()
    assert "Save" not in keys.accessibleName()
    assert not room.desktop.sees("It also names the agent's folders", form)
    assert not stickers.none.isHidden(), "the field is not just empty"
    sets.list.show_lines(["PuffinMail"])
    assert sets.list.visualItemRect(sets.list.item(0)).width() == wide - CLOSE - 4, "no room for a cross"


def pane_row(room):
    return room.pane.model.files.find(str(room.nora))


def test_an_agent_logs_in_again_and_its_prompt_is_previewed_from_its_file(room):
    desktop, account = room.desktop, room.pane.file.account
    sent: list[object] = []
    desktop.window.requests.sent.connect(sent.append)
    assert account.log_in.isHidden()
    desktop.api.put_agent(agent(spec=account.agent.spec, health=Health.REVOKED))
    desktop.settle()
    assert (account.chip.accessibleName(), account.log_in.text()) == ("Session ended", "Log in again")
    assert pane_row(room).health is Health.REVOKED
    account.log_in.click()
    assert sent == [OpenLogin(AgentId(1))]
    account.preview.click()
    desktop.settle()
    assert sent[1:] == [ShowChat(ChatId(1)), PreviewPrompt(ChatId(1))]
    assert desktop.window.panes["prompt"].models.prompt.chat_id == 1
