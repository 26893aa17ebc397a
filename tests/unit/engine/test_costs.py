"""The day's sum: the operator's own day, whatever its length, from the booked calls of the store."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from chimein_gui.domain.costs import AgentDay, CallEnd, ModelCall
from chimein_gui.domain.ids import AgentId
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.spending.days import day_around
from chimein_gui.engine.llm.costs import MOST_LATENCIES, Costs
from tests.support.ingest_room import ingest_room
from tests.support.send_room import send_room

LISBON = ZoneInfo("Europe/Lisbon")
TOKYO = ZoneInfo("Asia/Tokyo")


def call(at, usd=1.0, end=CallEnd.ANSWERED, latency_s=2.0):
    return ModelCall("gemini-2.5-flash", "plan", at, latency_s, end, Usage(), cost_usd=usd)


def book(tx, chat_id, *calls):
    for one in calls:
        tx.effects.book(chat_id, one)


def test_the_day_is_that_of_the_operator_and_may_have_twenty_five_hours():
    now = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)
    assert day_around(now, TOKYO) == (datetime(2026, 11, 20, 15, tzinfo=UTC), datetime(2026, 11, 21, 15, tzinfo=UTC))
    for day, hours in ((datetime(2026, 10, 25, 12, tzinfo=UTC), 25), (datetime(2026, 3, 29, 12, tzinfo=UTC), 23)):
        began_at, ends_at = day_around(day, LISBON)
        assert ends_at - began_at == timedelta(hours=hours)


async def test_calls_of_other_days_and_without_an_answer(tmp_path):
    began_at, ends_at = day_around(datetime(2026, 11, 20, 12, tzinfo=UTC), UTC)
    calls = (
        call(began_at - timedelta(seconds=1), 100.0),
        call(began_at, 1.0, latency_s=3.0),
        call(began_at + timedelta(hours=1), 0.5, CallEnd.CANCELLED),
        call(began_at + timedelta(hours=2), None),
        call(ends_at, 100.0),
    )
    async with ingest_room(tmp_path) as room:
        await room.says()
        chat_id = (await room.chat()).chat_id
        await room.do(lambda tx: book(tx, chat_id, *calls))
        room.clock.advance((began_at + timedelta(hours=3) - room.clock.now()).total_seconds())
        day = await Costs(room.store, room.clock, UTC).today()
        mine, other = (await room.chat()).agent_id, AgentId(99)
        of_agent, of_other = [await Costs(room.store, room.clock, UTC).agent_today(one) for one in (mine, other)]
        await room.do(lambda tx: book(tx, chat_id, *[call(began_at, None)] * 300))
        many = await Costs(room.store, room.clock, UTC).today()
    assert (day.began_at, day.ends_at) == (began_at, ends_at)
    assert (many.calls, many.unpriced, len(many.latencies_s)) == (303, 301, MOST_LATENCIES)
    assert of_agent.usd == pytest.approx(1.5)
    assert (of_agent.unpriced, of_other) == (1, AgentDay())
    assert day.usd == pytest.approx(1.5)
    assert (day.calls, day.unpriced, day.latencies_s) == (3, 1, (3.0, 2.0))


async def test_what_was_sent_for_an_agent_today_is_counted(tmp_path):
    async with send_room(tmp_path) as room:
        chat_id = await room.chat()
        sent, _waits = [(await room.plan(chat_id, text))[0] for text in ("first", "second")]
        await room.execute(sent)
        assert (await Costs(room.store, room.clock, UTC).agent_today(sent.agent_id)).sent == 1
        assert (await Costs(room.store, room.clock, UTC).agent_today(AgentId(99))).sent == 0
