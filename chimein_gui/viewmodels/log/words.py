"""The log in words: levels, times, where a line leads, and what to do about it."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.viewmodels.core.numbers import MB, bytes_words, count_words, decimal_words
from chimein_gui.viewmodels.core.roles import SPOKEN
from chimein_gui.viewmodels.core.sanitize import sanitize

if TYPE_CHECKING:
    from chimein_gui.reporting.log_lines import LogLine

translate = QCoreApplication.translate


class Leads(Enum):
    """Where a line leads."""

    NOWHERE = "nowhere"
    PLAN = "plan"
    CHAT = "chat"
    ACCOUNT = "account"
    LOG_IN = "log in"
    FILES = "files"
    MEDIA = "media"
    MEMORY = "memory"
    COSTS = "costs"


class Remedy(Enum):
    """What helps against what a line says."""

    NOTHING = "nothing"
    """It is only information."""
    WENT_ON = "went on"
    LOG_IN = "log in"
    CLOSED = "closed"
    """Telegram has closed the account."""
    WAIT = "wait"
    NETWORK = "network"
    PROXY = "proxy"
    KEY = "key"
    PROMPT = "prompt"
    """The model made no plan of what it was given."""
    DISK = "disk"
    FILE = "file"
    REPORT = "report"
    """A fault of the program."""


_SPOKEN_OF = {"media": Leads.MEDIA, "memory": Leads.MEMORY}
"""By the part that wrote a line."""

_CAPS = frozenset({"chimein_gui.engine.llm.spend_gate", "chimein_gui.engine.llm.caps"})
"""The module whose lines are about caps on costs, also by its name in logs of earlier versions."""

_OURS = "chimein_gui."
"""What the names of Chimein's own modules begin with."""

_REVOKED = ("session was revoked",)
"""What tells that a line is about a session that was ended; behind its colon stands no more than that."""

_FILES = "chimein_gui.engine.agents.reconcile"
"""The module whose lines are about files of agents."""

_TELLS = (
    (Remedy.CLOSED, ("account is closed by telegram",)),
    (Remedy.LOG_IN, ("authkey", "session was revoked", "sessionrevoked", "loggedouterror", "revokederror", "log-in")),
    (Remedy.WAIT, ("floodwait", "flood_wait", "ratelimitederror", "slowmode")),
    (Remedy.KEY, ("modelkeyerror", "api key", "keychain", "secret")),
    (Remedy.PROMPT, ("model call failed for good",)),
    (Remedy.DISK, ("no space left", "disk is full", "storewriteerror", "database is locked")),
    (Remedy.PROXY, ("through its proxy",)),
    (
        Remedy.NETWORK,
        ("can't connect", "connectionerror", "notconnected", "connection lost", "timed out", "timeouterror", "no way"),
    ),
    (Remedy.FILE, ("is not taken", "the file ", "the memory file", "config director")),
)


def remedy_of(line: LogLine) -> Remedy:
    """Return what helps; the first that its words tell of."""
    if line.level < logging.WARNING and not line.error:
        return Remedy.NOTHING
    text = f"{line.text} {line.error[-500:]}".lower()
    for remedy, tells in _TELLS:
        if any(tell in text for tell in tells):
            return remedy
    return Remedy.REPORT if line.error else Remedy.WENT_ON


_REMEDIES: dict[Remedy, object] = {
    Remedy.NOTHING: QT_TRANSLATE_NOOP("Log", "Nothing: this is information."),
    Remedy.WENT_ON: QT_TRANSLATE_NOOP("Log", "Nothing: Chimein continued automatically."),
    Remedy.LOG_IN: QT_TRANSLATE_NOOP("Log", "Log in again. Until then this account sends nothing; drafts are kept."),
    Remedy.CLOSED: QT_TRANSLATE_NOOP(
        "Log", "Appeal to Telegram. Until then this account sends nothing; drafts are kept."
    ),
    Remedy.PROXY: QT_TRANSLATE_NOOP("Log", "Open the account and check its proxy. Chimein keeps trying."),
    Remedy.PROMPT: QT_TRANSLATE_NOOP(
        "Log", "The message was not answered. The trace of the plan says why; there you can plan again."
    ),
    Remedy.WAIT: QT_TRANSLATE_NOOP("Log", "Nothing: Telegram told this account to wait, and sends go out afterwards."),
    Remedy.NETWORK: QT_TRANSLATE_NOOP("Log", "Check the connection to the internet. Chimein keeps trying."),
    Remedy.KEY: QT_TRANSLATE_NOOP("Log", "Check the keys in Preferences. Messages that wait are answered afterwards."),
    Remedy.DISK: QT_TRANSLATE_NOOP("Log", "Free some space on the disk. Chimein tries again automatically."),
    Remedy.FILE: QT_TRANSLATE_NOOP("Log", "Open the file and correct it. The last good version stays in use."),
    Remedy.REPORT: QT_TRANSLATE_NOOP("Log", "A fault of Chimein, which went on. Save the diagnostics and report it."),
}


def remedy_words(remedy: Remedy, held: int = 0) -> str:
    """Return what to do now, in a sentence or two; `held` drafts of the account are not sent until it is done."""
    if remedy is Remedy.LOG_IN and held:
        return translate("Log", "Log in again. Until then this account sends nothing; %n draft(s) are held.", "", held)
    return translate("Log", str(_REMEDIES[remedy]))


def cause_of(line: LogLine) -> str:
    """Return why a fault came about; empty if the line tells no cause, or is no fault. Foreign.

    The last line of a traceback names the error. Without one, Chimein's warnings name the cause after their colon.
    """
    raised = next((one.strip() for one in reversed(line.error.splitlines()) if one.strip()), "")
    if raised or line.level < logging.WARNING:
        return raised
    if remedy_of(line) is Remedy.WAIT:
        return translate("Log", "Telegram limits how much an account asks for and sends in a while.")
    if any(tell in line.text.lower() for tell in _REVOKED):
        return translate("Log", "It was ended from another device, or by Telegram.")
    return line.text.partition(": ")[2] if line.source.startswith(_OURS) else ""


def level_word(level: int) -> str:
    """Return the level as one word."""
    if level >= logging.ERROR:
        return translate("Log", "error")
    if level >= logging.WARNING:
        return translate("Log", "warn")
    return translate("Log", "info") if level >= logging.INFO else translate("Log", "debug")


@lru_cache(maxsize=4096)
def time_words(at: float) -> str:
    """Return the local time of day with milliseconds, such as 14:32:08.114."""
    local = datetime.fromtimestamp(at, UTC).astimezone()
    return f"{local:%H:%M:%S}.{local.microsecond // 1000:03}"


@lru_cache(maxsize=256)
def tick_words(at: int, *, seconds: bool) -> str:
    """Return a local time below the density strip."""
    local = datetime.fromtimestamp(at, UTC).astimezone()
    return f"{local:%H:%M:%S}" if seconds else f"{local:%H:%M}"


def leads_to(line: LogLine) -> Leads:
    """Return where a line leads: to its plan, to what it speaks of, else to its chat or account."""
    about = line.about
    if about.chat_id is not None and about.graph_id is not None:
        return Leads.PLAN
    if about.agent_id is not None and line.level >= logging.WARNING and remedy_of(line) is Remedy.LOG_IN:
        return Leads.LOG_IN
    spoken_of = _SPOKEN_OF.get(line.part) or (Leads.COSTS if line.source in _CAPS else None)
    if spoken_of is not None:
        return spoken_of
    if about.chat_id is not None:
        return Leads.CHAT
    if about.agent_id is not None:
        return Leads.ACCOUNT
    return Leads.FILES if line.source == _FILES else Leads.NOWHERE


_LINKS: dict[Leads, object] = {
    Leads.PLAN: QT_TRANSLATE_NOOP("Log", "plan {number}"),
    Leads.CHAT: QT_TRANSLATE_NOOP("Log", "chat"),
    Leads.ACCOUNT: QT_TRANSLATE_NOOP("Log", "account"),
    Leads.LOG_IN: QT_TRANSLATE_NOOP("Log", "log in"),
    Leads.FILES: QT_TRANSLATE_NOOP("Log", "files"),
    Leads.MEDIA: QT_TRANSLATE_NOOP("Log", "media"),
    Leads.MEMORY: QT_TRANSLATE_NOOP("Log", "memory"),
    Leads.COSTS: QT_TRANSLATE_NOOP("Log", "costs"),
}


def leads_words(line: LogLine, chat: str = "") -> str:
    """Return the words of the link of a line; empty if it leads nowhere.

    Args:
        line: The line.
        chat: Name of its chat, safe to be shown; empty if that stands elsewhere. Its number is told nowhere.
    """
    leads = leads_to(line)
    if leads is Leads.NOWHERE:
        return ""
    if leads is Leads.CHAT and chat:
        return chat
    return translate("Log", str(_LINKS[leads])).format(number=line.about.graph_id)


def line_sentence(line: LogLine, agent: str, chat: str = "") -> str:
    """Return a line as one sentence, for screen readers; the names of its agent and its chat are foreign."""
    parts = (
        time_words(line.at),
        level_word(line.level),
        line.part,
        sanitize(agent[:SPOKEN], keep_breaks=False),
        sanitize(line.text[: 2 * SPOKEN], keep_breaks=False),
        leads_words(line, sanitize(chat[:SPOKEN], keep_breaks=False)),
    )
    return ", ".join(part for part in parts if part)


def file_words(size: int, limit: int, kept: int) -> str:
    """Return the size of the log file, and how many files are kept."""
    words = translate("Log", "{size} of {limit} MB, up to %n file(s) kept", "", kept)
    shown = bytes_words(size) if size < MB else decimal_words(size / MB, 1)
    return words.format(size=shown, limit=count_words(limit // MB))


def counts_words(shown: int, total: int) -> str:
    """Return how many lines are shown of those that are kept."""
    words = translate("Log", "{shown} of %n line(s)", "", total)
    words = words.replace(str(total), count_words(total), 1)  # Qt puts a number in without separators
    return words.format(shown=count_words(shown))


def same_words(count: int, *, of_agent: bool = False) -> str:
    """Return how often the same was logged before, of the line's agent alone if it has one."""
    if count and of_agent:
        return translate("Log", "%n time(s) before for this agent, in the lines that are kept", "", count)
    if of_agent:
        return translate("Log", "not before for this agent, in the lines that are kept")
    if not count:
        return translate("Log", "not before, in the lines that are kept")
    return translate("Log", "%n time(s) before, in the lines that are kept", "", count)


def strip_words(lines: int, warnings: int, errors: int) -> str:
    """Return the density strip in words, for screen readers."""
    return ", ".join(
        (
            translate("Log", "%n line(s)", "", lines),
            translate("Log", "%n warning(s)", "", warnings),
            translate("Log", "%n error(s)", "", errors),
        )
    )
