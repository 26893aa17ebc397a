"""The operator writes as the agent: nothing typed is lost, nothing is sent twice, every refusal stays in place."""

from dataclasses import replace

import pytest

from chimein_gui.domain.chats import Unsent
from chimein_gui.domain.errors import StoreError, StoreWriteError
from chimein_gui.domain.ids import ChatId, MessageId
from chimein_gui.domain.messages import MAX_MESSAGE_UNITS
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.viewmodels.composer.composer import EMPTY, messages_of
from tests.fakes.engine_api import chat, message

HELD = "Held: you held everything. Press again to keep it until the release."


@pytest.fixture
def editor(room):
    room.api.chats[2] = chat(2, "Tiago")
    room.api.messages[1] = {1: message(1, "is it open?"), 2: message(2, "It is", out=True)}
    room.attach()
    return room


def draft(editor, chat_id=1):
    return editor.models.composer.draft(chat_id)


def test_a_message_is_written_with_what_it_answers(editor):
    composer, told = editor.models.composer, list[object]()
    composer.written.connect(lambda chat_id, approval: told.append((chat_id, approval.text)))
    composer.type(1, " Hello ")
    composer.answer(1, editor.api.messages[1][1])
    composer.send(1)
    assert draft(editor).sending
    assert composer.text_of(1) == ""
    composer.send(1)  # an impatient second press
    editor.settle()
    wrote = editor.api.composer.wrote
    assert [(one.chat_id, one.text, one.reply_to_id, one.confirm) for one in wrote] == [(1, " Hello ", 1, False)]
    assert told == [(1, "Hello")]
    assert draft(editor) == EMPTY
    assert editor.models.chats.chat(1).takeover_until is not None


def test_under_hold_it_asks_once_and_the_next_press_confirms_those_words(editor):
    composer = editor.models.composer
    editor.api.composer.asks = HELD
    composer.type(1, "Hello")
    composer.send(1)
    editor.settle()
    assert (draft(editor).text, draft(editor).note, draft(editor).asks) == ("Hello", HELD, True)
    composer.type(1, "Hello there")  # other words: the question is off
    assert not draft(editor).asks
    composer.send(1)
    editor.settle()
    composer.send(1)
    editor.settle()
    wrote = editor.api.composer.wrote
    assert [(one.text, one.confirm) for one in wrote] == [
        ("Hello", False),
        ("Hello there", False),
        ("Hello there", True),
    ]
    assert len({one.client_id for one in wrote}) == 3
    assert draft(editor).text == ""


def test_the_same_press_after_a_failure_is_the_same_message(editor):
    composer = editor.models.composer
    editor.api.composer.fail = StoreError(Note(FaultReason.SYSTEM, "The disk is full"))
    composer.type(1, "Hello")
    composer.send(1)
    editor.settle()
    assert draft(editor).note == "The disk is full."
    editor.api.composer.fail = None
    composer.send(1)
    editor.settle()
    first, second = editor.api.composer.wrote
    assert first.client_id == second.client_id
    assert draft(editor) == EMPTY


def test_an_edit_is_left_or_refused_in_place(editor):
    composer = editor.models.composer
    composer.begin_edit(1, editor.api.messages[1][2])
    editor.api.sent.refusal = "Held: you held everything"
    composer.send(1)
    editor.settle()
    assert (draft(editor).text, draft(editor).note) == ("It is", "Held: you held everything.")
    composer.end_edit(1)
    assert draft(editor) == EMPTY


def test_a_sent_message_is_deleted_or_the_refusal_told(editor):
    composer, told, failed = editor.models.composer, list[object](), list[str]()
    composer.deleted.connect(told.append)
    composer.failed.connect(failed.append)
    composer.delete(1, editor.api.messages[1][2])
    editor.settle()
    editor.api.sent.refusal = "This account has no such message in this chat."
    composer.delete(1, editor.api.messages[1][1])
    editor.settle()
    assert editor.api.sent.deleted == [(1, 2), (1, 1)]
    assert told == [1]
    assert failed == ["This account has no such message in this chat."]


def test_long_texts_leave_as_several(editor):
    assert messages_of("") == 1
    assert messages_of("a" * MAX_MESSAGE_UNITS) == 1
    assert messages_of("a" * (MAX_MESSAGE_UNITS + 1)) == 2
    assert messages_of("😀" * MAX_MESSAGE_UNITS) == 2


def started(editor):
    """Let what is sent wait for its answer until the room settles."""
    editor.models.composer.attach(editor.api, editor.errands)
    return editor.models.composer


def test_what_is_typed_behind_a_message_on_its_way_does_not_repeat_it(editor):
    composer = started(editor)
    composer.type(1, "Hello")
    composer.send(1)
    composer.type(1, "Hello, and one thing more")
    editor.settle()
    assert draft(editor).text == ", and one thing more"
    composer.send(1)
    editor.settle()
    assert [one.text for one in editor.api.composer.wrote] == ["Hello", ", and one thing more"]


def test_what_is_chosen_to_be_answered_while_a_message_is_on_its_way_stays_chosen(editor):
    composer = started(editor)
    composer.type(1, "Hello")
    composer.send(1)
    composer.answer(1, editor.api.messages[1][1])
    editor.settle()
    assert draft(editor) == replace(EMPTY, answers=editor.api.messages[1][1])


def test_a_sent_message_that_is_being_changed_never_becomes_a_new_one(editor):
    """Reply is pressed in the middle of an edit, or the answer to the message before comes only then."""
    composer = started(editor)
    composer.type(1, "a new thought")
    composer.begin_edit(1, editor.api.messages[1][2])
    composer.answer(1, editor.api.messages[1][1])
    assert (draft(editor).text, draft(editor).edits) == ("a new thought", None)
    composer.send(1)
    composer.begin_edit(1, editor.api.messages[1][2])
    editor.settle()
    assert (draft(editor).text, draft(editor).edits) == ("It is", editor.api.messages[1][2])
    composer.end_edit(1)
    assert draft(editor) == EMPTY
    assert [one.text for one in editor.api.composer.wrote] == ["a new thought"]


def test_a_message_refused_while_another_is_changed_comes_back_with_its_reason(editor):
    composer = started(editor)
    editor.api.composer.refusal = "It cannot be sent."
    composer.type(1, "a new thought")
    composer.send(1)
    composer.begin_edit(1, editor.api.messages[1][2])
    editor.settle()
    assert (draft(editor).text, draft(editor).note) == ("It is", "")
    composer.end_edit(1)
    assert (draft(editor).text, draft(editor).note, draft(editor).sending) == (
        "a new thought",
        "It cannot be sent.",
        False,
    )


def test_a_new_message_leaves_while_a_change_is_still_on_its_way(editor):
    composer, failed = started(editor), list[str]()
    composer.failed.connect(failed.append)
    editor.api.sent.refusal = "It is older than 48 hours."
    composer.begin_edit(1, editor.api.messages[1][2])
    composer.send(1)
    composer.end_edit(1)
    composer.type(1, "a new thought")
    composer.send(1)
    editor.settle()
    assert [one.text for one in editor.api.composer.wrote] == ["a new thought"]
    assert failed == ["It is older than 48 hours."]
    assert draft(editor) == EMPTY


def test_what_is_typed_while_a_change_is_on_its_way_is_saved_by_another_press(editor):
    composer = started(editor)
    composer.begin_edit(1, editor.api.messages[1][2])
    composer.type(1, "It is open")
    composer.send(1)
    composer.type(1, "It is open again")
    editor.settle()
    assert (draft(editor).text, draft(editor).sending) == ("It is open again", False)
    composer.send(1)
    editor.settle()
    assert [text for _, _, text in editor.api.sent.edited] == ["It is open", "It is open again"]
    assert draft(editor) == EMPTY


def unsent(chat_id, text, reply_to_id=None):
    return Unsent(ChatId(chat_id), text, MessageId(reply_to_id) if reply_to_id is not None else None)


@pytest.fixture
def texts(room):
    room.api.chats[2] = chat(2, "Tiago")
    room.api.messages[1] = {1: message(1, "is it open?"), 2: message(2, "It is", out=True)}
    return room


def rest(texts):
    """Let the hand rest for as long as it takes."""
    assert texts.of_chats.unsent_texts._timer.isActive()
    texts.of_chats.unsent_texts._timer.stop()
    texts.of_chats.unsent_texts.keep()
    texts.settle()
    texts.of_chats.unsent_texts._timer.stop()


def test_each_text_is_kept_for_its_own_chat(texts):
    texts.attach()
    composer, kept = texts.models.composer, texts.api.composer.kept
    composer.type(1, "for Marta")
    composer.type(2, "for Tiago")
    composer.answer(1, texts.api.messages[1][1])
    assert kept == {}
    rest(texts)
    assert kept == {1: unsent(1, "for Marta", 1), 2: unsent(2, "for Tiago")}
    composer.type(2, "")
    rest(texts)
    assert list(kept) == [1]


def test_what_an_earlier_run_kept_is_there_again_and_nowhere_else(texts):
    texts.api.composer.kept = {1: unsent(1, "half a thou", 1), 2: unsent(2, "another", 99)}
    texts.models.composer.type(2, "typed before the engine was there")
    texts.attach()
    first = texts.models.composer.draft(1)
    assert (first.text, first.answers) == ("half a thou", texts.api.messages[1][1])
    assert texts.models.composer.draft(2).text == "typed before the engine was there"
    assert texts.models.composer.draft(3).text == ""
    texts.of_chats.unsent_texts.detach()


def test_the_same_words_after_they_were_sent_are_kept_again(texts):
    texts.attach()
    composer, kept = texts.models.composer, texts.api.composer.kept
    composer.type(1, "hello")
    rest(texts)
    composer.send(1)
    texts.settle()
    kept.clear()  # the engine forgets it together with storing the message
    rest(texts)
    assert kept == {}
    composer.type(1, "hello")
    rest(texts)
    assert kept == {1: unsent(1, "hello")}


def test_the_change_of_a_sent_message_is_not_taken_for_a_new_one(texts):
    texts.attach()
    composer, kept = texts.models.composer, texts.api.composer.kept
    composer.type(1, "a new thought")
    composer.begin_edit(1, texts.api.messages[1][2])
    composer.type(1, "It is open")
    rest(texts)
    assert kept == {1: unsent(1, "a new thought")}


def test_what_could_not_be_kept_is_kept_with_the_next_letters(texts, monkeypatch):
    texts.attach()

    async def full(_unsent):
        raise StoreWriteError("database or disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(texts.api.composer, "keep", full)
        texts.models.composer.type(1, "hel")
        rest(texts)
    texts.models.composer.type(1, "hello")
    rest(texts)
    assert texts.api.composer.kept == {1: unsent(1, "hello")}


def test_a_quick_end_keeps_it_at_once(texts):
    texts.attach()
    texts.models.composer.type(1, "hello")
    texts.of_chats.unsent_texts.detach()
    assert texts.api.composer.kept == {1: unsent(1, "hello")}
    assert not texts.of_chats.unsent_texts._timer.isActive()
