"""The ledger: exact bytes, the row that matters next, what was sent automatically."""

from dataclasses import replace
from functools import partial

import pytest

from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.ids import AccountId, MessageId, PeerId
from chimein_gui.domain.tasks import ApprovalState, LedgerState, TaskKind
from tests.unit.adapters.store.builders import ACCOUNT, NOW, PEER, approval_in, chat_in, later, ledger_in, opened

PREPARED, SENDING, SENT, UNKNOWN, FAILED, VOID = (
    LedgerState.PREPARED,
    LedgerState.SENDING,
    LedgerState.SENT,
    LedgerState.UNKNOWN,
    LedgerState.FAILED,
    LedgerState.VOID,
)


def owner_of(tx, account_id, peer_id, number):
    return tx.ledger.owner_of(account_id, peer_id, MessageId(number))


async def test_a_random_id_is_used_once(store):
    approval = await store.transact(lambda tx: approval_in(tx, chat_in(tx).chat_id))
    await store.transact(lambda tx: ledger_in(tx, approval, 5))
    with pytest.raises(StoreError, match="random_id"):
        await store.transact(lambda tx: ledger_in(tx, approval, 5))


@pytest.mark.parametrize(
    "states",
    [
        (),
        ((0, PREPARED), (1, PREPARED)),
        ((0, SENT), (1, UNKNOWN), (2, PREPARED)),
        ((2, PREPARED), (1, SENDING), (0, SENT)),
        ((0, SENT), (1, FAILED), (2, PREPARED)),
        ((1, SENT), (0, SENT)),
        ((0, VOID), (0, PREPARED)),
        ((0, FAILED), (1, VOID)),
    ],
)
def test_the_requests_of_a_card_are_those_that_are_not_void_or_failed_by_part(tx, states):
    approval, other = approval_in(tx, chat_in(tx).chat_id), approval_in(tx, chat_in(tx).chat_id)
    ledger_in(tx, other, 99)
    rows = [ledger_in(tx, approval, number, part=part, state=state) for number, (part, state) in enumerate(states)]
    counting = [row for row in rows if row.state not in {VOID, FAILED}]
    in_order = sorted(counting, key=lambda row: (row.part, row.ledger_id))
    assert tx.ledger.of_approval(approval.approval_id) == tuple(in_order)


def test_in_doubt_is_what_is_sending_or_unknown(tx):
    approval = approval_in(tx, chat_in(tx).chat_id)
    other = approval_in(tx, chat_in(tx, peer=5).chat_id)
    ledger_in(tx, other, 100, state=UNKNOWN)
    rows = [ledger_in(tx, approval, number, state=state) for number, state in enumerate(LedgerState)]
    wanted = tuple(row for row in rows if row.state in {SENDING, UNKNOWN})
    found = tx.ledger.in_doubt(approval.chat_id)
    assert len(wanted) == 2
    assert found == wanted


async def test_the_owner_of_a_message_is_the_row_that_names_it(store):

    def work(tx):
        approval = approval_in(tx, chat_in(tx).chat_id)
        other = approval_in(tx, chat_in(tx, peer=5).chat_id)
        mine = ledger_in(tx, approval, 1, state=SENT, message_id=MessageId(40))
        ledger_in(tx, other, 2, state=SENT, message_id=MessageId(40))
        return mine, tx.approvals.get(approval.approval_id).message_id

    mine, message_id = await store.transact(work)
    assert message_id == 40
    for key, owner in (
        ((ACCOUNT, PEER, 40), mine),
        ((ACCOUNT, PEER, 41), None),
        ((ACCOUNT, PeerId(6), 40), None),
        ((AccountId(1), PEER, 40), None),
    ):
        account_id, peer_id, number = key
        assert await store.read(partial(owner_of, account_id=account_id, peer_id=peer_id, number=number)) == owner


def test_a_message_belongs_to_the_request_that_was_sent_before_one_that_was_given_up(tx):
    approval = approval_in(tx, chat_in(tx).chat_id)
    sent = ledger_in(tx, approval, 1, state=SENT, message_id=MessageId(40))
    ledger_in(tx, approval, 2, state=VOID, message_id=MessageId(40))
    late = ledger_in(tx, approval, 3, state=VOID, message_id=MessageId(41))
    owner = owner_of(tx, ACCOUNT, PEER, 40)
    owner_of_late = owner_of(tx, ACCOUNT, PEER, 41)
    assert (owner, owner_of_late) == (sent, late)


async def test_sent_messages_without_an_id_are_found_by_chat_while_their_decision_is_young(tmp_path):
    clock = [NOW]
    async with opened(tmp_path, now=lambda: clock[0]) as store:

        def work(tx):
            chat_id = chat_in(tx).chat_id
            old, young, undecided = (approval_in(tx, chat_id, state=ApprovalState.OPEN) for _ in range(3))
            for approval, seconds in ((old, 9), (young, 10)):
                clock[0] = later(seconds)
                tx.approvals.save(replace(approval, state=ApprovalState.APPROVED))
            block = approval_in(tx, chat_id, kind=TaskKind.BLOCK)
            elsewhere = approval_in(tx, chat_in(tx, peer=5).chat_id)
            rows = [
                ledger_in(tx, approval, number, state=SENT)
                for number, approval in enumerate((undecided, old, young, block, elsewhere))
            ]
            ledger_in(tx, young, 10, state=SENT, message_id=MessageId(40))
            ledger_in(tx, young, 11, state=UNKNOWN)
            return rows[0], rows[2], tx.ledger.nameless(chat_id, later(10))

        undecided, young, found = await store.transact(work)
    assert found == (undecided, young)


def test_what_was_given_up_is_found_by_chat_and_by_when_it_was_claimed(tx):
    approval = approval_in(tx, chat_in(tx).chat_id)
    elsewhere = approval_in(tx, chat_in(tx, peer=5).chat_id)

    def row(number, **changes):
        return ledger_in(tx, changes.pop("of", approval), number, **{"state": VOID, **changes})

    found = [row(1, claimed_at=later(10)), row(2, claimed_at=later(11))]
    row(3, claimed_at=later(9))
    row(4)
    row(5, claimed_at=later(10), message_id=MessageId(40))
    row(6, claimed_at=later(10), state=FAILED)
    row(7, claimed_at=later(10), of=elsewhere)
    expected = tuple(found)
    found = tx.ledger.given_up(approval.chat_id, later(10))
    assert found == expected


async def test_automatic_sends_are_counted_by_account_and_by_chat(store):

    def work(tx):
        here, there = chat_in(tx), chat_in(tx, peer=5)
        elsewhere = chat_in(tx, peer=6, account=8, agent="Eve")
        claimed = (
            (here, 0, SENT, True),
            (here, 10, FAILED, True),
            (here, 10, UNKNOWN, True),
            (there, 20, SENDING, True),
            (here, 20, SENT, False),
            (here, 20, PREPARED, True),  # put back by a wait of the server: it has not left
            (elsewhere, 20, SENT, True),
        )
        for number, (chat, seconds, state, by_rule) in enumerate(claimed):
            approval = approval_in(tx, chat.chat_id)
            ledger_in(tx, approval, number, state=state, by_rule=by_rule, claimed_at=later(seconds))
        split = approval_in(tx, here.chat_id)
        for part in range(3):
            ledger_in(tx, split, 50 + part, part=part, state=SENT, by_rule=True, claimed_at=later(30 + part))
        return here.chat_id

    here = await store.transact(work)

    async def counted(since, chat_id=None):
        return await store.read(lambda tx: tx.ledger.automatic_since(later(since), account_id=ACCOUNT, chat_id=chat_id))

    assert [await counted(since, here) for since in (0, 1, 11, 31, 33)] == [4, 3, 1, 1, 0]
    assert [await counted(since) for since in (0, 20, 21, 33)] == [5, 2, 1, 0]
