"""A restart of the app, of the server, of both, finds the same world, and life goes on in it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from chimein_gui import app
from chimein_gui.directories import Directories
from chimein_gui.domain.agents import Health
from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.notes import NoteKind, is_of
from chimein_gui.engine.core.clock import SystemClock
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED
from tests.e2e.restarts import QUICK, Place, Product, let_time_pass, live_a_little, place_of, product, telegrams_view
from tests.sandbox.clients import MARTA, NORA, sandbox
from tests.support.control import ControlChannelConsole
from tests.support.own_process import own_sandbox

MARTA_NAME = "Marta Oliveira"


@asynccontextmanager
async def server_process(folder: Path) -> AsyncIterator[Place]:
    """Run the sandbox in a process of its own, which is killed in the end; its world stays in the folder."""
    with own_sandbox(folder, "--state-dir", str(folder / "world")) as own:
        described, console = own.described, await ControlChannelConsole.from_port_file(own.port_file)
        keys = {user_id: await console.auth_key(user_id) for user_id in (NORA, MARTA)}
        try:
            yield Place(described["telegram_port"], described["model_base_url"], keys, console)
        finally:
            await console.aclose()


async def texts_to_marta(place: Place) -> list[str]:
    return [delivery.text for delivery in await place.console.mailbox(MARTA)]


async def life_goes_on(place: Place, here: Product, *, said_meanwhile: str = "") -> None:
    """What waited can be approved and arrives once; what is said next is heard."""
    if said_meanwhile:
        await here.heard(MARTA_NAME, said_meanwhile)
    before = await texts_to_marta(place)
    draft = await here.draft(MARTA_NAME)
    await here.approve(draft)
    assert await texts_to_marta(place) == [*before, draft.text]
    await place.console.speak(MARTA, NORA, "and so it goes on")
    await here.heard(MARTA_NAME, "and so it goes on")


@pytest.mark.operation("restart: the app, the server stays", "store, other devices and partners' boxes are the same")
async def test_the_app_restarts_and_finds_the_same_world(tmp_path: Path) -> None:
    async with server_process(tmp_path) as place:
        async with product(tmp_path, place) as here:
            await live_a_little(place, here)
            known = await here.state()
        shown = await telegrams_view(place)
        async with product(tmp_path, place) as here:
            assert await telegrams_view(place) == shown
            assert await here.state() == known
        await place.console.speak(MARTA, NORA, "said while you were away")
        async with product(tmp_path, place) as here:
            await life_goes_on(place, here, said_meanwhile="said while you were away")


@pytest.mark.operation("restart: the server, the app stays", "the app comes back by itself to the same world")
async def test_the_server_restarts_and_the_app_stays(tmp_path: Path) -> None:
    """The server is made anew from its directory, at the same addresses; the app comes back by itself."""
    world = tmp_path / "world"
    async with AsyncExitStack() as stack:
        async with sandbox(world, DEFAULT_SEED) as server:
            place = place_of(server)
            here = await stack.enter_async_context(product(tmp_path, place))
            await live_a_little(place, here)
            known, shown = await here.state(), await telegrams_view(place)
        await here.health(Health.CONNECTING)
        model_port = int(place.model_base_url.rsplit(":", 1)[1])
        again = await stack.enter_async_context(
            sandbox(world, DEFAULT_SEED, telegram_port=place.port, model_port=model_port)
        )
        place = place_of(again)
        await here.health(Health.ONLINE)
        assert await telegrams_view(place) == shown
        assert await here.state() == known
        await life_goes_on(place, here)
        await stack.aclose()


@pytest.mark.operation("restart: the server is killed, the app ends", "both are the same, and what waited can be sent")
async def test_both_restart_and_find_the_same_world(tmp_path: Path) -> None:
    """The server is killed, not ended: whatever it answered was on the disk."""
    async with server_process(tmp_path) as place:
        async with product(tmp_path, place) as here:
            await live_a_little(place, here)
            known = await here.state()
        shown = await telegrams_view(place)
    async with server_process(tmp_path) as place, product(tmp_path, place) as here:
        assert await telegrams_view(place) == shown
        assert await here.state() == known
        await life_goes_on(place, here)


async def test_the_whole_rehearsal_comes_back(tmp_path: Path) -> None:
    """`chimein sandbox` twice on one state directory, as it is composed: five accounts, two groups, all partners."""
    directories = Directories((resource_path("samples"),), tmp_path / "state")
    directories.state.mkdir()
    found = []
    for _ in range(2):
        async with AsyncExitStack() as stack:
            outside = await app.sandbox_backends(directories, stack)
            running = await app.start_engine(directories, outside, stack)
            here = Product(running.engine)
            stack.callback(running.engine.subscribe(here.on_event))
            await running.engine.start()
            await here.health(Health.ONLINE)
            console = outside.sandbox
            assert console is not None
            cast = await console.cast()
            mail = {one.user_id: await console.mailbox(one.user_id) for one in cast.partners}
            found.append((cast, mail, await here.state()))
    assert found[0] == found[1]
    assert len(found[0][2]["chats"]) > 10


async def test_a_countdown_that_ran_out_while_the_app_was_closed_begins_anew(tmp_path: Path) -> None:
    patient = replace(QUICK, countdown_s=30.0)
    async with server_process(tmp_path) as place:
        async with product(tmp_path, place, patient) as here:
            await place.console.speak(MARTA, NORA, "Could you bring a plank?")
            first = await here.draft(MARTA_NAME)
            await here.approve(first)
            await here.engine.chat_settings.set_trust(first.chat_id, TrustLevel.COUNTDOWN)
            await place.console.speak(MARTA, NORA, "And a hammer?")
            (counting,) = await here.until(here.approved)
        before = await texts_to_marta(place)
        let_time_pass(tmp_path, 32)
        async with product(tmp_path, place, patient) as here:

            async def begun_anew() -> list[Approval]:
                return [one for one in await here.approved() if is_of(one.note, NoteKind.BEGAN_ANEW)]

            (anew,) = await here.until(begun_anew)
            assert anew.approval_id == counting.approval_id
            assert anew.due_at is not None
            assert anew.due_at > SystemClock().now() + timedelta(seconds=20)
            assert await texts_to_marta(place) == before
