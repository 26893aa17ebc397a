"""What the command palette lists, and how it matches."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.palette.entries import HOLD, Entry, Kind, Scope
from chimein_gui.viewmodels.palette.fuzzy import folded, match
from chimein_gui.viewmodels.palette.palette import PaletteModel
from tests.fakes.engine_api import BIG, NOON, agent, approval, chat

COMMANDS = (
    Entry(Kind.COMMAND, "keys", "Keys", shortcut="F1"),
    Entry(Kind.COMMAND, "hold", "Hold or release everything", shortcut="F8"),
    Entry(Kind.COMMAND, "mark", "Mark all as read"),
    Entry(Kind.COMMAND, "quit", "Quit", shortcut="Ctrl+Q", destructive=True),
    Entry(Kind.COMMAND, "quieter", "Quite another command"),
)


@pytest.fixture
def palette(room):
    room.api.agents[2] = agent(2, "Marek Agent")
    room.api.chats[2] = chat(2, "Maritime Antiques", 2)
    room.api.chats[3] = chat(3, "Elif Kaya", 2)
    room.api.approvals[BIG + 1] = approval(1, "Draft", created_at=NOON - timedelta(minutes=3))
    room.attach()
    made = []

    def make(*recent):
        made.append(PaletteModel(room.models, COMMANDS, recent))
        return made[-1]

    yield make
    for one in made:
        one.deleteLater()


def ids(model):
    return [entry.entry_id for entry in model.entries()]


def test_nothing_typed_shows_where_one_was_what_needs_one_and_what_one_can_do(palette):
    model = palette("chat:3", "command:mark", "chat:99")
    headings = [model.index(row, 0).data() for row in range(model.rowCount()) if model.entry_at(row) is None]
    assert headings == ["Recent", "Needs you", "Commands"]
    assert ids(model)[:2] == ["chat:3", "command:mark"]
    assert ids(model).index("chat:1") < ids(model).index(f"approval:{BIG + 1}")
    assert HOLD in ids(model)
    assert "command:quit" not in ids(model)


def test_chats_agents_drafts_and_commands_are_found_together(palette):
    model = palette()
    model.set_query("mar")
    assert {"chat:1", "chat:2", "agent:2", "command:mark", f"approval:{BIG + 1}"} <= set(ids(model))
    assert "chat:3" not in ids(model)
    assert model.entry_at(model.first()).title == "Marta Oliveira"
    assert model.entry_at(model.first()).detail == "Nora Vale, planned message waits"


@pytest.mark.parametrize(
    ("typed", "scope", "kinds"),
    [
        ("@mar", Scope.CHATS, {Kind.CHAT}),
        (">", Scope.COMMANDS, {Kind.COMMAND}),
        ("> quit", Scope.COMMANDS, {Kind.COMMAND}),
        ("#", Scope.AGENTS, {Kind.AGENT}),
        ("# mar", Scope.AGENTS, {Kind.AGENT}),
        ("/plum", Scope.MESSAGES, set()),
    ],
)
def test_a_prefix_narrows(palette, typed, scope, kinds):
    model = palette()
    model.set_query(typed)
    assert model.scope is scope
    assert {entry.kind for entry in model.entries()} == kinds


def test_what_ends_something_is_never_first_and_return_does_not_mean_it(palette):
    model = palette()
    model.set_query("quit")
    assert ids(model)[0] != "command:quit"
    assert "command:quit" in ids(model)
    model.set_query("quit ")
    first = model.entry_at(model.first())
    assert first is None or not first.destructive


def test_the_brake_is_in_the_list_whatever_is_typed(palette):
    model = palette()
    for typed in ("", "mar", "zzzz", ">keys", "quit"):
        model.set_query(typed)
        assert HOLD in ids(model), typed


def test_who_was_visited_lately_comes_first_of_equals(room, palette):
    room.api.put_chat(chat(4, "Maria One", 2))
    room.put_chat(chat(5, "Maria Two", 2))
    model = palette("chat:5")
    model.set_query("@maria")
    assert ids(model)[:2] == ["chat:5", "chat:4"]


def test_a_user_name_finds_its_chat_and_marks_nothing(room, palette):
    info = replace(room.api.chats[3].info, username="kaya_e")
    room.put_chat(replace(room.api.chats[3], info=info))
    model = palette()
    model.set_query("@kaya_e")
    assert ids(model) == ["chat:3"]
    assert model.index(1, 0).data(ItemRole).spans == ()


@pytest.mark.parametrize(
    ("query", "text", "marked"),
    [
        ("mar", "Marta Oliveira", "Mar"),
        ("mol", "Marta Oliveira", "MOl"),
        ("oli mar", "Marta Oliveira", "MarOli"),
        ("ines", "Inês Carvalhal", "Inês"),
        ("strasse", "Große STRASSE", "STRASSE"),
        ("田辺", "田辺ゆき", "田辺"),
    ],
)
def test_what_fits_and_where(query, text, marked):
    found = match(folded(query), text)
    assert found is not None
    assert "".join(text[begin:end] for begin, end in found.spans) == marked


@pytest.mark.parametrize(("query", "text"), [("mar", "Modular Berlin"), ("x", "Marta"), ("ram", "Marta"), ("mm", "m")])
def test_what_does_not_fit(query, text):
    assert match(query, text) is None


def test_the_beginning_is_better_than_the_middle_and_a_run_better_than_pieces():
    scores = [found.score for text in ("Marta", "Anna Marta", "Tamara") if (found := match("mar", text))]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 3


@pytest.mark.parametrize("text", ["", "Z" + "\u0301" * 4000, "\u202egnp", "👩‍👩‍👧‍👦", "İstanbul", "ﬁne"])
def test_letters_keep_their_places_in_any_text(text):
    assert len(folded(text)) == len(text)
