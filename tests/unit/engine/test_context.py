"""Which messages a prompt holds, with the whole engine (SPEC §4; issue 7, done when 2)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from chimein_gui.domain.context import HistoryRow, prepare_all, select_context
from chimein_gui.domain.ids import MessageId
from tests.fakes.clock import VirtualClock
from tests.fakes.group import group_info
from tests.support.group_room import NORA, PEOPLE, GroupRoom, group_room, shipped_model, texts

MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0
ASKED = "Nora, what do you think?"


def now_s() -> float:
    return VirtualClock().now().timestamp()


async def test_a_generic_tag_sees_its_own_conversation_of_two(here: GroupRoom) -> None:
    here.group.said(
        (26 * MINUTE, "Priya", "Tom, should we move the weekly call to 9:30?"),
        (21 * MINUTE, "Ben", "Leo, my parcel arrived, only eleven days late"),
        (14 * MINUTE, "Tom", "Priya, a weekly call at 9:30 collides with my school run"),
        (9 * MINUTE, "Priya", "Tom, then the weekly call at 10:00?"),
        (4 * MINUTE, "Leo", "Ben, did they send the right cable at last?"),
    )
    a, _, c, d, _ = [post.text for post in here.group.posts]
    assert texts(await here.call("Priya")) == [a, c, d, ASKED]


async def test_the_prompt_holds_just_what_the_choice_includes(here: GroupRoom) -> None:
    old = [(5 * DAY - 60 * n, ("Ida", "Wen")[n % 2], f"{('Wen', 'Ida')[n % 2]}, sail number {n}") for n in range(20)]
    new = [(900.0 - 40 * n, ("Ben", "Leo")[n % 2], f"{('Leo', 'Ben')[n % 2]}, goal number {n}") for n in range(20)]
    lines = [*old, *new]
    here.group.said(*lines)
    held = texts(await here.call("Ben"))
    rows = [HistoryRow(n + 1, now_s() - at, str(PEOPLE[name]), text, name) for n, (at, name, text) in enumerate(lines)]
    trigger = HistoryRow(41, now_s(), str(PEOPLE["Ben"]), "@bot what do you think?", "Ben")
    choices = select_context(rows, trigger, shipped_model(), prepare_all(rows, shipped_model()))
    assert 1 < len(held) < 41
    assert held == [*(rows[one.message_id - 1].text for one in choices if one.included), ASKED]


async def test_a_tag_that_replies_to_a_message_three_days_old_has_it(here: GroupRoom) -> None:
    (old,) = here.group.said((3 * DAY, "Wen", "We need a name for the ferry, something with wind"))
    here.group.said(*((40 * MINUTE - 30 * n, "Ben" if n % 2 else "Leo", f"goal number {n}!") for n in range(30)))
    prompt = await here.call("Priya", "Nora, your idea?", reply_to=old)
    assert "We need a name for the ferry, something with wind" in texts(prompt)
    (anchor,) = [section.text for section in prompt.sections if section.title == "Reply anchor"]
    assert f"message {old}, by ⟦name: Wen⟧" in anchor
    span = (await here.graph()).span
    assert [one.reason for one in span.choices if one.message_id == old] == ["anchor"]


async def test_the_restaurant_of_three_days_is_one_conversation(here: GroupRoom) -> None:
    here.group.said(
        (3 * DAY, "Priya", "We should look at the restaurant for the gathering"),
        (2 * DAY, "Tom", "Any thoughts?"),
        (10 * MINUTE, "Wen", "The thai restaurant on 10th Ave?"),
    )
    said = [post.text for post in here.group.posts]
    assert texts(await here.call("Priya", "Nora?")) == [*said, "Nora?"]


async def test_a_busy_chat_without_any_gap(here: GroupRoom) -> None:
    for n in range(12):
        one, other = ("Priya", "Tom") if n % 2 else ("Tom", "Priya")
        here.group.said((600.0 - 40 * n, one, f"{other}, the tent needs tent pole {n}"))
        one, other = ("Ben", "Leo") if n % 2 else ("Leo", "Ben")
        here.group.said((590.0 - 40 * n, one, f"{other}, goal in minute {n}, what a match"))
    held = texts(await here.call("Priya", "Nora, does the tent stand with that, Tom?"))
    assert len([text for text in held if "tent" in text]) >= 8
    assert len([text for text in held if "match" in text]) <= 1


async def test_an_anchor_that_is_not_stored_is_fetched(here: GroupRoom) -> None:
    connected, here.group.online = here.group.online, {}  # nobody tells the client
    (old,) = here.group.said((3 * DAY, "Wen", "the key lies under the blue boat"))
    here.group.online = connected
    here.group.said((HOUR, "Ben", "hello"))
    prompt = await here.call("Tom", "Nora, which boat?", reply_to=old)
    assert "the key lies under the blue boat" in texts(prompt)


async def test_history_before_the_first_message_is_fetched_before_the_first_plan(tmp_path: Path) -> None:
    async with group_room(tmp_path, spec=replace(NORA, group_history=500)) as here:
        connected, here.group.online = here.group.online, {}
        here.group.said(*((DAY - n, "Ben", f"line {n}") for n in range(40)))
        here.group.online = connected
        held = texts(await here.call("Tom"))
        assert held == [*(f"line {n}" for n in range(40)), ASKED]
        assert (await here.graph()).trigger_ids == (MessageId(41),)


async def test_history_n_takes_the_newest_and_the_anchor_before_them(tmp_path: Path) -> None:
    async with group_room(tmp_path, spec=replace(NORA, group_history=3)) as here:
        here.group.said(*((HOUR - n, "Ben", f"line {n}") for n in range(10)))
        prompt = await here.call("Tom", reply_to=2)
        assert texts(prompt) == ["line 1", "line 8", "line 9", ASKED]
        span = (await here.graph()).span
        assert [number for number in range(1, 12) if span.holds(MessageId(number))] == [2, 9, 10, 11]


async def test_without_weights_it_is_the_last_session(here: GroupRoom) -> None:
    here.room.engine._services.planner._services.source.contexts._model = None
    here.group.said((5 * HOUR, "Ben", "over"), (20 * MINUTE, "Tom", "still on"))
    assert texts(await here.call("Tom")) == ["still on", ASKED]


async def two_unanswered(here: GroupRoom) -> list[str]:
    here.group.said(
        (50 * MINUTE, "Priya", "the tent has no poles"),
        (40 * MINUTE, "Leo", "the match begins at nine, Ben"),
        (30 * MINUTE, "Tom", "Priya, the poles of the tent are in my car"),
        (20 * MINUTE, "Ben", "nine is late for a match, Leo"),
    )
    await here.call("Priya", "Nora, is the tent complete then?")
    return texts(await here.call("Leo", "Nora, when does the match begin?"))


async def test_several_unanswered_triggers_give_the_union(here: GroupRoom) -> None:
    held = await two_unanswered(here)
    assert {"the tent has no poles", "the match begins at nine, Ben"} <= set(held)
    assert {"Nora, is the tent complete then?", "Nora, when does the match begin?"} <= set(held)


async def test_the_plan_keeps_every_choice_with_its_reason(here: GroupRoom) -> None:
    here.group.said((10 * MINUTE, "Tom", "the tent is dry"), (5 * MINUTE, "Priya", "then we pack the tent, Tom"))
    await here.call("Tom", "Nora, shall we pack the tent?")
    span = (await here.graph()).span
    assert [one.message_id for one in span.choices] == [1, 2]
    assert [one.reason for one in span.choices] == ["link", "link"]
    assert all(50 <= one.percent <= 100 for one in span.choices)  # as "link" says
    assert span.chosen == (*(one.message_id for one in span.choices if one.included), 3)
    (draft,) = (await here.room.engine.load_approvals()).rows
    assert (draft.context_held, draft.context_of) == (len(span.chosen), 3)


async def test_the_rows_are_prepared_when_the_trigger_comes(here: GroupRoom) -> None:
    here.group.said(*((HOUR - 10 * n, "Tom" if n % 3 else "Ben", f"word {n} of it") for n in range(150)))
    await here.settled()
    prepared = here.room.engine._services.prepared
    chat_id = await here.chat_id()
    before = prepared.before(chat_id, MessageId(151))
    assert before is not None
    assert [row.message_id for row in before.rows] == list(range(1, 151))
    await here.call("Tom")
    kept = prepared.before(chat_id, MessageId(151))
    assert kept is not None
    assert kept.rows[-1].message_id == 150
    assert kept.trigger is not None
    assert (kept.trigger.trigger.message_id, kept.trigger.trigger.text) == (151, "@bot what do you think?")
    here.group.said((1.0, "Ben", "one more"))
    await here.settled()
    still = prepared.before(chat_id, MessageId(151))
    assert still is not None
    assert still.rows[-1].message_id == 150


async def test_an_edit_throws_prepared_rows_away_and_they_are_made_anew(here: GroupRoom) -> None:
    here.group.said(*((HOUR - 10 * n, "Tom", f"word {n}") for n in range(5)))
    await here.settled()
    here.room.clock.advance(10)
    info = here.group.online
    (gateway,) = info.values()
    assert gateway.listener is not None
    account = next(iter(info))
    message = replace(
        here.group.seen_by(here.group.posts[1], account), text="another word", edited_at=here.room.clock.now()
    )
    gateway.listener.message_edited(group_info(account), message)
    await here.settled()
    before = here.room.engine._services.prepared.before(await here.chat_id(), MessageId(6))
    assert before is not None
    assert [row.text for row in before.rows] == ["word 0", "another word", "word 2", "word 3", "word 4"]
