"""How much of a prompt the service could read from its cache, how much it did, and what the rest cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.costs import price_of
from chimein_gui.domain.prompt.prefixes import TextPlace, common_length, first_difference
from chimein_gui.viewmodels.core.numbers import count_words, decimal_words, dollars_words

if TYPE_CHECKING:
    from chimein_gui.domain.costs import Price
    from chimein_gui.domain.prompt.sent import PromptView, SentCall

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


def lens_words(lens: CacheLens, since: str) -> str:
    """Return the figures in words.

    Args:
        lens: The figures.
        since: When the call before it was made, in words.
    """
    share = decimal_words(100 * lens.share, 1)
    same = translate("CacheLens", "The first {n} % of the bytes are those of the call of {time}").format(
        time=since, n=share
    )
    if lens.cached is None:
        return same
    cached = translate("CacheLens", "{n} of {total} tokens from the cache").format(
        n=count_words(lens.cached), total=count_words(lens.prompt)
    )
    if lens.extra_usd is None:
        return f"{same} · {cached}"
    cost = translate("CacheLens", "the others cost {usd} more than those").format(
        usd=dollars_words(lens.extra_usd, _DIGITS)
    )
    return f"{same} · {cached} · {cost}"
