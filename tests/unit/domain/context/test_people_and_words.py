"""How names and words are read, in all scripts."""

from __future__ import annotations

import numpy as np
import pytest

from chimein_gui.domain.context import HistoryRow, LinkModel
from chimein_gui.domain.context.digest import FLAGS, digest
from chimein_gui.domain.context.people import COLUMNS
from chimein_gui.domain.context.table import Table
from chimein_gui.domain.context.words import overlap, words_in_common


def table_of(model: LinkModel, *rows: HistoryRow) -> Table:
    table = Table(model.general)
    for row in rows:
        table.append(row)
    return table


def column(table: Table, name: str) -> list[int]:
    found: list[int] = table.arrays().columns[:, COLUMNS.index(name)].tolist()
    return found


def flags(text: str) -> set[str]:
    bits = digest(HistoryRow(1, 0.0, "ana", text)).flags
    return {name for place, name in enumerate(FLAGS) if bits >> place & 1}


@pytest.mark.parametrize(
    "text",
    [
        "Marta: and now?",
        "marta, and now?",
        "@marta_l and now?",
        "@Marta and now?",
        "and now, Marta?",
        "Marta：现在呢？",
        "what does marta say",
    ],
)
def test_a_name_is_found_however_it_is_written(model: LinkModel, text: str) -> None:
    marta = HistoryRow(1, 0.0, "4711", "it is broken", "Marta López 🦊", aliases=("marta_l",))
    table = table_of(model, marta, HistoryRow(2, 9.0, "4712", text, "Ben"))
    assert column(table, "named0")[1] == column(table, "sender")[0]


@pytest.mark.parametrize(
    ("name", "text", "mentions"),
    [
        ("★777★ Berg", "★777★: and now?", ()),
        ("★777★ Berg", "so says ★777★ too", ()),
        ("|quad-_", "quad: and now?", ()),
        ("|quad-_", "what does quad say", ()),
        ("[quad]", "[quad]: and now?", ()),
        ("🦊🦊", "🦊🦊: and now?", ()),
        ("هالة", "هالة، والآن؟", ()),
        ("Marta López 🦊", "look at this", ("Marta López 🦊",)),
    ],
)
def test_names_of_any_signs_are_found(model: LinkModel, name: str, text: str, mentions: tuple[str, ...]) -> None:
    """The first word of a name is one, with its decoration and without."""
    rows = HistoryRow(1, 0.0, "4711", "it is broken", name), HistoryRow(2, 9.0, "4712", text, "Ben", mentions=mentions)
    table = table_of(model, *rows)
    assert column(table, "named0")[1] == column(table, "sender")[0]


def test_entities_name_people_by_their_key(model: LinkModel) -> None:
    first = HistoryRow(1, 0.0, "4711", "hello", "🦊")
    second = HistoryRow(2, 9.0, "4712", "look at this", "Ben", mentions=("4711",))
    table = table_of(model, first, second)
    assert column(table, "named0")[1] == column(table, "sender")[0]
    assert column(table, "leads")[1] == 2


def test_a_reply_names_whom_it_answers(model: LinkModel) -> None:
    first = HistoryRow(1, 0.0, "4711", "hello")
    table = table_of(model, first, HistoryRow(2, 9.0, "4712", "look"), HistoryRow(3, 10.0, "4712", "yes", reply_to=1))
    assert column(table, "named0") == [-1, -1, column(table, "sender")[0]]
    assert table.parents == [-1, -1, 0]


def test_somebody_may_be_addressed_before_he_speaks(model: LinkModel) -> None:
    table = table_of(model, HistoryRow(1, 0.0, "a", "zed: are you there?"), HistoryRow(2, 9.0, "zed", "yes"))
    assert column(table, "named0")[0] == column(table, "sender")[1]
    assert column(table, "leads")[0] == 1
    assert column(table, "prev_named")[1] == 0


@pytest.mark.parametrize("mark", [", ", ": ", "; ", "，", "："])
def test_a_name_before_a_mark_is_whom_a_row_is_for(model: LinkModel, mark: str) -> None:
    rows = [
        HistoryRow(1, 0.0, "a", "yes", "Zed"),
        HistoryRow(2, 9.0, "b", f"Zed{mark}ok?"),
        HistoryRow(3, 9.0, "b", ""),
    ]
    assert column(table_of(model, *rows), "leads") == [0, 2, 0]


def test_an_opening_word_before_a_comma_is_nobody_later(model: LinkModel) -> None:
    table = table_of(
        model, HistoryRow(1, 0.0, "a", "well, I think so"), HistoryRow(2, 9.0, "b", "that went well I hope")
    )
    assert column(table, "named0")[1] == -1


@pytest.mark.parametrize(
    ("one", "other", "third"),
    [
        ("明天去哪家餐厅吃饭", "那家泰国餐厅怎么样", "电脑坏了"),
        ("พรุ่งนี้กินร้านอาหารไหน", "ร้านอาหารไทยดีไหม", "ฝนตกหนัก"),
        ("レストランを予約しますか", "タイレストランはどう", "電車が遅れた"),
        ("Wo ist der Drucker?", "den Druckern fehlt Papier", "ich bin müde"),
        ("какой ресторан выбрать", "тайский ресторан рядом", "сервер упал"),
    ],
)
def test_words_meet_without_spaces_and_with_endings(model: LinkModel, one: str, other: str, third: str) -> None:
    texts = (one, third, other)
    table = table_of(model, *(HistoryRow(n, float(n), "a", text) for n, text in enumerate(texts)))
    total = overlap(table, np.arange(len(table.rows))).total
    assert total[2, 0] > 1 > total[2, 1]


def test_rare_words_weigh_more_than_common_ones(model: LinkModel) -> None:
    texts = [*("we have the update of the day",) * 6, "the quagmire", "the update quagmire"]
    table = table_of(model, *(HistoryRow(n, float(n), "a", text) for n, text in enumerate(texts)))
    total = overlap(table, np.arange(len(table.rows))).total
    assert total[7, 6] > 1.4 * total[7, 5] > 0


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("what now", "asks"),
        ("jetzt？", "question_mark"),
        ("danke dir", "thanks"),
        ("привет всем", "greets"),
        ("ok", "agrees"),
        ("see https://example.org", "url"),
        ("and then…", "trails_off"),
    ],
)
def test_kinds_of_utterances(text: str, wanted: str) -> None:
    assert wanted in flags(text)
    assert wanted not in flags("the cat sat on a mat by the door")


def test_words_of_a_trigger_and_of_its_anchor_are_told_apart(model: LinkModel) -> None:
    texts = ("the kernel panics", "dinner is ready", "which kernel was it", "no dinner for me")
    table = table_of(model, *(HistoryRow(n, 60.0 * n, "abca"[n], text) for n, text in enumerate(texts)))
    of_trigger, of_anchor = words_in_common(table, overlap(table, np.array([3])).total[0], 2)
    assert of_trigger.shape == of_anchor.shape == (3,)
    assert of_trigger[1] > of_trigger[0] == of_trigger[2] == 0
    assert of_anchor[0] > of_anchor[1] == of_anchor[2] == 0
