"""Foreign text is data: it comes back as it was, or well-formed, and never as an exception."""

import json

import pytest

from chimein_gui.adapters.store.rows.values import well_formed
from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.ids import RandomId
from chimein_gui.domain.messages import TextEntity
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.engine.ports import NewRequest
from tests.unit.adapters.store.builders import ACCOUNT, NOW, PEER, approval_in, chat_in, graph_in, message, opened, spec

HOSTILE = [
    "",
    "'); DROP TABLE messages; --",
    'quo"te `tick` [bracket] ? :name @x $y',
    "nul\x00in the middle\x00",
    "👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301",
    "\u202eright to left\u2066",
    "\ufeff\u200b\uffff\U0010ffff",
    "\r\n\t\x1b[31m\x7f\x85\u2028",
    "ß" * 100_000,
]
BROKEN = [
    ("lone \ud800 high", "lone \ufffd high"),
    ("lone \udfff low\x00", "lone \ufffd low\x00"),
    ("pair \ud83d\ude00 apart", "pair 😀 apart"),
    ("\ude00\ud83d", "\ufffd\ufffd"),
]


@pytest.mark.parametrize(("text", "kept"), [*((text, text) for text in HOSTILE), *BROKEN])
async def test_text_survives_everywhere(tmp_path, text, kept):
    assert well_formed(text) == kept
    entities = (TextEntity("text_url", 0, 1, text),)
    async with opened(tmp_path) as store:

        def work(tx):
            agent = tx.agents.upsert(spec("n" + text, source=text))
            chat_id = chat_in(tx).chat_id
            tx.chats.set_planning_problem(chat_id, PlanningProblem(PlanningKind.FAILED, text))
            tx.messages.put(chat_id, message(1, text, sender_name=text, entities=entities, raw_json=text))
            unchanged = tx.messages.edit(message(1, text, entities=entities))
            approval = approval_in(
                tx, chat_id, text=text, draft_text=text, note=Note(NoteKind.REFUSED, text, 2, Note(NoteKind.HELD, text))
            )
            row = tx.ledger.prepare(approval, NewRequest(0, RandomId(1), text, entities))
            graph = tx.graphs.get(
                graph_in(
                    tx, chat_id, problems=(ReplyProblem(ReplyFault.UNKNOWN_TYPE, 1, said=(text,)),), instruction=text
                )
            )
            saved = tx.saved_edits.add(chat_id, base=text, mine=text, position=0, paired_with=None, created_at=NOW)
            return agent, chat_id, unchanged, approval, row, graph, saved

        agent, chat_id, unchanged, approval, row, graph, saved = await store.transact(work)
        stored = await store.read(lambda tx: tx.messages.get(message(1).key))
        chat = await store.read(lambda tx: tx.chats.get(chat_id))
        page = await store.read(lambda tx: tx.messages.before(ACCOUNT, PEER, before_id=None, limit=1))
    # JSON keeps what UTF-8 cannot; only a pair is joined.
    entities = (TextEntity("text_url", 0, 1, json.loads(json.dumps(text))),)
    assert stored == message(1, kept, sender_name=kept, entities=entities, raw_json=kept)
    assert page == (stored,)
    assert unchanged is False
    assert (approval.text, approval.draft_text) == (kept, kept)
    assert approval.note == Note(NoteKind.REFUSED, kept, 2, Note(NoteKind.HELD, kept))
    assert chat.planning_problem == PlanningProblem(PlanningKind.FAILED, kept)
    assert (row.text, graph.instruction) == (kept, kept)
    assert (saved.base, saved.mine) == (kept, kept)
    assert row.entities == entities
    assert agent.spec.source == graph.problems[0].said[0] == json.loads(json.dumps(text))
    assert "\n" not in chat.last_text


@pytest.mark.parametrize("text", HOSTILE[:-1])
def test_a_sticker_is_kept_whatever_its_names(tx, text):
    sticker = StickerRef(text, f"{text} #2", 2**62, text)
    approval = approval_in(tx, chat_in(tx).chat_id, sticker=sticker)
    row = tx.ledger.prepare(approval, NewRequest(0, RandomId(1), "", sticker=sticker))
    assert (approval.sticker, row.sticker) == (sticker, sticker)


async def test_a_number_that_does_not_fit_is_refused_alone(store):
    chat_id = (await store.transact(chat_in)).chat_id
    with pytest.raises(StoreError, match="too large"):
        await store.transact(lambda tx: tx.messages.put(chat_id, message(1, grouped_id=2**63)))
    assert await store.transact(lambda tx: tx.messages.put(chat_id, message(1)))
