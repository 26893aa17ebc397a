"""The table of docs/budgets.md, "Context quality", with baselines: `python -m docs.context_model.table`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from chimein_gui.domain.context.table import Floats
from docs.context_model.adapter import select_context, select_with, shipped_model
from docs.context_model.data import DEV, SCENARIOS, load_chats, load_scenarios, scorer

VARIANTS = ("content", "reply", "bare", "bare_reply", "tg")
System = Callable[[list[dict[str, Any]], dict[str, Any]], Iterable[int]]


BLOCK = 50
"""So many triggers in a row of a chat are taken as one when it comes to chance: they share their conversations."""


class ReplyGain(NamedTuple):
    """What a reply adds on the same triggers: the F1 without and with it, and the standard error of the difference.

    All in percent.
    """

    content: float
    reply: float
    error: float


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


def reply_gain(name: str, system: System = select_context) -> ReplyGain:
    """Score content and reply on the triggers that both have."""
    score = scorer()
    content, reply, blocks = [], [], []
    for number, chat in enumerate(load_chats(name)):
        of_chat = [case for case in chat.cases("content") if case[2] and case[3]]
        content += [score.evaluate(system, [case])["F1"] for case in of_chat]
        reply += [score.evaluate(system, [case])["F1"] for case in chat.cases("reply")]
        blocks += [(number, place // BLOCK) for place in range(len(of_chat))]
    gains = 100 * (np.array(reply) - np.array(content))
    return ReplyGain(100 * float(np.mean(content)), 100 * float(np.mean(reply)), error_of_mean(gains, blocks))


def error_of_mean(values: Floats, blocks: list[tuple[int, int]]) -> float:
    """Return the standard error of a mean of values that hang together within their blocks."""
    _, number = np.unique(np.array(blocks), axis=0, return_inverse=True)
    sums = np.bincount(number.ravel(), values - values.mean())
    return float(np.sqrt((sums**2).sum() * len(sums) / (len(sums) - 1)) / len(values))


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
        gain = reply_gain(name)
        line = f"{gain.content:.1f} -> {gain.reply:.1f}, {gain.reply - gain.content:+.1f} ± {gain.error:.1f}"
        print(f"{name:22s}{'gain':12s} reply over content, same triggers: {line}", flush=True)
    for name in SCENARIOS:
        scores = [score_scenarios(name, system) for system in systems().values()]
        line = "".join(f"{100 * one['F1']:13.1f} / {15 * one['EM']:2.0f}" for one in scores)
        print(f"{name:34s}{line}", flush=True)


if __name__ == "__main__":
    main()
