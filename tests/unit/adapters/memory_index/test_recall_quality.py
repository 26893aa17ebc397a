"""The search by words keeps the quality that was reached on the half of the recall data set that it was tuned with."""

from contextlib import AsyncExitStack

from chimein_gui.engine.ports import Vector
from tests.benchmarks.memory.embedders import opened
from tests.benchmarks.memory.scoring import (
    FILE,
    TUNE,
    index_all,
    mean_reciprocal_rank,
    read_questions,
    recall_at_5,
    same_language,
    score,
)
from tests.support.memory_index import opened_index

FLOOR, MRR_FLOOR = 0.85, 0.78
"""A little below what was reached. `python -m tests.benchmarks.memory` prints the figures, also of the other half."""


async def test_words_alone_find_the_entries_that_answer_questions(tmp_path):
    async with opened_index(tmp_path / "memory_index.db") as index:
        await index_all(index)
        scores = same_language(await score(index, read_questions(TUNE)))
    assert len(scores) == 216
    assert recall_at_5(scores) >= FLOOR
    assert mean_reciprocal_rank(scores) >= MRR_FLOOR


async def test_vectors_reach_the_ranking(tmp_path):
    # Hand-made vectors prove plumbing only.
    async with AsyncExitStack() as stack:
        embedder = await stack.enter_async_context(opened("hand-made"))
        index = await stack.enter_async_context(opened_index(tmp_path / "memory_index.db"))
        await index_all(index, embedder)
        (question, *_) = read_questions(TUNE)
        ((values,), _) = await embedder.embed((question.text,))
        recall = await index.search(question.text, [FILE], vector=Vector(embedder.model, values))
        assert (recall.by, recall.searched, recall.without_vector) == (embedder.model, 2136, 0)
        assert all(one.meaning is not None for one in recall.best)
        (scored,) = await score(index, [question], embedder)
        assert scored.question == question
