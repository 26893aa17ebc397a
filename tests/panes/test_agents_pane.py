"""The Agents pane: who there is, how they are, what they do, what can be done."""

from contextlib import suppress
from dataclasses import replace
from datetime import time, timedelta
from itertools import permutations
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu

from chimein_gui import ui_driver as hand
from chimein_gui.domain.agents import AccountEvent, FileProblem, Health, MethodWait
from chimein_gui.domain.chats import ChatSettings, QuietHours, TrustLevel
from chimein_gui.domain.costs import AgentDay
from chimein_gui.domain.events import ServerWaitBegan
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.ids import AccountId, AgentId, Revision
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.ui.panes.agents.delegate import notes_of
from chimein_gui.ui.requests import OpenAgentSource, OpenFolder, ShowAgent
from chimein_gui.ui.widgets.surfaces.health import health_label
from chimein_gui.viewmodels.panes.agents import make_activities
from tests.fakes.engine_api import BIG, NOON, agent
from tests.support.on_screen import entries

LIMITED = "Telegram limits this account for now: it can't write to strangers."


@pytest.fixture
def pane(desktop):
    desktop.window.show_pane("agents")
    return desktop.agents


def change(desktop, **changes):
    desktop.put_agent(replace(desktop.api.agents[1], **changes))


def test_an_account_is_held_and_released(desktop, pane):
    assert pane.agent_actions.hold.accessibleName() == "Hold Nora Vale"
    desktop.click(pane.agent_actions.hold)
    (held,) = desktop.api.holds.holds
    assert (held.scope, held.target) == (HoldScope.ACCOUNT, BIG + 1)
    assert pane.agent_actions.hold.accessibleName() == "Release Nora Vale"
    assert not desktop.window.held_banner.isVisible()
    context_notes = notes_of(desktop.models.agents.find(1), pane._context)
    assert context_notes[0].word.startswith("Held since")
    desktop.click(pane.agent_actions.hold)
    assert desktop.api.holds.holds == ()


def test_a_frozen_account_says_so_in_its_row_and_in_a_bar_and_can_be_stopped(desktop, pane):
    change(desktop, health=Health.FROZEN, health_note=Note(ConnectionReason.ACCOUNT_FROZEN))
    desktop.models.bars.gather()
    [bar] = desktop.models.bars.bars
    assert "has frozen the account of" in bar.cause
    assert "@SpamBot" in bar.consequence
    assert "approved messages wait" in bar.consequence
    row = desktop.models.agents
    assert "Frozen" in row.sentence_of(row.find(1))
    assert "@SpamBot" in row.sentence_of(row.find(1))
    assert any("@SpamBot" in note.word for note in notes_of(row.find(1), pane._context))
    assert (pane.agent_actions.start.isVisible(), pane.agent_actions.stop.isVisible()) == (False, True)
    assert row.is_online(1), "it reads"
    change(desktop, health=Health.ONLINE, health_note=None)
    desktop.models.bars.gather()
    assert desktop.models.bars.bars == ()


def test_only_what_fits_the_state_is_offered(desktop, pane):
    assert (pane.agent_actions.start.isVisible(), pane.agent_actions.stop.isVisible()) == (False, True)
    change(desktop, health=Health.STOPPED)
    assert (pane.agent_actions.start.isVisible(), pane.agent_actions.stop.isVisible()) == (True, False)
    assert not pane.agent_actions.restart.isVisible()
    assert pane.agent_actions.start.isEnabled()
    change(desktop, health=Health.FAULTY_FILE)
    assert (pane.agent_actions.start.isVisible(), pane.agent_actions.start.isEnabled()) == (True, False)
    assert "Fix or restore the agent file first" in pane.agent_actions.start.toolTip()
    change(desktop, health=Health.STOPPED)
    assert pane.agent_actions.start.isEnabled()
    change(desktop, account_id=None)
    assert not pane.agent_actions.hold.isVisible()


def test_a_second_press_while_the_first_one_runs_does_nothing(desktop, pane):
    jobs = []
    desktop.models.agents._commands.attach(desktop.api, lambda job, name: jobs.append(job))
    for press in (desktop.models.agents.restart, desktop.models.agents.restart, desktop.models.agents.stop):
        press(1)
    assert len(jobs) == 2
    for job in jobs:
        with suppress(StopIteration):
            job.send(None)
    desktop.models.agents.restart(1)
    assert len(jobs) == 3
    with suppress(StopIteration):
        jobs[2].send(None)


def test_the_dock_keeps_its_width_whatever_becomes_of_an_account(desktop, pane):
    dock = desktop.window.docks["agents"]
    width = dock.width()
    states: list[dict[str, Any]] = [{"health": health} for health in Health]
    states += [{"health": Health.STOPPED, "account_id": None}, {"limited": "PEER_FLOOD"}]
    for before, after in permutations(states, 2):
        for state in (before, after):
            desktop.put_agent(replace(agent(), **state))
            QApplication.sendPostedEvents()
            assert dock.width() == width, (before, after)


def test_an_account_that_the_operator_logged_out_is_not_offered_a_start(desktop, pane):
    change(desktop, health=Health.LOGGED_OUT, last_event=AccountEvent.LOGGED_OUT_HERE)
    assert pane.agent_actions.log_in.isVisible()
    assert not pane.agent_actions.start.isVisible()
    desktop.api.logins.available = False
    change(desktop, health=Health.STOPPED)
    change(desktop, health=Health.LOGGED_OUT)
    assert pane.agent_actions.start.isVisible()  # where nobody can log in, a session that came back is all there is


def test_the_focus_goes_to_what_takes_the_place_of_a_button(desktop, pane, qtbot):
    desktop.window.activateWindow()
    qtbot.waitUntil(desktop.window.isActiveWindow)
    pane.agent_actions.stop.setFocus()
    desktop.strike(pane.agent_actions.stop, Qt.Key.Key_Space)
    assert pane.agent_actions.start.hasFocus()
    desktop.strike(pane.agent_actions.start, Qt.Key.Key_Space)
    assert pane.agent_actions.stop.hasFocus()
    pane.agent_actions.restart.setFocus()
    change(desktop, health=Health.LOGGED_OUT)
    assert pane.agent_actions.log_in.hasFocus()
    pane.agent_actions.log_out.show()
    change(desktop, health=Health.ONLINE, limited="PEER_FLOOD")
    pane.agent_actions.clear.setFocus()
    change(desktop, limited="")
    assert pane.list.hasFocus()
    assert desktop.api.holds.holds == ()


def test_what_is_special_has_a_line_of_its_own(desktop, pane):
    height = pane.list.sizeHintForRow(0)
    spec = replace(desktop.api.agents[1].spec, trust=TrustLevel.AUTO)
    change(desktop, limited="PEER_FLOOD", spec=spec)
    notes = notes_of(desktop.models.agents.find(1), pane._context)
    assert [note.word for note in notes] == [LIMITED, "Its file asks for Auto; confirm it"]
    assert pane.list.sizeHintForRow(0) > height + 20


def test_each_action_that_has_to_wait_counts_down_on_a_line_of_its_own(desktop, pane):
    until = NOON + timedelta(seconds=161)
    waits = (MethodWait("history", until), *(MethodWait(action, until) for action in ("block", "dialogs", "send_text")))
    change(desktop, waits=waits, proxy="SOCKS5 127.0.0.1:1080")
    notes = [note.word for note in notes_of(desktop.models.agents.find(1), pane._context)]
    assert notes[0] == "Through SOCKS5 127.0.0.1:1080"
    assert notes[1] == "Telegram rate limit, reading history: 2:41"
    assert notes[-1] == "And 1 more"
    index = pane.list.model().index(0, 0)
    assert "reading history" in index.data(11)
    before = pane._times_of(index)
    desktop.time = NOON + timedelta(seconds=1)
    assert pane._times_of(index) != before


@pytest.mark.parametrize(
    ("health", "left_s", "words"),
    [
        (Health.REVOKED, 161, "Session ended"),
        (Health.BANNED, 161, "Closed by Telegram"),
        (Health.FROZEN, 161, "Frozen by Telegram"),
        (Health.PROXY_TROUBLE, 161, "Proxy problem 2:41"),
        (Health.PROXY_TROUBLE, 0, "Proxy problem"),
    ],
)
def test_every_trouble_has_its_own_words(desktop, pane, health, left_s, words):
    change(desktop, health=health, next_try_at=NOON + timedelta(seconds=left_s))
    assert health_label(desktop.models.agents.find(1), desktop.models.clock).word == words
    desktop.models.bars.gather()
    bars = [bar.cause for bar in desktop.models.bars.bars]
    assert any("Nora Vale" in cause for cause in bars)


def test_the_chosen_agent_says_what_its_file_does_and_what_it_did_today(desktop, pane, browser, tmp_path):
    file = tmp_path / "nora.md"
    file.write_text("# Name", encoding="utf-8")
    spec = replace(desktop.api.agents[1].spec, model="gemini-2.5-pro", trust=TrustLevel.AUTO, source=str(file))
    lines = pane.agent_actions.facts.lines
    desktop.api.costs.days[1] = AgentDay(sent=12, usd=0.34)
    change(desktop, spec=spec, proxy="SOCKS5 127.0.0.1:1080")
    assert lines[0].text() == "gemini-2.5-pro · Review by default"  # nobody has confirmed the file's level
    assert lines[1].text() == "No quiet hours · SOCKS5 127.0.0.1:1080"
    quiet = ChatSettings(quiet_hours=QuietHours(time(22), time(7)))
    desktop.put_chat(replace(desktop.api.chats[1], settings=quiet))
    change(desktop, spec=replace(spec, model=""), trust_confirmed=True, proxy="")
    assert lines[0].text() == "gemini-2.5-flash · Auto by default"
    assert "1" in lines[1].text()
    assert lines[1].text().endswith("no proxy")
    assert "$0.00" in lines[2].text()
    desktop.api.costs.book(0.2)
    desktop.settle()
    desktop.time += timedelta(seconds=5)
    desktop.models.clock.ticked.emit()
    desktop.settle()
    assert "12" in lines[2].text()
    assert "$0.34" in lines[2].text()
    desktop.click(pane.agent_actions.open_file)
    assert browser.opened == [file.as_uri()]
    assert (pane.agent_actions.proxy.text(), pane.agent_actions.log_out.text()) == ("Proxy…", "Log out…")
    desktop.window.hide()
    asked = len(desktop.api.costs.asked)
    desktop.time += timedelta(minutes=2)
    desktop.models.clock.ticked.emit()
    assert len(desktop.api.costs.asked) == asked  # nobody looks


def test_a_wait_is_said_once(desktop, pane):
    until = NOON + timedelta(seconds=30)
    desktop.models.bridge.batch_ready.emit(
        (ServerWaitBegan(AccountId(BIG + 1), None, "send_text", until, Revision(9)),)
    )
    assert "Telegram rate limit" in desktop.models.own(make_activities).of(desktop.api.agents[1]).words
    change(desktop, waits=(MethodWait("send_text", until),))
    assert "Telegram rate limit" not in desktop.models.own(make_activities).of(desktop.api.agents[1]).words
    assert len(notes_of(desktop.api.agents[1], pane._context)) == 1


def test_what_happened_last_is_told(desktop, pane):
    change(desktop, last_event=AccountEvent.HEARD, last_event_at=NOON)
    pane.list.setCurrentIndex(pane.list.model().index(0, 0))
    desktop.settle()
    assert pane.agent_actions.last.text().startswith("Last update from Telegram, ")
    change(desktop, last_event=AccountEvent.LOGGED_OUT, health=Health.LOGGED_OUT)
    assert pane.agent_actions.last.text().startswith("Logged out, "), "whoever did it: the note says who"


def test_a_problem_is_edited_at_its_line_and_one_of_a_folder_opens_it(desktop, pane, qtbot):
    asked: list[object] = []
    desktop.window.requests.sent.disconnect()
    desktop.window.requests.on(object, asked.append)
    problem = FileProblem("/etc/agents/Bram.md", 16, Note(NoteKind.OTHER, "Unknown heading."))
    desktop.put_problems(problem, FileProblem("/etc/agents", 0, Note(NoteKind.OTHER, "Unreadable.")))
    for words in ("Edit agents/Bram.md", "Open the folder of etc/agents"):
        qtbot.mouseClick(desktop.button(words, pane), Qt.MouseButton.LeftButton)
    assert asked == [OpenAgentSource("/etc/agents/Bram.md", 16), OpenFolder("/etc/agents")]


def test_twenty_four_agents_can_be_read_and_reached(desktop, pane):
    for number in range(2, 25):
        desktop.api.put_agent(agent(number, f"Agent with a rather long name number {number}"))
    desktop.settle()
    assert pane.list.model().rowCount() == 24
    desktop.window.requests.send(ShowAgent(AgentId(24)))
    assert pane.list.currentIndex().row() == 23
    assert pane.list.viewport().rect().intersects(pane.list.visualRect(pane.list.currentIndex()))
    assert "number 24" in pane.agent_actions.stop.accessibleName()
    desktop.press(pane.list, Qt.Key.Key_Home)
    assert pane.list.currentIndex().row() == 0


@pytest.fixture
def menus(monkeypatch):
    """The offscreen platform knows no pop-ups; collects where they would be."""
    shown: list[tuple[QMenu, QPoint]] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, place: shown.append((menu, place)))
    return shown


def test_the_menu_of_a_row_offers_what_its_buttons_do(desktop, pane, menus):
    change(desktop, spec=replace(desktop.api.agents[1].spec, source="/etc/agents/Nora.md"))
    desktop.put_agent(agent(2, "Bram & Co", health=Health.STOPPED))
    folders: list[str] = []
    desktop.window.requests.sent.disconnect()
    desktop.window.requests.on(OpenFolder, lambda request: folders.append(request.path))
    pane.list.customContextMenuRequested.emit(pane.list.visualRect(pane.list.model().index(1, 0)).center())
    assert pane.list.currentIndex().row() == 1
    offered = entries(menus[-1][0])
    assert "Stop" not in offered
    assert "Open the folder of its file" not in offered
    offered["Start"].trigger()
    assert desktop.api.started == [2]
    pane.list.customContextMenuRequested.emit(pane.list.visualRect(pane.list.model().index(0, 0)).center())
    offered = entries(menus[-1][0])
    shown = [button for group in pane.agent_actions.offered() for _words, button in group]
    assert len(offered) == len(shown) + 4
    assert {"Stop", "Restart", "Hold", "Proxy…"} <= set(offered)
    offered["Open the folder of its file"].trigger()
    assert folders == ["/etc/agents/Nora.md"]


def test_a_heading_that_means_nothing_is_told_here_and_raises_no_bar(desktop, pane):
    desktop.put_problems(
        FileProblem("/etc/agents/Bram.md", 16, Note(NoteKind.OTHER, "Unknown heading."), is_warning=True)
    )
    assert desktop.sees("agents/Bram.md:16: Unknown heading. The rest of the file is in use.", pane)
    assert not desktop.window.fault_bar.isVisible()


@pytest.mark.parametrize("problems", [1, 3, 5])
def test_the_words_of_a_problem_are_whole_or_end_with_a_mark_and_a_tool_tip(desktop, pane, problems):
    words = "Enter the phone number in international format: + and 7 to 15 digits."
    for number in range(2, 9):
        desktop.api.put_agent(agent(number, f"Agent {number}"))
    files = [FileProblem(f"/etc/agents/{number}.md", 3, Note(NoteKind.OTHER, words)) for number in range(problems)]
    desktop.window.resize(1280, 480)
    desktop.put_problems(*files)
    desktop.settle()
    for row in [one for one in pane._problems._rows if one.isVisible()]:
        text = row._why
        assert text.is_cut is (text.height() < text.heightForWidth(text.width()))
        assert text.toolTip() or not text.is_cut
        assert problems > 1 or not text.is_cut
    assert pane.list.height() < 160, "the list gives way to what is wrong"


def test_the_rail_tells_how_long_a_file_has_been_wrong(desktop, pane):
    button = desktop.window.rail.buttons["agents"]
    desktop.put_problems(FileProblem("/etc/agents/Bram.md", 16, Note(NoteKind.OTHER, "Unknown heading.")))
    assert button.accessibleName() == "Agents, 1 waiting"
    desktop.time += timedelta(minutes=12)
    desktop.models.clock.ticked.emit()
    assert button.accessibleName() == "Agents, 1 waiting, oldest 12 min"
    assert button._is_old
    desktop.put_problems()
    assert button.accessibleName() == "Agents"


def test_a_disabled_agent_says_how_it_is_enabled(desktop, pane):
    before = desktop.api.agents[1]
    change(desktop, spec=replace(before.spec, is_disabled=True), health=Health.STOPPED)
    [note] = [one.word for one in notes_of(desktop.models.agents.find(1), pane._context) if "Disabled" in one.word]
    assert note == "Disabled in its file: remove the heading “# Disabled” to start it"
    assert not pane.agent_actions.start.isEnabled()


def test_a_link_that_leads_elsewhere_is_allowed_once_by_a_click(desktop, pane):
    words = "The role prompt “P” is a link to /etc/passwd, outside the config directories."
    desktop.put_problems(FileProblem("/c/agents/Bram.md", 8, Note(NoteKind.OTHER, words), leads_to="/etc/passwd"))
    desktop.click(desktop.button("Allow the link to /etc/passwd", pane))
    assert desktop.api.allowed_links == ["/etc/passwd"]
    assert not desktop.sees("agents/Bram.md", pane)
    desktop.put_problems(FileProblem("/c/agents/Bram.md", 8, Note(NoteKind.OTHER, "Unknown heading.")))
    assert desktop.sees("agents/Bram.md", pane)
    assert hand.button(pane, "Allow") is None
