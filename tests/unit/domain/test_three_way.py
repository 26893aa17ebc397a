"""Three-way merge of memory files: entries that do not touch each other merge, the same entry is asked about."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chimein_gui.domain.memory.edits import file_entries
from chimein_gui.domain.memory.entries import MemoryKind
from chimein_gui.domain.memory.files import entry_of
from chimein_gui.domain.memory.merging.three_way import ChangedBy, Choice, three_way

AT = datetime(2025, 1, 26, 14, 30, 15, tzinfo=UTC)
ABOUT, CURATED = MemoryKind.ABOUT_PARTNER, MemoryKind.CURATED
CHOICES = (Choice.MINE, Choice.THEIRS, Choice.BOTH)


def remembered(*texts):
    """Entries with keys; a pair is a key and a text."""
    pairs = [one if isinstance(one, tuple) else (one, one) for one in texts]
    return "\n".join(entry_of(text, at=AT, provenance="x", key=key) for key, text in pairs)


def texts(kind, content):
    return [one.entry.text for one in file_entries(kind, content)]


BASE = remembered(("bea", "Bea must be home by evening on Sundays."), ("car", "Oskar has a car."))


def test_what_the_sides_did_apart_from_each_other_is_decided():
    mine = remembered(("bea", "Bea must be home by evening on Sundays."), ("car", "Oskar has a car (4 seats)."))
    theirs = BASE + "\n" + remembered(("line", "Oskar drives if the line is shut."))
    merged = three_way(ABOUT, BASE, mine, theirs)
    assert [one.changed_by for one in merged.differences] == [ChangedBy.MINE, ChangedBy.THEIRS]
    assert texts(ABOUT, merged.result({})) == [
        "Bea must be home by evening on Sundays.",
        "Oskar has a car (4 seats).",
        "Oskar drives if the line is shut.",
    ]
    assert texts(ABOUT, merged.result({0: Choice.THEIRS, 1: Choice.MINE})) == texts(ABOUT, BASE)


@pytest.mark.parametrize(
    ("choice", "wanted"),
    [
        (Choice.MINE, "Bea must be home by 18:00 on Sundays."),
        (Choice.THEIRS, "Bea must be home by evening on Sundays (her mother's visit)."),
        (Choice.BOTH, "Bea must be home by 18:00 on Sundays (her mother's visit)."),
    ],
)
def test_the_same_entry_is_not_decided_and_can_become_both(choice, wanted):
    mine = remembered(("bea", "Bea must be home by 18:00 on Sundays."), ("car", "Oskar has a car."))
    theirs = remembered(
        ("bea", "Bea must be home by evening on Sundays (her mother's visit)."), ("car", "Oskar has a car.")
    )
    merged = three_way(ABOUT, BASE, mine, theirs)
    (difference,) = merged.differences
    assert (difference.changed_by, difference.default, difference.line) == (ChangedBy.BOTH, None, 1)
    assert merged.result({}) is None
    assert texts(ABOUT, merged.result({0: choice})) == [wanted, "Oskar has a car."]


def test_an_entry_that_one_side_removed_and_the_other_changed_is_not_lost():
    mine = remembered(("bea", "Bea must be home by 18:00 on Sundays."), ("car", "Oskar has a car."))
    theirs = remembered(("car", "Oskar has a car."))
    merged = three_way(ABOUT, BASE, mine, theirs)
    assert merged.result({}) is None
    assert texts(ABOUT, merged.result({0: Choice.BOTH}))[0] == "Bea must be home by 18:00 on Sundays."
    assert (merged.result({0: Choice.THEIRS}) or "").strip() == theirs.strip()


def test_paragraphs_are_recognised_by_text_and_place_and_line_ends_stay():
    base = "\ufeffVegetarian.\r\n\r\nCall her Marta.\r\n"
    mine = "\ufeffVegan.\r\n\r\nCall her Marta.\r\n"
    theirs = "\ufeffVegetarian.\r\n\r\nCall her Marta.\r\n\r\nBirthday 14 February.\r\n"
    merged = three_way(CURATED, base, mine, theirs)
    assert merged.result({}) == "\ufeffVegan.\r\n\r\nCall her Marta.\r\n\r\nBirthday 14 February.\r\n"


def test_two_words_at_the_same_place_become_two_lines_with_both():
    base, mine, theirs = (remembered(("tea", f"likes {what}")) for what in ("tea", "milk", "beer"))
    merged = three_way(ABOUT, base, mine, theirs)
    assert texts(ABOUT, merged.result({0: Choice.BOTH})) == ["likes milk\nlikes beer"]


words = st.sampled_from(["tea", "milk", "beer", "a car", "四月", "ירושלים"])
entries = st.dictionaries(st.integers(0, 6), words, max_size=6)


def file_of(kind, facts):
    if kind is CURATED:
        return "\n\n".join(f"{key} {text}" for key, text in facts.items()) + "\n" if facts else ""
    return remembered(*((str(key), text) for key, text in facts.items())) if facts else ""


@given(st.sampled_from([ABOUT, CURATED]), entries, entries, entries)
def test_whatever_both_sides_did_each_side_can_be_had_whole_and_nothing_is_lost(kind, base, mine, theirs):
    first, one, other = (file_of(kind, facts) for facts in (base, mine, theirs))
    merged = three_way(kind, first, one, other)
    count = len(merged.differences)
    for choice, wanted in ((Choice.MINE, one), (Choice.THEIRS, other)):
        got = merged.result(dict.fromkeys(range(count), choice))
        assert sorted(texts(kind, got)) == sorted(texts(kind, wanted))
    both = merged.result({place: Choice.BOTH for place, d in enumerate(merged.differences) if d.default is None}) or ""
    added = [text for text in mine.values() if text not in base.values()]
    assert all(text in both for text in added), "what my side wrote"
