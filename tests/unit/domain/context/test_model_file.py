"""The file of weights: what ships, and what is refused."""

from __future__ import annotations

import io

import numpy as np
import pytest

from chimein_gui.domain.context import LinkModel
from chimein_gui.resource_files import resource_path

FILE = ("context", "link_model.npz")


def archive(**changes: np.ndarray) -> bytes:
    with np.load(resource_path(*FILE)) as loaded:
        arrays = {name: loaded[name] for name in loaded.files} | changes
    out = io.BytesIO()
    np.savez(out, **{name: one for name, one in arrays.items() if one is not None})
    return out.getvalue()


def test_the_file_that_ships_is_small_and_says_where_it_is_from() -> None:
    path = resource_path(*FILE)
    assert path.stat().st_size < 1_000_000
    with np.load(path) as loaded:
        assert "CC BY 4.0" in str(loaded["source"])
    assert "CC BY 4.0" in path.with_name("ATTRIBUTION.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 no archive", b"nonsense" * 100])
def test_damaged_files_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError):
        LinkModel.from_bytes(data)


def test_a_cut_file_is_refused() -> None:
    whole = resource_path(*FILE).read_bytes()
    with pytest.raises(ValueError):
        LinkModel.from_bytes(whole[: len(whole) // 2])


def test_weights_of_other_signals_are_refused() -> None:
    with pytest.raises(ValueError, match="pair"):
        LinkModel.from_bytes(archive(pair=np.zeros((4, 4), np.float32)))
    with pytest.raises(ValueError):
        LinkModel.from_bytes(archive(general=np.zeros(0, np.float32)))
