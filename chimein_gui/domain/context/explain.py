"""What the weights of links say about one message: its possible parents, and what spoke for the best of them.

The weight of a kind of signals is measured, not read off the network: the link is scored once more with that kind as
it is for the average candidate of the message. So the weights need not sum to the score.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from chimein_gui.domain.context.digest import STEM, digest
from chimein_gui.domain.context.explained import Evidence, LinkExplanation, ParentChance, Spoke
from chimein_gui.domain.context.links.model import LinkModel
from chimein_gui.domain.context.links.signal_names import PAIR
from chimein_gui.domain.context.links.signals import Signals, signals_of
from chimein_gui.domain.context.rows import HISTORY, HistoryRow
from chimein_gui.domain.context.table import Floats, Indices, Table

MOST_PARENTS = 3
"""Messages that are listed by themselves."""

MOST_WORDS = 3

_LEAST = 0.005
_CERTAIN = 1e-4

_KINDS = {
    Evidence.WORDS: "common common_norm most_common share_of_common common_elsewhere",
    Evidence.QUESTION: "question_answered own_question",
    Evidence.TIME: "gap gap_for_chat gap_for_distance same_minute over_an_hour over_half_a_day",
    Evidence.NAMES: "leads_to_it names_it leads_elsewhere leads_to_absent names_elsewhere it_leads_here "
    "it_names_here it_leads_elsewhere it_names_elsewhere both_name own_both_name neither_leads own_neither_leads "
    "last_that_names last_of_named before_last_that_names named_since_own it_names_partner",
    Evidence.PEOPLE: "same_sender partner second_partner third_partner its_partner it_has_other_partner "
    "has_other_partner people_between it_is_answered answered_elsewhere",
}
_TURNS = tuple(name for name in PAIR if all(name not in kind.split() for kind in _KINDS.values()))
_PLACES: dict[Evidence, Indices] = {
    kind: np.array([PAIR.index(name) for name in names], dtype=np.intp)
    for kind, names in (*((kind, kind_names.split()) for kind, kind_names in _KINDS.items()), (Evidence.TURNS, _TURNS))
}


def explain_link(history: Sequence[HistoryRow], message_id: int, model: LinkModel) -> LinkExplanation | None:
    """Explain the links of one message.

    Args:
        history: Oldest first; only the newest `HISTORY` rows are examined.
        message_id: The message.
        model: The weights.

    Returns:
        None if the message is not there, has nothing before it, or replies explicitly to one of the rows.
    """
    table = Table(model.general)
    table.extend(history[-HISTORY:])
    place = table.place_of(message_id)
    if place <= 0 or table.parents[place] >= 0:
        return None
    found = signals_of(table, np.array([place], dtype=np.intp))
    chances = model.links(found, table)[0]
    order = np.argsort(-chances[:-1], kind="stable")[:MOST_PARENTS]
    best = [int(one) for one in order if found.places[0, one] >= 0 and chances[one] >= _LEAST]
    rows = table.rows
    parents = [ParentChance(rows[int(found.places[0, one])].message_id, float(chances[one])) for one in best]
    parents.append(ParentChance(None, float(chances[-1])))
    parents.sort(key=lambda one: -one.probability)
    others = max(0.0, 1.0 - sum(one.probability for one in parents))
    explained = LinkExplanation(message_id, tuple(parents), others, None)
    if not best:
        return explained
    earlier = int(found.places[0, best[0]])
    return _with_facts(explained, rows[place], rows[earlier], place - earlier, _evidence(model, table, found, best[0]))


def _with_facts(
    explained: LinkExplanation, row: HistoryRow, parent: HistoryRow, turns: int, evidence: tuple[Spoke, ...]
) -> LinkExplanation:
    stems = set(digest(parent).stems)
    shared = (word for word in digest(row).words if len(word) > 1 and word[:STEM] in stems)
    words = sorted(dict.fromkeys(shared), key=len, reverse=True)[:MOST_WORDS]
    return replace(
        explained,
        best=parent.message_id,
        evidence=evidence,
        words=tuple(words),
        turns=turns,
        seconds=max(0.0, row.sent_at - parent.sent_at),
        names_it=_names(row, parent) or _names(parent, row),
    )


def _names(row: HistoryRow, other: HistoryRow) -> bool:
    """Tell whether a row names the author of another one."""
    called = {one.casefold() for one in (other.sender_name.split(" ")[0], other.sender, *other.aliases) if one}
    found = digest(row)
    return bool(called & {one.casefold() for one in (found.leading, *found.marked, *found.tokens) if one})


def _evidence(model: LinkModel, table: Table, found: Signals, at: int) -> tuple[Spoke, ...]:
    """Score one candidate once more for each kind of signals."""
    whole = _odds(model.links(found, table), at)
    valid = np.flatnonzero(found.places[0] >= 0)
    made = []
    for kind, places in _PLACES.items():
        pair = found.pair.copy()
        pair[places, at] = pair[places][:, valid].mean(axis=1)
        weight = whole - _odds(model.links(replace(found, pair=pair), table), at)
        made.append(Spoke(kind, round(weight, 2)))
    return tuple(sorted(made, key=lambda one: -abs(one.weight)))


def _odds(links: Floats, at: int) -> float:
    chance = min(max(float(links[0, at]), _CERTAIN), 1 - _CERTAIN)
    return math.log(chance / (1 - chance))
