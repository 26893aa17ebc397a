"""What the Review tab says about a proposed memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.memory.entries import MemoryKind
from chimein_gui.domain.memory.proposals import Choice, Flag, ProposalState, StaleReason
from chimein_gui.viewmodels.core.numbers import decimal_words, dollars_words

if TYPE_CHECKING:
    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.domain.memory.proposals import Proposal, ProposalDetails
    from chimein_gui.viewmodels.core.clock import ClockFace

translate = QCoreApplication.translate

_CHARACTERS_A_TOKEN = 4


def chips_words(item: ProposalDetails) -> tuple[str, ...]:
    """Return what a row says beside its text: new, like an entry, sensitive, reads like an order, changed."""
    words = []
    if item.proposal.state is ProposalState.STALE:
        words.append(translate("MemoryReview", "Changed"))
    if Flag.ORDER in item.proposal.flags:
        words.append(translate("MemoryReview", "Reads like an order"))
    if Flag.SENSITIVE in item.proposal.flags:
        words.append(translate("MemoryReview", "Sensitive"))
    if item.nearest is not None:
        words.append(translate("MemoryReview", "Like entry {number}").format(number=item.nearest_number))
    return tuple(words) or (translate("MemoryReview", "New"),)


def decided_words(proposal: Proposal) -> str:
    """Return what was decided, in one word or two."""
    decision = proposal.decision
    if decision is None:
        return ""
    return {
        Choice.ACCEPT: translate("MemoryReview", "Accepted"),
        Choice.MERGE: translate("MemoryReview", "Merged"),
        Choice.REJECT: translate("MemoryReview", "Rejected"),
        Choice.NEVER: translate("MemoryReview", "Never about this person"),
        Choice.NEVER_CHAT: translate("MemoryReview", "Never from this chat"),
    }[decision.choice]


def stale_words(proposal: Proposal) -> str:
    """Return why a proposal can't be accepted as it is; empty if it can."""
    if proposal.state is not ProposalState.STALE or proposal.stale is None:
        return ""
    return {
        StaleReason.EVIDENCE_EDITED: translate(
            "MemoryReview", "The message was edited: what was read stands in it no more. Edit the text, or reject it."
        ),
        StaleReason.EVIDENCE_DELETED: translate(
            "MemoryReview", "The message was deleted. Edit the text, or reject it."
        ),
        StaleReason.MEMORY_DELETED: translate(
            "MemoryReview", "You have deleted or corrected the same memory. Edit the text, or reject it."
        ),
    }[proposal.stale]


def file_words(file: MemoryFile, person: str, chat: str) -> str:
    """Return the name of a file into which a proposal can be written."""
    if file.kind is MemoryKind.REMEMBERED:
        return translate("MemoryReview", "Remembered for all chats")
    if file.kind is MemoryKind.CURATED:
        return translate("MemoryReview", "Your notes on {chat}").format(chat=chat)
    return translate("MemoryReview", "About {person}").format(person=person)


def size_words(text: str) -> str:
    """Return how long a text is, and what it costs in each prompt."""
    count, tokens = len(text.split()), -(-len(text.encode()) // _CHARACTERS_A_TOKEN)
    words = translate("MemoryReview", "%n word(s)", "", count)
    costs = translate("MemoryReview", "%n token(s) in each prompt that takes it", "", tokens)
    return f"{words} · {costs}"


def origin_words(proposal: Proposal, clock: ClockFace) -> str:
    """Return when and by which model it was found, and at what price."""
    found = translate("MemoryReview", "found {time} by {model}").format(
        time=clock.stamp(proposal.created_at), model=proposal.model
    )
    return found if proposal.cost_usd is None else f"{found} · {dollars_words(proposal.cost_usd, 4)}"


def confidence_words(proposal: Proposal) -> str:
    """Return how sure the model was; empty if it did not say."""
    if proposal.confidence is None:
        return ""
    number = decimal_words(proposal.confidence, 2)
    return translate("MemoryReview", "confidence {number}").format(number=number)


class Reader(NamedTuple):
    """A chat, or several, in whose prompts a memory would stand.

    Attributes:
        chat: Which.
        is_next: It would be in the next prompt: a new entry is the newest of its file.
        members: Who reads the answers in a group; else empty.
        warning: Why one should look twice; or empty.
    """

    chat: str
    is_next: bool = False
    members: str = ""
    warning: str = ""


def readers_words(item: ProposalDetails, kind: MemoryKind, person: str) -> tuple[Reader, ...]:
    """Return in which chats a file's entries are read."""
    here = Reader(item.chat_title, is_next=True, members=members_words(item))
    if kind is MemoryKind.ABOUT_PARTNER and item.is_group:
        answers = translate("MemoryReview", "{chat}, where {person} is answered")
        alone = translate("MemoryReview", "The chat with {person}").format(person=person)
        answered = answers.format(chat=item.chat_title, person=person)
        return (here._replace(chat=answered, is_next=False), Reader(alone, is_next=True))
    if kind is not MemoryKind.REMEMBERED or not item.other_chats:
        return (here,)
    count = item.other_chats
    others = translate("MemoryReview", "%n other chat(s)", "", count)
    warning = translate("MemoryReview", "{person} is not in these chats").format(person=person)
    return (here, Reader(others, is_next=True, warning=warning))


def members_words(item: ProposalDetails) -> str:
    """Return how many read what is written in a group; empty for a direct chat."""
    if not item.is_group:
        return ""
    count = item.members
    if not count:
        return translate("MemoryReview", "all members read the answers")
    return translate("MemoryReview", "answers read by %n member(s)", "", count)


def seen_words(item: ProposalDetails) -> str:
    """Return how many could read in a group what was said; empty for a direct chat, or if it is not known."""
    count = item.members
    if not item.is_group or not count:
        return ""
    return translate("MemoryReview", "%n member(s) saw it", "", count)
