"""Named points of the send path at which kill tests end the program.

Services get a `Reach` by constructor; in the product it is `pass_by`.
"""

from collections.abc import Callable
from enum import StrEnum


class Failpoint(StrEnum):
    """Points of one send, in their order."""

    DECISION_COMMITTED = "after decision commit"
    CLAIM_COMMITTED = "after claim commit"
    BEFORE_WRITE = "before write"
    AFTER_WRITE = "after write"
    SERVER_EXECUTED = "after server execution"
    ANSWERED = "after answer"
    CONFIRMATION_COMMITTED = "after confirmation commit"


Reach = Callable[[Failpoint], None]
"""Called when a point is reached; in a test it may not return."""


def pass_by(point: Failpoint) -> None:
    """Do nothing; this is the product's `Reach`."""
    del point
