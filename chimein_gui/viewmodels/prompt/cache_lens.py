"""How much of a prompt the service could read from its cache, how much it did, and what the rest cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.costs import price_of
from chimein_gui.domain.prompt.prefixes import RequestPart, TextPlace, common_length, first_difference
from chimein_gui.domain.prompt.prompts import BETWEEN_SECTIONS
from chimein_gui.viewmodels.core.numbers import count_words, decimal_words, dollars_words
from chimein_gui.viewmodels.core.sanitize import spoken
from chimein_gui.viewmodels.prompt.sections import RowKind

if TYPE_CHECKING:
    from chimein_gui.domain.costs import Price
    from chimein_gui.domain.prompt.sent import PromptView, RequestText, SentCall
    from chimein_gui.viewmodels.prompt.sections import PromptParts

translate = QCoreApplication.translate

_DIGITS = 5
"""Decimals of US dollars: a prompt costs about a tenth of a cent."""


@dataclass(frozen=True, slots=True)
class CacheLens:
    """A prompt beside that of the call before it in the chat.

    Attributes:
        since: The call before it.
        place: The first place that the call before it did not have; None if it had all of it.
        same_bytes: Bytes before that place in the request.
        all_bytes: Bytes of the request.
        cached: Tokens that the service read from its cache, as billed; None for what was not sent or not counted.
        prompt: Tokens of the prompt, as billed.
        extra_usd: How much less the call would have cost if the whole prompt had been in the cache; None without a
            price for that.
    """

    since: SentCall
    place: TextPlace | None
    same_bytes: int
    all_bytes: int
    cached: int | None = None
    prompt: int = 0
    extra_usd: float | None = None

    @property
    def share(self) -> float:
        """Return the part of the bytes that are the same as before, from 0 to 1."""
        return self.same_bytes / self.all_bytes if self.all_bytes else 0.0


def lens_of(before: PromptView, after: PromptView, prices: tuple[Price, ...]) -> CacheLens | None:
    """Compare a prompt with the one before it; None if that one is not of a call. It may take long; for any thread."""
    if before.sent is None:
        return None
    same = common_length(before.body, after.body)
    place = first_difference(before.text, after.text)
    call = after.sent.call if after.sent is not None else None
    if call is None or call.estimated:
        return CacheLens(before.sent, place, same, len(after.body))
    usage, price = call.usage, price_of(call.model, prices)
    missed = max(0, usage.prompt_tokens - usage.cached_tokens)
    extra = missed * price.saved / 1_000_000 if price is not None and price.cached is not None else None
    return CacheLens(before.sent, place, same, len(after.body), usage.cached_tokens, usage.prompt_tokens, extra)


class Cut(NamedTuple):
    """Where in the pane's texts a prompt begins to differ from the one before it.

    Attributes:
        title: The part of the prompt.
        in_contents: It is in the contents; otherwise in the sections and tools.
        piece: Index of the turn, or of the section or tools among them.
        text: What is shown of the piece, as sent.
        offset: Characters of it before the place.
    """

    title: str
    in_contents: bool
    piece: int
    text: str
    offset: int


def cut_of(place: TextPlace | None, parts: PromptParts, text: RequestText) -> Cut | None:
    """Return where a prompt begins to differ; None if the call before it had all of it.

    Args:
        place: The same in the request.
        parts: The prompt in parts.
        text: It as sent.
    """
    if place is None:
        return None
    if place.where is RequestPart.CONTENTS:
        role, said = text.turns[place.turn]
        above = len(role) + 1 + sum(len(one) + 1 for one in said[: place.part])
        title = next((row.title for row in parts.sent if row.kind is RowKind.CONTENTS), "")
        return Cut(title, True, place.turn, "\n".join((role, *said)), above + place.offset)
    rows = [row for row in parts.sent if row.kind is not RowKind.CONTENTS]
    left = place.offset
    for number, row in enumerate(rows):
        is_tools = row.kind is RowKind.TOOLS
        if is_tools if place.where is RequestPart.TOOLS else left <= len(row.text):
            return Cut(row.title, False, number, row.text, 0 if is_tools else left)
        left -= len(row.text) + len(BETWEEN_SECTIONS)
    return None


def lens_words(lens: CacheLens, since: str, title: str) -> str:
    """Return the figures in words.

    Args:
        lens: The figures.
        since: The call before it, in words: the sentence ends with it.
        title: The part in which it begins to differ; empty for none.
    """
    share = decimal_words(100 * lens.share, 1)
    same = translate("CacheLens", "The first {n} % of the bytes are those of {call}")
    if lens.same_bytes == lens.all_bytes:
        same = translate("CacheLens", "All bytes are those of {call}")
    elif title:
        same = translate("CacheLens", "The first {n} % of the bytes, up to “{part}”, are those of {call}")
    same = same.format(call=since, n=share, part=spoken(title))
    if lens.cached is None:
        return same
    cached = translate("CacheLens", "{n} of {total} tokens from the cache").format(
        n=count_words(lens.cached), total=count_words(lens.prompt)
    )
    if not lens.extra_usd:
        return f"{same} · {cached}"
    cost = translate("CacheLens", "{usd} more than if all of it were").format(
        usd=dollars_words(lens.extra_usd, _DIGITS)
    )
    return f"{same} · {cached} · {cost}"
