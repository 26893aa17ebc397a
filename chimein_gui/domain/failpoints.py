"""Named points of a send and of an edit of a plan at which kill tests end the program.

Services get a `Reach` by constructor; in the product it is `pass_by`.
"""

from collections.abc import Callable
from enum import StrEnum


class Failpoint(StrEnum):
    """Points of one send, in their order; then those of one edit of a plan."""

    DECISION_COMMITTED = "after decision commit"
    CLAIM_COMMITTED = "after claim commit"
    BEFORE_WRITE = "before write"
    AFTER_WRITE = "after write"
    SERVER_EXECUTED = "after server execution"
    ANSWERED = "after answer"
    CONFIRMATION_COMMITTED = "after confirmation commit"
    EDIT_BEGUN = "before edit commit"
    """Within the transaction of an edit, on the writer thread: the steps are changed, the edit is not recorded yet."""
    EDIT_COMMITTED = "after edit commit"


Reach = Callable[[Failpoint], None]
"""Called when a point is reached; in a test it may not return."""


def pass_by(point: Failpoint) -> None:
    """Do nothing; this is the product's `Reach`."""
    del point
