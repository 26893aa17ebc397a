"""`kill -9` at each failpoint of a send: its trace says what its ledger says, at death and after the restart."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from chimein_gui.domain.failpoints import Failpoint
from tests.kills.case import case
from tests.kills.life import SEND_POINTS
from tests.kills.processes import Sandbox

AT_DEATH = {
    Failpoint.DECISION_COMMITTED: "approved",
    Failpoint.CLAIM_COMMITTED: "sending",
    Failpoint.BEFORE_WRITE: "sending",
    Failpoint.AFTER_WRITE: "sending",
    Failpoint.SERVER_EXECUTED: "sending",
    Failpoint.ANSWERED: "sending",
    Failpoint.CONFIRMATION_COMMITTED: "sent",
}
"""What the claim, and what follows it, has committed for the trace."""


def traces(database: Path) -> list[tuple[str, str, float]]:
    """Return state, first words and cost of each trace."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as store:
        return store.execute("SELECT state, first_words, usd FROM traces ORDER BY trace_id").fetchall()


@pytest.mark.parametrize("point", [pytest.param(point, id=point.value) for point in SEND_POINTS])
async def test_a_trace_and_the_mailbox_tell_one_story(sandbox: Sandbox, tmp_path: Path, point: Failpoint) -> None:
    async with case(sandbox, tmp_path) as it:
        async with it.living() as run:
            [card] = await it.asked(run, "At six.", words="When?")
            [(state, words, usd)] = traces(it.life.database)
            assert (state, words) == ("waiting", "When?")
            assert usd > 0
            await run.approve_and_die(card, point)
        assert traces(it.life.database) == [(AT_DEATH[point], "When?", usd)]
        async with it.living() as run:
            await run.settled()
        assert await it.mailbox() == ["At six."]
        assert traces(it.life.database) == [("sent", "When?", usd)]
        await it.check_books()
