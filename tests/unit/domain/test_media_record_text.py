"""Whatever stands in the file of a description, an edit changes the words in it and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chimein_gui.domain.media.record_text import BOM, RecordError, record_of, text_of
from chimein_gui.domain.media.records import DescriptionStatus, MediaRecord, Met

CURATED = DescriptionStatus.CURATED
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
KNOWN = st.sampled_from(
    ["unique_id", "kind", "sticker_set_name", "status", "failure_reason", "ts", "mime_type", "duration", "met"]
)
KEYS = st.one_of(KNOWN, st.text(max_size=6)).filter(lambda key: key != "description")


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """Return the text of a file with a description somewhere in it, and what it means."""
    given_values = draw(st.dictionaries(KEYS, VALUES, max_size=6))
    keys = draw(st.permutations([*given_values, "description"]))
    values = {key: "old words" if key == "description" else given_values[key] for key in keys}
    separators = draw(st.sampled_from([None, (",", ":"), (" ,\t", " : ")]))
    text = json.dumps(values, indent=draw(st.sampled_from([None, 0, 2, "\t"])), separators=separators,
                      ensure_ascii=draw(st.booleans()))  # fmt: skip
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return f"{BOM * draw(st.booleans())}{text}{draw(st.sampled_from(['', chr(10), ' ']))}", values


@given(texts(), st.text())
def test_an_edit_changes_the_words_and_nothing_else(given_text: tuple[str, dict[str, Any]], words: str) -> None:
    text, values = given_text
    record = record_of(text, "7", CURATED)
    assert text_of(record, text) == text
    edited = text_of(replace(record, description=words), text)
    loaded = json.loads(edited.removeprefix(BOM))
    assert list(loaded) == list(values)
    assert repr(loaded) == repr({**json.loads(text.removeprefix(BOM)), "description": words})
    before, _old, after = text.partition('"old words"')
    if '"old words"' not in after:
        assert edited.startswith(before)
        assert edited.endswith(after)
    assert record_of(edited, "7", CURATED).description == words
    assert text_of(record, edited).encode("utf-8", "surrogatepass") == text.encode("utf-8", "surrogatepass")


@given(st.text(max_size=30))
def test_what_is_no_object_is_refused_and_never_crashes(text: str) -> None:
    try:
        record = record_of(text, "7")
    except RecordError:
        with pytest.raises(RecordError):
            text_of(MediaRecord("7", description="new"), text)
    else:
        assert text_of(record, text)


def test_a_new_file_has_its_keys_in_order_and_then_those_of_others() -> None:
    record = MediaRecord("7", "photo", description="A lake.", met=(Met("Nora", 66, 7),), attempts=2, rest={"odd": [1]})
    text = text_of(record)
    assert list(json.loads(text)) == [
        *("unique_id", "kind", "sticker_set_name", "sticker_name", "description", "status", "failure_reason"),
        *("ts", "mime_type", "duration", "media_file", "attempts", "met", "odd"),
    ]
    assert record_of(text, "7") == record


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_are_none_do_not_count(constant: str) -> None:
    record = record_of(f'{{"duration": {constant}, "ts": {constant}, "attempts": {constant}}}', "7")
    assert (record.duration_s, record.at, record.attempts) == (0.0, None, 0)
