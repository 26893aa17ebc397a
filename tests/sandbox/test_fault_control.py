"""Faults, scenes and the state of a rehearsal over the control channel: the same as inside the process."""

import asyncio

import pytest
from telethon import errors

from chimein_gui.engine.sandbox_port import DuplicateMode, FaultKind, FaultRule, SandboxConsole, SandboxRefusedError
from tests.sandbox.clients import MARTA, NORA, PATIENCE_S, client_of, marta_for, sandbox, send
from tests.support.control.client import ControlChannelConsole, SandboxControlError

PEER_FLOOD = FaultRule(FaultKind.RPC_ERROR, "messages.sendMessage", message="PEER_FLOOD", times=0)


async def _console(server) -> ControlChannelConsole:
    return await ControlChannelConsole.connect(server.control_port, server.token)


async def test_both_consoles_know_the_same():
    async with sandbox() as server:
        remote: SandboxConsole = await _console(server)
        local: SandboxConsole = server.console
        cast = await remote.cast()
        assert cast == await local.cast()
        assert cast.accounts[0].user_id == NORA
        assert cast.faults
        await remote.set_seed(9)
        await remote.set_duplicate_mode(DuplicateMode.SAME)
        await remote.inject(PEER_FLOOD)
        await remote.set_speed(3)
        state = await remote.rehearsal()
        assert state == await local.rehearsal()
        assert (state.seed, state.duplicate_mode, state.speed) == (9, DuplicateMode.SAME, 3.0)
        assert state.faults[0].rule == PEER_FLOOD
        await remote.aclose()


@pytest.mark.operation("faults ordered over the control channel", "an unmodified client is struck, then no longer")
async def test_a_fault_from_outside_strikes_until_it_is_taken_back(expected_logs):
    expected_logs(r"WARNING telethon.*Server closed the connection")
    expected_logs(r"ERROR telethon.*Automatic reconnection failed")
    async with sandbox() as server, client_of(server, NORA) as nora:
        console, marta = await _console(server), await marta_for(nora)
        fault_id = await console.inject(PEER_FLOOD)
        with pytest.raises(errors.PeerFloodError):
            await send(nora, marta, "no")
        assert (await console.rehearsal()).faults[0].hits == 1
        await console.remove_fault(fault_id)
        await console.remove_fault(fault_id)
        await send(nora, marta, "yes")
        await console.inject(PEER_FLOOD)
        await console.clear_faults()
        await send(nora, marta, "yes again")
        assert [one.text for one in await console.mailbox(MARTA)] == ["yes", "yes again"]
        assert await console.inject(FaultRule(FaultKind.KICK, account_id=NORA)) == 0
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await asyncio.wait_for(nora.disconnected, PATIENCE_S)
        assert await console.inject(FaultRule(FaultKind.RESTART)) == 0
        assert await console.forget_random_ids(0) == 2
        await console.aclose()


async def test_waiting_for_a_change_holds_up_nothing():
    async with sandbox() as server:
        console = await _console(server)
        state = await console.rehearsal()
        async with asyncio.TaskGroup() as group:
            waiting = [group.create_task(console.rehearsal(after=state.revision)) for _ in range(3)]
            assert await console.partners()
            assert not any(one.done() for one in waiting)
            await console.inject(PEER_FLOOD)
        assert all(one.result().revision > state.revision for one in waiting)
        assert await console.rehearsal(after=state.revision) == await console.rehearsal()
        await console.aclose()


async def test_a_poll_without_a_change_asks_again(monkeypatch):
    monkeypatch.setattr("tests.support.control.methods._LONGEST_POLL_S", 0.02)
    async with sandbox() as server:
        console = await _console(server)
        revision = (await console.rehearsal()).revision
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(console.rehearsal(after=revision))
            await asyncio.wait([waiting], timeout=0.1)
            assert not waiting.done()
            await server.console.set_seed(1)
        assert waiting.result().seed == 1
        await console.aclose()


async def test_a_wait_that_is_given_up_leaves_the_console_as_it_was():
    async with sandbox() as server:
        console = await _console(server)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(console.rehearsal(after=999), 0.05)
        assert await console.partners()
        await console.aclose()


async def test_the_end_of_the_server_ends_a_wait():
    async with asyncio.TaskGroup() as group:
        async with sandbox() as server:
            console = await _console(server)
            waiting = group.create_task(_is_connection_error(console.rehearsal(after=999)))
            assert await console.partners()
        for call in (console.cast(), console.inject(PEER_FLOOD), console.rehearsal(), console.rehearsal(after=0)):
            assert await _is_connection_error(call)
        await console.aclose()
    assert waiting.result()


async def test_what_makes_no_sense_is_refused_with_words():
    async with sandbox() as server:
        console = await _console(server)
        for one in (console, server.console):
            with pytest.raises(SandboxRefusedError, match=r"Do you mean 'messages\.sendMessage'"):
                await one.inject(FaultRule(FaultKind.NO_ANSWER, "messages.sendMesage"))
            with pytest.raises(SandboxRefusedError, match="is about one account"):
                await one.inject(FaultRule(FaultKind.KICK))
            with pytest.raises(SandboxRefusedError, match="no user 3"):
                await one.inject(FaultRule(FaultKind.KICK, account_id=3))
            with pytest.raises(SandboxRefusedError, match="no fault 77"):
                await one.remove_fault(77)
            with pytest.raises(SandboxRefusedError, match="nowhere"):
                await one.start_scenario("nowhere")
            for speed in (0, 1_001, float("nan")):
                with pytest.raises(SandboxRefusedError, match=r"0\.1"):
                    await one.set_speed(speed)
        await one.stop_scenario()
        await console.stop_scenario()
        await console.pause_scenario(paused=True)
        assert (await console.rehearsal()).faults == ()
        await console.aclose()


@pytest.mark.parametrize(
    ("method", "params", "words"),
    [
        ("inject", {}, "'rule' is missing"),
        ("inject", {"rule": 7}, "rule: FaultRule is to be an object"),
        ("inject", {"rule": {"kind": "sabotage"}}, "not one of flood_wait"),
        ("inject", {"rule": {"kind": "kick", "account_id": "1"}}, "account_id is to be int"),
        ("remove_fault", {"fault_id": None}, "fault_id: int is to be int, not None"),
        ("rehearsal", {"after": []}, "after: int"),
        ("set_seed", {"seed": 1.5}, "seed: int"),
        ("set_duplicate_mode", {"mode": "sometimes"}, "not one of error, same, forgotten"),
        ("pause_scenario", {"paused": 1}, "paused: bool"),
        ("speak", {"partner_id": MARTA, "peer_id": NORA, "text": None}, "text: str"),
    ],
)
async def test_hostile_requests_get_words_and_the_connection_lives_on(method, params, words):
    async with sandbox() as server:
        console = await _console(server)
        with pytest.raises(SandboxRefusedError, match=words):
            await console._line.ask(method, **params)
        assert await console.partners()
        await console.aclose()


async def test_an_unknown_method_is_refused():
    async with sandbox() as server:
        console = await _console(server)
        with pytest.raises(SandboxControlError, match="no method 'sabotage'"):
            await console._line.ask("sabotage")
        await console.aclose()


async def _is_connection_error(call) -> bool:
    try:
        await call
    except ConnectionError:
        return True
    return False
