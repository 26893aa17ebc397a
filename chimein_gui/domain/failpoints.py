"""Named points of a send, of an edit of a plan and of a memory at which kill tests end the program.

Services get a `Reach` by constructor; in the product it is `pass_by`.
"""

from collections.abc import Callable
from enum import StrEnum


class Failpoint(StrEnum):
    """Points of one send, in their order; then those of one edit of a plan, and of one memory."""

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
    MEMORY_COMMITTED = "after memory commit"
    """A memory of a reply, or a partner's order, is stored; nothing is written to its file."""
    BEFORE_MEMORY_FILE = "before memory file"
    """In a thread: its file was read, and is about to be replaced."""
    AFTER_MEMORY_FILE = "after memory file"
    MEMORY_RECORDED = "after memory record"
    """It is recorded that the file was written."""


Reach = Callable[[Failpoint], None]
"""Called when a point is reached; in a test it may not return."""


def pass_by(point: Failpoint) -> None:
    """Do nothing; this is the product's `Reach`."""
    del point
