"""A transaction: all row sets over one connection, and the revision."""

from collections.abc import Callable
from datetime import datetime

from chimein_gui.adapters.store.media_rows import SqliteMediaRows
from chimein_gui.adapters.store.memories.proposals import SqliteProposalRows
from chimein_gui.adapters.store.people.rows import SqlitePeopleRows
from chimein_gui.adapters.store.rows.agents import SqliteAgentRows
from chimein_gui.adapters.store.rows.approvals import SqliteApprovalRows
from chimein_gui.adapters.store.rows.cards import SqliteCardRows
from chimein_gui.adapters.store.rows.chats import SqliteChatRows
from chimein_gui.adapters.store.rows.decisions import SqliteDecisionRows
from chimein_gui.adapters.store.rows.effects import SqliteEffectRows, SqliteMemoryOrderRows, SqlitePromptRows
from chimein_gui.adapters.store.rows.graphs import SqliteGraphRows, SqlitePlanEditRows
from chimein_gui.adapters.store.rows.ledger import SqliteLedgerRows
from chimein_gui.adapters.store.rows.messages import SqliteMessageRows
from chimein_gui.adapters.store.rows.policy import (
    SqliteAccountRows,
    SqliteHoldRows,
    SqliteSavedEditRows,
    SqliteWaitRows,
)
from chimein_gui.adapters.store.rows.retention import SqliteRetentionRows
from chimein_gui.adapters.store.rows.tasks import SqliteTaskRows
from chimein_gui.adapters.store.rows.transcripts import SqliteTranscriptRows
from chimein_gui.adapters.store.search_index import SearchIndex, SqliteSearchRows
from chimein_gui.adapters.store.spending.rows import SqliteSpendingRows
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.adapters.store.traces.late import LateTraces
from chimein_gui.adapters.store.traces.rows import SqliteTraceRows
from chimein_gui.domain.ids import Revision
from chimein_gui.engine.ports import (
    AccountRows,
    AgentRows,
    ApprovalRows,
    CardRows,
    ChatRows,
    DecisionRows,
    EffectRows,
    GraphRows,
    HoldRows,
    LedgerRows,
    MediaRows,
    MemoryOrderRows,
    MessageRows,
    PeopleRows,
    PlanEditRows,
    PromptRows,
    ProposalRows,
    RetentionRows,
    SavedEditRows,
    SearchRows,
    SpendingRows,
    TaskRows,
    TraceRows,
    TranscriptRows,
    WaitRows,
)


class SqliteTransaction:
    """Implements `engine.ports.Transaction`. A connection has one; its runner sets the revision for each work item."""

    __slots__ = (
        "accounts",
        "agents",
        "approvals",
        "cards",
        "chats",
        "decisions",
        "effects",
        "graphs",
        "holds",
        "ledger",
        "media",
        "memory_orders",
        "messages",
        "people",
        "plan_edits",
        "prompts",
        "proposals",
        "retention",
        "revision",
        "saved_edits",
        "search",
        "spending",
        "tasks",
        "traces",
        "transcripts",
        "waits",
    )

    def __init__(self, sql: Sql, now: Callable[[], datetime], late: LateTraces | None = None) -> None:
        """`late` keeps what may wait for the end of a batch, if the connection has batches."""
        self.revision = Revision(0)
        self.agents: AgentRows = SqliteAgentRows(sql)
        self.chats: ChatRows = SqliteChatRows(sql)
        index = SearchIndex(sql)
        self.search: SearchRows = SqliteSearchRows(sql, index)
        self.messages: MessageRows = SqliteMessageRows(sql, index)
        self.transcripts: TranscriptRows = SqliteTranscriptRows(sql, index)
        self.graphs: GraphRows = SqliteGraphRows(sql)
        self.tasks: TaskRows = SqliteTaskRows(sql)
        self.plan_edits: PlanEditRows = SqlitePlanEditRows(sql)
        self.approvals: ApprovalRows = SqliteApprovalRows(sql, now)
        self.ledger: LedgerRows = SqliteLedgerRows(sql)
        self.holds: HoldRows = SqliteHoldRows(sql)
        self.waits: WaitRows = SqliteWaitRows(sql)
        self.accounts: AccountRows = SqliteAccountRows(sql)
        self.saved_edits: SavedEditRows = SqliteSavedEditRows(sql)
        self.effects: EffectRows = SqliteEffectRows(sql)
        self.memory_orders: MemoryOrderRows = SqliteMemoryOrderRows(sql)
        self.cards: CardRows = SqliteCardRows(sql)
        self.decisions: DecisionRows = SqliteDecisionRows(sql)
        self.media: MediaRows = SqliteMediaRows(sql)
        self.spending: SpendingRows = SqliteSpendingRows(sql)
        self.prompts: PromptRows = SqlitePromptRows(sql)
        self.traces: TraceRows = SqliteTraceRows(sql, late or LateTraces(sql))
        self.proposals: ProposalRows = SqliteProposalRows(sql)
        self.people: PeopleRows = SqlitePeopleRows(sql, index)
        self.retention: RetentionRows = SqliteRetentionRows(sql)
