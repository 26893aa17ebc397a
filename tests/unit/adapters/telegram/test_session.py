"""The session file: private, whole, and closed for good."""

import asyncio
import socket
import sqlite3
import threading
from pathlib import Path

import pytest
from telethon.tl import types

from chimein_gui.adapters.telegram.backend import live_backend, sandbox_backend
from chimein_gui.adapters.telegram.failures import connect_failure
from chimein_gui.adapters.telegram.transport.futures import to_the_end
from chimein_gui.adapters.telegram.transport.session import SessionFile, seed_session
from chimein_gui.domain.errors import LoggedOutError, NotConnectedError
from chimein_gui.viewmodels.words.errors import error_words
from tests.support.bad_files import every_bad_file, no_file, spoil

KEY, OTHER_KEY = bytes(range(256)), bytes(reversed(range(256)))


def seed(path: Path, key: bytes = KEY, port: int = 1234) -> Path:
    seed_session(path, dc_id=2, host="127.0.0.1", port=port, auth_key=key)
    return path


def meet_somebody(path: Path) -> None:
    session = SessionFile(str(path))
    session.process_entities(
        types.contacts.ResolvedPeer(None, [], [types.User(id=2**40, access_hash=77, first_name="Marta", username="m")])
    )
    session.set_update_state(0, types.updates.State(pts=5, qts=0, date=_epoch(), seq=0, unread_count=0))
    session.close()


def _epoch() -> object:
    import datetime as dt

    return dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def known(path: Path) -> tuple[object, object]:
    session = SessionFile(str(path))
    try:
        state = session.get_update_state(0)
        return session.known_peer(2**40), state and state.pts
    finally:
        session.close()


def test_a_seeded_file_holds_key_and_address_privately(tmp_path: Path) -> None:
    path = seed(tmp_path / "Nora" / "telegram.session")
    session = SessionFile(str(path))
    try:
        assert (session.server_address, session.port, session.dc_id) == ("127.0.0.1", 1234, 2)
        assert session.has_key
        assert session.auth_key.key == KEY
        assert session._conn.execute("pragma journal_mode").fetchone() == ("wal",)
        assert session._conn.execute("pragma synchronous").fetchone() == (1,)
        session.set_dc(2, "127.0.0.1", 1)
        assert {entry.stat().st_mode & 0o777 for entry in path.parent.iterdir()} == {0o600}
    finally:
        session.close()
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [entry.name for entry in path.parent.iterdir()] == ["telegram.session"]


def test_a_file_that_was_open_to_others_is_closed_to_them(tmp_path: Path) -> None:
    path = seed(tmp_path / "telegram.session")
    path.chmod(0o644)
    SessionFile(str(path)).close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_seeding_again_with_the_same_key_keeps_what_was_known(tmp_path: Path) -> None:
    path = seed(tmp_path / "telegram.session")
    meet_somebody(path)
    seed(path, port=4321)
    assert known(path) == ((77, "Marta", "m"), 5)


def test_seeding_with_another_key_forgets_what_was_known(tmp_path: Path) -> None:
    path = seed(tmp_path / "telegram.session")
    meet_somebody(path)
    seed(path, OTHER_KEY)
    assert known(path) == (None, None)


def test_after_closing_nothing_is_written_and_nothing_reopened(tmp_path: Path) -> None:
    path = seed(tmp_path / "telegram.session")
    session = SessionFile(str(path))
    session.close()
    session.close()
    session.process_entities(types.contacts.ResolvedPeer(None, [], [types.User(id=5, access_hash=7)]))
    session.set_update_state(0, None)
    session.save()
    with pytest.raises(sqlite3.ProgrammingError):
        session.known_peer(5)
    assert session._conn is None


def test_a_client_that_can_not_be_made_leaves_no_file_open(tmp_path: Path) -> None:
    session = SessionFile(str(seed(tmp_path / "telegram.session")))
    session.set_dc(2, "149.154.167.51", 443)
    with pytest.raises(ValueError, match="API ID"):
        live_backend(0, "").new_client(session)
    assert session._conn is None


async def test_a_refused_connection_does_not_forget_the_place_in_the_updates(tmp_path: Path) -> None:
    path = seed(tmp_path / "telegram.session")
    meet_somebody(path)
    with socket.socket() as nobody_listens:
        nobody_listens.bind(("127.0.0.1", 0))
        session = SessionFile(str(path))
        session.set_dc(2, "127.0.0.1", nobody_listens.getsockname()[1])
        client = sandbox_backend().new_client(session)
        with pytest.raises(OSError):
            await client.connect()
        await client.disconnect()
    session.release()
    assert known(path)[1] == 5


@every_bad_file
def test_whatever_stands_in_its_place_is_told_as_what_it_is(tmp_path: Path, kind: str) -> None:
    if kind == "empty":
        return  # a new one
    good = seed(tmp_path / "good.session").read_bytes()
    path = tmp_path / "telegram.session"
    untouched = spoil(path, kind, good)
    if kind == "huge":
        return  # a good one with something behind it
    with pytest.raises(sqlite3.Error) as failed:
        SessionFile(str(path))
    told = connect_failure(failed.value)
    assert "The session file" in error_words(told)
    assert isinstance(told, NotConnectedError if kind in no_file else LoggedOutError)
    assert kind not in no_file or "Check the permissions of the data folder" in error_words(told)
    assert untouched()


async def test_a_lent_file_is_committed_in_a_thread_and_closed_by_its_release(tmp_path: Path) -> None:
    path = seed(tmp_path / "telegram.session")
    session = SessionFile(str(path))
    session.lend()
    session.set_dc(2, "127.0.0.1", 4321)
    session.save()
    session.set_update_state(0, types.updates.State(pts=5, qts=0, date=_epoch(), seq=0, unread_count=0))
    session.close()
    assert path.with_name("telegram.session-wal").exists()  # nothing was folded in yet: that waits for the disk
    session.process_entities(types.contacts.ResolvedPeer(None, [], []))
    await to_the_end(session.release)
    assert [entry.name for entry in path.parent.iterdir()] == ["telegram.session"]
    again = SessionFile(str(path))
    try:
        assert (again.port, again.get_update_state(0).pts) == (4321, 5)
    finally:
        again.close()


async def test_what_waits_for_the_disk_is_done_before_a_cancellation_goes_on() -> None:
    began, may_end, done = threading.Event(), threading.Event(), []

    def work() -> None:
        began.set()
        may_end.wait()
        done.append("done")

    job = asyncio.get_running_loop().create_task(to_the_end(work))
    await asyncio.to_thread(began.wait)
    job.cancel()
    await asyncio.sleep(0)
    assert (job.done(), done) == (False, [])
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await job
    assert done == ["done"]
