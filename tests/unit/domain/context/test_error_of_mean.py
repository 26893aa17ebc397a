"""The ± beside what a reply adds: triggers that share their conversations are no independent evidence."""

import numpy as np
import pytest

from docs.context_model.table import error_of_mean


def test_triggers_of_one_block_count_as_one() -> None:
    values = np.array([1.0, 1.0, 3.0, 3.0])
    assert error_of_mean(values, [(0, 0), (0, 0), (0, 1), (0, 1)]) == pytest.approx(1.0)


def test_blocks_of_other_chats_are_others() -> None:
    values = np.array([1.0, 3.0, 1.0, 3.0])
    assert error_of_mean(values, [(0, 0), (1, 0), (2, 0), (3, 0)]) == pytest.approx(np.std(values, ddof=1) / 2)
