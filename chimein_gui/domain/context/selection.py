"""Selects the earlier messages that belong to the trigger's conversation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from chimein_gui.domain.context.links.model import LinkModel
from chimein_gui.domain.context.prepared import Asked, Prepared, ask, ask_from_scratch
from chimein_gui.domain.context.rows import HISTORY, Choice, HistoryRow, Reason
from chimein_gui.domain.context.threads import believe, best_set
from chimein_gui.domain.context.time_gap import session_before

_LIKELY = 0.5
"""Above this the reason of an included row is its links; below it, within the session, its closeness in time."""

_UNSURE = 0.5
"""Probability of a row that was chosen by time gaps."""


def select_context(
    history: Sequence[HistoryRow], trigger: HistoryRow, model: LinkModel | None, prepared: Prepared | None = None
) -> tuple[Choice, ...]:
    """Choose what the agent sees of a chat.

    Args:
        history: The messages before the trigger, oldest first; the newest `HISTORY` are candidates.
        trigger: The message that asks for a plan; not part of `history`.
        model: The weights; None falls back to time clusters.
        prepared: The same history, prepared at ingest; if it does not fit, the work is done again.

    Returns:
        One choice for each row of `history`, oldest first. The same arguments give the same choices.
    """
    if not history:
        return ()
    chain, session = reply_chain(history, trigger), session_before(history, trigger.sent_at)
    chances = np.zeros(len(history), np.float32)
    if model is None:
        start, missed = max(0, len(history) - HISTORY), Reason.OTHER_SESSION
        chosen = [place for place in session if history[place].thread_id == trigger.thread_id]
        chances[session.start :] = _UNSURE
    else:
        fits = prepared is not None and prepared.model is model and prepared.fits(history)
        asked = ask(prepared, trigger) if prepared and fits else ask_from_scratch(history, trigger, model)
        start, missed = max(0, len(history) - min(len(asked.labels), HISTORY)), Reason.OTHER_THREAD
        chances[start:], chosen = _by_links(history, asked)
    reasons, included = [Reason.BEYOND_LOOKBACK] * start + [missed] * (len(history) - start), [False] * len(history)
    _exclude(reasons, history, trigger.thread_id)
    gone, near, link, known = Reason.GONE, Reason.SAME_SESSION, Reason.LINK, chances.tolist()
    for place in chosen:
        if reasons[place] is not gone:
            is_near = place >= session.start and (model is None or known[place] < _LIKELY)
            reasons[place], included[place] = near if is_near else link, True
    for step, place in enumerate(chain):
        known[place] = 1.0
        if step == 0 or reasons[place] is not gone:
            reasons[place], included[place] = Reason.REPLY_CHAIN if step else Reason.ANCHOR, True
    return tuple(map(_CHOICE, zip([row.message_id for row in history], included, known, reasons, strict=True)))


_CHOICE: Callable[[tuple[int, bool, float, Reason]], Choice] = partial(tuple.__new__, Choice)
"""Creates a choice from its parts, twice as fast as calling `Choice`."""


def _exclude(reasons: list[Reason], history: Sequence[HistoryRow], topic: int | None) -> None:
    """Set the reasons of rows that can't be chosen."""
    odd = [place for place, row in enumerate(history) if row.deleted or row.is_service or row.thread_id != topic]
    for place in odd:
        if history[place].deleted or history[place].is_service:
            reasons[place] = Reason.GONE
        elif reasons[place] is not Reason.BEYOND_LOOKBACK:
            reasons[place] = Reason.OTHER_TOPIC


def reply_chain(history: Sequence[HistoryRow], trigger: HistoryRow) -> tuple[int, ...]:
    """Return the positions of the trigger's anchor, of the row that the anchor replies to, and so on."""
    if trigger.reply_to is None:
        return ()
    places = {row.message_id: place for place, row in enumerate(history)}
    chain: list[int] = []
    wanted: int | None = trigger.reply_to
    while wanted is not None:
        place = places.get(wanted, len(history))
        if place >= (chain[-1] if chain else len(history)):
            break
        chain.append(place)
        wanted = history[place].reply_to
    return tuple(chain)


def _by_links(history: Sequence[HistoryRow], asked: Asked) -> tuple[npt.NDArray[np.float32], list[int]]:
    """Return the probabilities, from the first prepared row on, and the best set as positions in `history`."""
    belief = believe(asked.labels, asked.places, asked.links, asked.reply)
    older = len(history) - len(asked.labels)
    first = max(0, -older, len(asked.labels) - HISTORY)  # what was prepared may reach further back than candidates do
    allowed = np.ones(len(asked.table.rows), dtype=np.bool_)
    allowed[asked.table.gone] = False
    allowed[:first] = False
    return belief.probabilities[first:], [place + older for place in best_set(belief, allowed[:-1]).tolist()]
