"""Everything the writer knows of its rows without looking: one mirror for each kind, kept in step with one another.

Only the row sets of one `SqliteTransaction` write to these tables, and each tells the mirrors what it writes. A write
that nobody tells of, by another row set or by a statement in a new place, forgets what stands on its table.
"""

from chimein_gui.adapters.store.cache.approvals import KeptApprovals
from chimein_gui.adapters.store.cache.chats import KeptChats
from chimein_gui.adapters.store.cache.graphs import KeptGraphs
from chimein_gui.adapters.store.cache.messages import KeptMessages
from chimein_gui.adapters.store.cache.requests import KeptRequests
from chimein_gui.adapters.store.cache.steps import KeptSteps
from chimein_gui.adapters.store.sql import Sql


class Kept:
    """The mirrors of one set of rows.

    Attributes:
        approvals: Planned sends and what was decided on them.
        chats: Conversations.
        graphs: Plans.
        messages: The newest messages of chats.
        requests: The ledger.
        steps: Steps of plans.
    """

    __slots__ = ("_next", "_standing_on", "approvals", "chats", "graphs", "messages", "requests", "steps")

    def __init__(self) -> None:
        """Begin with nothing."""
        self._next: dict[str, int] = {}
        self.steps = KeptSteps()
        self.chats = KeptChats(self.steps)
        self.graphs = KeptGraphs()
        self.messages = KeptMessages()
        self.requests = KeptRequests()
        self.approvals = KeptApprovals(self.steps, self.requests)
        approvals, chats = self.approvals, self.chats
        self._standing_on = {
            "agents": (chats, approvals),
            "approvals": (approvals,),
            "chats": (chats, approvals),
            "decisions": (approvals,),
            "graphs": (self.graphs, self.steps, approvals),
            "ledger": (self.requests,),
            "messages": (self.messages, chats),
            "tasks": (self.steps, approvals),
        }

    def clear(self) -> None:
        """Forget everything: what was written was taken back, or somebody else wrote."""
        self._next.clear()
        for mirror in (self.approvals, self.chats, self.graphs, self.messages, self.requests, self.steps):
            mirror.clear()

    def overtaken(self, table: str) -> None:
        """Somebody writes to a table and tells nothing."""
        self._next.pop(table, None)
        for mirror in self._standing_on.get(table, ()):
            mirror.clear()

    def new_id(self, sql: Sql, table: str, column: str) -> int:
        """Return the number of a new row, as SQLite would choose it: one more than the highest there is."""
        number = self._next.get(table)
        if number is None:
            row = sql.one(f"SELECT max({column}) FROM {table}")
            number = 1 + ((row[0] or 0) if row is not None else 0)
        self._next[table] = number + 1
        return number
