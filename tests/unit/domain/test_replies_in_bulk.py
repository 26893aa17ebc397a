"""Replies made to be slow are read at once: what a model writes must not stop the loop."""

from __future__ import annotations

import time

import pytest

from chimein_gui.domain.replies import parse_reply

AT_ONCE_S = 2.0
"""Generous: these take some hundredths of a second; with one more power of the length they take over 15 s."""


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param("# «" + " " * 4_000 + "\n", id="a heading with many blanks"),
        pytest.param("```a\n" * 6_000, id="many fences that nothing closes"),
        pytest.param("~~~a\n```a\n" * 3_000, id="many fences of both kinds"),
    ],
)
def test_it_is_read_at_once_and_kept_as_text(reply: str) -> None:
    began = time.perf_counter()
    blocks = parse_reply(reply).blocks
    assert time.perf_counter() - began < AT_ONCE_S
    assert [block.body for block in blocks] == [reply.strip()]
