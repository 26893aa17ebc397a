"""select_context: choosing among 300 messages, with prepared rows and without; yardstick: the time-gap baseline."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from chimein_gui.domain.context import HISTORY, HistoryRow, LinkModel, prepare_all, prepare_trigger, select_context
from chimein_gui.domain.context.digest import forget_texts
from chimein_gui.resource_files import resource_path
from tests.benchmarks.rows import Result
from tests.benchmarks.timing import median_ms

WARM_MS, COLD_MS = 1.0, 5.0
RUNS = 5
_WORDS = (
    "the a to is it of and on in for that you have this not with can but my if what do there just so as are be get "
    "kernel driver update mirror package screen sound disk ticket hotel river train station dinner thai budget meeting "
    "slides review branch merge failing test garden paint window invoice parcel bike tyre weekend museum concert"
)


def _busy_group(seed: int = 7) -> list[HistoryRow]:
    """Return a group of twelve with a message every half minute, eleven words each, with names and replies."""
    rng, words = random.Random(seed), _WORDS.split()
    rows: list[HistoryRow] = []
    for place in range(HISTORY):
        text = " ".join(rng.choice(words) for _ in range(rng.randint(3, 19)))
        who = rng.randrange(12)
        if rng.random() < 0.25:
            text = f"@member{rng.randrange(12)} {text}"
        reply = rng.randrange(max(0, place - 9), place) if place and rng.random() < 0.2 else None
        rows.append(HistoryRow(place, 1.8e9 + 30.0 * place, str(who), text, f"Member{who}", reply_to=reply))
    return rows


def _unread(history: list[HistoryRow], trigger: HistoryRow, model: LinkModel) -> None:
    """Choose without prepared rows, as if no text had been seen at ingest."""
    forget_texts()
    select_context(history, trigger, model)


def measure(folder: Path, *, quick: bool) -> Result:
    repeats = 30 if quick else 200
    model = LinkModel.from_bytes(resource_path("context", "link_model.npz").read_bytes())
    history = _busy_group()
    trigger = HistoryRow(HISTORY, history[-1].sent_at + 20, "3", "@bot what do you think?", "Member3")
    answer = replace(trigger, reply_to=HISTORY - 20)
    prepared = prepare_all(history, model)
    select_context(history, answer, model, prepared)  # numpy's one-time initialisation
    ready = prepare_trigger(prepared, answer)
    warm, answering, known, cold, read, yardstick = _in_turns(
        (
            (lambda: select_context(history, trigger, model, prepared), repeats),
            (lambda: select_context(history, answer, model, prepared), repeats),
            (lambda: select_context(history, answer, model, ready), repeats),
            (lambda: _unread(history, trigger, model), repeats // 3),
            (lambda: select_context(history, trigger, model), repeats // 3),
            (lambda: select_context(history, trigger, None), repeats),
        )
    )
    ok = max(warm, answering) <= WARM_MS and cold <= COLD_MS
    budget = f"<= {WARM_MS:.0f} ms prepared, <= {COLD_MS:.0f} ms from scratch"
    return Result(
        "select_context",
        warm,
        "ms",
        yardstick,
        budget,
        ok,
        f"{answering:.2f} ms for a trigger that replies, {known:.2f} ms once it was heard as in the engine; "
        f"from scratch {cold:.2f} ms with texts never read before, "
        f"{read:.2f} ms with texts read lately; median of {RUNS} runs",
    )


def _in_turns(ways: Sequence[tuple[Callable[[], object], int]]) -> list[float]:
    """Return the median of several runs of each in ms; in turns, so that a slow moment affects one run of each."""
    runs = [[median_ms(work, repeats) for work, repeats in ways] for _ in range(RUNS)]
    return [statistics.median(found) for found in zip(*runs, strict=True)]
