"""The columns that are kept along with the messages say what counting them would say."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import Message
from tests.unit.adapters.store.builders import ACCOUNT, PEER, chat_in, message, opened

IDS = st.integers(1, 12).map(MessageId)
STEPS = st.one_of(
    st.tuples(st.just("put"), IDS, st.booleans()),
    st.tuples(st.just("read"), IDS, st.none()),
    st.tuples(st.just("delete"), IDS, st.booleans()),
)


@given(st.lists(STEPS, max_size=40))
async def test_unread_and_newest_follow_any_history(steps):
    rows: dict[MessageId, Message] = {}
    read_up_to = 0

    def work(tx):
        nonlocal read_up_to
        chat_id = chat_in(tx).chat_id
        for step, number, flag in steps:
            if step == "put":
                assert tx.messages.put(chat_id, message(number, out=flag)) is (number not in rows)
                rows.setdefault(number, message(number, out=flag))
            elif step == "read":
                tx.chats.set_read_up_to(chat_id, number)
                read_up_to = max(read_up_to, number)
            else:
                gone = tx.messages.mark_deleted(ACCOUNT, PEER if flag else None, (number,))
                assert len(gone) == (number in rows and not rows[number].deleted)
                for _chat_id, row in gone:
                    rows[number] = row
        return tx.chats.get(chat_id)

    with TemporaryDirectory() as directory:
        async with opened(Path(directory)) as store:
            chat = await store.transact(work)
    incoming = {number: row for number, row in rows.items() if not row.out}
    assert chat.unread == sum(number > read_up_to and not row.deleted for number, row in incoming.items())
    assert chat.newest_in_id == max(incoming, default=0)
    left = [row for row in rows.values() if not row.deleted]
    newest = max(left, key=lambda row: row.key.message_id, default=None)
    assert chat.last_at == (newest and newest.sent_at)
