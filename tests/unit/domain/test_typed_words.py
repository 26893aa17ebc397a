"""Log-in codes that are words, as people type and paste them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chimein_gui.domain.input.codes import words_in


@pytest.mark.parametrize(
    ("text", "beginning", "code"),
    [
        ("heron", "h", "heron"),
        (" Heron.\n", "h", "heron"),
        ("“heron”", "", "heron"),
        ("quiet  heron\u00a0by the mill ", "quiet", "quiet heron by the mill"),
        ("QUIET heron by the mill!", "quiet", "quiet heron by the mill"),
        ("Ha\u0308user am See", "häuser", "häuser am See"),
        ("other words", "quiet", "other words"),
        ("48211", "h", "48211"),
        ("...", "h", ""),
    ],
)
def test_what_stands_around_and_between_is_no_part_of_it(text: str, beginning: str, code: str) -> None:
    assert words_in(text, beginning) == code


@given(st.text(max_size=60), st.text(max_size=5))
def test_anything_may_be_pasted(text: str, beginning: str) -> None:
    assert words_in(words_in(text)) == words_in(text)
    words_in(text, beginning)
