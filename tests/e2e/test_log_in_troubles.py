"""What goes wrong in a log-in, and leaving it, by the dialog's own widgets against the sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from chimein_gui import ui_driver as hand
from chimein_gui.domain.accounts.sign_in import CodeWay, LoginStep
from chimein_gui.sandbox_api import FaultKind
from tests.e2e.branch_stage import Stage
from tests.e2e.live_alike import APPLICATION
from tests.e2e.log_in_hands import GUARDED, MADE_TO_WAIT, PLAIN, STRANGER, Hands

pytestmark = [
    pytest.mark.qt_loop,
    pytest.mark.gate_slow,
    pytest.mark.qt_log_ignore("plugin does not support"),  # a dialog is a window of its own
]

INES = "Inês Faro"


# --- what goes wrong


async def expired_code_then_a_new_one(hands: Hands) -> None:
    code = await hands.to_code(INES, PLAIN)
    await hands.strike(FaultKind.RPC_ERROR, "auth.signIn", message="PHONE_CODE_EXPIRED")
    hands.type(code)
    await hands.told("This code is no longer valid. Request a new one.")
    hands.page.again.click()  # type: ignore[attr-defined]
    await hand.until("another code", lambda: _code_waits(hands))
    newer = await hands.code(PLAIN)
    assert newer != code
    hands.type(newer)
    await hands.done(INES)
    await hands.log_out(INES)


def _code_waits(hands: Hands) -> bool:
    state = hands.program.window.models.logins.state
    return state is not None and state.step is LoginStep.CODE and state.trouble is None and not state.busy


async def resend_after_a_countdown(hands: Hands) -> None:
    code = await hands.to_code(INES, PLAIN)
    page = hands.page
    await hand.until("the countdown", lambda: page.time.words.startswith("New code possible in"))  # type: ignore[attr-defined]
    assert not page.again.isVisible()  # type: ignore[attr-defined]
    attempt = hands.program.running.engine.logins._attempts[hands.program.window.models.logins.agent_id]  # type: ignore[index]
    attempt.show(resend_at=hands.clock.now())
    await hands.press("Call me with the code")
    models = hands.program.window.models
    await hand.until("a call", lambda: models.logins.state.code.way is CodeWay.CALL)  # type: ignore[union-attr]
    await hands.at(LoginStep.CODE)
    hands.type(code)  # the same one, by another way
    await hands.done(INES)
    await hands.log_out(INES)


async def flood_ends_by_itself(hands: Hands) -> None:
    await hands.to_phone(INES)
    await hands.strike(FaultKind.FLOOD_WAIT, "auth.sendCode", seconds=2)
    hands.enter()
    await hands.at(LoginStep.WAIT)
    assert "left, until" in hand.seen(hands.page.ring.accessibleName())  # type: ignore[attr-defined]
    assert hands.open_dialog.leave.text() == "Close"
    await hands.at(LoginStep.PHONE)
    await hands.cancel()


async def flood_left_by_the_picture(hands: Hands) -> None:
    await hands.to_phone(INES)
    await hands.strike(FaultKind.FLOOD_WAIT, "auth.sendCode", seconds=900)
    hands.enter(MADE_TO_WAIT)
    await hands.at(LoginStep.WAIT)
    await hands.press("Use QR instead")
    await hands.picture()
    await hands.press("Use phone number")
    await hands.at(LoginStep.PHONE)
    hands.enter(MADE_TO_WAIT)
    await hands.at(LoginStep.WAIT)  # the number still has to wait, and Telegram is not even asked
    await hands.cancel()


async def banned(hands: Hands) -> None:
    await hands.to_phone(INES)
    await hands.strike(FaultKind.RPC_ERROR, "auth.sendCode", message="PHONE_NUMBER_BANNED")
    hands.enter(PLAIN)
    await hands.told("Telegram has closed the account with this number.")
    await hands.cancel()


async def application_that_telegram_does_not_know(hands: Hands) -> None:
    await hands.to_phone(INES)
    await hands.strike(FaultKind.RPC_ERROR, "auth.sendCode", message="API_ID_INVALID")
    hands.enter(PLAIN)
    await hands.at(LoginStep.APPLICATION)
    await hands.told("Telegram does not know this API ID and hash as a pair.")
    await hands.cancel()


async def not_a_number(hands: Hands) -> None:
    await hands.to_phone(INES)
    hands.enter("12 34")
    await hands.told("Enter the number in international format")
    hands.enter("+99966")
    await hands.told("Enter the number in international format")
    await hands.cancel()


async def nothing_can_be_written(hands: Hands) -> None:
    await hands.nothing_left()
    home = hands.program.directories.session(INES).parent
    aside = home.with_name("aside")
    if home.exists():
        home.rename(aside)
    home.write_text("in the way", encoding="utf-8")
    await hands.open(INES)
    await hands.told("The session file of this login can’t be written.")
    await hands.press("Try again")
    await hands.told("The session file of this login can’t be written.")
    await hands.press("Use phone number")
    await hands.at(LoginStep.PHONE)
    hands.enter(PLAIN)
    await hands.told("The session file of this login can’t be written.")
    home.unlink()
    if aside.exists():
        aside.rename(home)
    await hands.press("Send code")  # once there is room, the same button goes on
    await hands.at(LoginStep.CODE)
    await hands.cancel()


async def not_registered(hands: Hands) -> None:
    hands.type(await hands.to_code(INES, STRANGER))
    await hands.at(LoginStep.PHONE)
    await hands.told("There is no Telegram account with this number.")
    await hands.cancel()


WRONG = Stage(
    (
        expired_code_then_a_new_one,
        resend_after_a_countdown,
        flood_ends_by_itself,
        flood_left_by_the_picture,
        banned,
        application_that_telegram_does_not_know,
        not_a_number,
        nothing_can_be_written,
        not_registered,
    ),
    {INES: PLAIN},
    APPLICATION,
)


async def test_what_goes_wrong_says_what_to_do(tmp_path: Path, subtests: pytest.Subtests) -> None:
    await WRONG.play(tmp_path, subtests)


# --- the network


async def no_network_then_again(hands: Hands) -> None:
    async def down() -> None:
        await hands.strike(FaultKind.RESTART, seconds=3)  # nobody listens for so long

    hands.program.running.jobs.spawn(down(), name="the server is down")
    await hands.open(INES)
    await hands.told("Telegram can’t be reached.")

    def again() -> bool:
        state = hands.program.window.models.logins.state
        if state is not None and state.trouble is not None and not state.busy:
            hands.open_dialog.go.click()
        return state is not None and state.qr is not None

    await hand.until("a picture", again)
    await hands.cancel()


async def time_out_then_again(hands: Hands) -> None:
    await hands.to_phone(INES)
    await hands.strike(FaultKind.NO_ANSWER, "auth.sendCode")
    hands.clock.share = 1 / 30
    hands.enter()
    await hands.told("Telegram did not answer in time. Try again.")
    hands.clock.share = 1.0
    await hands.press("Send code")
    await hands.at(LoginStep.CODE)
    await hands.cancel()


async def connection_lost_with_the_code_typed(hands: Hands) -> None:
    code = await hands.to_code(INES, PLAIN)
    await hands.strike(FaultKind.DROP_BEFORE, "auth.signIn")
    hands.type(code)
    await hands.told("The connection was lost. What you typed is still here: send it again.")
    hands.enter()
    await hands.done(INES)
    await hands.log_out(INES)


# --- leaving


async def _left(hands: Hands, *, asks: bool = False) -> None:
    """Escape; where a code was sent it asks, and staying is one of the answers."""
    if asks:
        before = hands.page
        hands.escape()
        (await hands.question()).leave.click()
        assert hands.page is before
    hands.escape()
    if asks:
        (await hands.question()).action.click()
    await hands.closed()
    await hands.nothing_left()
    await hands.choose(INES, "Logged out")
    assert not hands.program.directories.session(INES).exists()
    assert hands.outdoors.sessions_of(PLAIN) == hands.outdoors.sessions_of(GUARDED) == 0


async def cancelled_at_the_picture(hands: Hands) -> None:
    await hands.open(INES)
    await hands.picture()
    await _left(hands)


async def cancelled_at_a_wait(hands: Hands) -> None:
    await hands.to_phone(INES)
    await hands.strike(FaultKind.FLOOD_WAIT, "auth.sendCode", seconds=900)
    hands.enter(MADE_TO_WAIT)
    await hands.at(LoginStep.WAIT)
    await _left(hands)


async def cancelled_while_telegram_is_asked(hands: Hands) -> None:
    await hands.to_phone(INES)
    await hands.strike(FaultKind.NO_ANSWER, "auth.sendCode")
    hands.enter(PLAIN)
    await hand.until("it busy", lambda: hands.open_dialog.doing.text().startswith("Asking Telegram for a code"))
    await _left(hands)


async def cancelled_at_the_code(hands: Hands) -> None:
    await hands.to_code(INES, PLAIN)
    await _left(hands, asks=True)


async def cancelled_at_the_password(hands: Hands) -> None:
    hands.type(await hands.to_code(INES, GUARDED))
    await hands.at(LoginStep.PASSWORD)
    await _left(hands, asks=True)


LEFT = Stage(
    (
        no_network_then_again,
        time_out_then_again,
        connection_lost_with_the_code_typed,
        cancelled_at_the_picture,
        cancelled_at_a_wait,
        cancelled_while_telegram_is_asked,
        cancelled_at_the_code,
        cancelled_at_the_password,
    ),
    {INES: PLAIN},
    APPLICATION,
)


@pytest.mark.operation("fault: a call that is never answered", "the dialog says so, and the next attempt goes on")
async def test_lost_or_left_nothing_stays(tmp_path: Path, subtests: pytest.Subtests) -> None:
    await LEFT.play(tmp_path, subtests)
