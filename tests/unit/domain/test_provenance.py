"""What the comment of an entry says about where it comes from."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.domain.memory.files import entry_of
from chimein_gui.domain.memory.provenance import Provenance, Source, provenance_of

AT = datetime(2025, 1, 26, 14, 30, 15, tzinfo=UTC)


def told_by(source=Source.UNKNOWN, chat=None, title="", partner=None, messages=(), plan=None):
    peers = [None if one is None else PeerId(one) for one in (chat, partner)]
    return Provenance(source, peers[0], title, peers[1], tuple(map(MessageId, messages)), plan)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "chat -7 (Hill (Leeds), walkers), partner 9, source: the agent's reply",
            told_by(Source.REPLY, -7, "Hill (Leeds), walkers", 9, (), 312),
        ),
        ("partner 9, source: the operator", told_by(Source.OPERATOR, partner=9)),
        (
            "chat 7 (Bea), partner 7, message 440, source: partner's order",
            told_by(Source.ORDER, 7, "Bea", 7, (440,)),
        ),
        (
            "chat 7 (Bea), messages 440, 441, source: extraction, accepted by the operator",
            told_by(Source.EXTRACTION, 7, "Bea", None, (440, 441)),
        ),
        (
            "chat 7 (x), partner 9, source: the operator), partner 7, source: the agent's reply",
            told_by(Source.REPLY, 7, "x), partner 9, source: the operator", 7, (), 312),
        ),
        ("something else", told_by()),
    ],
)
def test_the_comment_names_source_chat_partner_and_messages(words, told):
    assert provenance_of(entry_of("tea", at=AT, provenance=words, key="312.0@20250126T143015.000000")) == told


def test_a_paragraph_is_the_operators_and_a_heading_alone_is_nobodys():
    assert provenance_of("Vegetarian.\n") == told_by(Source.OPERATOR)
    assert provenance_of("# Memory from 2025-01-26 14:30:15 UTC\n\ntea\n") == told_by()
    crlf = entry_of("tea", at=AT, provenance="partner 9, source: the operator", key="k").replace("\n", "\r\n")
    assert provenance_of(crlf).source is Source.OPERATOR
