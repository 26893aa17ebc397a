"""Logging in and out in the sandbox as it is composed: first sessions are given, later ones are the operator's."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from chimein_gui import app
from chimein_gui.directories import Directories
from chimein_gui.domain.agents import Agent, AgentSpec
from chimein_gui.domain.errors import LoggedOutError
from chimein_gui.domain.ids import AgentId
from chimein_gui.engine.ports import AccountIdentity
from chimein_gui.engine.ports.secrets import proxy_name
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.seeds.people import ACCOUNTS, HANNO, INES, NORA, SPARE_ACCOUNTS
from chimein_gui.sandbox.seeds.seed import SeedUser
from tests.unit.adapters.telegram.support import Recorder

NORAS = ACCOUNTS[0].phone
SPARE, GUARDED = SPARE_ACCOUNTS


def agent(name: str, phone: str) -> Agent:
    return Agent(AgentId(1), AgentSpec(name, phone, "", (), ()), None, 0)


@asynccontextmanager
async def sandbox(folder: Path) -> AsyncIterator[app.Backends]:
    directories = Directories((resource_path("samples"),), folder / "state")
    directories.state.mkdir(exist_ok=True)
    async with AsyncExitStack() as stack:
        outside = await app.sandbox_backends(directories, stack)
        stack.push_async_callback(outside.model.aclose)
        await outside.secrets.load([proxy_name(AgentId(1))])  # as the engine does before anything connects
        yield outside


async def connects(outside: app.Backends, who: Agent) -> AccountIdentity:
    gateway = outside.gateways(who)
    try:
        return await gateway.connect(Recorder())
    finally:
        await gateway.disconnect()


async def log_in(outside: app.Backends, who: Agent, password: str = "") -> None:
    """Log in as the operator of a rehearsal does: with the code that the panel shows."""
    assert outside.sign_ins is not None
    assert outside.sandbox is not None
    attempt = outside.sign_ins.begin(who)
    await attempt.connect()
    await attempt.send_code(who.spec.phone)
    [code, *_] = await outside.sandbox.login_codes()
    assert code.phone == who.spec.phone
    assert (await outside.sandbox.rehearsal()).login_codes[0] == code
    if await attempt.enter_code(code.code) is None:
        await attempt.enter_password(password)
    await attempt.keep()
    await attempt.close()


async def test_a_seeded_agent_is_logged_out_and_stays_so_until_it_logs_in(tmp_path: Path) -> None:
    nora = agent("Nora Vale", NORAS)
    async with sandbox(tmp_path) as outside:
        assert outside.sign_ins is not None
        assert (await connects(outside, nora)).account_id == NORA
        assert await outside.sign_ins.log_out(nora)
        with pytest.raises(LoggedOutError, match="no session"):
            await connects(outside, nora)
    async with sandbox(tmp_path) as outside:
        with pytest.raises(LoggedOutError, match="no session"):
            await connects(outside, nora)
        await log_in(outside, nora)
        assert (await connects(outside, nora)).account_id == NORA
    async with sandbox(tmp_path) as outside:  # on another port, with the session that was logged in
        session = tmp_path / "state" / "Nora Vale" / "telegram.session"
        assert (await connects(outside, nora)).account_id == NORA
        assert session.stat().st_mode & 0o777 == 0o600


async def test_a_session_of_before_counts_as_one_that_was_given(tmp_path: Path) -> None:
    """State directories of earlier versions do not say so."""
    nora = agent("Nora Vale", NORAS)
    async with sandbox(tmp_path) as outside:
        await connects(outside, nora)
    mark = tmp_path / "state" / "Nora Vale" / "telegram.seeded"
    mark.unlink()
    async with sandbox(tmp_path) as outside:
        assert (await connects(outside, nora)).account_id == NORA
        assert mark.exists()
    session = mark.with_name("telegram.session")
    session.write_bytes(b"rubbish" * 100)
    async with sandbox(tmp_path) as outside:
        with pytest.raises(LoggedOutError, match="damaged"):
            await connects(outside, nora)


@pytest.mark.parametrize(("who", "user_id"), [(SPARE, INES), (GUARDED, HANNO)])
async def test_a_spare_account_waits_for_its_log_in(tmp_path: Path, who: SeedUser, user_id: int) -> None:
    rehearsed = agent("Rehearsed", who.phone)
    async with sandbox(tmp_path) as outside:
        with pytest.raises(LoggedOutError, match="no session"):
            await connects(outside, rehearsed)
        await log_in(outside, rehearsed, who.password)
        gateway = outside.gateways(rehearsed)
        assert (await gateway.connect(Recorder())).account_id == user_id
        assert len(await gateway.dialogs()) >= 3
        await gateway.disconnect()


async def test_a_persona_of_the_operators_own_gets_an_account_with_partners(tmp_path: Path) -> None:
    own = agent("Żaneta {Zora} Quill", "+9996629997")
    async with sandbox(tmp_path) as outside:
        assert outside.sandbox is not None
        known = {account.user_id for account in (await outside.sandbox.cast()).accounts}
        before = await outside.sandbox.rehearsal()
        identity = await connects(outside, own)
        assert identity.account_id not in known
        assert (await outside.sandbox.rehearsal()).accounts == before.accounts + 1
        cast = await outside.sandbox.cast()
        assert [one.name for one in cast.accounts if one.user_id == identity.account_id] == ["Żaneta {Zora} Quill"]
        groups = [group.title for group in cast.groups if identity.account_id in group.member_ids]
        assert groups == ["Boathouse Saturdays ⛵"]
        gateway = outside.gateways(own)
        heard = Recorder()
        try:
            await gateway.connect(heard)
            dialogs = await gateway.dialogs()
            assert {"Marta Oliveira", "Oskar Lind"} <= {one.chat.title for one in dialogs}
        finally:
            await gateway.disconnect()
    async with sandbox(tmp_path) as outside:
        assert (await connects(outside, own)).account_id == identity.account_id


async def test_a_live_run_without_an_application_asks_for_it(tmp_path: Path) -> None:
    directories = Directories((), tmp_path / "state")
    outside = await app.live_backends(directories, {})
    try:
        assert outside.sign_ins is not None
        assert not outside.sign_ins.has_application()
        with pytest.raises(LoggedOutError, match="no application"):
            outside.gateways(agent("Nora Vale", NORAS))
    finally:
        await outside.model.aclose()
