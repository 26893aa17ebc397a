"""What stage two is worth: `python -m docs.context_model.stage_two --embedder MODULE:FUNCTION`.

The function gets a list of texts and returns a vector for each. Scenarios of CTXBENCH_DIR and our own are scored
before and after it, in the way the engine asks: the candidates of stage one alone, cut to their first characters.
"""

from __future__ import annotations

import argparse
import importlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from chimein_gui.domain.context import Choice, HistoryRow, prepare_all, select_context
from chimein_gui.domain.context.second_stage import candidates, second_stage
from chimein_gui.engine.planning.rerank import MAX_TEXT
from docs.context_model.adapter import shipped_model
from docs.context_model.data import SCENARIOS, Scenario, load_scenarios, scorer, to_row
from docs.context_model.own.adapter import to_row as to_whole_row
from docs.context_model.own.archive import with_archive

Embed = Callable[[list[str]], Sequence[Sequence[float]]]
ToRow = Callable[[dict[str, Any]], HistoryRow]
OWN = ("tuning", "validation")


def own_scenarios(name: str) -> list[Scenario]:
    """Load our own scenarios of one half."""
    path = Path(__file__).with_name("own") / f"{name}.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    return [Scenario(one["name"], one["messages"], one["trigger"], set(one["gold"])) for one in found]


def first_choice(scenario: Scenario, to_row: ToRow) -> tuple[Choice, ...]:
    """Choose as stage one does."""
    rows, model = [to_row(message) for message in scenario.history], shipped_model()
    return select_context(rows, to_row(scenario.trigger), model, prepare_all(rows, model))


def refined(scenario: Scenario, choices: tuple[Choice, ...], embed: Embed) -> tuple[Choice, ...]:
    """Choose anew with what the candidates mean, as the engine does."""
    texts = {one["id"]: one["text"][:MAX_TEXT] for one in scenario.history if one["text"].strip()}
    wanted = [number for number in candidates(choices) if number in texts]
    vectors = embed([texts[number] for number in wanted]) if wanted else []
    return second_stage(choices, dict(zip(wanted, vectors, strict=True)))


def _f1(scenario: Scenario, choices: tuple[Choice, ...]) -> float:
    found: float = scorer().prf({one.message_id for one in choices if one.included}, scenario.gold)[2]
    return found


def score(scenarios: Sequence[Scenario], to_row: ToRow, embed: Embed, *, in_full: bool) -> str:
    """Say what both stages score, and how much of what belongs stage two can still find."""
    before, after, reach = list[float](), list[float](), list[float]()
    for scenario in scenarios:
        choices = first_choice(scenario, to_row)
        anew = refined(scenario, choices, embed)
        before.append(_f1(scenario, choices))
        after.append(_f1(scenario, anew))
        settled = {*candidates(choices), *(one.message_id for one in choices if one.included)}
        reach.append(len(settled & scenario.gold) / len(scenario.gold))
        if in_full:
            print(f"   {scenario.name:40s} {before[-1]:5.2f} -> {after[-1]:5.2f}, in reach {reach[-1]:4.2f}")
    return f"{_both(before)} -> {_both(after)}; of what belongs {100 * sum(reach) / len(reach):.0f} % in reach"


def _both(scores: list[float]) -> str:
    return f"{100 * sum(scores) / len(scores):.1f} / {sum(one == 1.0 for one in scores)}"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedder", required=True, help="MODULE:FUNCTION, texts to vectors")
    parser.add_argument("-v", action="store_true", help="one line a scenario, too")
    given = parser.parse_args()
    module, function = given.embedder.split(":")
    embed: Embed = getattr(importlib.import_module(module), function)
    for name in SCENARIOS:
        print(f"{name:24s} {score(load_scenarios(name), to_row, embed, in_full=given.v)}", flush=True)
    for name in OWN:
        own = own_scenarios(name)
        print(f"own {name:20s} {score(own, to_whole_row, embed, in_full=given.v)}", flush=True)
        older = with_archive(own)
        print(f"own {name + ', archive':20s} {score(older, to_whole_row, embed, in_full=given.v)}", flush=True)


if __name__ == "__main__":
    main()
