"""Agents: personas, each with a Telegram account, and the state of their connections."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.ids import AccountId, AgentId
from chimein_gui.domain.notes import Note


class Health(StrEnum):
    """State of an account's connection."""

    STOPPED = "stopped"
    CONNECTING = "connecting"
    ONLINE = "online"
    WAITING = "waiting"
    LOGGED_OUT = "logged out"
    REVOKED = "revoked"
    """The session was ended from another device."""
    BANNED = "banned"
    """Telegram has closed the account."""
    FROZEN = "frozen"
    """Connected, but Telegram lets the account only read until its owner has appealed."""
    PROXY_TROUBLE = "proxy trouble"
    """Waiting, because the account's proxy does not work."""
    FAULTY_FILE = "faulty file"


class PictureChoice(StrEnum):
    """What a model gets for pictures in a chat."""

    WORDS = "words"
    """What describes them."""
    PICTURE = "picture"
    """Of the newest, the pictures themselves; of the others, words."""
    BOTH = "both"


class AccountEvent(StrEnum):
    """The last event on an account's connection."""

    CONNECTING = "connecting"
    CONNECTED = "connected"
    HEARD = "heard"
    """A message came in, or one of ours was confirmed. This proves that the connection works."""
    LOST = "lost"
    REFUSED_BY_PROXY = "refused by proxy"
    STOPPED = "stopped"
    LOGGED_OUT = "logged out"
    LOGGED_OUT_HERE = "logged out here"
    """By the operator: the session is gone, and only a new log-in makes another."""
    REVOKED = "revoked"
    BANNED = "banned"
    FROZEN = "frozen"
    WAIT_OVER = "wait over"
    """The time that Telegram had told the account to wait has passed."""


TRIES_AGAIN = frozenset({Health.WAITING, Health.PROXY_TROUBLE})
"""States without a connection; the next attempt is due at `Agent.next_try_at`."""

CONNECTED = frozenset({Health.ONLINE, Health.FROZEN})
"""States in which messages come in."""

NEEDS_LOG_IN = frozenset({Health.LOGGED_OUT, Health.REVOKED})
"""States in which no connection is attempted until the account is logged in again."""


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """Content of an agent file.

    Attributes:
        name: As written, NFC.
        phone: International number, digits with a leading ``+``.
        instructions: Free Markdown.
        role_prompts: Names of prompt files, in order.
        role_texts: Their texts, in the same order, with the blank lines at their beginning.
        role_sources: Paths of their files, for display; empty in specs from before they were kept.
        timezone: IANA name; empty for the machine's.
        model: Model name; empty for the default of the preferences.
        source: Path of the file, for display.
        instructions_line: The line of the file in which the instructions begin; 0 if unknown.
        aliases: Names that call the agent in groups (whole word, NFKC, casefold).
        sticker_sets: Short names of sets it may send from.
        stickers: Single stickers it may send, as (set, sticker).
        trust: Default trust level of its chats; None = review. `auto` and `countdown` need the operator's confirmation.
        memory_scope: ``global`` or ``per-partner``.
        dm_history: Number of newest messages in a prompt of a DM; None = the context selection chooses them.
        group_history: The same for groups.
        is_disabled: The file holds “# Disabled”: the account does not start.
        pictures: What the model gets for pictures.
        allowed_hosts: The hosts whose pages it may look up, and no others; empty for all.
        denied_hosts: The hosts whose pages it may not look up.
    """

    name: str
    phone: str
    instructions: str
    role_prompts: tuple[str, ...]
    role_texts: tuple[str, ...]
    timezone: str = ""
    model: str = ""
    source: str = ""
    aliases: tuple[str, ...] = ()
    sticker_sets: tuple[str, ...] = ()
    stickers: tuple[tuple[str, str], ...] = ()
    trust: TrustLevel | None = None
    memory_scope: str = "global"
    dm_history: int | None = 500
    group_history: int | None = None
    is_disabled: bool = False
    role_sources: tuple[str, ...] = ()
    instructions_line: int = 0
    pictures: PictureChoice = PictureChoice.WORDS
    allowed_hosts: tuple[str, ...] = ()
    denied_hosts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A problem with a config file that is not used, or only partly.

    Attributes:
        path: The file.
        line: Line number from 1; 0 for the file as a whole.
        note: What is wrong and what to write instead, or why a valid file is not used.
        last_good: The previous version of the file stays in use.
        stands_back: The file is valid, but an earlier file has the same name or number and is used instead.
        is_warning: The file is used except for the part with the problem.
        leads_to: Target of a link in the config directories that is outside of them; the operator must allow it once.
    """

    path: str
    line: int
    note: Note
    last_good: bool = False
    stands_back: bool = False
    is_warning: bool = False
    leads_to: str = ""


@dataclass(frozen=True, slots=True)
class MethodWait:
    """A FLOOD_WAIT: one method of an account has to wait, its other methods do not.

    Attributes:
        method: The gateway's method, such as ``send_text``; empty for connecting.
        until: Aware UTC.
    """

    method: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Agent:
    """The snapshot of an agent that panes show.

    Attributes:
        agent_id: Row id.
        spec: The file's content.
        account_id: Telegram account it was last logged in with, or None.
        identity: Index into the identity colours, from 0.
        health: State of the connection.
        health_note: What it waits for, or why it does not run; None without a reason.
        next_try_at: When the next attempt is made, aware UTC; None if none is due.
        limited: Telegram's name of the limit if it limited the account (PEER_FLOOD), else empty. With a limit,
            automatic sends need approval.
        trust_confirmed: The operator confirmed that the file's `auto` or `countdown` takes effect.
        waits: Methods that have to wait, soonest end first.
        last_event: Last event on the connection; None before the first.
        last_event_at: Its time, aware UTC.
        proxy: The account's proxy without its secrets, such as ``SOCKS5 proxy.example:1080``; empty for none.
    """

    agent_id: AgentId
    spec: AgentSpec
    account_id: AccountId | None
    identity: int
    health: Health = Health.STOPPED
    health_note: Note | None = None
    next_try_at: datetime | None = None
    limited: str = ""
    trust_confirmed: bool = False
    waits: tuple[MethodWait, ...] = ()
    last_event: AccountEvent | None = None
    last_event_at: datetime | None = None
    proxy: str = ""
