"""Chats: marks that only rise, counts that follow, previews."""

from dataclasses import replace

from chimein_gui.domain.chats import ChatInfo, ChatKind, TrustLevel
from chimein_gui.domain.ids import AccountId, MessageId
from chimein_gui.domain.notes import PlanningKind, PlanningProblem
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from tests.unit.adapters.store.builders import ACCOUNT, PEER, approval_in, chat_in, later, message, opened, planned_in


async def test_a_chat_is_made_once_and_then_follows_its_title(tmp_path):
    info = ChatInfo(ACCOUNT, PEER, ChatKind.DM, "Bob", "bob")
    async with opened(tmp_path) as store:

        def work(tx):
            agent_id = chat_in(tx, peer=1).agent_id
            first = tx.chats.ensure(agent_id, info, planned_up_to=MessageId(40))
            second = tx.chats.ensure(agent_id, replace(info, title="Robert"), planned_up_to=MessageId(90))
            third = tx.chats.ensure(agent_id, replace(info, title="Robert"), planned_up_to=MessageId(91))
            return first, second, third

        (chat, new), (renamed, again), third = await store.transact(work)
        found = await store.read(lambda tx: tx.chats.find(ACCOUNT, PEER))
    assert (new, again) == (True, False)
    assert (chat.info, chat.planned_up_to, chat.trust) == (info, 40, TrustLevel.REVIEW)
    assert renamed == replace(chat, info=replace(info, title="Robert"))
    assert third == (renamed, False)
    assert found == renamed


def test_a_group_keeps_its_number_of_members_until_another_one_is_known(tx):
    info = ChatInfo(ACCOUNT, PEER, ChatKind.GROUP, "Walkers")
    agent_id = chat_in(tx, peer=1).agent_id
    seen = [
        tx.chats.ensure(agent_id, replace(info, members=members), planned_up_to=MessageId(1))[0].info.members
        for members in (12, 0, 13)
    ]
    assert seen == [12, 12, 13]
    chat = tx.chats.find(ACCOUNT, PEER)
    assert chat is not None
    assert chat.info.members == 13


def test_marks_rise_and_never_fall(tx):
    chat_id = chat_in(tx).chat_id
    for mark in (30, 20):
        tx.chats.set_planned_up_to(chat_id, MessageId(mark))
        tx.chats.set_read_up_to(chat_id, MessageId(mark + 1))
        tx.chats.set_partner_read_up_to(chat_id, MessageId(mark + 2))
    tx.chats.set_planning_problem(chat_id, PlanningProblem(PlanningKind.NO_KEY, "none", 3, 4))
    chat = tx.chats.get(chat_id)
    assert (chat.planned_up_to, chat.read_up_to, chat.partner_read_up_to) == (30, 31, 32)
    assert chat.planning_problem == PlanningProblem(PlanningKind.NO_KEY, "none", 3, 4)


def test_pending_counts_planned_sends_that_wait_for_a_decision(tx):
    chat, other = chat_in(tx), chat_in(tx, peer=5)
    approval_in(tx, other.chat_id)
    for status in TaskStatus:
        planned_in(tx, chat.chat_id, status=status)
    task = tx.tasks.get(planned_in(tx, chat.chat_id))
    before = tx.chats.get(chat.chat_id).pending
    tx.tasks.save(replace(task, status=TaskStatus.APPROVED))
    assert (before, tx.chats.get(chat.chat_id).pending) == (2, 1)


def test_planning_is_shown_while_the_received_task_runs(tx):
    chat_id = chat_in(tx).chat_id
    seen = [tx.chats.get(chat_id).planning]
    task = tx.tasks.get(tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.READY))
    for status in (TaskStatus.READY, TaskStatus.RUNNING, TaskStatus.WAITING, TaskStatus.DONE):
        tx.tasks.save(replace(task, status=status))
        seen.append(tx.chats.get(chat_id).planning)
    assert seen == [False, False, True, False, False]


def test_the_preview_is_one_line_of_the_newest_message_that_is_left(tx):
    chat_id = chat_in(tx).chat_id
    previews = [tx.chats.get(chat_id)]
    for new in (
        message(1, "one\n  two\tthree"),
        message(2, "mine", out=True),
        message(3, "x " * 4000),
        message(4, "", media_kind="photo"),
    ):
        tx.messages.put(chat_id, new)
        previews.append(tx.chats.get(chat_id))
    tx.messages.mark_deleted(ACCOUNT, PEER, (MessageId(4), MessageId(3)))
    empty, lines, mine, long, photo, left = [*previews, tx.chats.get(chat_id)]
    assert (empty.last_text, empty.last_out, empty.last_at) == ("", False, None)
    assert (lines.last_text, lines.last_out, lines.last_at) == ("one two three", False, later(1))
    assert (mine.last_text, mine.last_out, mine.last_at) == ("mine", True, later(2))
    assert len(long.last_text) == 200
    assert (photo.last_text, photo.last_media) == ("", "photo")
    assert (left.last_text, left.last_out, left.last_at) == ("mine", True, later(2))


def test_all_lists_bound_accounts_newest_message_first(tx):
    chats = [chat_in(tx, peer=peer) for peer in (1, 2, 3)]
    tx.messages.put(chats[1].chat_id, message(5, peer=2))
    tx.messages.put(chats[2].chat_id, message(9, peer=3))
    other = chat_in(tx, peer=1, account=8, agent="Eve")
    tx.agents.bind_account(other.agent_id, AccountId(9))
    peers = [chat.info.peer_id for chat in tx.chats.all()]
    hidden = tx.chats.find(AccountId(8), other.info.peer_id)
    assert peers == [3, 2, 1]
    assert hidden is not None
