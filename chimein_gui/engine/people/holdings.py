"""The kinds of data about a person: each knows how it is counted, given out and forgotten.

A new kind is a class here and a line in `holdings_of`. Functions that take a transaction run on the reader thread where
they only read, else on the writer thread.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.people.holdings import Held, HoldingKind, Tally
from chimein_gui.domain.prompt.sent import CallId
from chimein_gui.engine.people.finding import READ_AT_ONCE, portions
from chimein_gui.engine.ports import Durability
from chimein_gui.engine.traces.prompt_archive import unpack

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterator

    from chimein_gui.domain.ids import ChatId
    from chimein_gui.domain.people.holdings import Person, PersonChat
    from chimein_gui.engine.ports import PackedPrompt, PersonArchive, PersonFiles, Store, Transaction

    Progress = Callable[[], Awaitable[None]]
    """Awaited after each portion: it reports, and raises where the work is to stop."""

REMOVED_AT_ONCE = 1_000
"""Messages that are removed in one transaction."""

PROMPTS_AT_ONCE = 50

_LONG_ENOUGH = 12
"""Characters of a remembered line by which it is found in prompts; a shorter one is found as a whole text only."""


class Holding(Protocol):
    """One or several kinds of data."""

    async def count(self, person: Person, progress: Progress) -> tuple[Held, ...]:
        """Return how much there is; nothing for what there is none of."""
        ...

    async def export(self, person: Person, archive: PersonArchive, progress: Progress) -> None:
        """Add it to an archive.

        Raises:
            OSError: The archive can't be written.
        """
        ...

    async def forget(self, person: Person) -> None:
        """Remove it; a second call removes what was left.

        Raises:
            StoreError: The database failed.
            OSError: A file can't be removed.
        """
        ...


class MessageHolding:
    """Messages; they are looked at in portions."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def count(self, person: Person, progress: Progress) -> tuple[Held, ...]:
        """Count; see `Holding`."""
        found = []
        for chat, kind in _chats_of(person):
            tally = Tally()
            async for portion in portions(self._store, chat.chat_id, person):
                tally = tally.plus(portion.tally)
                await progress()
            if tally.count:
                found.append(Held(kind, chat.agent_name, chat.title, tally))
        return tuple(found)

    async def export(self, person: Person, archive: PersonArchive, progress: Progress) -> None:
        """Give out; see `Holding`."""
        for chat, kind in _chats_of(person):
            folder = "conversations" if kind is HoldingKind.MESSAGES else "groups"
            name, above = f"{folder}/{file_name(chat)}.jsonl", MessageId(0)
            while True:
                rows, up_to = await self._store.read(_messages(chat.chat_id, person, above))
                await asyncio.to_thread(_write_lines, archive, name, rows)
                await progress()
                if up_to is None:
                    break
                above = up_to

    async def forget(self, person: Person) -> None:
        """Forget; see `Holding`."""
        for chat, _kind in _chats_of(person):
            while await self._store.transact(_forget_messages(chat.chat_id, person)):
                pass


class TableHolding:
    """What the tables of a direct chat hold besides messages."""

    kinds = (
        HoldingKind.MEMORY_RECORDS,
        HoldingKind.ORDERS,
        HoldingKind.PROPOSALS,
        HoldingKind.TRACES,
        HoldingKind.DRAFTS,
        HoldingKind.SAVED_EDITS,
        HoldingKind.UNSENT,
        HoldingKind.PINS,
        HoldingKind.DECISIONS,
        HoldingKind.SEARCH,
        HoldingKind.CHAT,
        HoldingKind.REQUESTS,
        HoldingKind.COSTS,
    )

    def __init__(self, store: Store, drop_copy: Callable[[str], Awaitable[None]]) -> None:
        """`drop_copy` removes the copy of a file that was or is to be sent."""
        self._store, self._drop_copy = store, drop_copy

    async def count(self, person: Person, progress: Progress) -> tuple[Held, ...]:
        """Count; see `Holding`."""
        found = []
        for chat in person.direct:
            for kind in self.kinds:
                tally = await self._store.read(_tally(kind, chat.chat_id))
                if tally.count:
                    found.append(Held(kind, chat.agent_name, chat.title, tally))
            await progress()
        return tuple(found)

    async def export(self, person: Person, archive: PersonArchive, progress: Progress) -> None:
        """Give out; see `Holding`."""
        for chat in person.direct:
            for kind in self.kinds:
                rows = await self._store.read(_listed(kind, chat.chat_id))
                if rows:
                    name = f"{kind.value.replace(' ', '_')}/{file_name(chat)}.json"
                    await asyncio.to_thread(archive.write, name, json.dumps(rows, ensure_ascii=False, indent=1))
            await progress()

    async def forget(self, person: Person) -> None:
        """Forget; see `Holding`."""
        for chat in person.direct:
            for name in await self._store.read(_copies(chat.chat_id)):
                await self._drop_copy(name)
            await self._store.transact(_forget_chat(chat.chat_id), durability=Durability.FULL)
        await self._store.transact(_forget_rest(person), durability=Durability.FULL)


class PromptHolding:
    """Stored prompts: those of direct chats, and all others with the person's number or a remembered text."""

    def __init__(self, store: Store, files: PersonFiles | None) -> None:
        self._store, self._files = store, files

    async def count(self, person: Person, progress: Progress) -> tuple[Held, ...]:
        """Count; see `Holding`."""
        tallies: dict[ChatId, Tally] = {}
        async for prompt, _body in self._found(person):
            known = tallies.get(prompt.chat_id, Tally())
            tallies[prompt.chat_id] = known.plus(Tally(1, size=len(prompt.body)))
            await progress()
        chats = {chat.chat_id: chat for chat in await self._store.read(lambda tx: tx.people.all_chats())}
        named = ((chats.get(chat_id), tally) for chat_id, tally in tallies.items())
        return tuple(
            Held(HoldingKind.PROMPTS, chat.agent_name, chat.title, tally) for chat, tally in named if chat is not None
        )

    async def export(self, person: Person, archive: PersonArchive, progress: Progress) -> None:
        """Give out; see `Holding`."""
        direct = {chat.chat_id: file_name(chat) for chat in person.direct}
        async for prompt, body in self._found(person):
            # The others hold what other people wrote, too.
            if prompt.chat_id in direct:
                name = f"prompts/{direct[prompt.chat_id]}/{prompt.call_id}.json"
                await asyncio.to_thread(archive.write, name, _indented(body))
            await progress()

    async def forget(self, person: Person) -> None:
        """Forget; see `Holding`."""
        gone: list[CallId] = []
        async for prompt, _body in self._found(person):
            gone.append(prompt.call_id)
            if len(gone) == PROMPTS_AT_ONCE:
                await self._store.transact(_forget_prompts(tuple(gone)))
                gone.clear()
        await self._store.transact(_forget_prompts(tuple(gone)))

    async def _found(self, person: Person) -> AsyncGenerator[tuple[PackedPrompt, bytes], None]:
        held = await self._files.held(person.person, ()) if self._files is not None else ()
        texts = [text for file in held for text in (*file.texts, *file.former)]
        needles = await asyncio.to_thread(_needles, person, texts)
        direct, above = {chat.chat_id for chat in person.direct}, 0
        while True:
            prompts = await self._store.read(_prompts(above))
            for prompt, body in await asyncio.to_thread(_matching, prompts, direct, needles):
                yield prompt, body
            if len(prompts) < PROMPTS_AT_ONCE:
                return
            above = prompts[-1].call_id


class FileHolding:
    """Memories and lines of logs."""

    def __init__(self, files: PersonFiles) -> None:
        self._files = files

    async def count(self, person: Person, progress: Progress) -> tuple[Held, ...]:
        """Count; see `Holding`."""
        held = await self._files.held(person.person, person.names)
        await progress()
        return tuple(Held(one.kind, one.agent_name, one.path, Tally(one.count, size=one.size)) for one in held)

    async def export(self, person: Person, archive: PersonArchive, progress: Progress) -> None:
        """Give out; see `Holding`."""
        for one in await self._files.held(person.person, ()):
            name = f"memories/{_plain(one.agent_name)}/{one.kind.value.replace(' ', '_')}.md"
            if one.texts:
                await asyncio.to_thread(archive.write, name, "\n\n---\n\n".join(one.texts) + "\n")
            await progress()

    async def forget(self, person: Person) -> None:
        """Forget; see `Holding`."""
        await self._files.forget_memories(person.person)
        await self._files.forget_lines(person.person, person.names)


class MediaHolding:
    """Files of messages that were fetched to be shown, and their descriptions."""

    def __init__(self, store: Store, files: PersonFiles) -> None:
        self._store, self._files = store, files

    async def count(self, person: Person, progress: Progress) -> tuple[Held, ...]:
        """Count; see `Holding`."""
        found = await self._files.media(await self._numbers(person, progress))
        size = sum(size for _path, size in found)
        return (Held(HoldingKind.MEDIA, "", "", Tally(len(found), size=size)),) if found else ()

    async def export(self, person: Person, archive: PersonArchive, progress: Progress) -> None:
        """Give out; see `Holding`."""
        times: Counter[str] = Counter()
        for path, _size in await self._files.media(await self._numbers(person, progress)):
            times[path.name] += 1  # several directories may describe one file
            number = times[path.name]
            name = path.name if number == 1 else f"{path.stem} {number}{path.suffix}"
            await asyncio.to_thread(archive.copy, f"media/{name}", path)
            await progress()

    async def forget(self, person: Person) -> None:
        """Forget; see `Holding`."""
        await self._files.forget_media(await self._numbers(person, _go_on))

    async def _numbers(self, person: Person, progress: Progress) -> frozenset[int]:
        numbers: set[int] = set()
        for chat, _kind in _chats_of(person):
            async for portion in portions(self._store, chat.chat_id, person):
                numbers |= portion.files
                await progress()
        return frozenset(numbers)


def holdings_of(
    store: Store, files: PersonFiles | None, drop_copy: Callable[[str], Awaitable[None]]
) -> tuple[Holding, ...]:
    """Return all kinds, in the order in which they are forgotten: what finds others goes last.

    Prompts are found by remembered texts, media by messages.
    """
    prompts, rest = PromptHolding(store, files), (TableHolding(store, drop_copy), MessageHolding(store))
    if files is None:
        return prompts, *rest
    return prompts, MediaHolding(store, files), FileHolding(files), *rest


async def _go_on() -> None:
    """Report nothing."""


def file_name(chat: PersonChat) -> str:
    """Return a name for the files of a chat."""
    return f"{_plain(chat.agent_name)}-{int(chat.peer_id)}"


def _plain(name: str) -> str:
    return re.sub(r"[^\w .-]", "_", name)[:60].strip(" .") or "agent"


def _chats_of(person: Person) -> Iterator[tuple[PersonChat, HoldingKind]]:
    for chat in person.direct:
        yield chat, HoldingKind.MESSAGES
    for chat in person.groups:
        yield chat, HoldingKind.GROUP_MESSAGES


# --- prompts ----------------------------------------------------------------------------------------------------------


def _needles(person: Person, texts: Collection[str]) -> re.Pattern[bytes]:
    """Return what finds the person in the bytes of a request: the number, or a line that is remembered."""
    found = {str(int(person.person))} if person.groups else set()
    for text in texts:
        found.add(text.strip())
        found.update(line.strip() for line in text.splitlines() if len(line.strip()) >= _LONG_ENOUGH)
    forms = {
        form for one in found if one for form in (json.dumps(one)[1:-1], json.dumps(one, ensure_ascii=False)[1:-1])
    }
    choices = b"|".join(re.escape(form.encode("utf-8", "replace")) for form in sorted(forms))
    return re.compile(rb"(?<!\w)(?:" + choices + rb")(?!\w)" if choices else rb"(?!)")


def _matching(
    prompts: tuple[PackedPrompt, ...], direct: Collection[ChatId], needles: re.Pattern[bytes]
) -> list[tuple[PackedPrompt, bytes]]:
    found = []
    for prompt in prompts:
        body = unpack(prompt.body)
        if prompt.chat_id in direct or needles.search(body):
            found.append((prompt, body))
    return found


def _indented(body: bytes) -> str:
    """Return a request so that a person can read it."""
    try:
        return json.dumps(json.loads(body), ensure_ascii=False, indent=1)
    except ValueError:
        return body.decode("utf-8", "replace")


def _write_lines(archive: PersonArchive, name: str, rows: tuple[dict[str, object], ...]) -> None:
    lines = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    if lines:
        archive.write(name, lines)


# --- transactions -----------------------------------------------------------------------------------------------------


def _messages(
    chat_id: ChatId, person: Person, above: MessageId
) -> Callable[[Transaction], tuple[tuple[dict[str, object], ...], MessageId | None]]:
    return lambda tx: tx.people.messages_of(chat_id, person.person, above_id=above, limit=READ_AT_ONCE)


def _prompts(above: int) -> Callable[[Transaction], tuple[PackedPrompt, ...]]:
    return lambda tx: tx.people.prompts_above(CallId(above), limit=PROMPTS_AT_ONCE)


def _tally(kind: HoldingKind, chat_id: ChatId) -> Callable[[Transaction], Tally]:
    return lambda tx: tx.people.tally(kind, chat_id)


def _listed(kind: HoldingKind, chat_id: ChatId) -> Callable[[Transaction], tuple[dict[str, object], ...]]:
    return lambda tx: tx.people.listed(kind, chat_id)


def _copies(chat_id: ChatId) -> Callable[[Transaction], tuple[str, ...]]:
    return lambda tx: tx.people.copied_files(chat_id)


def _forget_messages(chat_id: ChatId, person: Person) -> Callable[[Transaction], bool]:
    return lambda tx: tx.people.forget_messages(chat_id, person.person, limit=REMOVED_AT_ONCE)


def _forget_prompts(calls: tuple[CallId, ...]) -> Callable[[Transaction], None]:
    return lambda tx: tx.retention.forget_prompts(calls)


def _forget_chat(chat_id: ChatId) -> Callable[[Transaction], None]:
    return lambda tx: tx.people.forget_chat(chat_id)


def _forget_rest(person: Person) -> Callable[[Transaction], None]:
    def forget(tx: Transaction) -> None:
        tx.people.forget_person(person.person)
        for chat in person.groups:
            tx.people.forget_memories(chat.chat_id, person.person)

    return forget
