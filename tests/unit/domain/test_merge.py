"""A three-way merge of texts."""

import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chimein_gui.domain.text.merge import Change, Chunk, MergedText, Side, merge, merged

WORDS = st.lists(
    st.sampled_from(["a", "b", "nine,", "foot", " ", "  ", "\n", "\n\n", "山", "שלום", "😄", "."]), max_size=14
)
TEXTS = WORDS.map("".join)

BASE = "It opened on 2 November, but only on foot; start before nine, the car park is tiny."
MINE = "It opened on 2 November, but only on foot: start before eight, the car park is tiny."
THEIRS = "Sunday works! It opened on 2 November, but only on foot; start before half past seven, the car park is tiny."


def _changes(chunks: tuple[Chunk, ...]) -> list[tuple[Change, str, str, str]]:
    return [(one.change, one.base, one.mine, one.theirs) for one in chunks if one.change is not Change.NONE]


def test_changes_of_both_sides_come_together_and_only_the_same_words_are_a_conflict() -> None:
    chunks = merge(BASE, MINE, THEIRS)
    assert _changes(chunks) == [
        (Change.THEIRS, "", "", "Sunday works! "),
        (Change.MINE, ";", ":", ";"),
        (Change.CONFLICT, "nine", "eight", "half past seven"),
    ]
    place = [one.change for one in chunks].index(Change.CONFLICT)
    start = "Sunday works! It opened on 2 November, but only on foot: start before"
    assert merged(chunks) == f"{start} eight, the car park is tiny."
    assert merged(chunks, {place: Side.THEIRS}) == f"{start} half past seven, the car park is tiny."


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "result", "conflicts"),
    [
        ("one\n\ntwo", "one!\n\ntwo", "one\n\ntwo\n\nthree", "one!\n\ntwo\n\nthree", 0),
        ("one\n\ntwo", "two", "one\n\ntwo!", "two!", 0),
        ("come at nine", "come at ten", "come at ten", "come at ten", 0),
        ("", "mine", "theirs", "mine", 1),
        ("gone word", "word", "changed word", "changed word", 1),
        ("今天去", "明天去", "今天来", "明天来", 0),
    ],
)
def test_paragraphs_scripts_and_what_one_side_left_out(
    base: str, mine: str, theirs: str, result: str, conflicts: int
) -> None:
    chunks = merge(base, mine, theirs)
    assert merged(chunks) == result
    assert sum(one.change is Change.CONFLICT for one in chunks) == conflicts


@given(TEXTS, TEXTS, TEXTS)
def test_no_text_is_lost(base: str, mine: str, theirs: str) -> None:
    chunks = merge(base, mine, theirs)
    for side, text in ((Side.BASE, base), (Side.MINE, mine), (Side.THEIRS, theirs)):
        assert merged(chunks, dict.fromkeys(range(len(chunks)), side)) == text
    for one in chunks:
        assert (one.change is Change.MINE) == (one.theirs == one.base != one.mine)
        assert (one.change is Change.THEIRS) == (one.mine == one.base != one.theirs)


@given(TEXTS, TEXTS)
def test_what_only_one_side_changed_is_taken(base: str, changed: str) -> None:
    assert merged(merge(base, changed, base)) == merged(merge(base, base, changed)) == changed
    assert merged(merge(base, changed, changed)) == changed


def _calls(do: Callable[[], object]) -> int:
    count = 0

    def note(_frame: object, _event: str, _arg: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(note)
    try:
        do()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    ("base", "mine", "theirs"),
    [("a ", "b a ", "a b "), ("a b ", "b a ", "b "), ("x\n", "\n", "x"), ("(", ")(", "()"), ("山", "山水", "水")],
)
def test_hostile_texts_take_work_in_proportion(base: str, mine: str, theirs: str) -> None:
    short, long = (
        _calls(lambda times=times: merge(base * times, mine * times, theirs * times))  # type: ignore[misc]
        for times in (600, 1200)
    )
    assert long <= short * 2.6


def test_a_text_without_end_is_one_change() -> None:
    assert len(merge("a " * 9_000, "b " * 9_000, "a " * 9_000)) == 1


def test_the_result_is_open_until_each_conflict_is_chosen_or_typed_over() -> None:
    result = MergedText("one two three four", "ONE two 3 four", "Uno two drei four!")
    first, second = sorted(result.open)
    assert result.text == "ONE two 3 four!"
    assert (result.next_open(-1), result.next_open(first), result.next_open(second)) == (first, second, first)
    assert result.choose(first, Side.THEIRS) == (0, 3, "Uno")
    assert result.text[slice(*result.spans[second])] == "3"
    result.typed("Well, Uno two 3 four!")
    assert result.open == {second}
    result.typed("Well, Uno two III four!")
    assert not result.open
    assert result.text[slice(*result.spans[second])] == "III"
    assert result.text[result.spans[-1][0] :] == "!"
    result.choose_all(Side.BASE)
    assert result.text == "one two three four"


@given(TEXTS, TEXTS, TEXTS, st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), TEXTS), max_size=4))
def test_typing_moves_the_places_and_a_choice_replaces_its_own_words_alone(
    base: str, mine: str, theirs: str, edits: list[tuple[int, int, str]]
) -> None:
    result = MergedText(base, mine, theirs)
    for start, length, words in edits:
        result.typed(result.text[:start] + words + result.text[start + length :])
        ends = [place for span in result.spans for place in span]
        assert ends == sorted(ends)
        assert not ends or 0 <= ends[0] <= ends[-1] <= len(result.text)
    again = MergedText.restored(result.state())
    assert (again is None) is not result.is_touched
    assert again is None or vars(again) == vars(result)
    for place in result.changes():
        before = result.text
        start, end, words = result.choose(place, Side.THEIRS)
        assert result.text == before[:start] + words + before[end:]
    assert not result.open
