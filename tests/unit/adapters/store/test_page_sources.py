"""The sources of pages stand beside the body of their trace, and go with it."""

from dataclasses import replace

from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.ids import AgentId
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.domain.retrieval.sources import MOST_CHARACTERS, packed, unpacked
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.domain.traces.records import TraceRecord
from chimein_gui.domain.traces.summaries import TraceKind, TraceState
from chimein_gui.engine.ports import Store, Transaction
from tests.unit.adapters.store.builders import NOW, chat_in, later

CALL = ModelCall("gemini", "plan", NOW, 1.5, CallEnd.ANSWERED, Usage(10, 2))
HTML = "<html><body>" + "<p>The last boat</p>" * 200 + "</body></html>"


def page(url: str, source: str = "") -> PageFetched:
    return PageFetched(url, url, NOW, 0.1, 1, text="The last boat", source=packed(source))


def record_of(tx: Transaction, *pages: PageFetched) -> TraceRecord:
    chat_id = chat_in(tx).chat_id
    task_id = tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.WAITING)
    return TraceRecord(
        TraceKind.PLAN, chat_id, AgentId(1), TraceState.RETRYING, NOW, later(2), (CALL, *pages), task_id=task_id
    )


async def test_a_source_is_kept_by_the_place_of_its_page_over_all_attempts(store: Store) -> None:
    def work(tx: Transaction) -> list[object]:
        first = record_of(tx, page("http://a.example/", HTML), page("http://b.example/"))
        trace_id = tx.traces.record(first)
        alone = tx.traces.summary(trace_id)
        tx.traces.record(replace(first, entries=(CALL, page("http://c.example/", "<p>c</p>"))))
        both = tx.traces.summary(trace_id)
        assert alone is not None
        assert both is not None
        assert len(packed(HTML)) < alone.size < both.size
        assert [type(one) for one in tx.traces.body(trace_id).entries].count(PageFetched) == 3
        assert all(one.source == b"" for one in tx.traces.body(trace_id).entries if isinstance(one, PageFetched))
        return [tx.traces.source(trace_id, place) for place in range(4)]

    a, b, c, beyond = await store.transact(work)
    assert unpacked(a) == HTML  # type: ignore[arg-type]
    assert (b, beyond) == (None, None)
    assert unpacked(c) == "<p>c</p>"  # type: ignore[arg-type]


async def test_a_source_goes_with_its_trace(store: Store) -> None:
    def work(tx: Transaction) -> object:
        trace_id = tx.traces.record(record_of(tx, page("http://a.example/", HTML)))
        tx.traces.remove((trace_id,))
        return tx.traces.source(trace_id, 0)

    assert await store.transact(work) is None


async def test_a_source_goes_with_its_chat(store: Store) -> None:
    def work(tx: Transaction) -> object:
        record = record_of(tx, page("http://a.example/", HTML))
        trace_id = tx.traces.record(record)
        tx.people.forget_memories(record.chat_id, tx.chats.get(record.chat_id).info.peer_id)
        return tx.traces.source(trace_id, 0)

    assert await store.transact(work) is None


def test_of_a_long_source_its_beginning_is_kept() -> None:
    long = "<p>é</p>" * MOST_CHARACTERS
    assert unpacked(packed(long)) == long[:MOST_CHARACTERS]
    assert unpacked(packed("")) == ""
