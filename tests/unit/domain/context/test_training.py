"""The one command that trains: what it writes loads, and comes out the same again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chimein_gui.domain.context import LinkModel
from docs.context_model.data import data_dir, load_chats
from docs.context_model.examples import Examples, collect, general_words
from docs.context_model.train import PUPIL, links, shipped_links, write

pytestmark = pytest.mark.skipif(data_dir() is None, reason="CTXBENCH_DIR names no folder with score.py and the data")

FEW_CHATS, FEW_GROUPS = 5, 4  # a chat for each fold


@pytest.fixture(scope="module")
def examples() -> Examples:
    chats = load_chats("train")[:FEW_CHATS]
    return collect(chats, general_words(chats), FEW_GROUPS, with_calm=True)


def test_what_is_written_loads_and_comes_out_the_same_again(examples: Examples, tmp_path: Path) -> None:
    chats = load_chats("train")[:FEW_CHATS]
    general, plan = general_words(chats), replace(PUPIL, epochs=1)
    examples = examples.only(np.arange(len(examples.kind)) % 12 == 0)
    for name in ("one", "other"):
        write(chats[:1], links(examples, general, plan), repr(plan), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    model = LinkModel.from_bytes((tmp_path / "one").read_bytes())
    assert model.bias.shape == (PUPIL.hidden,)
    arrays, told = shipped_links(tmp_path / "one")
    assert told == repr(plan)
    assert np.array_equal(arrays["pair"], model.pair)
