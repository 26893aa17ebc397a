"""The weights that ship, loaded once."""

from __future__ import annotations

import pytest

from chimein_gui.domain.context import LinkModel
from chimein_gui.resource_files import resource_path


@pytest.fixture(scope="session")
def model() -> LinkModel:
    return LinkModel.from_bytes(resource_path("context", "link_model.npz").read_bytes())
