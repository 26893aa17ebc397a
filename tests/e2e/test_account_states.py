"""How an account can be, brought about at the sandbox's server: what the operator reads, and that the method works."""

from __future__ import annotations

from pathlib import Path

import pytest

from chimein_gui import ui_driver as hand
from chimein_gui.domain.accounts.sign_in import LoginStep
from chimein_gui.domain.approvals import Approve
from chimein_gui.sandbox_api import FaultKind
from chimein_gui.tour.driver import press
from chimein_gui.viewmodels.problems.words import Problem
from tests.e2e.branch_stage import Stage
from tests.e2e.live_alike import APPLICATION, MODEL
from tests.e2e.log_in_hands import PLAIN, Hands

pytestmark = [
    pytest.mark.qt_loop,
    pytest.mark.gate_slow,
    pytest.mark.qt_log_ignore("plugin does not support"),  # a dialog is a window of its own
]

INES = "Inês Faro"


async def row(hands: Hands, *words: str) -> str:
    """Wait until the agent's row says all of this."""

    def said() -> str:
        [told] = [hand.seen(one) for one in hand.rows(hands.agents.list)]  # type: ignore[attr-defined]
        return told if all(one in told for one in words) else ""

    try:
        return await hand.until(f"a row with {words}", said)
    except hand.NotSeenError as error:
        raise hand.NotSeenError(f"{error}; {hand.rows(hands.agents.list)}") from None  # type: ignore[attr-defined]


async def bar(hands: Hands, *words: str) -> Problem:
    """Wait until a bar says all of this."""

    def said() -> Problem | None:
        bars = hands.program.window.models.bars.bars
        return next((one for one in bars if all(w in hand.seen(f"{one.cause} {one.consequence}") for w in words)), None)

    return await hand.until(f"a bar with {words}", said)


async def no_bar(hands: Hands) -> None:
    await hand.until("no bar", lambda: not hands.program.window.models.bars.bars)


def account(hands: Hands) -> int:
    return hands.outdoors.account_of(PLAIN)


async def partner_writes(hands: Hands, text: str) -> None:
    tiago = next(one for one in await hands.console.partners() if one.name.startswith("Tiago"))
    await hands.console.speak(tiago.user_id, account(hands), text)


async def online(hands: Hands) -> None:
    hands.type(await hands.to_code(INES, PLAIN))
    await hands.done(INES)
    await row(hands, "Online")
    await no_bar(hands)


async def no_way_to_the_server(hands: Hands) -> None:
    fault = await hands.strike(FaultKind.DROP_BEFORE, times=0)
    await hands.strike(FaultKind.KICK, account_id=account(hands))
    await row(hands, "Waits", "no connection to Telegram")
    found = await bar(hands, INES, "next try in", "Approved messages wait and keep their order")
    assert [action.word for action in found.actions] == ["Open Agents"]
    await hands.console.remove_fault(fault)
    await press(hands.agents, f"Restart {INES}")  # whoever cannot wait
    await row(hands, "Online")
    await no_bar(hands)


async def a_method_has_to_wait(hands: Hands) -> None:
    await hands.strike(FaultKind.FLOOD_WAIT, "account.getNotifySettings", seconds=40, times=1)
    await partner_writes(hands, "Is it noon yet?")
    await row(hands, "Online", "rate limit: checking what is muted")
    engine = hands.program.running.engine
    [agent] = (await engine.directory.load()).rows
    [wait] = agent.waits
    assert (wait.method, agent.health.value) == ("muted_until", "online")
    await press(hands.agents, f"Restart {INES}")
    await row(hands, "Online", "rate limit: checking what is muted")


async def limited(hands: Hands) -> None:
    await hands.strike(FaultKind.RPC_ERROR, "messages.sendMessage", code=400, message="PEER_FLOOD", times=1)
    engine = hands.program.running.engine

    async def approve() -> None:
        [draft, *_] = (await engine.queries.approvals()).rows
        await engine.decisions.decide(
            draft.approval_id,
            expected_version=draft.version,
            decision=Approve(),
            seen_up_to=draft.seen_up_to,
            client_id="the operator",
        )

    models = hands.program.window.models
    await hand.until("a draft", lambda: models.chats.pending_of(models.agents.items()[0].agent_id))
    await approve()
    await row(hands, "Online", "Telegram limits this account")
    found = await bar(hands, f"Telegram limits {INES}", "Automatic sends now need your approval")
    assert [action.word for action in found.actions] == ["Open Agents"]
    await press(hands.agents, f"Clear the limit of {INES}")
    await no_bar(hands)


async def session_file_gone(hands: Hands) -> None:
    session = hands.program.directories.session(INES)
    kept = session.with_name("kept elsewhere")
    await press(hands.agents, f"Stop {INES}")
    await row(hands, "Stopped")
    session.rename(kept)
    await press(hands.agents, f"Start {INES}")
    await row(hands, "Logged out", "This account is not logged in here. Log it in from the Agents pane.")
    found = await bar(hands, f"{INES} is logged out.", "Approved messages will wait")
    assert [action.word for action in found.actions] == ["Log in again", "Open Agents"]
    kept.rename(session)
    await press(hands.agents, f"Start {INES}")
    await row(hands, "Online")
    await no_bar(hands)


async def ended_from_another_device(hands: Hands) -> None:
    await hands.strike(FaultKind.REVOKE, account_id=account(hands))
    await row(hands, "Session ended", "Ended from another device")
    await bar(hands, f"{INES} is logged out.", "Log in again.")
    hands.type(await hands.to_code(INES, PLAIN, "Session ended"))
    await hands.done(INES)
    await no_bar(hands)


async def key_forgotten(hands: Hands) -> None:
    await hands.strike(FaultKind.FORGET_KEY, account_id=account(hands))
    await press(hands.agents, f"Restart {INES}")  # it hears when it asks, else with the next ping, after a minute
    await row(hands, "Session ended", "Log in again")
    hands.type(await hands.to_code(INES, PLAIN, "Session ended"))
    await hands.done(INES)


async def closed_by_telegram(hands: Hands) -> None:
    await hands.strike(
        FaultKind.RPC_ERROR, code=401, message="USER_DEACTIVATED_BAN", account_id=account(hands), times=0
    )
    await press(hands.agents, f"Restart {INES}")
    await row(hands, "Closed by Telegram", "Telegram has closed this account")
    found = await bar(hands, f"Telegram has closed the account of {INES}", "Logging in again won't help")
    assert [action.word for action in found.actions] == ["Open Agents"]
    await hand.until("another account may come", lambda: hand.button(hands.agents, f"Log in again {INES}"))
    await hands.console.clear_faults()
    await hands.open(INES, "Closed by Telegram")
    await hands.picture()
    await hands.press("Use phone number")
    await hands.at(LoginStep.PHONE)
    await hands.cancel()
    await hands.nothing_left()


STATES = Stage(
    (
        online,
        no_way_to_the_server,
        a_method_has_to_wait,
        limited,
        session_file_gone,
        ended_from_another_device,
        key_forgotten,
        closed_by_telegram,
    ),
    {INES: PLAIN},
    {**APPLICATION, "GEMINI_API_KEY": MODEL},
)


@pytest.mark.operation("fault: an account is logged out elsewhere", "the agent's row says so; a new code gets in")
@pytest.mark.operation("fault: an account's key becomes unknown (-404)", "the agent's row says so; a new code gets in")
@pytest.mark.operation("fault USER_DEACTIVATED_BAN on every call of an account", "its row says that it is closed")
@pytest.mark.operation("fault: any rpc error on sending", "the row and a bar say what the error means")
@pytest.mark.operation("fault FLOOD_WAIT_n on the next call", "the row says what has to wait")
async def test_a_state_is_told_and_got_over(tmp_path: Path, subtests: pytest.Subtests) -> None:
    await STATES.play(tmp_path, subtests)
