"""A machine whose clock is wrong: the client learns it from Telegram, and the engine can ask."""

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from telethon.network import mtprotostate

from tests.unit.adapters.telegram.support import request, stage

AHEAD_S = 120


async def test_how_far_the_clock_is_ahead_is_known_after_connecting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong() -> float:
        return datetime.now(UTC).timestamp() + AHEAD_S  # noqa: TID251 - the machine's clock is what this is about

    monkeypatch.setattr(mtprotostate, "time", SimpleNamespace(time=wrong))
    async with stage(tmp_path) as it:
        gateway, _ = await it.connected()
        assert abs(gateway.clock_ahead_s() - AHEAD_S) <= 2
        receipt = await gateway.send_text(request("right on time"))
        assert receipt.message_id is not None
        await gateway.disconnect()
        assert gateway.clock_ahead_s() == 0
