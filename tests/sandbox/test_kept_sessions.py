"""How long the server keeps MTProto sessions whose connections are gone."""

from chimein_gui.sandbox.wire.mtproto_session import MtprotoSession, MtprotoSessions


def used_once(sessions: MtprotoSessions, key_id: int, session_id: int) -> MtprotoSession:
    session, _ = sessions.enter(key_id, session_id)
    sessions.leave(session)
    return session


def test_a_client_that_comes_back_finds_its_session() -> None:
    sessions = MtprotoSessions()
    first = used_once(sessions, 1, 10)
    used_once(sessions, 1, 11)
    assert sessions.enter(1, 10) == (first, False)


def test_of_one_key_only_the_last_two_are_kept() -> None:
    sessions = MtprotoSessions()
    used_once(sessions, 2, 20)
    for session_id in (10, 11, 12):
        used_once(sessions, 1, session_id)
    assert not sessions.destroy(1, 10)
    assert sessions.destroy(1, 11)
    assert sessions.destroy(1, 12)
    assert sessions.destroy(2, 20)


def test_many_clients_at_once_find_theirs_but_not_any_number() -> None:
    sessions = MtprotoSessions()
    for key_id in range(1, 34):
        used_once(sessions, key_id, 10)
    assert [key_id for key_id in range(1, 34) if not sessions.destroy(key_id, 10)] == [1]


def test_a_session_in_use_stays() -> None:
    sessions = MtprotoSessions()
    session, _ = sessions.enter(1, 10)
    for session_id in range(11, 60):
        used_once(sessions, 1, session_id)
    assert sessions.enter(1, 10) == (session, False)
