"""Another program writes to the file: nobody should, but it lies in the open."""

import sqlite3
from contextlib import closing
from pathlib import Path

from chimein_gui.domain.ids import Revision
from chimein_gui.engine.ports import Transaction


def number(tx: Transaction) -> Revision:
    return tx.revision


async def test_the_numbers_of_transactions_rise_over_those_of_another_program(tmp_path: Path, store) -> None:
    """A draft that changed after a decision would look as if it had changed before it."""
    before = await store.transact(number)
    with closing(sqlite3.connect(tmp_path / "chimein.db")) as other:
        other.execute("UPDATE meta SET revision = revision + 100")
        other.commit()
    after = await store.transact(number)
    with closing(sqlite3.connect(tmp_path / "chimein.db")) as other:
        other.execute("UPDATE meta SET revision = 0")
        other.commit()
    put_back = await store.transact(number)
    assert await store.read(number) == put_back
    assert before + 100 < after < put_back
