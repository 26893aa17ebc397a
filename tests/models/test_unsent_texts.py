"""What the operator types is kept for each chat, offered again after a crash, and forgotten once it is sent."""

import pytest

from chimein_gui.domain.chats import Unsent
from chimein_gui.domain.errors import StoreWriteError
from chimein_gui.domain.ids import ChatId, MessageId
from tests.fakes.console import chat, message


def unsent(chat_id, text, reply_to_id=None):
    return Unsent(ChatId(chat_id), text, MessageId(reply_to_id) if reply_to_id is not None else None)


@pytest.fixture
def desk(room):
    room.console.chats[2] = chat(2, "Tiago")
    room.console.messages[1] = {1: message(1, "is it open?"), 2: message(2, "It is", out=True)}
    return room


def rest(desk):
    """Let the hand rest for as long as it takes."""
    assert desk.models.unsent_texts._timer.isActive()
    desk.models.unsent_texts._timer.stop()
    desk.models.unsent_texts.keep()
    desk.settle()
    desk.models.unsent_texts._timer.stop()


def test_each_text_is_kept_for_its_own_chat(desk):
    desk.attach()
    composer, kept = desk.models.composer, desk.console.composer.kept
    composer.type(1, "for Marta")
    composer.type(2, "for Tiago")
    composer.answer(1, desk.console.messages[1][1])
    assert kept == {}
    rest(desk)
    assert kept == {1: unsent(1, "for Marta", 1), 2: unsent(2, "for Tiago")}
    composer.type(2, "")
    rest(desk)
    assert list(kept) == [1]


def test_what_an_earlier_run_kept_is_there_again_and_nowhere_else(desk):
    desk.console.composer.kept = {1: unsent(1, "half a thou", 1), 2: unsent(2, "another", 99)}
    desk.models.composer.type(2, "typed before the engine was there")
    desk.attach()
    first = desk.models.composer.sheet(1)
    assert (first.text, first.answers) == ("half a thou", desk.console.messages[1][1])
    assert desk.models.composer.sheet(2).text == "typed before the engine was there"
    assert desk.models.composer.sheet(3).text == ""
    desk.models.unsent_texts.detach()


def test_the_same_words_after_they_were_sent_are_kept_again(desk):
    desk.attach()
    composer, kept = desk.models.composer, desk.console.composer.kept
    composer.type(1, "hello")
    rest(desk)
    composer.send(1)
    desk.settle()
    kept.clear()  # the engine forgets it together with storing the message
    rest(desk)
    assert kept == {}
    composer.type(1, "hello")
    rest(desk)
    assert kept == {1: unsent(1, "hello")}


def test_the_change_of_a_sent_message_is_not_taken_for_a_new_one(desk):
    desk.attach()
    composer, kept = desk.models.composer, desk.console.composer.kept
    composer.type(1, "a new thought")
    composer.begin_edit(1, desk.console.messages[1][2])
    composer.type(1, "It is open")
    rest(desk)
    assert kept == {1: unsent(1, "a new thought")}


def test_what_could_not_be_kept_is_kept_with_the_next_letters(desk, monkeypatch):
    desk.attach()

    async def full(_unsent):
        raise StoreWriteError("database or disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(desk.console.composer, "keep", full)
        desk.models.composer.type(1, "hel")
        rest(desk)
    desk.models.composer.type(1, "hello")
    rest(desk)
    assert desk.console.composer.kept == {1: unsent(1, "hello")}


def test_a_quick_end_keeps_it_at_once(desk):
    desk.attach()
    desk.models.composer.type(1, "hello")
    desk.models.unsent_texts.detach()
    assert desk.console.composer.kept == {1: unsent(1, "hello")}
    assert not desk.models.unsent_texts._timer.isActive()
