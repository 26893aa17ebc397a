"""Decisions about proposed memories: stored first, written once, and taken back with what was written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.events import MemoryProposalsChanged, MessageStored
from chimein_gui.domain.ids import MessageId, UserId
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.memory.folding import folded_hash
from chimein_gui.domain.memory.proposals import Choice, Effect, Flag, ProposalState, StaleReason
from chimein_gui.domain.memory.provenance import Source, provenance_of
from chimein_gui.domain.messages import Message
from chimein_gui.domain.notes.configs import ConfigReason
from chimein_gui.engine.memory.outside import OutsideChanges
from chimein_gui.engine.memory.tombstones import Tombstones
from chimein_gui.engine.memory.writer import MemoryWriter
from chimein_gui.engine.ports import Transaction
from tests.support.async_tests import OpenedInLoop
from tests.support.decision_room import PARTNER
from tests.support.memory_room import ABOUT_MARTA, FOR_ALL, MemoryRoom, found, memory_room


@pytest.fixture
def at(tmp_path: Path) -> OpenedInLoop:
    return OpenedInLoop(memory_room(tmp_path))


async def test_an_accepted_proposal_is_written_with_its_provenance_and_undone(at: MemoryRoom) -> None:
    proposal = await at.proposed()
    assert not (at.state / "Nora").exists(), "nothing is remembered before"
    accepted = await at.review.accept(proposal.proposal_id, proposal.version)
    assert (accepted.state, accepted.effect) == (ProposalState.ACCEPTED, Effect.NONE)
    (entry,) = await at.entries()
    assert entry.entry.text == "Marta likes tea."
    origin = provenance_of(entry.block)
    numbers = tuple(part.message_id for part in proposal.evidence)
    assert (origin.source, origin.partner, origin.messages) == (Source.EXTRACTION, PARTNER, numbers)
    shown = [event for event in at.events if isinstance(event, MemoryProposalsChanged)]
    assert shown[-1].proposals == (accepted,)
    undone = await at.review.undo(proposal.proposal_id)
    assert (undone.state, undone.decision, await at.texts()) == (ProposalState.WAITING, None, [])
    again = await at.review.accept(undone.proposal_id, undone.version)
    assert (again.state, await at.texts()) == (ProposalState.ACCEPTED, ["Marta likes tea."])


async def test_edited_text_and_another_file(at: MemoryRoom) -> None:
    proposal = await at.proposed()
    notes = MemoryFile(MemoryKind.CURATED, "Nora", PARTNER)
    await at.review.accept(proposal.proposal_id, proposal.version, text="Only green tea. ", file=notes)
    assert (await at.texts(notes), await at.texts()) == (["Only green tea."], [])
    await at.review.undo(proposal.proposal_id)
    assert await at.texts(notes) == []


async def test_a_merge_replaces_one_entry_and_its_undo_brings_it_back(at: MemoryRoom) -> None:
    await at.editor.add(FOR_ALL, "Oskar has a car.")
    await at.editor.add(FOR_ALL, "The ferry leaves at nine.")
    before = (at.state / "Nora" / "memory.md").read_bytes()
    proposal = await at.proposed("Oskar has a car with four seats.")
    (details,) = await at.details()
    assert details.nearest is not None
    assert (details.nearest.entry.text, details.nearest_file, details.nearest_number) == (
        "Oskar has a car.",
        FOR_ALL,
        1,
    )
    assert (details.merged, details.is_new, details.score > 0.5) == ("Oskar has a car with four seats.", False, True)
    merged = await at.review.merge(
        proposal.proposal_id, proposal.version, text=details.merged, file=FOR_ALL, entry=details.nearest
    )
    assert merged.state is ProposalState.MERGED
    assert await at.texts(FOR_ALL) == ["Oskar has a car with four seats.", "The ferry leaves at nine."]
    await at.review.undo(proposal.proposal_id)
    assert (at.state / "Nora" / "memory.md").read_bytes() == before


async def test_a_decision_is_compared_with_what_the_operator_saw(at: MemoryRoom) -> None:
    proposal = await at.proposed()
    await at.review.reject(proposal.proposal_id, proposal.version)
    with pytest.raises(RefusedError) as caught:
        await at.review.accept(proposal.proposal_id, proposal.version)
    assert caught.value.note is not None
    assert caught.value.note.kind is ConfigReason.PROPOSAL_DECIDED
    with pytest.raises(RefusedError):
        await at.review.accept(proposal.proposal_id, proposal.version + 1)
    assert await at.texts() == []


async def test_never_about_a_person_rejects_all_and_is_undone_as_one(at: MemoryRoom) -> None:
    message = await at.said("tea, dog, cat")
    at.answers(found("Marta likes tea.", message), found("Marta has a dog.", message))
    await at.rest()
    tea, dog = await at.open()
    await at.review.never(tea.proposal_id, tea.version)
    assert await at.open() == ()
    await at.said("and a cat")
    await at.rest()
    assert len(at.room.model.prompts) == 1, "she is not read any more"
    await at.review.undo(dog.proposal_id)
    assert [one.text for one in await at.open()] == ["Marta likes tea.", "Marta has a dog."]
    at.answers()
    await at.said("and a cow")
    await at.rest()
    assert len(at.room.model.prompts) == 2


async def test_a_group_says_how_many_read_it(at: MemoryRoom) -> None:
    at.prefer(extraction_groups=True)
    group = await at.room.another_chat(-500, ChatKind.GROUP)
    message = await at.said("I like tea", chat_id=group, sender_id=UserId(8), sender_name="Ana")
    at.answers(found("Ana likes tea.", message))
    await at.rest()

    def learn(tx: Transaction) -> None:
        chat = tx.chats.get(group)
        tx.chats.ensure(chat.agent_id, replace(chat.info, members=12), planned_up_to=MessageId(0))

    await at.room.room.do(learn)
    (details,) = await at.details()
    assert (details.is_group, details.members) == (True, 12)


async def test_a_group_is_left_out_and_taken_in_again(at: MemoryRoom) -> None:
    at.prefer(extraction_groups=True)
    group = await at.room.another_chat(-500, ChatKind.GROUP)
    both = [
        await at.said(words, chat_id=group, sender_id=UserId(number), sender_name=name)
        for words, number, name in (("I like tea", 8, "Ana"), ("I like milk", 9, "Bea"))
    ]
    at.answers(found("Ana likes tea.", both[0]), found("Bea likes milk.", both[1]))
    await at.rest()
    ana, bea = await at.open()
    await at.review.never_chat(ana.proposal_id, ana.version)
    await at.said("I like cake", chat_id=group, sender_id=UserId(8), sender_name="Ana")
    await at.rest()
    assert (await at.open(), len(at.room.model.prompts)) == ((), 1)
    await at.review.undo(bea.proposal_id)
    assert [one.text for one in await at.open()] == ["Ana likes tea.", "Bea likes milk."]
    at.answers()
    await at.said("I like pie", chat_id=group, sender_id=UserId(8), sender_name="Ana")
    await at.rest()
    assert len(at.room.model.prompts) == 2


async def test_a_file_that_cannot_be_written_takes_the_decision_back(at: MemoryRoom) -> None:
    proposal = await at.proposed()
    path = at.state / "Nora" / "memory" / "77.md"
    path.mkdir(parents=True)
    with pytest.raises(RefusedError):
        await at.review.accept(proposal.proposal_id, proposal.version)
    now = await at.now(proposal)
    assert (now.state, now.effect, now.decision) == (ProposalState.WAITING, Effect.NONE, None)
    path.rmdir()
    await at.review.accept(now.proposal_id, now.version)
    assert await at.texts() == ["Marta likes tea."]
    path.write_text(path.read_text(encoding="utf-8").replace("tea", "milk"), encoding="utf-8")
    with pytest.raises(RefusedError):
        await at.review.undo(proposal.proposal_id)
    assert (await at.now(proposal)).state is ProposalState.ACCEPTED, "what the operator changed since is kept"
    assert await at.texts() == ["Marta likes milk."]


@pytest.mark.parametrize("is_written", [False, True])
@pytest.mark.parametrize("choice", [Choice.ACCEPT, Choice.MERGE])
async def test_a_crash_between_decision_and_file_writes_once(at: MemoryRoom, is_written: bool, choice: Choice) -> None:
    await at.editor.add(ABOUT_MARTA, "Marta likes warm tea.")
    proposal = await at.proposed("Marta likes green tea.")
    (entry,) = await at.entries()

    async def decide() -> None:
        if choice is Choice.ACCEPT:
            await at.review.accept(proposal.proposal_id, proposal.version)
        else:
            await at.review.merge(
                proposal.proposal_id, proposal.version, text="Green tea.", file=ABOUT_MARTA, entry=entry
            )

    real = at.review._write

    async def killed(one: object) -> None:
        if is_written:
            await real(one)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    at.review._write = killed  # type: ignore[method-assign,assignment]
    with pytest.raises(KeyboardInterrupt):
        await decide()
    at.review._write = real  # type: ignore[method-assign]
    assert (await at.now(proposal)).effect is Effect.WRITE
    for _ in range(2):
        at.review.resume()
        await at.room.jobs_end()
    expected = ["Marta likes warm tea.", "Marta likes green tea."] if choice is Choice.ACCEPT else ["Green tea."]
    assert (await at.texts(), (await at.now(proposal)).effect) == (expected, Effect.NONE)


async def test_evidence_that_is_edited_or_deleted_makes_a_proposal_stale(at: MemoryRoom) -> None:
    proposal = await at.proposed()
    key = (await at.details())[0].messages[-1].key

    async def change(text: str, *, deleted: bool = False) -> None:
        def work(tx):
            if deleted:
                tx.messages.mark_deleted(key.account_id, key.peer_id, (key.message_id,))
            else:
                tx.messages.edit(replace(tx.messages.get(key), text=text, edited_at=at.room.room.clock.now()))
            return tx.messages.get(key), tx.revision

        message, revision = await at.room.room.store.transact(work)
        at.room.room.bus.publish(MessageStored(at.room.room.chat_id, message, revision))
        await at.room.jobs_end()

    await change("Well, I like tea a lot")
    assert (await at.now(proposal)).state is ProposalState.WAITING, "its words still stand there"
    await change("I like milk")
    stale = await at.now(proposal)
    assert (stale.state, stale.stale) == (ProposalState.STALE, StaleReason.EVIDENCE_EDITED)
    with pytest.raises(RefusedError):
        await at.review.accept(stale.proposal_id, stale.version)
    await change("no, I like tea")
    assert (await at.now(proposal)).state is ProposalState.WAITING, "based on its message again"
    await change("", deleted=True)
    stale = await at.now(proposal)
    assert stale.stale is StaleReason.EVIDENCE_DELETED
    assert all(message.key != key for message in (await at.details())[0].messages)
    await at.review.accept(stale.proposal_id, stale.version, text="Marta told me about tea.")
    assert await at.texts() == ["Marta told me about tea."]


async def test_what_the_operator_deletes_meanwhile_makes_its_proposal_stale(at: MemoryRoom) -> None:
    proposal = await at.proposed()
    await at.editor.add(FOR_ALL, "Marta likes tea")
    (entry,) = await at.entries(FOR_ALL)
    deleted = await at.editor.edit(FOR_ALL, entry, "")
    stale = await at.now(proposal)
    assert (stale.state, stale.stale) == (ProposalState.STALE, StaleReason.MEMORY_DELETED)
    await at.editor.undo(deleted)
    assert (await at.now(proposal)).state is ProposalState.WAITING


async def test_a_deletion_that_was_not_written_leaves_no_tombstone(at: MemoryRoom) -> None:
    proposal = await at.proposed()
    await at.editor.add(ABOUT_MARTA, "Marta likes tea")
    (entry,) = await at.entries()

    async def refuse(*_given: object) -> bool:
        raise OSError(28, "No space left on device")

    at.files.write = refuse  # type: ignore[method-assign,assignment]
    with pytest.raises(RefusedError):
        await at.editor.edit(ABOUT_MARTA, entry, "")
    assert (await at.now(proposal)).state is ProposalState.WAITING


async def test_the_list_names_files_readers_and_what_was_decided_today(at: MemoryRoom) -> None:
    await at.room.another_chat(78)
    proposal = await at.proposed("Send Marta the list.")
    (details,) = await at.details()
    assert [one.kind for one in details.files] == [MemoryKind.ABOUT_PARTNER, MemoryKind.CURATED, MemoryKind.REMEMBERED]
    assert (details.chat_title, details.other_chats, details.is_group) == ("Marta", 1, False)
    assert (details.is_new, details.proposal.flags) == (False, frozenset({Flag.ORDER}))
    await at.review.reject(proposal.proposal_id, proposal.version)
    queue = await at.queue.load()
    assert (queue.open, [one.proposal_id for one in queue.decided]) == ((), [proposal.proposal_id])
    at.room.room.clock.advance(86_400)
    assert (await at.queue.load()).decided == ()


async def test_what_means_the_same_is_not_proposed_and_what_is_near_by_meaning_is_shown(tmp_path: Path) -> None:
    cosines = {"Peanuts make her ill.": 0.97, "Oskar has a car.": 0.86}
    asked: list[tuple[str, str]] = []

    async def alike(files: Sequence[MemoryFile], text: str) -> Mapping[str, float]:
        asked.append(("paid", text))
        return cosines if text == "Marta is allergic to nuts." else {}

    async def unpaid(files: Sequence[MemoryFile], text: str) -> Mapping[str, float]:
        asked.append(("unpaid", text))
        return {"Oskar has a car.": 0.86}

    async with memory_room(tmp_path, alike, unpaid) as at:
        await at.editor.add(FOR_ALL, "Peanuts make her ill.")
        await at.editor.add(FOR_ALL, "Oskar has a car.")
        message = await at.said("I like tea")
        at.answers(found("Marta is allergic to nuts.", message), found("Lifts: ask Oskar.", message))
        await at.rest()
        (details,) = await at.details()
        assert details.nearest is not None
        assert (details.proposal.text, details.nearest.entry.text) == (
            "Lifts: ask Oskar.",
            "Oskar has a car.",
        )
        assert (details.score, details.is_by_meaning, details.is_new) == (0.86, True, False)
        paid = [text for kind, text in asked if kind == "paid"]
        assert paid == ["Marta is allergic to nuts.", "Lifts: ask Oskar."]


async def test_after_a_crash_one_file_that_cannot_be_written_keeps_no_other_back(at: MemoryRoom) -> None:
    broken, sound = await at.proposed("Marta likes tea."), await at.proposed("Marta has a dog.")
    notes = MemoryFile(MemoryKind.CURATED, "Nora", PARTNER)
    real = at.review._write

    async def killed(_one: object) -> None:
        raise KeyboardInterrupt

    at.review._write = killed  # type: ignore[method-assign,assignment]
    for proposal, file in ((broken, ABOUT_MARTA), (sound, notes)):
        with pytest.raises(KeyboardInterrupt):
            await at.review.accept(proposal.proposal_id, proposal.version, file=file)
    at.review._write = real  # type: ignore[method-assign]
    (at.state / "Nora" / "memory" / "77.md").mkdir(parents=True)
    at.review.resume()
    await at.room.jobs_end()
    assert await at.texts(notes) == ["Marta has a dog."]
    states = [(await at.now(one)).state for one in (broken, sound)]
    assert states == [ProposalState.WAITING, ProposalState.ACCEPTED]


async def test_a_proposal_with_two_messages_waits_again_only_when_both_say_so(at: MemoryRoom) -> None:
    tea, milk = await at.said("I like tea"), await at.said("and milk")
    evidence = [{"message": int(tea.key.message_id)}, {"message": int(milk.key.message_id)}]
    at.answers(found("Marta likes tea with milk.", tea) | {"evidence": evidence})
    await at.rest()
    (proposal,) = await at.open()

    async def edit(message: Message, text: str) -> None:
        def work(tx):
            tx.messages.edit(replace(message, text=text, edited_at=at.room.room.clock.now()))
            return tx.messages.get(message.key), tx.revision

        fresh, revision = await at.room.room.store.transact(work)
        at.room.room.bus.publish(MessageStored(at.room.room.chat_id, fresh, revision))
        await at.room.jobs_end()

    for message, text, state in (
        (tea, "I like beer", ProposalState.STALE),
        (milk, "and wine", ProposalState.STALE),
        (tea, "I like tea", ProposalState.STALE),
        (milk, "and milk", ProposalState.WAITING),
    ):
        await edit(message, text)
        assert (await at.now(proposal)).state is state, text
    await at.review.accept(proposal.proposal_id, proposal.version)
    await edit(tea, "I like beer")
    undone = await at.review.undo(proposal.proposal_id)
    assert undone.stale is StaleReason.EVIDENCE_EDITED, "what it rests on changed while it was accepted"


async def test_what_another_editor_deletes_is_not_proposed_again(at: MemoryRoom) -> None:
    """Also with the pane closed, and although a reply writes to the file in between."""
    await at.editor.add(ABOUT_MARTA, "Marta likes tea.")
    await at.editor.add(ABOUT_MARTA, "Marta has a dog.")
    path = at.state / "Nora" / "memory" / "77.md"
    tea = (await at.entries())[0].block
    path.write_bytes(path.read_bytes().replace(tea.encode(), b""))
    message = await at.said("well, I like tea")
    at.answers(found("Marta likes tea", message))
    await at.rest()
    assert await at.open() == ()
    await at.editor.add(ABOUT_MARTA, "Marta likes tea.")  # the operator's own word counts again
    (*_others, again) = await at.entries()
    path.write_bytes(path.read_bytes().replace(again.block.encode(), b""))
    await at.editor.add(ABOUT_MARTA, "Marta has a cat.")
    message = await at.said("and I like tea")
    at.answers(found("Marta likes tea", message))
    await at.rest()
    assert (await at.open(), await at.texts()) == ((), ["Marta has a dog.", "Marta has a cat."])


async def test_a_file_that_an_editor_replaces_leaves_no_tombstone_for_what_is_there_again(at: MemoryRoom) -> None:
    await at.editor.add(ABOUT_MARTA, "Marta likes tea.")
    await at.editor.add(ABOUT_MARTA, "Marta has a dog.")
    proposal = await at.proposed("Marta has a cow.", "I have a cow")
    await at.editor.add(ABOUT_MARTA, "Marta has a cow")
    path = at.state / "Nora" / "memory" / "77.md"
    content = path.read_bytes()
    path.unlink()
    await at.editor.pages("Nora", PARTNER)
    assert (await at.now(proposal)).state is ProposalState.WAITING, "a missing file says nothing"
    dog = (await at.files.version_text(ABOUT_MARTA, (await at.files.versions(ABOUT_MARTA))[1].name)).encode()
    assert dog == content
    path.write_bytes(content.replace(b"Marta likes tea.", b""))
    await at.editor.pages("Nora", PARTNER)
    assert (await at.now(proposal)).state is ProposalState.WAITING
    message = await at.said("I like tea")
    at.answers(found("Marta likes tea", message))
    await at.rest()
    assert [one.text for one in await at.open()] == ["Marta has a cow."], "what is still gone is not proposed"
    path.write_bytes(content.replace(b"Marta has a cow", b""))
    await at.editor.pages("Nora", PARTNER)
    stale = await at.now(proposal)
    assert (stale.state, stale.stale) == (ProposalState.STALE, StaleReason.MEMORY_DELETED)
    path.write_bytes(content)
    await at.editor.pages("Nora", PARTNER)
    assert (await at.now(proposal)).state is ProposalState.WAITING, "it is back"


async def test_a_missing_file_that_is_written_anew_was_deleted(at: MemoryRoom) -> None:
    await at.editor.add(ABOUT_MARTA, "Marta likes tea.")
    (at.state / "Nora" / "memory" / "77.md").unlink()
    await at.editor.add(ABOUT_MARTA, "Marta has a dog.")
    message = await at.said("I like tea")
    at.answers(found("Marta likes tea", message))
    await at.rest()
    assert (await at.open(), await at.texts()) == ((), ["Marta has a dog."])


async def test_what_another_editor_took_out_is_noted_before_a_reply_writes_to_the_file(at: MemoryRoom) -> None:
    base, spec = at.room.room, at.room.spec
    agent_id = await base.do(lambda tx: tx.agents.all()[0].agent_id)
    writer = MemoryWriter(base.unit, base.bus, at.room.jobs.spawn, at.files, lambda _agent: spec)
    writer.outside = OutsideChanges(at.files, Tombstones(base.unit, base.clock, {"Nora": agent_id}.get))
    await at.editor.add(FOR_ALL, "Marta likes tea.")
    (at.state / "Nora" / "memory.md").write_bytes(b"")
    at.room.model.script.append("# «remember»\nMarta has a dog\n# «send»\nhello")
    await at.room.plan()
    await writer.write_now()
    assert await at.texts(FOR_ALL) == ["Marta has a dog"]
    gone = folded_hash("Marta likes tea")
    assert await base.do(lambda tx: tx.proposals.has_tombstone(agent_id, MemoryKind.REMEMBERED, None, gone))
