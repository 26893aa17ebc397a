"""Who may decide in a chat without the operator."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from chimein_gui.domain.approvals import Rule
from chimein_gui.domain.chats import Chat, ChatInfo, ChatKind, ChatSettings, TrustLevel
from chimein_gui.domain.ids import AccountId, AgentId, ChatId, PeerId
from chimein_gui.engine.policy.trust import rule_still_holds, trust_now

NOW = datetime(2026, 11, 20, 14, tzinfo=UTC)
L, R = TrustLevel, Rule


def chat(trust: TrustLevel, until: datetime | None = None) -> Chat:
    info = ChatInfo(AccountId(1), PeerId(2), ChatKind.DM, "Marta")
    return Chat(ChatId(1), AgentId(1), info, trust=trust, settings=ChatSettings(trust_until=until))


@pytest.mark.parametrize("level", TrustLevel)
def test_without_a_time_box_the_level_holds_and_only_auto_is_boxed(level: TrustLevel) -> None:
    assert trust_now(chat(level), NOW) is level
    assert trust_now(chat(level, NOW - timedelta(hours=1)), NOW) is (L.REVIEW if level is L.AUTO else level)


def test_a_time_boxed_auto_falls_back_to_review_at_its_end() -> None:
    boxed = chat(L.AUTO, NOW + timedelta(hours=1))
    assert trust_now(boxed, NOW + timedelta(minutes=59, seconds=59)) is L.AUTO
    assert trust_now(boxed, NOW + timedelta(hours=1)) is L.REVIEW
    assert trust_now(boxed, NOW + timedelta(days=9)) is L.REVIEW


@pytest.mark.parametrize(
    ("rule", "levels"),
    [(R.AUTO_TRUST, {L.AUTO}), (R.COUNTDOWN_TRUST, {L.COUNTDOWN, L.AUTO})],
    ids=["auto", "countdown"],
)
def test_a_rule_holds_until_the_level_gets_stricter(rule: Rule, levels: set[TrustLevel]) -> None:
    assert {level for level in TrustLevel if rule_still_holds(rule, level)} == levels
