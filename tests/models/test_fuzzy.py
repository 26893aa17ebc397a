"""Fuzzy matching: what somebody types who knows roughly what it is called."""

import pytest

from chimein_gui.viewmodels.palette.fuzzy import folded, match


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
