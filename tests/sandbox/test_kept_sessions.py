"""How long the server keeps MTProto sessions whose connections are gone."""

from chimein_gui.sandbox.conversation import Conversation, Conversations


def used_once(talks: Conversations, key_id: int, session_id: int) -> Conversation:
    talk, _ = talks.enter(key_id, session_id)
    talks.leave(talk)
    return talk


def test_a_client_that_comes_back_finds_its_session() -> None:
    talks = Conversations()
    first = used_once(talks, 1, 10)
    used_once(talks, 1, 11)
    assert talks.enter(1, 10) == (first, False)


def test_of_one_key_only_the_last_two_are_kept() -> None:
    talks = Conversations()
    used_once(talks, 2, 20)
    for session_id in (10, 11, 12):
        used_once(talks, 1, session_id)
    assert not talks.destroy(1, 10)
    assert talks.destroy(1, 11)
    assert talks.destroy(1, 12)
    assert talks.destroy(2, 20)


def test_many_clients_at_once_find_theirs_but_not_any_number() -> None:
    talks = Conversations()
    for key_id in range(1, 34):
        used_once(talks, key_id, 10)
    assert [key_id for key_id in range(1, 34) if not talks.destroy(key_id, 10)] == [1]


def test_a_session_in_use_stays() -> None:
    talks = Conversations()
    talk, _ = talks.enter(1, 10)
    for session_id in range(11, 60):
        used_once(talks, 1, session_id)
    assert talks.enter(1, 10) == (talk, False)
