"""The ways of the log-in that end well, by the dialog's own widgets against the sandbox."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from chimein_gui import ui_driver as hand
from chimein_gui.domain.accounts.sign_in import LoginStep
from chimein_gui.sandbox_api import FaultKind
from tests.e2e.branch_stage import Stage
from tests.e2e.live_alike import API_HASH, API_ID, APPLICATION
from tests.e2e.log_in_hands import GUARDED, HINT, PASSWORD, PLAIN, STRANGER, Hands, wrong
from tests.support.log_guard import ExpectedLogs

pytestmark = [
    pytest.mark.qt_loop,
    pytest.mark.gate_slow,
    pytest.mark.qt_log_ignore("plugin does not support"),  # a dialog is a window of its own
]

INES, HANNO = "Inês Faro", "Hanno Brügge"


# --- the application, and ways that end well


async def cancelled_at_the_application(hands: Hands) -> None:
    await hands.open(INES)
    await hands.at(LoginStep.APPLICATION)
    hands.escape()
    await hands.closed()
    await hands.choose(INES, "Logged out")


async def application_wrong_then_right(hands: Hands) -> None:
    await hands.open(INES)
    await hands.at(LoginStep.APPLICATION)
    assert not hands.open_dialog.go.isEnabled(), "nothing is written yet"
    page = hands.page
    hands.type("my id")
    page.api_hash.setFocus()  # type: ignore[attr-defined]
    hands.enter(API_HASH)
    await hands.told("The API ID has digits only.")
    page.api_id.setFocus()  # type: ignore[attr-defined]
    hands.type(API_ID)
    page.api_hash.setFocus()  # type: ignore[attr-defined]
    hands.enter("0123")
    await hands.told("The API hash has 32 characters")
    hands.enter(API_HASH)
    await hands.picture()
    await hands.cancel()
    await hands.open(INES)
    await hands.picture()  # it is asked once
    await hands.cancel()


async def wrong_code_then_right(hands: Hands) -> None:
    code = await hands.to_code(INES, PLAIN)
    hands.type(wrong(code))
    await hands.told("Wrong code.")
    hands.type(code)
    await hands.done(INES)
    assert hands.outdoors.sessions_of(PLAIN) == 1


async def log_out_asks_first(hands: Hands) -> None:
    await hand.until("its button", lambda: hand.button(hands.agents, f"Log {INES} out"))
    found = hand.button(hands.agents, f"Log {INES} out")
    assert found is not None
    found.click()
    question = await hands.question()
    question.leave.click()
    await hands.choose(INES, "Online")
    await hands.log_out(INES)
    assert hands.outdoors.sessions_of(PLAIN) == 0
    assert not hands.program.directories.session(INES).exists()


async def picture_scanned(hands: Hands) -> None:
    await hands.open(INES)
    await hands.console.scan_login(await hands.picture(), PLAIN)
    await hands.done(INES)


async def again_in_place_after_telegram_ended_it(hands: Hands) -> None:
    await hands.choose(INES, "Online")
    chats = len((await hands.program.running.engine.queries.chats()).rows)
    await hands.strike(FaultKind.REVOKE, account_id=hands.outdoors.account_of(PLAIN))
    await hands.choose(INES, "Session ended")
    await hands.open(INES, "Session ended")
    await hands.picture()
    await hands.cancel()
    await hands.nothing_left()
    await hands.choose(INES, "Session ended")  # as before
    await hand.until("its button", lambda: hand.button(hands.agents, f"Log in again {INES}"))
    code = await hands.to_code(INES, PLAIN, "Session ended")
    hands.type(code)
    await hands.done(INES)
    assert len((await hands.program.running.engine.queries.chats()).rows) == chats
    await hands.log_out(INES)


async def picture_renewed(hands: Hands) -> None:
    hands.clock.share = 1 / 20
    await hands.open(INES)
    first = await hands.picture()
    await hand.until("its end in words", lambda: hands.page.time.words.startswith("New code in"))  # type: ignore[attr-defined]
    await hand.until("another picture", lambda: _another(hands, first))
    hands.clock.share = 1.0
    await hands.console.scan_login(await hands.picture(), PLAIN)
    await hands.done(INES)
    await hands.log_out(INES)


def _another(hands: Hands, first: str) -> bool:
    state = hands.program.window.models.logins.state
    return state is not None and state.qr is not None and state.qr.url != first


async def picture_that_nobody_scans(hands: Hands) -> None:
    hands.clock.share = 1 / 40
    await hands.open(INES)
    await hands.picture()
    hands.clock.ahead = timedelta(minutes=6)
    await hands.told("Nobody has scanned the QR code.")
    hands.clock.share, hands.clock.ahead = 1.0, timedelta()
    await hands.press("Show a new code")
    await hands.picture()
    await hands.cancel()


async def code_made_of_words(hands: Hands) -> None:
    server = hands.outdoors.server
    server.send_code_in_words(PLAIN, phrase=False)
    word = await hands.to_code(INES, PLAIN)
    assert hands.open_dialog.head.subtitle.text().endswith("a word, sent by SMS")
    assert any(f"It starts with “{word[0]}”." in hand.seen(words) for words in hand.words_in_sight(hands.page))
    hands.enter("nonsense")
    await hands.told("Wrong code.")
    assert hands.page.focus_place().selectedText() == "nonsense"  # type: ignore[attr-defined]
    hands.enter(f" {word.capitalize()}. ")  # as a phone's keyboard would have it
    await hands.done(INES)
    await hands.log_out(INES)
    server.send_code_in_words(PLAIN, phrase=True)
    phrase = await hands.to_code(INES, PLAIN)
    assert len(phrase.split()) > 1
    hands.enter(phrase.replace(" ", "   ").replace(phrase.split()[0], phrase.split()[0].upper(), 1))
    await hands.done(INES)
    assert hands.outdoors.sessions_of(PLAIN) == 1
    await hands.log_out(INES)


GOOD = Stage(
    (
        cancelled_at_the_application,
        application_wrong_then_right,
        wrong_code_then_right,
        log_out_asks_first,
        picture_scanned,
        again_in_place_after_telegram_ended_it,
        picture_renewed,
        picture_that_nobody_scans,
        code_made_of_words,
    ),
    {INES: PLAIN},
    {},
)


@pytest.mark.operation("auth.sendCode, auth.signIn", "the server has one session more")
@pytest.mark.operation("auth.exportLoginToken, updateLoginToken", "the scanned picture's account is online")
@pytest.mark.operation("auth.logOut", "the server has no session any more")
async def test_it_ends_well(tmp_path: Path, subtests: pytest.Subtests) -> None:
    await GOOD.play(tmp_path, subtests)


async def session_saved_at_the_second_try(hands: Hands) -> None:
    code = await hands.to_code(INES, PLAIN)
    in_the_way = hands.program.directories.session(INES)
    in_the_way.mkdir()
    hands.type(code)
    await hands.told("The account is logged in, but its session could not be saved.")
    in_the_way.rmdir()
    await hands.press("Save again")
    await hands.done(INES)
    assert hands.outdoors.sessions_of(PLAIN) == 1


FULL_DISK = Stage((session_saved_at_the_second_try,), {INES: PLAIN}, APPLICATION)


async def test_a_session_that_could_not_be_saved(
    tmp_path: Path, expected_logs: ExpectedLogs, subtests: pytest.Subtests
) -> None:
    expected_logs(r"WARNING chimein_gui.adapters.telegram.login.sign_in: A session could not be kept")
    await FULL_DISK.play(tmp_path, subtests)


# --- whose account it is


async def wrong_password_then_right(hands: Hands) -> None:
    hands.type(await hands.to_code(HANNO, GUARDED))
    await hands.at(LoginStep.PASSWORD)
    assert any(f"Hint: {HINT}" in words for words in hand.words_in_sight(hands.page))
    hands.enter("four herons")
    await hands.told("Wrong password.")
    hands.enter(PASSWORD)
    await hands.done(HANNO)
    await hands.log_out(HANNO)


async def picture_and_password(hands: Hands) -> None:
    await hands.open(HANNO)
    await hands.console.scan_login(await hands.picture(), GUARDED)
    await hands.at(LoginStep.PASSWORD)
    hands.enter(PASSWORD)
    await hands.done(HANNO)


async def another_agent_has_the_account(hands: Hands) -> None:
    before = hands.outdoors.sessions_of(GUARDED)
    hands.type(await hands.to_code(INES, GUARDED))
    await hands.at(LoginStep.PASSWORD)
    hands.enter(PASSWORD)
    await hands.told(f"This account already belongs to {HANNO} here")
    await hands.cancel()
    await hands.choose(HANNO, "Online")
    assert hands.outdoors.sessions_of(GUARDED) == before, "the second log-in was ended, the first was not"


async def picture_scanned_when_the_number_was_chosen_already(hands: Hands) -> None:
    await hands.open(INES)
    url = await hands.picture()
    await hands.strike(FaultKind.NO_ANSWER, "auth.exportLoginToken")
    await hands.console.scan_login(url, PLAIN)
    models, logins = hands.program.window.models, hands.program.running.engine.logins
    client = logins._attempts[models.logins.agent_id].client  # type: ignore[index]
    await hand.until("the scan noticed", lambda: client._auth.may_be_in)  # type: ignore[union-attr]
    await hands.press("Use phone number")
    await hands.at(LoginStep.PHONE)
    hands.enter(GUARDED)
    await hands.at(LoginStep.CODE)
    hands.type(await hands.code(GUARDED))
    await hands.at(LoginStep.PASSWORD)  # of the account whose number was typed, not of the one that was scanned
    await hands.cancel()
    await hands.nothing_left()
    assert hands.outdoors.sessions_of(PLAIN) == 0


async def back_to_another_number_and_another_way(hands: Hands) -> None:
    await hands.to_code(INES, STRANGER)
    await hands.press("Change number")
    await hands.at(LoginStep.PHONE)
    hands.enter(GUARDED)
    await hands.at(LoginStep.CODE)
    hands.type(await hands.code(GUARDED))
    await hands.at(LoginStep.PASSWORD)
    await hands.press("Back")
    await hands.at(LoginStep.PHONE)
    await hands.press("Use QR instead")
    await hands.picture()
    await hands.cancel()


async def another_number_changes_the_file(hands: Hands) -> None:
    file = hands.program.directories.config[0] / "agents" / f"{INES}.md"
    assert STRANGER in file.read_text(encoding="utf-8")
    hands.type(await hands.to_code(INES, PLAIN))
    await hands.at(LoginStep.DONE)
    facts = hands.page.facts  # type: ignore[attr-defined]
    assert any(f"The number in {INES}.md was changed." in words for _icon, _fact, words in facts)
    assert PLAIN in file.read_text(encoding="utf-8")
    await hands.done(INES)


WHOSE = Stage(
    (
        wrong_password_then_right,
        picture_and_password,
        another_agent_has_the_account,
        picture_scanned_when_the_number_was_chosen_already,
        back_to_another_number_and_another_way,
        another_number_changes_the_file,
    ),
    {HANNO: GUARDED, INES: STRANGER},
    APPLICATION,
)


@pytest.mark.operation("auth.checkPassword: wrong, then right", "the account is online after the right one alone")
async def test_whose_account_it_is(tmp_path: Path, subtests: pytest.Subtests) -> None:
    await WHOSE.play(tmp_path, subtests)
