"""The Conversations pane: chats, drafts in their place, speaking as a partner, and groups."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt

from chimein_gui.domain.accounts.group_moves import RAISED_BY
from chimein_gui.domain.approvals import Approve
from chimein_gui.domain.chats import Chat, ChatInfo, ChatKind
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.ids import AccountId, AgentId, ChatId, MessageId, PeerId, UserId
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.messages.parts import NamePart
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.theme import Scheme, Theme, contrast
from chimein_gui.viewmodels.transcript.message_words import message_words
from tests.fakes.engine_api import BIG, NOON, agent, chat
from tests.fakes.sandbox_console import MARTA, NORA, RUI, TRAIL


def test_choosing_a_chat_shows_its_messages_and_drafts(desktop):
    desktop.open_chat()
    pane = desktop.conversations
    assert desktop.models.transcript.rows.rowCount() == 3
    drafts = pane.drafts.bubbles()
    assert [draft._approval.text for draft in drafts] == ["First draft", "Second draft"]
    assert drafts[0].isVisible()
    assert "Planned, not sent, Waits for you, Nora Vale to Marta Oliveira" in drafts[0].accessibleName()
    assert drafts[0].words.row.reply_to.text == "is the bridge open?"
    assert drafts[1].words.row.reply_to is None
    assert drafts[0].words.height() > drafts[1].words.height()
    assert pane.header.accessibleName() == "Marta Oliveira, as Nora Vale, trust Review"


def test_a_draft_is_decided_in_its_place(desktop):
    desktop.open_chat()
    draft = desktop.conversations.drafts.bubbles()[0]
    desktop.click(draft.buttons.by_action["A"])
    assert [call.decision for call in desktop.api.calls] == [Approve()]
    draft = desktop.conversations.drafts.bubbles()[0]
    assert desktop.sees("Sends in 5 s", draft)
    assert draft.buttons.by_action["Z"].isVisible()
    desktop.time += timedelta(seconds=3)
    desktop.models.clock.ticked.emit()
    assert desktop.sees("Typing, sends in 2 s", draft)
    desktop.put_approval(replace(desktop.api.approvals[BIG + 1], task_status=TaskStatus.DONE))
    assert len(desktop.conversations.drafts.bubbles()) == 1
    desktop.models.approvals._sweeper.stop()


def test_live_runs_have_no_partner_to_speak_for(desktop):
    desktop.open_chat()
    assert desktop.conversations.composer is None
    assert desktop.conversations.writer.switch is None
    assert desktop.conversations.writer.agent.isVisible()


def test_in_the_sandbox_the_operator_speaks_as_the_partner(sandbox, qtbot):
    composer = sandbox.conversations.composer
    assert composer.isVisible()  # even before a chat is open: somebody must begin
    sandbox.open_chat()
    qtbot.keyClicks(composer.editor.field, "hello")
    qtbot.keyClick(composer.editor.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(composer.editor.field, "there")
    sandbox.strike(composer.editor.field, Qt.Key.Key_Return)
    assert sandbox.sandbox.said == [(BIG + 1001, BIG + 1, "hello\nthere")]
    assert composer.editor.text() == ""


def test_a_conversation_begun_as_a_partner_opens_by_itself(make_desktop, qtbot):
    desktop = make_desktop(is_sandbox=True)
    desktop.api.agents[1] = agent()
    desktop.attach(sandbox=True)
    composer = desktop.conversations.composer
    assert desktop.sees("Write to Nora as Marta, for example:", composer)
    desktop.click(composer.example)
    assert desktop.window.focusWidget() is composer.editor.field
    desktop.click(composer.send)
    assert [text for *_, text in desktop.sandbox.said] == ["Is the bridge open again?"]
    desktop.put_chat(chat())
    assert desktop.models.transcript.chat.chat_id == 1
    assert not composer.coach.isVisible()


def test_what_was_not_delivered_stays_in_the_composer(make_desktop, qtbot):
    desktop = make_desktop(is_sandbox=True)
    desktop.furnish()
    desktop.api.chats[9] = chat(9, "Somebody else")
    desktop.attach(sandbox=True)
    desktop.open_chat()

    async def refuse(*_args):
        raise RefusedError("The sandbox is gone")

    desktop.sandbox.speak = refuse
    composer = desktop.conversations.composer
    qtbot.keyClicks(composer.editor.field, "hello")
    desktop.strike(composer.editor.field, Qt.Key.Key_Return)
    assert composer.editor.text() == "hello"
    assert desktop.window.fault_bar.isVisible()
    desktop.open_chat(9)
    assert not composer.isVisible()
    desktop.open_chat(1)
    assert composer.editor.text() == "hello"


def test_what_is_typed_behind_a_partners_message_does_not_repeat_it(sandbox, qtbot):
    sandbox.open_chat()
    composer = sandbox.conversations.composer
    qtbot.keyClicks(composer.editor.field, "hello")
    partner, peer = composer.target
    qtbot.keyClicks(composer.editor.field, " you")
    sandbox.models.send_as_partner.delivered.emit(partner, peer, "hello")
    assert composer.editor.text() == "you"


def test_the_empty_states_tell_where_one_stands(make_desktop):
    desktop = make_desktop()
    assert desktop.sees("Starting")
    desktop.attach()
    assert desktop.sees("No agents yet. Write a file.")
    desktop.furnish()
    desktop.put_agent(desktop.api.agents[1])
    assert desktop.sees("No chats yet")
    desktop.put_chat(desktop.api.chats[1])
    assert desktop.sees("Select a chat")


def test_a_chat_may_be_asked_for_before_it_is_known(desktop):
    desktop.conversations.open_chat(5)
    desktop.put_chat(chat(5, "Late"))
    assert desktop.models.transcript.chat.chat_id == 5


NAMES = {MARTA: "Marta Oliveira", RUI: "Rui Cardoso", NORA: "Nora Vale"}


def said(number, sender, text="so it is", **changes):
    key = MessageKey(AccountId(NORA), PeerId(TRAIL), MessageId(number))
    at = NOON - timedelta(minutes=60 - number)
    return Message(key, UserId(sender), NAMES[sender], sender == NORA, at, text, **changes)


def long_key(number):
    return MessageKey(AccountId(NORA), PeerId(TRAIL), MessageId(RAISED_BY + number))


@pytest.fixture
def group(make_desktop):
    desktop = make_desktop(is_sandbox=True)
    desktop.furnish()
    info = ChatInfo(AccountId(BIG + 1), PeerId(TRAIL), ChatKind.GROUP, "Trilhos do Gerês")
    desktop.api.chats[2] = Chat(ChatId(2), AgentId(1), info, last_at=NOON)
    lines = (said(1, RUI), said(2, RUI), said(3, MARTA), said(4, NORA), said(5, RUI), said(6, RUI, "", is_service=True))
    desktop.api.messages[2] = {line.key.message_id: line for line in lines}
    desktop.attach(sandbox=True)
    desktop.open_chat(2)
    return desktop


def test_the_first_of_several_messages_bears_its_authors_name(group):
    delegate = group.conversations.transcript._delegate
    rows = [group.models.transcript.rows.row_at(place) for place in range(5)]
    bubbles = [delegate.bubble_of(place, row) for place, row in enumerate(rows)]
    heads = [[part for part, _ in bubble.parts if isinstance(part, NamePart)] for bubble in bubbles]
    assert [[part.words for part in head] for head in heads] == [
        ["Rui Cardoso"],
        [],
        ["Marta Oliveira"],
        [],
        ["Rui Cardoso"],
    ]
    assert heads[0][0].color == heads[4][0].color != heads[2][0].color
    assert delegate.height_of(0) > delegate.height_of(1)
    assert bubbles[0].parts[-1][0].rich.placed[0].run.text == "so it is"


@pytest.mark.parametrize("scheme", list(Scheme))
def test_names_in_their_own_colours_can_be_read(qapp, scheme):
    theme = Theme(scheme)
    for number in range(400):
        assert contrast(marks.person_text(theme, f"name {number}").name(), theme.tokens.in_bubble) >= 4.5


def test_a_member_speaks_and_is_remembered(group, qtbot):
    composer = group.conversations.composer
    assert composer.who.isVisible()
    assert [composer.who.itemText(place) for place in range(composer.who.count())] == ["Marta Oliveira", "Rui Cardoso"]
    composer.who.setFocus()
    qtbot.keyClick(composer.who, Qt.Key.Key_Down)
    assert composer._face.name == "Rui Cardoso"
    qtbot.keyClicks(composer.editor.field, "bom dia")
    group.strike(composer.editor.field, Qt.Key.Key_Return)
    assert group.sandbox.said == [(RUI, TRAIL, "bom dia")]
    assert composer.editor.text() == ""
    group.open_chat(1)
    assert not composer.who.isVisible()
    assert composer.target == (MARTA, NORA)
    group.open_chat(2)
    assert composer.target == (RUI, TRAIL)


def test_what_was_typed_stays_with_its_speaker(group, qtbot):
    composer = group.conversations.composer
    qtbot.keyClicks(composer.editor.field, "as Marta")
    qtbot.keyClick(composer.who, Qt.Key.Key_Down)
    assert composer.editor.text() == ""
    qtbot.keyClick(composer.who, Qt.Key.Key_Up)
    assert composer.editor.text() == "as Marta"
    assert composer.editor.field.accessibleName() == "Write as Marta Oliveira to Trilhos do Gerês"


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("chat_create", "Rui Cardoso created the group"),
        ("chat_delete_user", "Rui Cardoso removed someone from the group"),
        ("pin_message", "Rui Cardoso pinned a message"),
        ("chat_migrate_to", "The group became a supergroup"),
        ("channel_migrate_from", "It is a supergroup from here on"),
        ("boost_apply", "Service message: boost apply"),
        ("", "Service message"),
    ],
)
def test_service_messages_say_what_happened(qapp, kind, words):
    assert message_words(said(1, RUI, "", is_service=True, media_kind=kind)) == words


@pytest.mark.parametrize(
    ("kind", "action", "words"),
    [
        ("chat_delete_user", {"user_id": RUI}, "Rui Cardoso left the group"),
        ("chat_delete_user", {"user_id": MARTA}, "Rui Cardoso removed someone from the group"),
        ("chat_add_user", {"users": [RUI]}, "Rui Cardoso joined the group"),
        ("chat_add_user", {"users": [MARTA]}, "Rui Cardoso added someone to the group"),
        ("chat_add_user", None, "Rui Cardoso added someone to the group"),
    ],
)
def test_who_comes_or_goes_alone_is_told_from_who_is_brought_or_removed(qapp, kind, action, words):
    raw = json.dumps({"_": "MessageService", "action": action})
    assert message_words(said(1, RUI, "", is_service=True, media_kind=kind, raw_json=raw)) == words


def test_a_group_that_became_a_supergroup_is_read_as_one_chat(group):
    """The ids of its later messages need more than 32 bits."""
    later = [
        said(7, RUI, "", is_service=True, media_kind="chat_migrate_to"),
        replace(said(8, RUI, "", is_service=True, media_kind="channel_migrate_from"), key=long_key(1)),
        replace(said(9, MARTA, "does this one still know me?"), key=long_key(2), reply_to_id=MessageId(3)),
        replace(said(10, RUI, "it does", reply_to_id=long_key(2).message_id), key=long_key(3)),
    ]
    for line in later:
        group.api.put_message(2, line)
    group.settle()
    view = group.conversations.transcript
    rows = [view.model().index(row, 0).data() for row in range(view.model().rowCount())]
    wanted = ["The group became a supergroup", "It is a supergroup from here on", "does this one", "it does"]
    assert [words in row for words, row in zip(wanted, rows[-4:], strict=True)] == [True] * 4, rows
    for message_id, words in ((MessageId(3), "so it is"), (long_key(2).message_id, "does this one")):
        group.models.transcript.jump_to(message_id)
        group.settle()
        assert words in view.currentIndex().data()
        assert view._delegate.flashed == view.model().key_at(view.currentIndex().row())
