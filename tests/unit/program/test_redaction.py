"""What must not be written: secrets that are known, however they are written, and what looks like one."""

from __future__ import annotations

import base64
import json
import re
from urllib.parse import quote

import pytest

from chimein_gui.reporting.redaction import HIDDEN, Redaction, without_numbers

SECRET = 'pä"s \\w'


@pytest.mark.parametrize(
    "written",
    [
        SECRET,
        SECRET.upper(),
        repr(SECRET),
        repr(SECRET.encode()),
        json.dumps(SECRET),
        quote(SECRET),
        quote(SECRET, safe=""),
        base64.b64encode(SECRET.encode()).decode(),
        base64.urlsafe_b64encode(SECRET.encode()).decode(),
    ],
)
def test_a_secret_is_found_in_every_form(written: str) -> None:
    redaction = Redaction()
    assert redaction.clean(f"before {written} after") == f"before {written} after"
    redaction.hide(SECRET)
    assert re.fullmatch(r"before b?['\"]?\[secret\]['\"]?=* after", redaction.clean(f"before {written} after"))


def test_the_longer_of_two_goes_first_and_nothing_of_it_stays() -> None:
    redaction = Redaction()
    redaction.hide("heron")
    redaction.hide("three herons")
    assert redaction.clean("three herons, one heron") == f"{HIDDEN}, one {HIDDEN}"


def test_an_address_is_hidden_in_its_parts() -> None:
    redaction = Redaction()
    redaction.hide("socks5://mira:over%20there@proxy.example:1080")
    assert redaction.clean("mira said over there at proxy.example") == f"{HIDDEN} said {HIDDEN} at proxy.example"
    redaction.hide("tg://proxy?server=proxy.example&port=443&secret=ddcafe01")
    assert redaction.clean("it was ddcafe01") == f"it was {HIDDEN}"
    redaction.hide("http://[not an address")


@pytest.mark.parametrize(
    "text",
    [
        "key AIzaSyCanaryCanaryCanaryCanary end",
        "key https://mira:canary@proxy.example:1080 end",
        "key tg://login?token=canaryCanary end",
        "key https://host/v1?key=canary&alt=sse end",
        f"key {'c0ffee77' * 4} end",
        f"key {b'canary' + bytes(range(250, 256)) * 8!r} end",
    ],
)
def test_what_looks_like_a_secret_is_hidden_though_nobody_named_it(text: str) -> None:
    cleaned = Redaction().clean(text)
    assert "canary" not in cleaned.lower()
    assert "c0ffee" not in cleaned
    assert cleaned.startswith("key ")
    assert cleaned.endswith(" end") or "alt=sse end" in cleaned


def test_words_as_they_are_stay_as_they_are() -> None:
    redaction = Redaction()
    for short in ("", "a", "abc"):
        redaction.hide(short)
    text = "File \"/srv/x/app.py\", line 12 in send: message 5000000012 of chat -100123, b'short', a abc"
    assert redaction.clean(text) == text


def test_the_environment_hides_what_its_names_call_secret() -> None:
    redaction = Redaction()
    redaction.hide_environment(
        {"GEMINI_API_KEY": "canary-1", "CHIMEIN_TELEGRAM_API_HASH": "canary-2", "LANG": "canary"}
    )
    assert redaction.clean("canary-1 canary-2 canary") == f"{HIDDEN} {HIDDEN} canary"
    assert "canary" not in repr(redaction)


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("to +999 66 2 1234, 12 of 20", "to [number], 12 of 20"),
        ("call 999 66 2 1234 55 now", "call [number] now"),
        ("user 9996621001 is", "user [number] is"),
        ("(999) 662-1001-22", "([number]"),
        ("at 2026-11-23 14:02:11 it fell", "at 2026-11-23 14:02:11 it fell"),
        ("message 88214 of 1234567", "message 88214 of 1234567"),
        ("Qt 6.11.0, line 1402", "Qt 6.11.0, line 1402"),
    ],
)
def test_telephone_numbers_go_with_and_without_a_plus(written: str, left: str) -> None:
    assert without_numbers(written) == left


@pytest.mark.parametrize("written", ["User(phone='9996621001')", "phone_number=9996621001", "phone: 999 66 2 1001"])
def test_a_log_holds_no_number_that_is_called_one(written: str) -> None:
    cleaned = Redaction().clean(written)
    assert "1001" not in cleaned
    assert "[number]" in cleaned
