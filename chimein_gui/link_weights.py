"""The weights of the choice of context that come with the program."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from chimein_gui.resource_files import resource_path

if TYPE_CHECKING:
    from chimein_gui.domain.context import LinkModel

_log = logging.getLogger(__name__)


def load_link_model() -> tuple[LinkModel | None, str]:
    """Read the weights of the choice of context, in a thread: with them comes numpy.

    Returns:
        The weights, and no fault; or none, and what is wrong.
    """
    from chimein_gui.domain.context import LinkModel

    try:
        return LinkModel.from_bytes(resource_path("context", "link_model.npz").read_bytes()), ""
    except (OSError, ValueError) as error:
        _log.warning("The weights of the choice of context cannot be used: %s", error)
        return None, "The file of weights for the choice of context is missing or damaged."
