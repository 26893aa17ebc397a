"""The choice of context in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.domain.chats import PinKind
from chimein_gui.viewmodels.core.sanitize import sanitize, spoken
from chimein_gui.viewmodels.transcript.message_words import preview_words, service_words

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.prompt.considered import ConsideredMessage
    from chimein_gui.viewmodels.context.figures import Figures
    from chimein_gui.viewmodels.core.clock import ClockFace

translate = QCoreApplication.translate

MINUTE_S, HOUR_S, DAY_S = 60, 3600, 86400


_REASONS = {
    "trigger": QT_TRANSLATE_NOOP("Context", "trigger"),
    "anchor": QT_TRANSLATE_NOOP("Context", "anchor"),
    "reply chain": QT_TRANSLATE_NOOP("Context", "reply chain"),
    "link": QT_TRANSLATE_NOOP("Context", "linked"),
    "same session": QT_TRANSLATE_NOOP("Context", "close in time"),
    "history": QT_TRANSLATE_NOOP("Context", "newest"),
    "other conversation": QT_TRANSLATE_NOOP("Context", "other conversation"),
    "other session": QT_TRANSLATE_NOOP("Context", "other session"),
    "other topic": QT_TRANSLATE_NOOP("Context", "other topic"),
    "beyond look-back": QT_TRANSLATE_NOOP("Context", "over the limit"),
    "deleted or service": QT_TRANSLATE_NOOP("Context", "deleted or service"),
    "pinned in": QT_TRANSLATE_NOOP("Context", "pinned in"),
    "pinned out": QT_TRANSLATE_NOOP("Context", "pinned out"),
    "included once": QT_TRANSLATE_NOOP("Context", "included once"),
}


def reason_word(reason: str) -> str:
    """Return the label of a reason, for a chip."""
    word = _REASONS.get(reason)
    return reason if word is None else translate("Context", str(word))


def reason_sentence(one: ConsideredMessage) -> str:
    """Return why a message is in or out, as a sentence."""
    if not one.included and one.reason == "trigger":
        return translate("Context", "The plan was to answer it, but it was deleted.")
    return {
        "trigger": translate("Context", "The plan answers this message, so it is always in."),
        "anchor": translate("Context", "The trigger replies to this message, so it is always in."),
        "reply chain": translate("Context", "It is in the chain of replies above the trigger, so it is always in."),
        "link": translate("Context", "It probably belongs to the conversation of the trigger."),
        "same session": translate("Context", "It came shortly before the trigger, without a long silence between."),
        "history": translate("Context", "It is one of the newest messages, which are taken whatever they are about."),
        "other conversation": translate("Context", "It probably belongs to another conversation."),
        "other session": translate("Context", "A long silence lies between it and the trigger."),
        "other topic": translate("Context", "It is in another topic of this forum."),
        "beyond look-back": translate("Context", "The prompt holds only so many messages, and newer ones are in it."),
        "pinned in": translate("Context", "You have pinned it in."),
        "pinned out": translate("Context", "You have pinned it out."),
        "included once": translate("Context", "You have included it once, for this plan alone."),
        "deleted or service": translate("Context", "It was deleted, or Telegram itself wrote it."),
    }.get(one.reason, one.reason)


def state_word(*, included: bool) -> str:
    """Return whether a message is in the prompt."""
    return translate("Context", "taken") if included else translate("Context", "left out")


def in_or_out(*, included: bool) -> str:
    """Return the same in one short word, for a column."""
    return translate("Context", "in") if included else translate("Context", "out")


def missed_word() -> str:
    """Return the word at a message that is taken, and that the time-gap rule would miss."""
    return translate("Context", "missed")


def percent_words(percent: int | None) -> str:
    """Return a probability, or a dash if there is none."""
    return "–" if percent is None else translate("Context", "{n} %").format(n=percent)


def text_words(message: Message) -> str:
    """Return a message as one line of text, as it came."""
    if message.is_service:
        return service_words(message)
    return preview_words(message.text, message.media_kind)


def length_words(seconds: float) -> str:
    """Return a length of time, in minutes, hours or days."""
    minutes = round(seconds / MINUTE_S)
    if seconds < HOUR_S:
        return translate("Context", "{m} min").format(m=minutes)
    if seconds < DAY_S:
        return translate("Context", "{h} h {m} min").format(h=minutes // 60, m=minutes % 60)
    days = int(seconds // DAY_S)
    return translate("Context", "%n day(s)", "", days)


def silence_words(seconds: float) -> str:
    """Return the length of a silence."""
    return translate("Context", "{length} without a message").format(length=length_words(seconds))


def cut_words(silence: str) -> str:
    """Return the words of the silence at which the time-gap rule would begin."""
    return translate("Context", "{silence} · the 60-minute rule would start here").format(silence=silence)


def fold_words(count: int, most: int) -> str:
    """Return the words of a run of messages that are left out, with the highest probability among them."""
    return translate("Context", "%n message(s) left out, all under {most} %", "", count).format(most=most + 1)


def no_pins_words() -> str:
    """Return why no message can be pinned where the history is fixed."""
    return translate("Context", "Nothing is chosen in a fixed history, so there is nothing to pin.")


def pin_word(kind: PinKind) -> str:
    """Return that a message is pinned for later plans."""
    return {
        PinKind.IN: translate("Context", "pinned in"),
        PinKind.OUT: translate("Context", "pinned out"),
        PinKind.ONCE: translate("Context", "in the next plan"),
    }[kind]


def pins_words(kinds: Collection[PinKind]) -> str:
    """Return how many messages of a chat are pinned."""
    once = sum(kind is PinKind.ONCE for kind in kinds)
    lasting, parts = len(kinds) - once, []
    if lasting:
        parts.append(translate("Context", "%n pin(s) for later plans", "", lasting))
    if once:
        parts.append(translate("Context", "%n message(s) for the next plan", "", once))
    return " · ".join(parts) or translate("Context", "No pins")


def sentence(one: ConsideredMessage, clock: ClockFace, pin: PinKind | None = None) -> str:
    """Return a message as a sentence for screen readers: everything that the row shows."""
    percent = "" if one.percent is None else f", {percent_words(one.percent)}"
    parts = [
        f"{spoken(sanitize(one.message.sender_name, keep_breaks=False))} {clock.clock(one.message.sent_at)}, "
        f"{state_word(included=one.included)}{percent}, {reason_word(one.reason)}",
        spoken(sanitize(text_words(one.message), keep_breaks=False)),
    ]
    if one.in_session and not one.included:
        parts.append(translate("Context", "the 60-minute rule would take it"))
    elif one.included and not one.in_session and one.reason != "history":
        parts.append(translate("Context", "the 60-minute rule would miss it"))
    if pin is not None and one.reason != _PIN_REASONS[pin]:
        parts.append(pin_word(pin))
    return ". ".join(parts)


_PIN_REASONS = {PinKind.IN: "pinned in", PinKind.OUT: "pinned out", PinKind.ONCE: "included once"}
"""The reasons of messages that were chosen with a pin."""


def figures_words(figures: Figures) -> tuple[str, str]:
    """Return how many messages were taken, and for which reasons."""
    count = figures.considered
    head = translate("Context", "{n} of %n message(s) taken", "", count).format(n=figures.taken)
    parts = [f"{number} {reason_word(reason)}" for reason, number in figures.reasons.items()]
    return head, ", ".join(parts)


def rule_words(figures: Figures) -> tuple[str, str]:
    """Return what the rule of 60 minutes would have taken, and how that differs."""
    head = translate("Context", "{n} by the 60-minute rule").format(n=figures.by_rule)
    if not (figures.rule_only or figures.missed):
        return head, translate("Context", "the same messages")
    return head, translate("Context", "{wrong} of them left out here, {missed} of ours missed").format(
        wrong=figures.rule_only, missed=figures.missed
    )


def fixed_words(count: int, *, is_now: bool) -> str:
    """Return what a fixed history means."""
    if is_now:
        return translate(
            "Context",
            "The agent's file says history {n}: up to {n} of the newest messages are taken, whatever they are about.",
        ).format(n=count)
    return translate(
        "Context", "A fixed history: the newest %n message(s), whatever they are about. Nothing was chosen.", "", count
    )


def threshold_words(percent: int) -> str:
    """Return the lowest probability of a message that was taken for its links."""
    return translate("Context", "taken from {n} %").format(n=percent)


def histogram_words(figures: Figures) -> str:
    """Return the histogram as a sentence for screen readers: each tenth that is not empty."""
    if not figures.bins:
        return translate("Context", "No probabilities: nothing was estimated")
    parts = []
    for place, (taken, out) in enumerate(figures.bins):
        if taken or out:
            span = translate("Context", "{low} to {high} %").format(low=place * 10, high=place * 10 + 10)
            parts.append(
                translate("Context", "{span}: {taken} taken, {out} left out").format(span=span, taken=taken, out=out)
            )
    if figures.threshold is not None:
        parts.append(threshold_words(figures.threshold))
    return "; ".join(parts)


def loser_words(one: ConsideredMessage, shown: Callable[[str], str]) -> str:
    """Return a message that was left out, with its probability.

    Args:
        one: The message.
        shown: Makes foreign text safe to show.
    """
    return translate("Context", "{percent}  {name}: {text}").format(
        percent=percent_words(one.percent),
        name=shown(one.message.sender_name),
        text=shown(text_words(one.message)),
    )


def answers_words(parent: ConsideredMessage, *, is_reply: bool, shown: Callable[[str], str]) -> str:
    """Return what a message answers, as a reply or probably."""
    words = (
        translate("Context", "Replies to {name}: {text}")
        if is_reply
        else translate("Context", "Probably answers {name}: {text}")
    )
    return words.format(name=shown(parent.message.sender_name), text=shown(text_words(parent.message)))
