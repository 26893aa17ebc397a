"""The Costs pane with what some days cost."""

from datetime import timedelta

import pytest

from chimein_gui.domain.spending.sums import CostRow
from tests.fakes.engine_api import NOON

TODAY = NOON.astimezone().date()


def row(back=0, agent_id=1, chat_id=1, purpose="plan", usd=0.5, **changes):
    facts = {"model": "gemini-2.5-flash", "calls": 2, "prompt_tokens": 1_000, "cached_tokens": 250, **changes}
    rest = {"reply_tokens": 60, "thinking_tokens": 40, "estimated": 0, "unpriced": 0, **facts}
    return CostRow(TODAY - timedelta(days=back), agent_id, chat_id, purpose, usd=usd, **rest)


ROWS = (row(), row(1, usd=1.0, purpose="descriptions"), row(8, usd=2.0), row(0, 1, 0, "embed", 0.25, model="gemini-e"))


@pytest.fixture
def costs(desktop):
    desktop.api.costs.rows.extend(ROWS)
    desktop.window.show_pane("costs")
    desktop.settle()
    return desktop.window.panes["costs"]
