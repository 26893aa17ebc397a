"""What a reply says besides its anchor: whose rows the anchor's conversation holds."""

from __future__ import annotations

import numpy as np
import pytest

from chimein_gui.domain.context import LinkModel
from chimein_gui.domain.context.people import COLUMNS
from chimein_gui.domain.context.replies import REPLY, Reply, world_signals
from chimein_gui.domain.context.threads import WORLDS, believe

ANA, BEN, CARA = range(3)
NO_WORDS = np.zeros((2, 3), np.float32)


def people(*senders: int) -> np.ndarray:
    """Rows of these senders, and last the trigger's, that name nobody."""
    found = np.full((len(senders), len(COLUMNS)), -1, np.int32)
    found[:, COLUMNS.index("sender")] = senders
    return found


def test_rows_of_both_people_are_likelier_in_than_a_third_one_s(model: LinkModel) -> None:
    # In the first half of the worlds the anchor continues the row of the trigger's sender, in the other a third one's.
    labels = np.tile(np.arange(3, dtype=np.int16)[:, None], WORLDS)
    labels[2] = np.arange(WORLDS) >= WORLDS // 2
    places, links = np.array([-1], np.int32), np.array([0.0, 1.0], np.float32)
    belief = believe(labels, places, links, Reply(2, people(ANA, CARA, BEN, ANA), NO_WORDS, model.reply))
    assert belief.probabilities[2] == pytest.approx(1.0)
    assert belief.probabilities[0] - belief.probabilities[1] > 0.1
    by_fit = believe(labels, places, links, Reply(2, people(ANA, CARA, BEN, ANA), NO_WORDS, np.eye(1, len(REPLY))[0]))
    assert by_fit.probabilities[:2].tolist() == pytest.approx([0.5, 0.5])


def test_signals_count_what_is_inside_and_what_is_left_outside() -> None:
    shared = np.array([[1, 0], [0, 1], [1, 1]], np.float32)
    reply = Reply(
        2, people(ANA, CARA, BEN, ANA), np.array([[3, 1, 0], [0, 1, 0]], np.float32), np.eye(1, len(REPLY))[0]
    )
    found = world_signals(reply, shared, np.zeros(2, np.float32), 0.5, 0.25)
    assert found.shape == (len(REPLY), 2)
    mine = found[REPLY.index("of_trigger_sender_inside")], found[REPLY.index("of_trigger_sender_outside")]
    assert np.expm1(mine).round(3).tolist() == [[1, 0], [0, 1]]
    assert np.expm1(found[REPLY.index("size")]).round(3).tolist() == [2, 2]
    assert np.expm1(found[REPLY.index("words_of_trigger_inside")]).round(3).tolist() == [3, 1]
    assert np.expm1(found[REPLY.index("words_of_anchor_inside")]).round(3).tolist() == [0, 1]
    assert np.expm1(found[REPLY.index("people_inside")]).round(3).tolist() == [2, 2]
    assert np.expm1(found[REPLY.index("others_of_two_inside")]).round(3).tolist() == [0, 1]
    assert np.expm1(found[REPLY.index("since_start")]).round(3).tolist() == [2, 1]
    assert found[REPLY.index("anchor_starts_it")].tolist() == [0, 0]
