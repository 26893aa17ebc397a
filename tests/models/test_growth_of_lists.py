"""What a key costs in the palette with many chats, counted in calls."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from chimein_gui.domain.events import AgentChanged
from chimein_gui.domain.ids import Revision
from chimein_gui.viewmodels.chats import branches as chat_branches
from chimein_gui.viewmodels.chats import feed
from chimein_gui.viewmodels.chats.show import Show
from chimein_gui.viewmodels.palette import chats as palette_chats
from chimein_gui.viewmodels.palette import palette
from chimein_gui.viewmodels.palette.chats import MOST_STREWN, ChatFinder
from chimein_gui.viewmodels.palette.fuzzy import folded, match
from chimein_gui.viewmodels.palette.palette import MOST_OF_ONE, PaletteModel
from tests.fakes.engine_api import NOON, agent, chat

MANY = 3_000
SYLLABLES = ("ma", "no", "Élif", "ol", "ra", "Zoë", "ka", "ti ", "un ", "ver")


@pytest.fixture
def crowded(room, qtbot):
    """Many agents and chats."""
    for number in range(1, 31):
        room.api.agents[number] = agent(number, f"Agent {number}")
    for number in range(1, MANY + 1):
        room.api.chats[number] = chat(number, f"Mona Partner {number:05}", 1 + number % 30)
    room.attach()
    qtbot.waitUntil(lambda: len(room.models.chats.all_chats()) == MANY)
    return room


def counting(monkeypatch, owner, name):
    calls = []
    plain = getattr(owner, name)

    def count(*arguments, **named):
        calls.append(arguments)
        return plain(*arguments, **named)

    monkeypatch.setattr(owner, name, count)
    return calls


def test_a_key_matches_few_names_letter_by_letter(crowded, monkeypatch):
    model = PaletteModel(crowded.models, (), ())
    matched = counting(monkeypatch, palette_chats, "match")
    model.set_query("@o")
    assert len(matched) <= MOST_OF_ONE
    matched.clear()
    model.set_query("@on")
    assert len(matched) <= MOST_OF_ONE
    matched.clear()
    model.set_query("@mp")
    assert MOST_STREWN <= len(matched) <= MOST_STREWN + 2 * MOST_OF_ONE
    assert len(model.entries()) == MOST_OF_ONE
    model.deleteLater()


def test_the_next_letter_looks_at_what_the_ones_before_have_left(crowded, monkeypatch):
    finder = ChatFinder(crowded.models.chats.all_chats, lambda _chat: 0)
    finder.find("mona partner 012", 6)
    matched = counting(monkeypatch, palette_chats, "match")
    ((fit, found),) = finder.find("mona partner 01234", 6)
    assert found.info.title == "Mona Partner 01234"
    assert fit.spans == ((0, 18),)
    assert len(matched) == 1
    assert len(finder._left) == 1
    assert len(finder.find("mona", 6)) == 6
    finder.forget()
    assert len(finder.find("mona", 6)) == 6


def test_letter_by_letter_the_same_chats_are_found_as_by_all_names(room):
    dice = random.Random(7)
    for number in range(1, 300):
        title = "".join(dice.choices(SYLLABLES, k=dice.randint(1, 5))).strip().title()
        username = "".join(dice.choices(SYLLABLES, k=2)).replace(" ", "_").lower() if number % 2 else ""
        made = chat(number, title)
        room.api.chats[number] = replace(made, info=replace(made.info, username=username))
    room.attach()
    known = room.models.chats.all_chats()
    finder = ChatFinder(lambda: known, lambda one: one.chat_id % 3)

    def by_all_names(words, most):
        fitting = []
        for place, one in enumerate(known):
            fit = match(words, one.info.title) or (match(words, one.info.username) if one.info.username else None)
            if fit is not None:
                fitting.append((fit.score + one.chat_id % 3, -place, one.chat_id))
        return [chat_id for _, _, chat_id in sorted(fitting, reverse=True)[:most]]

    for _ in range(60):
        words = folded("".join(dice.choices(SYLLABLES, k=3))).replace("  ", " ").strip()[: dice.randint(2, 7)]
        for end in range(1, len(words) + 1):
            typed = words[:end].strip()
            found = finder.find(typed, 6)
            assert [one.chat_id for _, one in found] == by_all_names(typed, 6), typed


def test_a_key_in_the_filter_folds_no_name_again(crowded, monkeypatch):
    tree = crowded.models.chats
    tree.ask(Show.ALL, "m")
    folds = counting(monkeypatch, chat_branches, "names_of")
    orders = counting(monkeypatch, chat_branches, "chat_order")
    for typed in ("mo", "mona partner 0000", "part", ""):
        tree.ask(Show.ALL, typed)
    assert (folds, orders) == ([], [])
    tree.ask(Show.ALL, "partner 00007")
    assert [tree.listed(row) for row in range(30)].count(1) == 1
    renamed = replace(crowded.api.chats[7], info=replace(crowded.api.chats[7].info, title="Someone else"))
    crowded.put_chat(renamed)
    assert len(folds) == 1
    tree.ask(Show.ALL, "someone")
    assert [tree.listed(row) for row in range(30)].count(1) == 1


def test_an_agents_new_name_is_looked_for_too(crowded):
    tree = crowded.models.chats
    tree.ask(Show.ALL, "agent 7")
    assert tree.listed(6) == MANY // 30
    crowded.api.agents[7] = renamed = agent(7, "Zora")
    crowded.api.publish(AgentChanged(renamed, Revision(crowded.api.revision + 1)))
    crowded.settle()
    tree.ask(Show.ALL, "zora")
    assert [tree.listed(row) for row in range(30)] == [0] * 6 + [MANY // 30] + [0] * 23


def rows_of(tree):
    return sum(tree.rowCount(tree.index(row, 0)) for row in range(tree.rowCount()))


def test_many_agents_together_have_no_more_rows_than_a_few(room, qtbot):
    for number in range(1, 61):
        room.api.agents[number] = agent(number, f"Agent {number}")
    for number in range(1, MANY + 1):
        room.api.chats[number] = chat(number, f"Mona Partner {number:05}", 1 + number % 60)
    room.attach()
    qtbot.waitUntil(lambda: len(room.models.chats.all_chats()) == MANY)
    tree = room.models.chats
    assert rows_of(tree) == chat_branches.ROWS_AT_FIRST
    tree.ask(Show.ALL, "mona")
    assert rows_of(tree) == chat_branches.ROWS_AT_FIRST
    tree.show_more(3)
    assert tree.rowCount(tree.index(3, 0)) == MANY // 60


def test_many_chats_are_taken_in_by_slices_and_what_is_told_meanwhile_counts(room, monkeypatch, qtbot):
    monkeypatch.setattr(feed, "FILLED_AT_ONCE", 100)
    for number in range(1, 351):
        room.api.chats[number] = chat(number, f"Partner {number}")
    tree = room.models.chats
    room.attach()
    assert len(tree.all_chats()) == 100
    newer = replace(room.api.chats[340], unread=7, last_at=NOON)
    room.put_chat(newer)
    assert tree.chat(340) == newer
    qtbot.waitUntil(lambda: len(tree.all_chats()) == 350)
    assert tree.chat(340) == newer
    assert tree.listed(0) == 350


def test_an_agent_is_told_of_once_however_many_of_its_chats_need_the_operator(room, qtbot):
    for number in range(1, 351):
        room.api.chats[number] = replace(chat(number, f"Partner {number}"), pending=1)
    tree, told = room.models.chats, []
    tree.dataChanged.connect(lambda first, _last: told.append(tree.pending_of(1)) if tree.is_agent(first) else None)
    room.attach()
    qtbot.waitUntil(lambda: len(tree.all_chats()) == 350)
    assert told == [350]
    for number in range(1, 5):
        room.api.put_chat(replace(room.api.chats[number], pending=2))
    room.settle()
    assert told == [350, 354]


def test_the_names_are_read_when_the_palette_opens_and_no_turn_reads_many(crowded, monkeypatch, qtbot):
    monkeypatch.setattr(palette, "READ_AT_ONCE", 500)
    named, turns = counting(monkeypatch, palette_chats.ChatFinder, "_name"), []
    model = PaletteModel(crowded.models, (), ())
    model._reading.timeout.connect(lambda: turns.append(len(named)))
    qtbot.waitUntil(lambda: not model._reading.isActive())
    assert turns == [500, 1_000, 1_500, 2_000, 2_500, 3_000]
    named.clear()
    model.set_query("@mona")
    assert len(model.entries()) == MOST_OF_ONE
    assert named == []
    model.deleteLater()


def test_a_chat_that_changes_while_the_palette_is_open_has_its_own_name_read_again(crowded, monkeypatch, qtbot):
    model, api = PaletteModel(crowded.models, (), ()), crowded.api
    qtbot.waitUntil(lambda: not model._reading.isActive())
    model.set_query("@zoe")
    assert not model.entries()
    named = counting(monkeypatch, palette_chats.ChatFinder, "_name")
    api.put_chat(replace(api.chats[7], info=replace(api.chats[7].info, title="Zoë Vale")))
    api.put_chat(chat(MANY + 1, "Zoe Oliveira"))
    api.put_chat(replace(api.chats[8], unread=3))
    crowded.settle()
    model.set_query("@zoe")
    assert {entry.title for entry in model.entries()} == {"Zoë Vale", "Zoe Oliveira"}
    assert len(named) == 3
    model.deleteLater()


def test_a_chat_that_changes_while_names_are_read_is_found_by_its_new_one_only(crowded, monkeypatch):
    monkeypatch.setattr(palette_chats, "READ_AT_ONCE", 500)
    finder, api = ChatFinder(crowded.models.chats.all_chats, lambda _chat: 0), crowded.api
    assert finder.read(500)
    for number in (1, MANY):
        changed = replace(api.chats[number], info=replace(api.chats[number].info, title=f"Zoe {number}"))
        finder.follow([changed])
    assert sorted(found.chat_id for _, found in finder.find("zoe", 9)) == [1, MANY]
    assert finder.find("mona partner 00001", 9) == []
    assert finder.total() == MANY
