"""Codes and numbers as people type and paste them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chimein_gui.domain.input.codes import code_in, in_western_digits

MESSAGE = "Login code: {code}. Do not give this code to anyone, even if they say they are from Telegram!"


@pytest.mark.parametrize(
    ("text", "length"),
    [
        (" 58-2\u00a014\n", 5),
        ("\uff15\uff18\uff12\uff11\uff14", 5),
        ("\u0665\u0668\u0662\u0661\u0664", 5),
        ("\u06f5\u06f8\u06f2\u06f1\u06f4", 0),
        (MESSAGE.format(code="58214"), 5),
        (MESSAGE.format(code="58214"), 0),
        ("Code for +9996622001: 58214", 0),
        ("G-58214", 5),
        ("58214 (again: 58214)", 5),
    ],
)
def test_the_code_is_found(text: str, length: int) -> None:
    assert code_in(text, length) == "58214"


def test_where_none_can_be_told_from_the_rest_all_signs_stay() -> None:
    assert code_in("12345 or 54321", 5) == "12345or54321"
    assert code_in("ab-12", 5) == "ab12"
    assert code_in("1234567", 5) == "1234567"
    assert code_in("brass lamp", 0) == "brasslamp"


@given(st.text(max_size=60), st.integers(0, 8))
def test_anything_may_be_pasted(text: str, length: int) -> None:
    found = code_in(text, length)
    assert found == "" or found.isalnum()
    assert code_in(found, length) == found


@given(st.text(alphabet="0123456789", min_size=1))
def test_western_digits_stay(digits: str) -> None:
    assert in_western_digits(digits) == digits
    assert in_western_digits("".join(chr(0x660 + int(digit)) for digit in digits)) == digits
