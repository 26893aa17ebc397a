"""The stories that the selector was made for, each exact, with the weights that ship."""

from __future__ import annotations

import pytest

from chimein_gui.domain.context import HistoryRow, LinkModel, Reason, prepare_all, select_context
from tests.unit.domain.context.chats import DAY, HOUR, MINUTE, chat, included, tag


def chosen(history: list[HistoryRow], trigger: HistoryRow, model: LinkModel) -> list[int]:
    """Choose from scratch and with prepared rows: both say the same."""
    ids = included(select_context(history, trigger, model))
    assert included(select_context(history, trigger, model, prepare_all(history, model))) == ids
    return ids


def test_a_generic_tag_after_an_interleaved_chat_gets_a_c_d_of_a_to_e(model: LinkModel) -> None:
    history = chat(
        (25 * MINUTE, "Nadia", "Should we move the offsite to Lisbon?"),
        (21 * MINUTE, "Bruno", "Does anyone know a good bike shop?"),
        (15 * MINUTE, "Ilse", "Nadia: Lisbon works for me, flights to Lisbon are cheap"),
        (10 * MINUTE, "Nadia", "Ilse, ok then Lisbon, is the hotel near the river free?"),
        (5 * MINUTE, "Bruno", "found a bike shop, thanks"),
    )
    assert chosen(history, tag("Nadia"), model) == [100, 102, 103]


def test_the_same_with_telegram_s_replies_in_the_place_of_names(model: LinkModel) -> None:
    history = chat(
        (25 * MINUTE, "Nadia", "Should we move the offsite to Lisbon?"),
        (21 * MINUTE, "Bruno", "Who has seen my bike lock?"),
        (15 * MINUTE, "Ilse", "Works for me, flights are cheap", 100),
        (10 * MINUTE, "Nadia", "ok, then I ask the hotel", 102),
        (5 * MINUTE, "Bruno", "found the bike lock, it was in my bag"),
    )
    assert chosen(history, tag("Nadia"), model) == [100, 102, 103]


def test_a_tag_that_replies_to_a_message_three_days_old(model: LinkModel) -> None:
    history = chat(
        (4 * DAY, "Petra", "who brings the cake on Sunday?"),
        (4 * DAY - 400, "Sofi", "I can bring one"),
        (3 * DAY, "Marek", "The boiler shows error F28, should I call the service or reset it?"),
        (2 * HOUR, "Sofi", "Petra: are you coming to the lake?"),
        (2 * HOUR - 200, "Petra", "Sofi: yes, in an hour"),
        (30 * MINUTE, "Sofi", "Petra: bring the big towel"),
    )
    trigger = tag("Marek", "@bot can you help with this", reply_to=102)
    assert chosen(history, trigger, model) == [102]
    assert select_context(history, trigger, model)[2].reason is Reason.ANCHOR


def test_the_restaurant_chat_is_all_of_it(model: LinkModel) -> None:
    history = chat(
        (3 * DAY, "Priya", "We should look for a restaurant for the dinner"),
        (2 * DAY, "Tom", "Which restaurant do you have in mind?"),
        (10 * MINUTE, "Wen", "What about the Thai restaurant?"),
    )
    assert chosen(history, tag("Priya"), model) == [100, 101, 102]
    assert included(select_context(history, tag("Priya"), None)) == [102]  # what time alone would give


TALKS = {
    "printer": (
        ("Ada", "Hi, the printer on floor two jams, who can look at it?"),
        ("Ben", "Ada: which paper is in the printer?"),
        ("Ada", "Ben: thick paper, it jams at the second tray"),
        ("Ben", "Ada: the second tray of the printer takes no thick paper"),
        ("Ada", "Ben: then I use the first tray"),
        ("Ben", "Ada: yes, the first tray takes all paper"),
    ),
    "picnic": (
        ("Cleo", "Hello all, who brings blankets to the picnic?"),
        ("Dov", "Cleo: I have two blankets for the picnic"),
        ("Cleo", "Dov: great, and lemonade?"),
        ("Dov", "Cleo: lemonade for six?"),
        ("Cleo", "Dov: lemonade for eight, Mia comes to the picnic too"),
        ("Dov", "Cleo: ok, lemonade and blankets"),
    ),
    "invoice": (
        ("Eva", "Hey, does anyone have the invoice of the caterer?"),
        ("Finn", "Eva: the invoice is in the shared folder"),
        ("Eva", "Finn: that invoice lacks the tax number"),
        ("Finn", "Eva: I ask the caterer for the tax number"),
        ("Eva", "Finn: thanks, the caterer knows me"),
        ("Finn", "Eva: the caterer sends a new invoice"),
    ),
}


@pytest.mark.parametrize("topic", TALKS)
def test_a_busy_chat_without_any_gap(model: LinkModel, topic: str) -> None:
    turns = [line for three in zip(*TALKS.values(), strict=True) for line in three]
    history = chat(*((20.0 * (len(turns) - place), who, text) for place, (who, text) in enumerate(turns)))
    wanted = [row.message_id for row in history if (row.sender_name, row.text) in TALKS[topic]]
    assert len(wanted) == 6
    assert chosen(history, tag(TALKS[topic][0][0]), model) == wanted
    assert len(included(select_context(history, tag(TALKS[topic][0][0]), None))) == len(history)  # time can't tell
