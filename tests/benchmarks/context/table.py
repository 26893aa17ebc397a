"""The table of BUDGETS (Context quality) with baselines: `python -m tests.benchmarks.context.table`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import Any

from tests.benchmarks.context.adapter import select_context, select_with, shipped_model
from tests.benchmarks.context.data import DEV, SCENARIOS, load_chats, load_scenarios, scorer

VARIANTS = ("content", "reply", "bare", "bare_reply", "tg")
System = Callable[[list[dict[str, Any]], dict[str, Any]], Iterable[int]]


def systems() -> dict[str, System]:
    """Return what is compared: three baselines of the scorer, our fall-back, ours."""
    score = scorer()
    return {
        "last 5": score.last_n(5),
        "time gap 60 min": score.timegap(60, 20),
        "rules": score.speaker_addr,
        "ours, no weights": lambda history, trigger: select_with(None, history, trigger),
        "ours": select_context,
    }


def score_variant(name: str, variant: str, system: System, most: int = 0) -> dict[str, float]:
    """Score a system on one file; `most` triggers at most, evenly spread, where it is not 0."""
    cases = [case for chat in load_chats(name) for case in chat.cases(variant)]
    if most and len(cases) > most:
        cases = cases[:: -(-len(cases) // most)]
    scores: dict[str, float] = scorer().evaluate(system, cases)
    return scores


def reply_gain(name: str, system: System = select_context) -> tuple[float, float]:
    """Return the F1 of content and of reply on the triggers that both have, in percent."""
    score = scorer()
    chats = load_chats(name)
    content = [case for chat in chats for case in chat.cases("content") if case[2] and case[3]]
    reply = [case for chat in chats for case in chat.cases("reply")]
    assert len(content) == len(reply)
    return 100 * score.evaluate(system, content)["F1"], 100 * score.evaluate(system, reply)["F1"]


def score_scenarios(name: str, system: System) -> dict[str, float]:
    """Score a system on hand-written scenarios."""
    scenarios = load_scenarios(name)
    chosen = [set(system(one.history, one.trigger)) for one in scenarios]
    f1 = [scorer().prf(ids, one.gold)[2] for ids, one in zip(chosen, scenarios, strict=True)]
    exact = [ids == one.gold for ids, one in zip(chosen, scenarios, strict=True)]
    return {"F1": sum(f1) / len(f1), "EM": sum(exact) / len(exact)}


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=0, help="triggers a file and variant, 0 for all")
    given = parser.parse_args()
    shipped_model()
    print(f"{'data':22s}{'variant':12s}" + "".join(f"{name:>18s}" for name in systems()) + f"{'exact':>8s}{'size':>7s}")
    for name in DEV:
        for variant in VARIANTS:
            scores = [score_variant(name, variant, system, given.most) for system in systems().values()]
            line = "".join(f"{100 * one['F1']:18.1f}" for one in scores)
            print(f"{name:22s}{variant:12s}{line}{100 * scores[-1]['EM']:8.1f}{scores[-1]['size']:7.1f}", flush=True)
        without, with_reply = reply_gain(name)
        print(
            f"{name:22s}{'gain':12s} reply over content, same triggers: {without:.1f} -> {with_reply:.1f}", flush=True
        )
    for name in SCENARIOS:
        scores = [score_scenarios(name, system) for system in systems().values()]
        line = "".join(f"{100 * one['F1']:13.1f} / {15 * one['EM']:2.0f}" for one in scores)
        print(f"{name:34s}{line}", flush=True)


if __name__ == "__main__":
    main()
