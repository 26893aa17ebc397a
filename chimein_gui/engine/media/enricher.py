"""Puts descriptions of media into the inputs of plans, and into previews, which spend nothing.

See docs/behaviour.md, "Pictures and sounds in prompts".
"""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.agents import PictureChoice
from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.media.in_prompts import DESCRIBED, MOST_LISTED, ListedSticker
from chimein_gui.domain.messages import Media
from chimein_gui.domain.traces.entries import EnricherName
from chimein_gui.engine.media.chain import MediaChain
from chimein_gui.engine.media.describer import ModelDescriber
from chimein_gui.engine.media.sets import LOOK_UP_S
from chimein_gui.engine.media.sources import MediaItem, fits, item_of
from chimein_gui.engine.prompt.inputs import PlanInputs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AccountId
    from chimein_gui.domain.media.records import MediaRecord
    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.plans.stickers import StickerRef
    from chimein_gui.domain.prompt.prompts import InlineFile
    from chimein_gui.engine.llm.calls import PlanTrace
    from chimein_gui.engine.media.contents import MediaContents
    from chimein_gui.engine.media.describer import MediaServices
    from chimein_gui.engine.ports import MediaRecords, Transaction
    from chimein_gui.engine.prompt.builder import PromptInputs

_log = logging.getLogger(__name__)

PATIENCE_S = 8.0
"""Longest wait of a plan for everything about media, in seconds."""

MARGIN_S = 0.5
"""Kept of that for putting together what there is."""

MOST_ATTACHED = 4
"""Pictures that are sent themselves with one prompt, those of the newest messages."""

MOST_BYTES_ATTACHED = 2 * 2**20
"""Bytes of all pictures of a prompt."""

NEIGHBOURS = 3
"""Messages before a picture that are hints for its description."""

ATTACH_S = 3.0
"""Longest wait for them, in seconds."""

_ATTACHED = frozenset({"photo", "sticker", "gif"})
_MADE_HERE = frozenset({"photo", "video", "round video", "voice", "audio"})
"""Kinds of media that people make themselves; others go from chat to chat."""


class MediaReader:
    """The one door through which prompts get descriptions, pictures, and the list of stickers."""

    name = EnricherName.MEDIA
    bound_s = PATIENCE_S

    applies = staticmethod(PlanInputs.has_media)

    def __init__(self, chain: MediaChain, services: MediaServices) -> None:
        """`chain` finds the descriptions."""
        self._chain, self._clock = chain, services.clock
        self._sets, self._contents, self._unit = services.sets, services.contents, services.unit

    async def into(self, inputs: PromptInputs) -> PromptInputs:
        """Return the inputs of a preview with what is known; nothing is fetched, asked or spent.

        Pictures that are sent themselves are in it if they are on this computer already.
        """
        items = _items(inputs)
        pictures: dict[str, InlineFile] = {}
        if inputs.agent.pictures is not PictureChoice.WORDS:
            await self._attach(inputs, items, pictures, self._contents.on_disk)
        wanted = [one.unique_id for one in (*items, *self._sendable(inputs))]
        known = await self._chain.known(inputs.agent.name, wanted) if wanted else {}
        return replace(self._with(inputs, items, known), pictures=pictures)

    async def of_messages(self, agent_name: str, messages: Iterable[Message]) -> dict[str, MediaRecord]:
        """Return what is known of the media of messages, by their ids; nothing is fetched, asked or spent."""
        items = [item for one in messages if one.media_kind in DESCRIBED and (item := item_of(one)) is not None]
        known = await self._chain.known(agent_name, [one.unique_id for one in items]) if items else {}
        return _fitting(items, known)

    async def enrich(self, inputs: PlanInputs, _trace: PlanTrace) -> PlanInputs:
        """Return the inputs with what is known, and with what can be found out in time."""
        enriched = await self._enriched(inputs.inputs)
        stood = (*enriched.descriptions, *enriched.pictures)
        if stood:
            self._unit.submit(lambda tx: _count(tx, stood))
        return replace(inputs, inputs=enriched)

    async def _enriched(self, inputs: PromptInputs) -> PromptInputs:
        ends_at = self._clock.now() + timedelta(seconds=PATIENCE_S - MARGIN_S)
        spec, items = inputs.agent, _items(inputs)
        items = await self._named(inputs, items)
        pictures: dict[str, InlineFile] = {}
        if spec.pictures is not PictureChoice.WORDS:
            await self._attach(inputs, items, pictures, self._contents)
        wanted = [one for one in items if spec.pictures is PictureChoice.BOTH or one.unique_id not in pictures]
        left_s = max(0.0, (ends_at - self._clock.now()).total_seconds())
        records = await self._chain.described([*wanted, *self._sendable(inputs)], spec.name, left_s)
        return replace(self._with(inputs, items, dict(records)), pictures=pictures)

    async def _named(self, inputs: PromptInputs, items: Sequence[MediaItem]) -> list[MediaItem]:
        """Return the items, new stickers with the names of their sets, as far as these are found out in time."""
        found = list(items)
        known = await self._chain.known(inputs.agent.name, [one.unique_id for one in items])
        try:
            async with self._clock.timeout(LOOK_UP_S):
                await self._sets.look_up(inputs.chat.info.account_id, inputs.agent)
                for place, item in enumerate(items):
                    if item.unique_id not in known:
                        found[place] = await self._sets.named(item)
        except TimeoutError:
            _log.info("A plan goes on without all of its sticker sets: they took more than %s s", LOOK_UP_S)
        return found

    async def _attach(
        self, inputs: PromptInputs, items: Iterable[MediaItem], into: dict[str, InlineFile], contents: MediaContents
    ) -> None:
        """Add the pictures of the newest messages of others, as far as they are small enough and come in time."""
        incoming = {one.key for one in inputs.history if not one.out}
        wanted = [one for one in items if one.kind in _ATTACHED and one.message in incoming][:MOST_ATTACHED]
        room = MOST_BYTES_ATTACHED
        try:
            async with self._clock.timeout(ATTACH_S):
                for item in wanted:
                    try:
                        file = (await contents.of(item)).file
                    except ChimeinError as error:
                        _log.info("A picture is not sent with the prompt: %s", error)
                        continue
                    room -= len(file.data)
                    if room < 0:
                        return
                    into[item.unique_id] = file
        except TimeoutError:
            _log.info("A plan goes on without all of its pictures: they took more than %s s", ATTACH_S)

    def _sendable(self, inputs: PromptInputs) -> list[MediaItem]:
        """Return the stickers that the agent may send and that the prompt lists."""
        spec, account_id = inputs.agent, inputs.chat.info.account_id
        sets = self._sets.sendable(account_id, spec)
        single = (found for set_name, name in spec.stickers if (found := _find(sets.get(set_name, ()), name)))
        whole = (sticker for set_name in spec.sticker_sets for sticker in sets.get(set_name, ()))
        return [_item_of(sticker, account_id) for sticker in (*single, *whole)][:MOST_LISTED]

    def _with(
        self, inputs: PromptInputs, items: Iterable[MediaItem], records: Mapping[str, MediaRecord]
    ) -> PromptInputs:
        """Return the inputs with the words that may stand in this chat."""
        descriptions = _fitting(items, records)
        sets = self._sets.sendable(inputs.chat.info.account_id, inputs.agent)
        return replace(inputs, descriptions=descriptions, stickers=_listed(inputs.agent, sets, records))


def describing(records: MediaRecords | None, services: MediaServices) -> tuple[MediaChain | None, MediaReader | None]:
    """Return what finds descriptions, and what puts them into prompts; None without files of descriptions."""
    if records is None:
        return None, None
    describer = ModelDescriber(services)
    chain = MediaChain(records, services.budget, services.clock, services.spawn, describer, services.bus)
    return chain, MediaReader(chain, services)


def _fitting(items: Iterable[MediaItem], records: Mapping[str, MediaRecord]) -> dict[str, MediaRecord]:
    """Return the records whose words may stand in the chat of their item."""
    return {
        item.unique_id: record
        for item in items
        if (record := records.get(item.unique_id)) is not None and record.has_words and fits(record, item)
    }


def _count(tx: Transaction, unique_ids: Sequence[str]) -> list[EngineEvent]:
    """Note which files stood in a prompt; runs on the writer thread."""
    tx.media.count_uses(unique_ids)
    return []


def _messages(inputs: PromptInputs) -> Iterable[Message]:
    """Return the messages of a prompt whose media it names."""
    return (*inputs.history, *(() if inputs.anchor is None else (inputs.anchor,)))


def _items(inputs: PromptInputs) -> list[MediaItem]:
    """Return the media of a prompt, those of the newest messages first, each once."""
    found: dict[str, MediaItem] = {}
    messages = list(_messages(inputs))
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        if message.media_kind not in DESCRIBED:
            continue
        item = item_of(message)
        if item is None or item.unique_id in found:
            continue
        if message.media_kind in _MADE_HERE and message.forward is None:
            around = messages[max(0, place - NEIGHBOURS) : place]
            item = replace(item, neighbours=tuple(one.text for one in around if one.text and not one.deleted))
        else:
            item = replace(item, text="")
        found[item.unique_id] = item
    return list(found.values())


def _item_of(sticker: StickerRef, account_id: AccountId) -> MediaItem:
    media = Media(sticker.document_id, mime_type=sticker.mime_type, emoji=sticker.emoji, set_name=sticker.set_name)
    return MediaItem(str(sticker.document_id), "sticker", media, account_id, name=sticker.name)


def _find(stickers: Iterable[StickerRef], name: str) -> StickerRef | None:
    """Return a sticker by its name in the agent's file."""
    return next((one for one in stickers if _plain(one.name) == _plain(name)), None)


def _plain(name: str) -> str:
    return "".join(name.replace("\ufe0f", "").split())


def _listed(
    spec: AgentSpec, sets: Mapping[str, Sequence[StickerRef]], records: Mapping[str, MediaRecord]
) -> tuple[ListedSticker, ...]:
    """Return the list of stickers that the agent may send; empty if no set of its file is known."""
    if not sets:
        return ()

    def words(sticker: StickerRef | None) -> str:
        record = None if sticker is None else records.get(str(sticker.document_id))
        # Words made with hints of a chat stay in that chat.
        return "" if record is None or (record.hinted_in and not record.is_curated) else record.description

    lines = [ListedSticker(of, name, words(_find(sets.get(of, ()), name))) for of, name in spec.stickers]
    for set_name in spec.sticker_sets:
        stickers = sets.get(set_name, ())
        if not stickers or len(lines) + len(stickers) > MOST_LISTED:
            lines.append(ListedSticker(set_name))
        else:
            lines += [ListedSticker(set_name, one.name, words(one)) for one in stickers]
    return tuple(lines)
