"""Two texts as one: what stayed, what went, what came."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chimein_gui.domain.text.line_changes import line_changes
from chimein_gui.domain.text.word_changes import MOST_WORDS, Piece, WordChange, word_changes

SAME, GONE, NEW = WordChange.SAME, WordChange.REMOVED, WordChange.ADDED


def told(before, after):
    return [(piece.change, piece.text.strip()) for piece in word_changes(before, after)]


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ("", "", []),
        ("a b", "a b", [(SAME, "a b")]),
        ("", "new", [(NEW, "new")]),
        ("old", "", [(GONE, "old")]),
        ("foot; cars", "foot: cars", [(GONE, "foot;"), (NEW, "foot:"), (SAME, "cars")]),
        ("a b", "a\nb", [(SAME, "a\nb")]),
        ("橋は開いた", "橋は閉じた", [(SAME, "橋は"), (GONE, "開い"), (NEW, "閉じ"), (SAME, "た")]),
    ],
)
def test_ends_breaks_and_scripts_without_blanks(before, after, changes):
    assert told(before, after) == changes


def test_nothing_is_lost():
    before, after = "It opened again, but only on foot.", "It opened, on foot  only!"
    pieces = word_changes(before, after)
    assert "".join(piece.text for piece in pieces if piece.change is not NEW).split() == before.split()
    assert "".join(piece.text for piece in pieces if piece.change is not GONE) == after


def test_what_is_too_long_is_not_compared_word_by_word():
    long = "word " * (MOST_WORDS + 1)
    assert word_changes(long, "short") == (Piece(GONE, long), Piece(NEW, "short"))


def test_lines_of_two_texts_with_their_numbers_and_rewritten_words():
    before = "kept\nsee you on Sunday then\ngone\nlast"
    after = "kept\nsee you on Monday then\nlast\nnew"
    assert [(one.change, one.old, one.new, one.text) for one in line_changes(before, after)] == [
        (SAME, 1, 1, "kept"),
        (GONE, 2, 0, "see you on Sunday then"),
        (GONE, 3, 0, "gone"),
        (NEW, 0, 2, "see you on Monday then"),
        (SAME, 4, 3, "last"),
        (NEW, 0, 4, "new"),
    ]
    rewritten = line_changes(before, after)[1].pieces
    assert rewritten == (Piece(SAME, "see you on "), Piece(GONE, "Sunday "), Piece(SAME, "then"))


@given(st.text("ab 漢\n", max_size=60), st.text("ab 漢\n", max_size=60))
def test_both_texts_can_be_read_from_their_lines(before, after):
    lines = line_changes(before, after)
    assert "\n".join(one.text for one in lines if one.old) == before
    assert "\n".join(one.text for one in lines if one.new) == after
