"""What happens beside a log-in: other log-ins, other agents, files that change, a start at the wrong moment."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from chimein_gui.domain.accounts.sign_in import LoginStep, LoginWork, SignInTrouble
from chimein_gui.domain.agents import Health
from chimein_gui.domain.ids import AccountId, AgentId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.sign_ins import SignInReason
from chimein_gui.viewmodels.words.notes import note_sentence
from tests.fakes.clock import VirtualClock
from tests.fakes.sign_in import CODE, HANG, settle_scan
from tests.fakes.telegram import ACCOUNT, FakeTelegram
from tests.support.engine_room import NORA
from tests.support.login_room import FILE, ONE, LoginServices, login_room

OTTO = replace(NORA, name="Otto Brandt", phone="+9996621002", source="/config/agents/Otto Brandt.md")


async def scan(room: LoginServices, agent_id: AgentId) -> None:
    """Log an agent in by a picture, as far as that goes."""
    await room.logins.begin(agent_id)
    await room.until(lambda state: state.agent_id == agent_id and state.qr is not None)
    settle_scan(room.sign_ins.client)
    await room.until(lambda state: state.agent_id == agent_id and not state.busy and state.qr is None)


def id_of(room: LoginServices, name: str) -> AgentId:
    return next(one.agent_id for one in room.room.engine._services.accounts.directory.agents() if one.spec.name == name)


async def test_an_account_that_was_logged_out_may_go_to_another_agent(tmp_path: Path) -> None:
    async with login_room(tmp_path, agents=(OTTO,), online=True):
        pass
    async with login_room(tmp_path, agents=(OTTO, replace(NORA, source=FILE))) as room:
        nora, otto = id_of(room, NORA.name), id_of(room, OTTO.name)
        await room.room.engine.accounts.stop(nora)
        await scan(room, nora)
        assert room.state.trouble is SignInTrouble.OTHER_ACCOUNT_HERE
        await room.logins.log_out(otto)
        await room.logins.try_again(nora)
        await room.until(lambda state: state.qr is not None)
        settle_scan(room.sign_ins.client)
        await room.at(LoginStep.DONE)
        assert room.sign_ins.kept == [(nora, ACCOUNT)]


async def test_an_account_that_another_agent_is_just_starting_with_is_refused(tmp_path: Path) -> None:
    async with login_room(tmp_path, agents=(OTTO, replace(NORA, source=FILE))) as room:
        nora, otto = id_of(room, NORA.name), id_of(room, OTTO.name)
        await room.room.engine.accounts.stop(otto)
        await room.room.engine.accounts.stop(nora)
        room.room.telegram.dialogs_gate = asyncio.Event()
        await scan(room, otto)
        assert room.state.step is LoginStep.DONE
        assert room.agent(otto).account_id is None, "it is still catching up"
        await scan(room, nora)
        assert room.state.trouble is SignInTrouble.OTHER_ACCOUNT_HERE
        assert room.sign_ins.kept == [(otto, ACCOUNT)]
        room.room.telegram.dialogs_gate.set()


async def test_of_two_that_scan_with_one_account_one_gets_it(tmp_path: Path) -> None:
    async with login_room(tmp_path, agents=(OTTO, replace(NORA, source=FILE))) as room:
        nora, otto = id_of(room, NORA.name), id_of(room, OTTO.name)
        await room.room.engine.accounts.stop(otto)
        await room.room.engine.accounts.stop(nora)
        room.sign_ins.keeping = asyncio.Event()
        for agent_id in (otto, nora):
            await room.logins.begin(agent_id)
            await room.room.worked_off()
            settle_scan(room.sign_ins.client)
            await room.room.worked_off()
        room.sign_ins.keeping.set()
        await room.room.worked_off()
        assert room.sign_ins.kept == [(otto, ACCOUNT)]


async def test_an_agent_that_is_removed_ends_its_log_in(tmp_path: Path) -> None:
    async with login_room(tmp_path, telegram=None) as room:
        accounts = room.room.engine._services.accounts
        await room.begin()
        await accounts.remove(ONE)
        await room.at(LoginStep.CLOSED)
        await room.room.worked_off()
        await room.logins.cancel(ONE)
        await room.nothing_left()


async def test_an_agent_that_is_renamed_begins_its_log_in_anew(room: LoginServices) -> None:
    accounts = room.room.engine._services.accounts
    await room.to_code()
    first = room.sign_ins.client
    accounts.take(replace(room.agent(), spec=replace(room.agent().spec, name="Nora Berg", source="/c/agents/N.md")))
    state = await room.until(lambda state: state.trouble is not None)
    assert (state.step, state.name, state.source) == (LoginStep.PHONE, "Nora Berg", "N.md")
    assert state.note == Note(SignInReason.RENAMED, "Nora Berg")
    await room.room.worked_off()
    assert first._is_over, "its session file has moved away with the directory"
    await room.logins.send_code(ONE, NORA.phone)
    await room.logins.enter_code(ONE, CODE)
    assert room.state.step is LoginStep.DONE
    assert room.sign_ins.client._agent.spec.name == "Nora Berg"


async def test_a_log_in_begins_anew_when_the_proxy_is_another_one(room: LoginServices) -> None:
    await room.to_code()
    first = room.sign_ins.client
    await room.room.engine.proxies.set(ONE, "socks5://proxy.example:1080")
    state = await room.until(lambda state: state.trouble is not None)
    assert (state.step, state.note) == (LoginStep.PHONE, Note(SignInReason.NEW_PROXY))
    await room.room.worked_off()
    assert first._is_over, "it went the old way"
    await room.logins.send_code(ONE, NORA.phone)
    await room.logins.enter_code(ONE, CODE)
    assert room.state.step is LoginStep.DONE
    assert room.sign_ins.client is not first
    await room.room.engine.proxies.clear(ONE)
    assert room.state.step is LoginStep.DONE


async def test_an_account_that_was_started_meanwhile_runs_with_the_new_session(tmp_path: Path) -> None:
    async with login_room(tmp_path, online=True) as room:
        await room.to_code()
        room.sign_ins.keeping = asyncio.Event()
        job = room.room.jobs.spawn(room.logins.enter_code(ONE, CODE), name="press")
        await room.until(lambda state: state.busy is LoginWork.SAVING_SESSION)
        await room.room.worked_off()
        room.room.engine._services.accounts.start(ONE)
        await room.room.until(lambda: room.agent().health is Health.ONLINE)
        old = room.room.telegram.gateway
        room.sign_ins.keeping.set()
        await asyncio.wait({job})
        await room.room.until(lambda: room.agent().health is Health.ONLINE)
        assert room.room.telegram.gateway is not old, "the one that is up holds the session that was replaced"


async def test_who_could_not_be_saved_is_forgotten_when_somebody_else_logs_in(room: LoginServices) -> None:
    await room.to_code()
    room.sign_ins.refuse("keep", SignInTrouble.DISK)
    await room.logins.enter_code(ONE, CODE)
    assert room.state.trouble is SignInTrouble.DISK
    first = room.sign_ins.client
    await room.logins.go_back(ONE)
    assert room.state.step is LoginStep.PHONE
    await room.logins.send_code(ONE, "+9996622001")
    assert room.sign_ins.client is not first, "that connection is logged in as somebody else"
    await room.room.worked_off()
    assert room.sign_ins.logged_in == set()


async def test_what_is_quiet_for_another_account_is_not_quiet_for_the_own_one(tmp_path: Path) -> None:
    async with login_room(tmp_path, online=True) as room:
        accounts, ingest = room.room.engine._services.accounts, room.room.engine._services.ingest
        telegram = room.room.telegram
        telegram.dialogs_gate = asyncio.Event()
        await accounts.stop(ONE)
        account = accounts.directory.entries[ONE]
        own, account.agent = account.agent, replace(account.agent, account_id=AccountId(ACCOUNT + 1))
        accounts.start(ONE)
        await room.room.worked_off()
        assert ONE in ingest.quiet
        await accounts.stop(ONE)  # logged in by mistake, and ended before the first list of chats was read
        account.agent = replace(account.agent, account_id=own.account_id)
        telegram.dialogs_gate = None
        accounts.start(ONE)
        await room.room.until(lambda: room.agent().health is Health.ONLINE)
        telegram.partner_writes("hello")
        await room.room.until(room.room.approvals)


async def test_a_session_of_an_account_that_another_agent_runs_connects_nobody_twice(tmp_path: Path) -> None:
    async with login_room(tmp_path, agents=(OTTO, replace(NORA, source=FILE))) as room:
        nora, otto = id_of(room, NORA.name), id_of(room, OTTO.name)
        await room.room.worked_off()
        await room.room.reach(lambda: room.agent(otto).health is Health.ONLINE)
        await room.room.reach(lambda: room.agent(nora).health is Health.LOGGED_OUT)
        assert "Otto Brandt" in note_sentence(room.agent(nora).health_note)
        assert (room.agent(otto).account_id, room.agent(nora).account_id) == (ACCOUNT, None)
        await room.room.engine.accounts.stop(otto)
        room.room.engine.accounts.start(nora)
        await room.room.reach(lambda: room.agent(nora).health is Health.ONLINE)
        assert room.agent(nora).account_id == ACCOUNT


async def test_of_two_that_catch_up_with_one_account_at_once_one_gets_it(tmp_path: Path) -> None:
    telegram = FakeTelegram(VirtualClock())
    telegram.dialogs_gate = asyncio.Event()
    async with login_room(tmp_path, telegram=telegram, agents=(OTTO, replace(NORA, source=FILE))) as room:
        both = id_of(room, NORA.name), id_of(room, OTTO.name)
        await room.room.reach(lambda: telegram.connects == 2)
        assert {room.agent(one).health for one in both} == {Health.CONNECTING}
        telegram.dialogs_gate.set()
        await room.room.reach(lambda: Health.ONLINE in {room.agent(one).health for one in both})
        await room.room.reach(lambda: Health.LOGGED_OUT in {room.agent(one).health for one in both})
        assert {room.agent(one).account_id for one in both} == {ACCOUNT, None}


async def test_closing_the_end_of_a_log_in_starts_nothing_that_was_stopped_meanwhile(tmp_path: Path) -> None:
    async with login_room(tmp_path, online=True) as room:
        await room.to_code()
        await room.logins.enter_code(ONE, CODE)
        await room.room.reach(lambda: room.agent().health is Health.ONLINE)
        await room.room.engine.accounts.stop(ONE)
        await room.logins.cancel(ONE)
        await room.room.worked_off()
        assert room.agent().health is Health.STOPPED


async def test_a_number_that_was_typed_before_the_picture_changes_no_file(room: LoginServices) -> None:
    await room.to_code("+9996622001")
    await room.logins.use_qr(ONE)
    await room.until(lambda state: state.qr is not None)
    room.sign_ins.who = replace(room.sign_ins.who, phone="+9996622002")
    settle_scan(room.sign_ins.client)
    await room.at(LoginStep.DONE)
    assert room.state.note == Note(SignInReason.OTHER_NUMBER)
    assert room.files.phones == []


async def test_leaving_a_page_while_telegram_is_asked_takes_the_connection_along(room: LoginServices) -> None:
    await room.to_code()
    asked = room.sign_ins.client
    room.sign_ins.script["enter_code"].append(HANG)
    entering = room.room.jobs.spawn(room.logins.enter_code(ONE, CODE), name="the code")
    await room.until(lambda state: state.busy is LoginWork.CHECKING_CODE)
    await room.logins.go_back(ONE)
    await entering
    await room.room.worked_off()
    assert asked._number not in room.sign_ins.files, "nobody knows whether that one is logged in"
    assert room.state.step is LoginStep.PHONE


async def test_a_code_that_was_not_answered_for_is_asked_for_over_another_connection(room: LoginServices) -> None:
    await room.begin()
    await room.logins.use_phone(ONE)
    room.sign_ins.refuse("send_code", SignInTrouble.TIME_OUT)
    await room.logins.send_code(ONE, NORA.phone)
    late = room.sign_ins.client
    await room.logins.send_code(ONE, NORA.phone)
    assert room.state.step is LoginStep.CODE
    assert room.sign_ins.client is not late
