"""What work gets to see: all rows over one connection, and the transaction's number."""

from collections.abc import Callable
from datetime import datetime

from chimein_gui.adapters.store.rows_agents import SqliteAgentRows
from chimein_gui.adapters.store.rows_approvals import SqliteApprovalRows
from chimein_gui.adapters.store.rows_chats import SqliteChatRows
from chimein_gui.adapters.store.rows_ledger import SqliteLedgerRows
from chimein_gui.adapters.store.rows_messages import SqliteMessageRows
from chimein_gui.adapters.store.rows_tasks import SqliteTaskRows
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.ids import Revision
from chimein_gui.engine.ports import AgentRows, ApprovalRows, ChatRows, LedgerRows, MessageRows, TaskRows


class SqliteTransaction:
    """Implements `engine.ports.Transaction`. A connection has one; its runner sets the revision for each work item."""

    __slots__ = ("agents", "approvals", "chats", "ledger", "messages", "revision", "tasks")

    def __init__(self, sql: Sql, now: Callable[[], datetime]) -> None:
        self.revision = Revision(0)
        self.agents: AgentRows = SqliteAgentRows(sql)
        self.chats: ChatRows = SqliteChatRows(sql)
        self.messages: MessageRows = SqliteMessageRows(sql)
        self.tasks: TaskRows = SqliteTaskRows(sql)
        self.approvals: ApprovalRows = SqliteApprovalRows(sql, now)
        self.ledger: LedgerRows = SqliteLedgerRows(sql)
