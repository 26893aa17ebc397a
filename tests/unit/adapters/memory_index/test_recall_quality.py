"""The search by words keeps the quality that was reached on the half of the recall data set that it was tuned with."""

from chimein_gui.adapters.memory_index import SqliteMemoryIndex
from tests.benchmarks.memory.scoring import (
    TUNE,
    index_all,
    mean_reciprocal_rank,
    read_questions,
    recall_at_5,
    same_language,
    score,
)

FLOOR, MRR_FLOOR = 0.85, 0.78
"""A little below what was reached. `python -m tests.benchmarks.memory` prints the figures, also of the other half."""


async def test_words_alone_find_the_entries_that_answer_questions(tmp_path):
    index = SqliteMemoryIndex(tmp_path / "memory_index.db")
    try:
        await index_all(index)
        scores = same_language(await score(index, read_questions(TUNE)))
    finally:
        await index.close()
    assert len(scores) == 216
    assert recall_at_5(scores) >= FLOOR
    assert mean_reciprocal_rank(scores) >= MRR_FLOOR
