"""What each signal is worth: `python -m tests.benchmarks.context.ablation` fixes it at its mean, scores dev chats."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from chimein_gui.domain.context.digest import FLAGS
from chimein_gui.domain.context.model import LinkModel
from chimein_gui.domain.context.signal_names import PAIR, ROW, START
from chimein_gui.domain.context.signals import signals as signals_of
from chimein_gui.domain.context.table import Floats, Table
from tests.benchmarks.context import network
from tests.benchmarks.context.adapter import shipped_model
from tests.benchmarks.context.data import DEV, load_chats, to_row
from tests.benchmarks.context.examples import collect, general_words
from tests.benchmarks.context.scoring import fast_scores
from tests.benchmarks.context.train import GROUPS, fit

_NAMES = {
    *(
        "leads_to_it",
        "names_it",
        "leads_elsewhere",
        "leads_to_absent",
        "names_elsewhere",
        "it_leads_here",
        "it_names_here",
    ),
    *("it_leads_elsewhere", "it_names_elsewhere", "both_name", "own_both_name", "neither_leads", "own_neither_leads"),
    *(
        "last_that_names",
        "last_of_named",
        "before_last_that_names",
        "named_since_own",
        "it_is_answered",
        "answered_elsewhere",
    ),
    *(
        "names_present",
        "names_absent",
        "names_anyone",
        "since_last_that_names",
        "named_is_near",
        "told_is_near",
        "marked",
    ),
}
_TURNS = {
    *("same_sender", "its_senders_last", "own_last", "before_own_last", "since_own_last", "it_goes_on", "it_went_on"),
    *("answered_next", "turns", "turns_taken", "first_turn", "its_first_turn", "people_between", "own_question"),
    *("right_after_own", "people_around", "own_both_name", "own_neither_leads"),
}
_PARTNERS = {
    *("partner", "second_partner", "third_partner", "its_partner", "it_has_other_partner", "has_other_partner"),
    *("it_names_partner", "has_partner"),
}
_WORDS = {"common", "common_norm", "most_common", "share_of_common", "common_elsewhere", "common_in_all", "telling"}
_DISTANCE = {"distance", "next_to", "second", "third", "far_away"}
_TIME = {"gap", "gap_for_chat", "gap_for_distance", "same_minute", "over_an_hour", "over_half_a_day", "rhythm"}
_KINDS = {*FLAGS, "length", "question_answered", "own_question"}

GROUPS_OF_SIGNALS = {
    "names addressed": _NAMES,
    "turns of speakers": _TURNS,
    "who deals with whom": _PARTNERS,
    "words in common": _WORDS,
    "distance": _DISTANCE,
    "time and rhythm": _TIME,
    "kind of utterance": _KINDS,
}


def silenced(model: LinkModel, means: Means, signals: frozenset[str]) -> LinkModel:
    """Return the model with these signals fixed at their means."""
    pair, row, start = (np.array([name in signals for name in order]) for order in (PAIR, ROW, START))
    shift = model.pair[:, pair] @ means.pair[pair] + (model.later + model.earlier)[:, row] @ means.row[row]
    return replace(
        model,
        pair=np.where(pair, 0, model.pair),
        later=np.where(row, 0, model.later),
        earlier=np.where(row, 0, model.earlier),
        bias=model.bias + shift,
        start=np.where(start, 0, model.start),
        start_bias=model.start_bias + model.start[:, start] @ means.start[start],
    )


@dataclass(frozen=True, slots=True)
class Means:
    """Means of all signals."""

    pair: Floats
    row: Floats
    start: Floats


def means_of(chats: Sequence[Any], model: LinkModel) -> Means:
    """Measure the means of the signals in some chats."""
    parts = []
    for chat in chats:
        table = Table(model.general)
        for message in chat.msgs:
            table.append(to_row(message))
        found = signals_of(table, 0)
        parts.append(
            (found.pair[:, found.places.ravel() >= 0].mean(axis=1), found.row.mean(axis=0), found.start.mean(axis=0))
        )
    return Means(*(np.mean(np.array(column), axis=0) for column in zip(*parts, strict=True)))


def _retrained(epochs: int) -> Callable[[frozenset[str]], LinkModel]:
    chats = load_chats("train")
    general = general_words(chats)
    examples = collect(chats, general, GROUPS)
    examples = examples.only(examples.fold != 0)
    return lambda without: fit(examples, general, network.Plan(epochs=epochs), without)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--retrain", action="store_true", help="train without the signals instead of fixing them (long)"
    )
    parser.add_argument("--epochs", type=int, default=5)
    given = parser.parse_args()
    assert all(group <= {*PAIR, *START} for group in GROUPS_OF_SIGNALS.values())
    parts = {name: load_chats(name) for name in DEV}
    if given.retrain:
        make = _retrained(given.epochs)
    else:
        model = shipped_model()
        means = means_of([chat for part in parts.values() for chat in part], model)
        make = lambda without: silenced(model, means, without)  # noqa: E731
    print(
        f"{'without':22s}"
        + "".join(f"{name + ' ' + variant:>24s}" for name in parts for variant in ("content", "reply"))
    )
    for name, signals in {"nothing": set(), **GROUPS_OF_SIGNALS}.items():
        scores = [fast_scores(part, make(frozenset(signals))) for part in parts.values()]
        print(
            f"{name:22s}" + "".join(f"{one[variant]:24.1f}" for one in scores for variant in ("content", "reply")),
            flush=True,
        )


if __name__ == "__main__":
    main()
