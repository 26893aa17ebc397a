"""Memories are indexed in a file, or in PostgreSQL where a connection string is kept; each call goes to one of them."""

from __future__ import annotations

from chimein_gui.domain.memory.recall import text_hash
from chimein_gui.engine.memory.vectors.chosen_index import ChosenIndex
from tests.fakes.vector_index import VectorIndex
from tests.support.vector_room import CURATED, REMEMBERED


class ServerIndex(VectorIndex):
    """An index that notes that it was closed."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address, self.is_closed = address, False

    async def close(self) -> None:
        self.is_closed = True


async def test_a_connection_string_moves_the_index_and_leaves_no_copy_in_the_file() -> None:
    file, made, kept = VectorIndex(), list[ServerIndex](), [""]
    file.hold(CURATED, "tea")
    await file.put_vectors("m", [(text_hash("tea"), (1.0,))])

    def make(address: str) -> ServerIndex:
        made.append(ServerIndex(address))
        return made[-1]

    index = ChosenIndex(file, make, lambda: kept[0])
    assert (await index.status()).entries == 1
    assert not made
    kept[0] = "postgresql://one"
    assert (await index.status()).entries == 0
    assert [one.address for one in made] == ["postgresql://one"]
    await index.sync(REMEMBERED, ())
    status = await file.status()
    assert (status.entries, dict(status.with_vector), status.stale) == (0, {}, True)
    kept[0] = "postgresql://two"
    await index.status()
    assert [(one.address, one.is_closed) for one in made] == [("postgresql://one", True), ("postgresql://two", False)]
    kept[0] = ""
    assert (await index.status()).stale
    assert made[1].is_closed
    await index.close()
