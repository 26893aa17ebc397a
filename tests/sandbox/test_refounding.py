"""A world of another version is set aside, and a new one begins in its place."""

import sqlite3

import pytest
from telethon import functions, types

from chimein_gui.sandbox.persistence.journal import VERSION
from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED
from tests.sandbox.clients import MARTA, NORA, client_of, kept_session, marta_for, sandbox, telethon_client


def _of_version(path, version: int) -> None:
    db = sqlite3.connect(path / "sandbox.db")
    db.execute("CREATE TABLE told_otherwise (a INTEGER)")
    db.execute(f"PRAGMA user_version = {version}")
    db.close()


@pytest.mark.operation("a world of another version", "clients stay logged in, what is said then is new to them")
@pytest.mark.parametrize("version", [0, VERSION - 1, VERSION + 1])
async def test_a_world_of_another_version_gives_way(tmp_path, version, expected_logs):
    expected_logs(r"WARNING chimein_gui.sandbox.*a new world begins")
    world, session = tmp_path / "world", tmp_path / "nora"
    async with sandbox(world, DEFAULT_SEED) as server, client_of(server, NORA, session=kept_session(session)) as nora:
        before = await nora(functions.updates.GetStateRequest())
        ids = [await server.console.speak(MARTA, NORA, f"line {n}") for n in range(3)]
        key = nora.session.auth_key.key
    _of_version(world, version)
    async with sandbox(world, DEFAULT_SEED) as server:
        (words, *_) = (await server.console.rehearsal()).recent
        assert words.endswith(f"its people's chats of another version are kept in sandbox.db.v{version}.")
        nora = telethon_client(server.addresses.telegram_port, key, kept_session(session), catch_up=False)
        await nora.connect()
        told = await nora(functions.updates.GetDifferenceRequest(before.pts, before.date, 0))
        assert isinstance(told, types.updates.DifferenceTooLong)
        texts = [one.raw_text for one in await nora.get_messages(await marta_for(nora), limit=9)]
        assert texts == [line.text for line in reversed(DEFAULT_SEED.history)]
        assert await server.console.speak(MARTA, NORA, "new") > ids[-1]
        await nora.disconnect()
    db = sqlite3.connect(world / f"sandbox.db.v{version}")
    assert db.execute("SELECT count(*) FROM told_otherwise").fetchone() == (0,)
    db.close()
    async with sandbox(world, DEFAULT_SEED) as server:
        assert (await server.console.rehearsal()).recent == ()
        (last, *_) = server._around.world.box(NORA).newest_first()
        assert last[1].text == "new"
