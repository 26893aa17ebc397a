"""Every table that holds something about a person is counted, given out and forgotten, or says why it stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from chimein_gui.adapters.store.people.tables import HELD, MESSAGES, WITHOUT_WORDS
from tests.support.async_tests import run
from tests.support.person_room import tables_of
from tests.unit.adapters.store.builders import opened

TELLING = frozenset(
    {
        *("chat_id", "peer_id", "person_id", "sender_id", "user_id", "message_id"),
        *("graph_id", "task_id", "approval_id", "call_id", "entry_id"),
        *("text", "body", "reason", "words", "title", "name", "username"),
    }
)
"""A table with one of these columns may hold something about a person."""
OF_THE_OPERATOR = {"agents": "The operator's own personas.", "holds": "The operator's words."}


@pytest.fixture
def tables(tmp_path: Path) -> dict[str, list[str]]:
    async def make() -> None:
        async with opened(tmp_path):
            pass

    run(make())
    return tables_of(tmp_path / "chimein.db")


def test_every_table_with_something_about_a_person_is_in_a_holding(tables: dict[str, list[str]]) -> None:
    telling = {name for name, columns in tables.items() if not TELLING.isdisjoint(columns)}
    covered = {name for table in HELD for name in table.tables} | {*MESSAGES, *WITHOUT_WORDS, *OF_THE_OPERATOR}
    assert len(telling) > 15
    missing = telling - covered
    assert not missing, (
        f"{', '.join(sorted(missing))}: add the table to a HeldTable of adapters/store/people/tables.py, so that it is"
        " counted, exported and forgotten with the person; or to WITHOUT_WORDS there, with the reason"
    )
    assert covered <= set(tables), "tables that are gone"


def test_all_that_is_given_out_and_forgotten_names_columns_that_exist(tables: dict[str, list[str]]) -> None:
    for table in HELD:
        assert table.tally.count(",") >= 4, table.kind
        assert table.forget or table.kind.value in ("costs", "search"), table.kind
