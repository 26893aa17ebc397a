"""What each signal is worth: `python -m docs.context_model.ablation` fixes it at its mean, scores dev chats.

`--retrain` trains links (with calm copies, without teachers) and replies without it on four fifths of the training
chats, and scores half of the last fifth, too.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from chimein_gui.domain.context.digest import FLAGS
from chimein_gui.domain.context.links.model import LinkModel
from chimein_gui.domain.context.links.signal_names import PAIR, ROW, START
from chimein_gui.domain.context.links.signals import signals as signals_of
from chimein_gui.domain.context.replies import REPLY, SCALES
from chimein_gui.domain.context.table import Floats, Table
from docs.context_model import network
from docs.context_model.adapter import shipped_model
from docs.context_model.data import DEV, load_chats, to_row
from docs.context_model.examples import FOLDS, collect, general_words
from docs.context_model.replies import fit_replies
from docs.context_model.scoring import fast_scores
from docs.context_model.train import GROUPS, fit

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


GROUPS_OF_REPLIES = {
    "a reply's people": frozenset(name for name in REPLY if "inside" in name or "outside" in name)
    - {"words_of_trigger_inside", "words_of_anchor_inside"},
    "a reply's words": frozenset({"words_of_trigger_inside", "words_of_anchor_inside"}),
    "where it starts": frozenset({"anchor_starts_it", "since_start"}),
    "expected size": frozenset({"size_squared", *SCALES}),
    "all but the fit": frozenset(REPLY) - {"fit"},
}
"""Signals of worlds, which count where a trigger replies to a row; content is the same without them."""


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


def _retrained(chats: Sequence[Any], epochs: int) -> Callable[[frozenset[str]], LinkModel]:
    """Return what trains links, and what a reply says on top of them, without some signals of either."""
    general = general_words(chats)
    seen = [chat for number, chat in enumerate(chats) if number % FOLDS]
    examples = collect(chats, general, GROUPS, with_calm=True)
    examples = examples.only(examples.fold != 0)
    found: dict[frozenset[str], LinkModel] = {}

    def make(without: frozenset[str]) -> LinkModel:
        of_links = without - {*REPLY}
        if of_links not in found:
            found[of_links] = fit(examples, general, network.Plan(epochs=epochs), of_links)
        links = found[of_links]
        return replace(links, reply=fit_replies(seen[::2], links, without=without & {*REPLY}))

    return make


def _silencing(parts: Mapping[str, Sequence[Any]]) -> Callable[[frozenset[str]], LinkModel]:
    model = shipped_model()
    means = means_of([chat for part in parts.values() for chat in part], model)
    return lambda without: silenced(model, means, without)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--retrain", action="store_true", help="train without the signals instead of fixing them (long)"
    )
    parser.add_argument("--epochs", type=int, default=network.Plan().epochs)
    given = parser.parse_args()
    assert all(group <= {*PAIR, *START} for group in GROUPS_OF_SIGNALS.values())
    assert all(group <= {*REPLY} for group in GROUPS_OF_REPLIES.values())
    parts = {name: load_chats(name) for name in DEV}
    groups = {"nothing": frozenset[str](), **GROUPS_OF_SIGNALS}
    if given.retrain:
        chats = load_chats("train")
        parts["unseen_of_train"] = chats[:: 2 * FOLDS]
        make, groups = _retrained(chats, given.epochs), groups | GROUPS_OF_REPLIES
    else:
        make = _silencing(parts)
    print(f"{'without':22s}" + "".join(f"{name + ' ' + one:>26s}" for name in parts for one in ("content", "reply")))
    for name, signals in groups.items():
        model = make(frozenset(signals))
        scores = [fast_scores(part, model) for part in parts.values()]
        line = "".join(f"{one[variant]:26.1f}" for one in scores for variant in ("content", "reply"))
        print(f"{name:22s}{line}", flush=True)


if __name__ == "__main__":
    main()
