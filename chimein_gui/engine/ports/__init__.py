"""The engine's ports, as Protocols; adapters implement them, tests use small real classes.

The sandbox's port is `chimein_gui.sandbox_api`, because that is the only package of ours that the sandbox may import.
"""

from chimein_gui.engine.ports.files import (
    AgentFiles,
    AgentFolder,
    CharacterCardFiles,
    DiagnosticsFile,
    MemoryFiles,
    NewAgent,
    PreferenceFile,
)
from chimein_gui.engine.ports.machine import (
    Clock,
    DesktopNotification,
    DesktopNotifications,
    Spawn,
)
from chimein_gui.engine.ports.media import (
    FileWanted,
    FoundFile,
    FrameRenderer,
    Frames,
    MediaCache,
    OutgoingFiles,
)
from chimein_gui.engine.ports.media_records import (
    MediaRecords,
)
from chimein_gui.engine.ports.memory import (
    IndexStatus,
    MemoryIndex,
    Vector,
)
from chimein_gui.engine.ports.model import (
    Embedded,
    Embedder,
    KeyChecker,
    KeyVerdict,
    LanguageModel,
    LocalModels,
    ModelChoice,
    ModelProvider,
    TextUse,
)
from chimein_gui.engine.ports.person_files import (
    HeldFile,
    PersonArchive,
    PersonFiles,
)
from chimein_gui.engine.ports.row_sets.cards import (
    CardRows,
    DecisionRows,
)
from chimein_gui.engine.ports.row_sets.conversations import (
    AgentRows,
    ChatRows,
    MessageRows,
)
from chimein_gui.engine.ports.row_sets.media import (
    MediaRows,
)
from chimein_gui.engine.ports.row_sets.people import (
    ForgetRequest,
    MessagePortion,
    PackedPrompt,
    PeopleRows,
)
from chimein_gui.engine.ports.row_sets.plans import (
    ApprovalRows,
    GraphRows,
    LedgerRows,
    PlanEditRows,
    RetentionRows,
    TaskRows,
)
from chimein_gui.engine.ports.row_sets.policy import (
    AccountRows,
    EffectRows,
    HoldRows,
    MemoryOrderRows,
    PromptRows,
    SavedEditRows,
    WaitRows,
)
from chimein_gui.engine.ports.row_sets.proposals import ProposalRows
from chimein_gui.engine.ports.row_sets.spending import (
    SpendingRows,
)
from chimein_gui.engine.ports.row_sets.traces import TraceRows
from chimein_gui.engine.ports.row_sets.transcripts import (
    IndexUse,
    MessageQuery,
    SearchRows,
    TranscriptRows,
)
from chimein_gui.engine.ports.rows import (
    DecisionRecord,
    GraphRow,
    GraphStanding,
    LedgerRow,
    MemoryEffect,
    MemoryState,
    NewApproval,
    NewGraph,
    NewRequest,
    ServerWait,
    TaskRow,
)
from chimein_gui.engine.ports.secrets import (
    SecretPlace,
    SecretStore,
    StoredSecret,
)
from chimein_gui.engine.ports.sign_in import (
    SignInClient,
    SignIns,
)
from chimein_gui.engine.ports.source_files import (
    SourceFiles,
)
from chimein_gui.engine.ports.store import (
    Durability,
    Store,
    Transaction,
)
from chimein_gui.engine.ports.telegram import (
    AccountIdentity,
    DialogInfo,
    FileRequest,
    GatewayFactory,
    GatewayListener,
    SendRequest,
    SentReceipt,
    StickerRequest,
    TelegramGateway,
    UploadedFile,
)
from chimein_gui.engine.ports.web import (
    PageFetcher,
    PagesWanted,
)

__all__ = [
    "AccountIdentity",
    "AccountRows",
    "AgentFiles",
    "AgentFolder",
    "AgentRows",
    "ApprovalRows",
    "CardRows",
    "CharacterCardFiles",
    "ChatRows",
    "Clock",
    "DecisionRecord",
    "DecisionRows",
    "DesktopNotification",
    "DesktopNotifications",
    "DiagnosticsFile",
    "DialogInfo",
    "Durability",
    "EffectRows",
    "Embedded",
    "Embedder",
    "FileRequest",
    "FileWanted",
    "ForgetRequest",
    "FoundFile",
    "FrameRenderer",
    "Frames",
    "GatewayFactory",
    "GatewayListener",
    "GraphRow",
    "GraphRows",
    "GraphStanding",
    "HeldFile",
    "HoldRows",
    "IndexStatus",
    "IndexUse",
    "KeyChecker",
    "KeyVerdict",
    "LanguageModel",
    "LedgerRow",
    "LedgerRows",
    "LocalModels",
    "MediaCache",
    "MediaRecords",
    "MediaRows",
    "MemoryEffect",
    "MemoryFiles",
    "MemoryIndex",
    "MemoryOrderRows",
    "MemoryState",
    "MessagePortion",
    "MessageQuery",
    "MessageRows",
    "ModelChoice",
    "ModelProvider",
    "NewAgent",
    "NewApproval",
    "NewGraph",
    "NewRequest",
    "OutgoingFiles",
    "PackedPrompt",
    "PageFetcher",
    "PagesWanted",
    "PeopleRows",
    "PersonArchive",
    "PersonFiles",
    "PlanEditRows",
    "PreferenceFile",
    "PromptRows",
    "ProposalRows",
    "RetentionRows",
    "SavedEditRows",
    "SearchRows",
    "SecretPlace",
    "SecretStore",
    "SendRequest",
    "SentReceipt",
    "ServerWait",
    "SignInClient",
    "SignIns",
    "SourceFiles",
    "Spawn",
    "SpendingRows",
    "StickerRequest",
    "Store",
    "StoredSecret",
    "TaskRow",
    "TaskRows",
    "TelegramGateway",
    "TextUse",
    "TraceRows",
    "Transaction",
    "TranscriptRows",
    "UploadedFile",
    "Vector",
    "WaitRows",
]
