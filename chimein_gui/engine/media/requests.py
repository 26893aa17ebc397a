"""What the operator asks for: another description by a model, those of many files, and whole sticker sets."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import NotConnectedError, RefusedError
from chimein_gui.domain.media.records import DescriptionStatus, MediaRecord, PlaceKind
from chimein_gui.domain.media.requests import ASSUMED, DescribingProgress, DescriptionEstimate, estimate, set_name_of
from chimein_gui.domain.messages import Media
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.domain.notes.files import FileReason
from chimein_gui.engine.media.sources import MediaItem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.ids import AccountId
    from chimein_gui.domain.media.library import MediaEntry
    from chimein_gui.domain.plans.stickers import StickerRef
    from chimein_gui.domain.prompt.prompts import Usage
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.media.budget import DescriptionBudget
    from chimein_gui.engine.media.chain import MediaChain
    from chimein_gui.engine.ports import TelegramGateway

    Connected = tuple[AgentSpec, AccountId, TelegramGateway]


class MediaRequests:
    """Describes on request. Many at once keep to the budget, as descriptions for prompts do."""

    def __init__(
        self,
        chain: MediaChain | None,
        budget: DescriptionBudget,
        connected: Callable[[], Sequence[Connected]],
        preferences: Callable[[], Preferences],
        usage: Callable[[], Usage] = lambda: ASSUMED,
    ) -> None:
        """Create the service.

        Args:
            chain: Finds and makes descriptions; None where there are no files of them.
            budget: How many may be made in one tick.
            connected: Returns the agents whose accounts are connected.
            preferences: Returns the operator's preferences.
            usage: Returns what one call takes.
        """
        self._chain, self._budget = chain, budget
        self._connected, self._preferences, self._usage = connected, preferences, usage
        self._is_cancelled = self._is_waiting = False
        self._renewed = asyncio.Event()
        budget.on_renewed(self._go_on)

    def _go_on(self) -> bool:
        """Wake what waits for the budget; return whether anything does."""
        self._renewed.set()
        return self._is_waiting

    # --- one file -------------------------------------------------------------------------------------------------

    async def describe_again(self, entry: MediaEntry, instruction: str = "") -> MediaRecord:
        """Let a model describe a file anew; its words go into the cache, curated ones stay.

        Raises:
            RefusedError: No account can fetch it, or no model can be asked.
        """
        item, agent_name = self._item(entry)
        record = await self._made_by().again(item, agent_name, instruction)
        if record is None:
            raise RefusedError(Note(FileReason.NO_DESCRIBER))
        return record

    # --- many files -----------------------------------------------------------------------------------------------

    def estimate(self, entries: Sequence[MediaEntry]) -> DescriptionEstimate:
        """Return what it costs to describe those of some files that have no words."""
        preferences = self._preferences()
        wanted = [one for one in entries if _needs_words(one)]
        agents = {spec.name: spec for spec, _account, _gateway in self._connected()}
        names = {one.seen[0].agent_name for one in wanted if one.seen}
        models = {agents[name].model or preferences.model for name in names if name in agents} or {preferences.model}
        estimates = [
            estimate(len(wanted), model, preferences.prices, self._budget.per_tick, preferences.tick_s, self._usage())
            for model in models
        ]
        return max(estimates, key=lambda one: one.usd if one.usd is not None else float("inf"))

    async def describe_all(
        self, entries: Sequence[MediaEntry], progress: Callable[[DescribingProgress], None]
    ) -> DescribingProgress:
        """Describe those of some files that have no words, one after the other, until all are done or `cancel`.

        Raises:
            RefusedError: No account is connected.
        """
        chain = self._made_by()
        self._is_cancelled = False
        wanted = [one for one in entries if _needs_words(one)]
        done = failed = 0
        progress(DescribingProgress(0, 0, len(wanted)))
        for entry in wanted:
            item, agent_name = self._item(entry)
            record = await chain.get(item, agent_name)
            while record is not None and record.status is DescriptionStatus.BUDGET and not self._is_cancelled:
                if not self._budget.per_tick:  # switched off meanwhile: no tick brings anything
                    self._is_cancelled = True
                    break
                progress(DescribingProgress(done, failed, len(wanted), is_waiting=True))
                await self._renewal()
                record = await chain.get(item, agent_name)
            if self._is_cancelled:
                break
            is_described = record is not None and record.has_words
            done, failed = done + is_described, failed + (not is_described)
            progress(DescribingProgress(done, failed, len(wanted)))
        over = DescribingProgress(done, failed, len(wanted), is_over=True)
        progress(over)
        return over

    async def _renewal(self) -> None:
        """Wait for the next tick, or until everything is cancelled."""
        self._renewed.clear()
        self._is_waiting = True
        try:
            self._budget.expect_renewal()
            await self._renewed.wait()
        finally:
            self._is_waiting = False

    def cancel(self) -> None:
        """Stop describing many files; what was begun is finished."""
        self._is_cancelled = True
        self._renewed.set()

    @property
    def budget(self) -> tuple[int, int, int]:
        """Return how many descriptions are left in this tick, how many a tick has, and how many files wait."""
        waiting = len(self._chain.waiting) if self._chain is not None else 0
        return self._budget.left, self._budget.per_tick, waiting

    # --- sets -----------------------------------------------------------------------------------------------------

    async def import_set(self, typed: str) -> tuple[str, int]:
        """List all stickers of a set, as if they had been met.

        Args:
            typed: Its short name, or a link to it.

        Returns:
            The short name of the set, and how many of its stickers were not known.

        Raises:
            RefusedError: That is no name of a set, or there is no such set.
            NotConnectedError: No account is connected.
            GatewayError: Telegram could not be asked.
        """
        name = set_name_of(typed)
        if not name:
            raise RefusedError(Note(FileReason.NO_SET_NAME, typed.strip()[:100]))
        chain = self._made_by()
        connected = self._connected()
        if not connected:
            raise NotConnectedError(Note(ConnectionReason.NOT_CONNECTED))
        found: tuple[StickerRef, ...] = ()
        for _spec, _account, gateway in connected:
            found = await gateway.sticker_set(name)
            if found:
                break
        if not found:
            raise RefusedError(Note(FileReason.NO_SUCH_SET, name))
        known = await chain.known("", [str(one.document_id) for one in found])
        cache = next(place for place in chain.records.places("") if place.kind is PlaceKind.CACHE)
        new = [one for one in found if str(one.document_id) not in known]
        for one in new:
            await chain.records.write(_pending(one), cache)
        return found[0].set_name or name, len(new)

    # --- parts ----------------------------------------------------------------------------------------------------

    def _made_by(self) -> MediaChain:
        if self._chain is None:
            raise RefusedError(Note(FileReason.NO_DESCRIBER))
        return self._chain

    def _item(self, entry: MediaEntry) -> tuple[MediaItem, str]:
        """Return a file as the chain asks for it, and for which agent."""
        accounts = {spec.name: account for spec, account, _gateway in self._connected()}
        seen = next((one for one in entry.seen if one.agent_name in accounts), None)
        if seen is not None:
            media = entry.media or _media_of(entry)
            if not media.set_name:  # Telegram names a set by its number in messages
                media = replace(media, set_name=entry.set_name)
            account = seen.key.account_id
            return (
                MediaItem(entry.unique_id, entry.kind, media, account, seen.key, seen.at, entry.name),
                seen.agent_name,
            )
        names = [name for name in entry.sendable_by if name in accounts] or list(accounts)
        if not names:
            raise NotConnectedError(Note(ConnectionReason.NOT_CONNECTED))
        return MediaItem(entry.unique_id, entry.kind, _media_of(entry), accounts[names[0]], name=entry.name), names[0]


def _needs_words(entry: MediaEntry) -> bool:
    return not entry.text and entry.status not in (DescriptionStatus.UNSUPPORTED, DescriptionStatus.PERMANENT_FAILURE)


def _media_of(entry: MediaEntry) -> Media:
    if entry.media is not None:
        return entry.media
    record = entry.generated or (entry.curated[0] if entry.curated else None)
    mime_type = record.mime_type if record is not None else ""
    number = int(entry.unique_id) if entry.unique_id.isdecimal() else None
    return Media(number, mime_type, emoji=entry.name, set_name=entry.set_name)


def _pending(sticker: StickerRef) -> MediaRecord:
    return MediaRecord(
        str(sticker.document_id),
        kind="sticker",
        sticker_set_name=sticker.set_name,
        sticker_name=sticker.name,
        mime_type=sticker.mime_type,
    )
