"""Everything about a person: opened from three places, exported, and forgotten only after the name was typed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel

from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.people.holdings import Held, HoldingKind, Tally
from chimein_gui.ui.dialogs.person.dialog import PersonDialog
from chimein_gui.ui.dialogs.person.forget import ForgetDialog
from chimein_gui.ui.panes.conversations.chats.menu import make_chat_menu
from chimein_gui.ui.panes.memory.files.people import PeopleList
from chimein_gui.ui.requests import ShowPerson
from chimein_gui.viewmodels.memory.people import PeopleModel, PersonRow
from chimein_gui.viewmodels.people.model import Column
from tests.fakes.engine_api import NOON, chat

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

MARTA = PeerId(5_001)
HELD = (
    Held(HoldingKind.MESSAGES, "Nora Vale", "Marta Oliveira", Tally(1204, 610, 88_000, NOON - timedelta(40), NOON)),
    Held(HoldingKind.GROUP_MESSAGES, "Nora Vale", "Walkers of Leeds", Tally(7, 7, 512)),
    Held(HoldingKind.MEMORIES, "Nora Vale", "/state/Nora Vale/memory/5001.md", Tally(3, size=420)),
    Held(HoldingKind.PROMPTS, "Nora Vale", "Marta Oliveira", Tally(96, size=3_800_000)),
    Held(HoldingKind.COSTS, "Nora Vale", "Marta Oliveira", Tally(140, cost_usd=1.25)),
)


@pytest.fixture(autouse=True)
def quiet(desktop):
    yield
    desktop.models.toasts.detach()


@pytest.fixture
def page(desktop) -> PersonDialog:
    desktop.api.people.held = HELD
    desktop.window.requests.send(ShowPerson(MARTA, "Marta Oliveira"))
    desktop.settle()
    return shown(desktop, PersonDialog)


def shown(desktop, kind):
    desktop.settle()
    found = [one for one in desktop.window.findChildren(kind) if one.isVisible()]
    assert len(found) == 1
    return found[0]


def texts_of(dialog: PersonDialog, row: int) -> list[str]:
    table = dialog.model.table
    return [table.index(row, column).data() for column in Column]


def test_the_table_says_what_how_much_where_and_what_becomes_of_it(desktop, page):
    assert page.accessibleName() == "Everything about Marta Oliveira"
    assert page.model.table.rowCount() == len(HELD)
    what, much, where, effect = texts_of(page, 0)
    assert (what, where, effect) == ("Messages, of both sides", "Nora Vale · Marta Oliveira", "Goes")
    assert much.startswith("1204 message")
    assert "610 by the person" in much
    assert texts_of(page, 1)[3] == "Words go, numbers stay"
    assert "1.25" in texts_of(page, 4)[1]
    assert page.table.hasFocus() or page.focusWidget() is page.table


def test_nobody_is_forgotten_before_the_name_is_typed(desktop, page):
    desktop.click(page.forget)
    question = shown(desktop, ForgetDialog)
    words = "\n".join(label.text() for label in question.findChildren(QLabel))
    assert "Stored prompts" in words
    assert "Everything in Telegram itself" in words
    assert words.index("This goes") < words.index("This stays")
    assert not question.action.isEnabled()
    desktop.press(question, Qt.Key.Key_Return)
    assert desktop.api.people.forgotten == []
    question.field.setText("Marta")
    assert not question.action.isEnabled()
    question.field.setText("Marta Oliveira")
    desktop.click(question.action)
    desktop.settle()
    assert (desktop.api.people.forgotten, desktop.api.people.never) == ([MARTA], [])
    assert page.model.table.rowCount() == 0
    assert not page.forget.isEnabled()


def test_the_question_can_keep_memories_from_being_proposed_again(desktop, page):
    desktop.click(page.forget)
    question = shown(desktop, ForgetDialog)
    assert question.never.accessibleName() == "Never propose memories of this person again"
    assert not question.never.isChecked()
    desktop.click(question.never)
    question.field.setText("Marta Oliveira")
    desktop.click(question.action)
    desktop.settle()
    assert (desktop.api.people.forgotten, desktop.api.people.never) == ([MARTA], [MARTA])


def test_a_refusal_says_why_and_nothing_goes(desktop, page):
    desktop.api.people.refuse = RefusedError(Note(FaultReason.PERSON_BEING_SENT, "Marta Oliveira"))
    desktop.click(page.forget)
    question = shown(desktop, ForgetDialog)
    question.field.setText("Marta Oliveira")
    desktop.click(question.action)
    desktop.settle()
    assert "Marta Oliveira" in page.message.accessibleName() or page.message.isVisible()
    assert page.model.table.rowCount() == len(HELD)
    assert page.forget.isEnabled()


def test_an_export_goes_where_the_operator_wants_it(desktop, page, tmp_path: Path):
    desktop.click(page.export)
    chooser = shown(desktop, QFileDialog)
    chooser.fileSelected.emit(str(tmp_path / "marta.zip"))
    chooser.done(QFileDialog.DialogCode.Accepted)
    desktop.settle()
    assert desktop.api.people.exported == [tmp_path / "marta.zip"]
    assert page.export.text() == "Export…"


def test_the_menu_of_a_chat_with_one_person_has_it(desktop):
    sent: list[object] = []
    desktop.window.requests.sent.connect(sent.append)
    one = chat(1)
    menu = make_chat_menu(desktop.conversations._context, one, desktop.window)
    words = [action.text() for action in menu.actions()]
    assert "Everything about this person…" in words
    menu.actions()[words.index("Everything about this person…")].trigger()
    assert sent[-1] == ShowPerson(one.info.peer_id, one.info.title)


def test_a_row_of_the_memory_pane_opens_it(desktop, qtbot):
    sent: list[object] = []
    desktop.window.requests.sent.connect(sent.append)
    model = PeopleModel(desktop.models.bridge)
    people = PeopleList(desktop.window.theme, model, lambda _name: 0)
    qtbot.addWidget(people)
    people.wanted.connect(lambda row: sent.append(row.peer))
    model.fill([PersonRow("Nora Vale", peer) for peer in (None, PeerId(-77), MARTA)])
    for row in range(3):
        people.setCurrentIndex(model.index(row, 0))
        people.everything.trigger()
        desktop.press(people, Qt.Key.Key_Return)
    assert set(sent) == {MARTA}, "neither all chats nor a group is a person"
