"""The words of the Media pane: states, facets, groups, and sentences for screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.media.records import DescriptionStatus, MediaFault, PlaceKind, failure_of
from chimein_gui.viewmodels.core.numbers import dollars_words
from chimein_gui.viewmodels.core.roles import SPOKEN
from chimein_gui.viewmodels.media_library.facets import NEEDS_LOOK, NOT_SENDABLE, SENDABLE, Section
from chimein_gui.viewmodels.media_library.groups import Order, duration_of, moves
from chimein_gui.viewmodels.transcript.message_words import length_words, media_words

if TYPE_CHECKING:
    from chimein_gui.domain.media.library import MediaEntry, Sighting
    from chimein_gui.domain.media.records import MediaPlace, MediaRecord
    from chimein_gui.domain.media.requests import DescribingProgress, DescriptionEstimate
    from chimein_gui.viewmodels.media_library.facets import Facet
    from chimein_gui.viewmodels.media_library.groups import Group

translate = QCoreApplication.translate


def status_words(status: DescriptionStatus) -> str:
    """Return the word of a state, as it stands on a file."""
    return {
        DescriptionStatus.CURATED: translate("MediaWords", "Curated"),
        DescriptionStatus.GENERATED: translate("MediaWords", "AI text"),
        DescriptionStatus.PENDING: translate("MediaWords", "Waiting"),
        DescriptionStatus.BUDGET: translate("MediaWords", "Waiting"),
        DescriptionStatus.TEMPORARY_FAILURE: translate("MediaWords", "Retry later"),
        DescriptionStatus.PERMANENT_FAILURE: translate("MediaWords", "Failed"),
        DescriptionStatus.UNSUPPORTED: translate("MediaWords", "Unsupported"),
    }[status]


def section_words(section: Section) -> str:
    """Return the heading of a section of facets."""
    return {
        Section.STATUS: translate("MediaWords", "Status"),
        Section.KIND: translate("MediaWords", "Kind"),
        Section.SET: translate("MediaWords", "Set"),
        Section.AGENT: translate("MediaWords", "Met by"),
        Section.CHAT: translate("MediaWords", "Chat"),
        Section.SENDING: translate("MediaWords", "Sending"),
    }[section]


def facet_words(facet: Facet) -> str:
    """Return the words of a facet; those of sets, agents and chats are foreign text."""
    if facet.section is Section.STATUS:
        return _status_facet(facet.value)
    if facet.section is Section.KIND:
        return {
            "sticker": translate("MediaWords", "Stickers"),
            "photo": translate("MediaWords", "Photos"),
            "moving": translate("MediaWords", "GIFs and videos"),
            "audio": translate("MediaWords", "Voice and audio"),
        }.get(facet.value, translate("MediaWords", "Other files"))
    if facet.section is Section.SENDING:
        return {
            SENDABLE: translate("MediaWords", "Agents can send it"),
            NOT_SENDABLE: translate("MediaWords", "No agent sends it"),
        }[facet.value]
    if not facet.value:
        none = {Section.SET: translate("MediaWords", "Without a set")}
        return none.get(facet.section, translate("MediaWords", "Nobody yet"))
    return facet.name or facet.value


def _status_facet(value: str) -> str:
    if value == NEEDS_LOOK:
        return translate("MediaWords", "Needs a look")
    special = {
        DescriptionStatus.BUDGET: translate("MediaWords", "Waiting for budget"),
        DescriptionStatus.PENDING: translate("MediaWords", "Waiting for AI"),
    }
    status = DescriptionStatus(value)
    return special.get(status) or status_words(status)


def all_words() -> str:
    """Return the words of the facet that leaves nothing out."""
    return translate("MediaWords", "All")


def facet_sentence(facet: Facet, *, is_chosen: bool, is_all: bool) -> str:
    """Return what a screen reader says of a facet."""
    words = all_words() if is_all else facet_words(facet)[:SPOKEN]
    if is_chosen:
        return translate("MediaWords", "{facet}, {count}, chosen").format(facet=words, count=facet.count)
    return translate("MediaWords", "{facet}, {count}").format(facet=words, count=facet.count)


def order_words(order: Order) -> str:
    """Return the words of an order."""
    return {
        Order.USES: translate("MediaWords", "Most used in prompts"),
        Order.NEWEST: translate("MediaWords", "Seen most recently"),
        Order.NAME: translate("MediaWords", "Name"),
    }[order]


def emoji_of(entry: MediaEntry) -> str:
    """Return the emoji that a sticker stands for; foreign text, empty if nobody says it."""
    emoji = entry.media.emoji if entry.media is not None else ""
    return emoji or ("" if any(letter.isalnum() for letter in entry.name) else entry.name)


def name_words(entry: MediaEntry) -> str:
    """Return what a file is called; may hold foreign text."""
    if entry.name:
        emoji = emoji_of(entry)
        return f"{emoji} {entry.name}" if emoji and emoji != entry.name else entry.name
    length = duration_of(entry)
    if length and entry.kind == "voice":
        return translate("MediaWords", "Voice {length}").format(length=length_words(length))
    kind = media_words(entry.kind) if entry.kind else translate("MediaWords", "File")
    if length and entry.kind != "sticker":
        return f"{kind} {length_words(length)}"
    return kind


def group_words(group: Group) -> str:
    """Return the title of a group; may hold foreign text."""
    return group.title or translate("MediaWords", "Not met in a chat")


def group_details(group: Group) -> str:
    """Return what stands beside the title: whether the files move, and who met them."""
    parts = []
    if group.key.set_name:
        share = group.moving / len(group.entries)
        parts.append(
            translate("MediaWords", "animated")
            if share == 1
            else translate("MediaWords", "still")
            if not share
            else translate("MediaWords", "partly animated")
        )
    return " · ".join([*parts, *([", ".join(group.agents[:3])] if group.agents else [])])


def curated_words(curated: int, count: int) -> str:
    """Return how many files of a group are curated."""
    return translate("MediaWords", "{curated} of {count} curated").format(curated=curated, count=count)


def group_sentence(group: Group, curated: int) -> str:
    """Return what a screen reader says of a heading."""
    return f"{group_words(group)[:SPOKEN]}, {curated_words(curated, len(group.entries))}"


def entry_sentence(entry: MediaEntry) -> str:
    """Return what a screen reader says of a file."""
    parts = [name_words(entry)[:SPOKEN], entry.set_name[:SPOKEN], status_words(entry.status), uses_words(entry)]
    if entry.sendable_by:
        parts.append(translate("MediaWords", "can be sent"))
    parts.append(entry.text[:SPOKEN])
    return ", ".join(part for part in parts if part)


def details_words(entry: MediaEntry) -> str:
    """Return the line below the name: the set, whether it moves, how long."""
    parts = [entry.set_name or media_words(entry.kind)]
    if entry.kind == "sticker":
        parts.append(translate("MediaWords", "animated") if moves(entry) else translate("MediaWords", "still"))
    length = duration_of(entry)
    if length:
        parts.append(translate("MediaWords", "{seconds} s").format(seconds=f"{length:.1f}"))
    return " · ".join(part for part in parts if part)


def sighting_words(one: Sighting) -> str:
    """Return how often a file was seen in a chat, and how often the account sent it there."""
    if one.sent:
        return translate("MediaWords", "{count} ×, sent {sent}").format(count=one.count, sent=one.sent)
    return translate("MediaWords", "{count} ×, received").format(count=one.count)


def sighting_sentence(one: Sighting) -> str:
    """Return what a screen reader says of a chat in which a file was seen."""
    return f"{one.agent_name[:SPOKEN]} → {one.title[:SPOKEN]}, {sighting_words(one)}"


def uses_words(entry: MediaEntry) -> str:
    """Return in how many prompts a file stood."""
    uses = entry.uses  # lupdate reads no attribute there
    return translate("MediaWords", "in %n prompt(s)", "", uses)


def sendable_words(entry: MediaEntry) -> str:
    """Return which agents may send a sticker."""
    if entry.kind != "sticker":
        return ""
    if not entry.sendable_by:
        return translate("MediaWords", "No agent sends it: its set is in no agent file")
    return translate("MediaWords", "Can be sent by {agents}").format(agents=", ".join(entry.sendable_by))


def estimate_words(estimate: DescriptionEstimate) -> str:
    """Return what describing many files costs and how long it takes, or that it is switched off."""
    if not estimate.per_tick:
        return translate(
            "MediaWords", "Descriptions by a model are switched off: Preferences, Models, “Describe media, at most”."
        )
    usd = estimate.usd
    money = (
        translate("MediaWords", "The price of the model is not known.")
        if usd is None
        else translate("MediaWords", "It costs about {money}.").format(money=dollars_words(usd, 4 if usd < 0.1 else 2))
    )
    pace = translate("MediaWords", "At most {count} are made every {seconds} s.").format(
        count=estimate.per_tick, seconds=f"{estimate.tick_s:g}"
    )
    return f"{money} {pace}"


def progress_words(now: DescribingProgress) -> str:
    """Return how far the description of many files is."""
    words = translate("MediaWords", "{done} of {count} described").format(done=now.done, count=now.count)
    parts = [words]
    if now.failed:
        failed = now.failed
        parts.append(translate("MediaWords", "%n without a text", "", failed))
    if now.is_over and now.done + now.failed < now.count:
        parts.append(translate("MediaWords", "cancelled"))
    elif now.is_waiting:
        parts.append(translate("MediaWords", "waiting for the budget of the next tick"))
    return " · ".join(parts)


def seen_by_persona(entry: MediaEntry) -> str:
    """Return what stands in prompts for a file, or that nothing does yet."""
    if entry.text:
        return translate("MediaWords", "The persona reads: {text}").format(text=entry.text)
    return translate("MediaWords", "The persona only knows that something was sent: {what}.").format(
        what=name_words(entry)
    )


def place_words(place: MediaPlace) -> str:
    """Return whose a directory of records is."""
    if place.kind is PlaceKind.CACHE:
        return translate("MediaWords", "AI cache")
    return place.agent_name or translate("MediaWords", "All agents")


def failure_words(record: MediaRecord) -> str:
    """Return why a file has no description; empty if its record does not say."""
    failure = failure_of(record)
    if failure is None:
        return ""
    if failure.fault is None:
        return failure.words
    return {
        MediaFault.OFFLINE: translate("MediaWords", "The account was not connected."),
        MediaFault.ASKED_TO_WAIT: translate("MediaWords", "Telegram or the model's service asked to wait."),
        MediaFault.DISK: translate("MediaWords", "The file could not be stored. Free some space on the disk."),
        MediaFault.TOO_BIG: translate("MediaWords", "The file is too big."),
        MediaFault.GONE: translate("MediaWords", "Telegram does not deliver the file any more."),
        MediaFault.NO_FILE: translate("MediaWords", "There is no file."),
        MediaFault.SET_UNAVAILABLE: translate("MediaWords", "Its sticker set can't be fetched."),
        MediaFault.BROKEN: translate("MediaWords", "The file is damaged, or is not what it claims to be."),
        MediaFault.KIND: translate("MediaWords", "Files of this kind are not described. Write the words yourself."),
        MediaFault.MODEL_BUSY: translate("MediaWords", "The model's service failed for now."),
        MediaFault.MODEL_REFUSED: translate("MediaWords", "The model refused. Write the words yourself."),
        MediaFault.MODEL_KEY: translate("MediaWords", "The key of the model does not work. Change it in Preferences."),
        MediaFault.NOTHING_SAID: translate("MediaWords", "The model said nothing."),
        MediaFault.UNEXPECTED: translate("MediaWords", "Unexpected error. See the log."),
    }[failure.fault]
