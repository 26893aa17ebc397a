"""The operator sends photos and files: copied, uploaded, and through the ledger like text."""

from __future__ import annotations

import asyncio
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.adapters.files.outgoing import OutgoingCopies
from chimein_gui.domain.approvals import Approval, AskReason, RejectPlan
from chimein_gui.domain.chats import Chat
from chimein_gui.domain.errors import NotConnectedError, RateLimitedError, Refusal, RefusedError, SendRefusedError
from chimein_gui.domain.events import TaskStatusChanged, UploadAdvanced
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.notes import NoteKind
from chimein_gui.domain.plans.outgoing_files import FileToSend
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import LedgerState, TaskKind, TaskStatus
from tests.fakes.telegram import HANG, LOSE
from tests.support.async_tests import OpenedInLoop
from tests.support.engine_room import Room, engine_room

AT_ONCE = Preferences(debounce_s=0, undo_s=0, typing_base_s=0, typing_s_per_60=0, sticker_typing_s=0)
PHOTO = FileToSend(b"a picture", "lake.png", as_photo=True, width=4, height=3)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the copies are."""
    return tmp_path / "outgoing"


@pytest.fixture
def room(tmp_path: Path, folder: Path) -> OpenedInLoop:
    return OpenedInLoop(engine_room(tmp_path, preferences=AT_ONCE, outgoing_files=OutgoingCopies(folder, 1000)))


async def the_chat(room: Room) -> Chat:
    await room.drafted()
    return (await room.engine.queries.chats()).rows[0]


async def written(room: Room, file: FileToSend = PHOTO, caption: str = "**the** lake") -> Approval:
    chat = await the_chat(room)
    sent = await room.engine.composer.write(chat.chat_id, caption, client_id="a", attached=file)
    assert sent.approval is not None
    return sent.approval


async def done(room: Room, approval: Approval) -> None:
    """Let time pass until it has left: the copy is read in a thread, which no pause of virtual time waits for."""
    await room.reach(lambda: room.newest(approval).task_status is TaskStatus.DONE)


def kept(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.exists() else []


def parts_told(room: Room) -> list[float | None]:
    return [event.part for event in room.events if isinstance(event, UploadAdvanced)]


async def test_a_photo_leaves_with_its_caption_and_its_committed_number(room: Room, folder: Path) -> None:
    approval = await written(room)
    [copy] = kept(folder)
    assert (copy.read_bytes(), stat.S_IMODE(copy.stat().st_mode)) == (b"a picture", 0o600)
    await room.approval(TaskStatus.DONE)
    [request] = room.telegram.file_requests
    assert (request.uploaded.handle, request.caption) == (b"a picture", "the lake")
    assert [entity.kind for entity in request.entities] == ["bold"]
    [row] = await room.store.read(lambda tx: tx.ledger.of_approval(approval.approval_id))
    assert (row.state, row.kind, row.random_id, row.file) == (
        LedgerState.SENT,
        TaskKind.FILE,
        request.random_id,
        approval.file,
    )
    assert parts_told(room)[0] == 0.0
    assert parts_told(room)[-2:] == [1.0, None]
    await room.reach(lambda: kept(folder) == [])


async def test_a_sticker_of_the_operator_leaves_with_its_committed_number(room: Room) -> None:
    chat, wave = await the_chat(room), StickerRef("Otters", "👋", 91, "👋")
    approval = (await room.engine.composer.write(chat.chat_id, "", client_id="a", attached=wave)).approval
    assert approval is not None
    approval_id = approval.approval_id
    await room.approval(TaskStatus.DONE)
    [request] = room.telegram.sticker_requests
    [row] = await room.store.read(lambda tx: tx.ledger.of_approval(approval_id))
    assert (row.state, row.kind, row.random_id) == (LedgerState.SENT, TaskKind.STICKER, request.random_id)
    assert request.sticker == wave


@pytest.mark.parametrize(
    ("file", "caption", "refusal"),
    [
        (FileToSend(b"", "empty"), "", Refusal.FILE_EMPTY),
        (FileToSend(bytes(1001), "large"), "", Refusal.FILE_TOO_LARGE),
        (FileToSend(Path("/nowhere/at/all"), "gone"), "", Refusal.FILE_UNREADABLE),
        (FileToSend(Path("/"), "a folder"), "", Refusal.FILE_UNREADABLE),
        (PHOTO, "x" * 1025, Refusal.CAPTION_TOO_LONG),
    ],
)
async def test_what_cannot_be_sent_is_refused_and_leaves_no_copy(
    room: Room, folder: Path, file: FileToSend, caption: str, refusal: Refusal
) -> None:
    with pytest.raises(RefusedError) as caught:
        await written(room, file, caption)
    assert caught.value.refusal is refusal
    assert kept(folder) == []


async def test_a_directory_that_takes_no_files_is_said_as_such(tmp_path: Path) -> None:
    in_the_way = tmp_path / "a file"
    in_the_way.touch()
    with pytest.raises(RefusedError) as caught:
        await OutgoingCopies(in_the_way).take(PHOTO)
    assert caught.value.refusal is Refusal.DISK_REFUSES


async def test_an_upload_that_is_cut_off_begins_again_and_is_never_unknown(room: Room) -> None:
    room.telegram.uploads.extend([NotConnectedError("lost"), RateLimitedError("wait", 30, "upload")])
    approval = await written(room)
    await done(room, approval)
    told = [event.approval.task_status for event in room.events if isinstance(event, TaskStatusChanged)]
    assert TaskStatus.UNKNOWN not in told
    assert len(room.telegram.file_requests) == 1


async def test_an_upload_that_was_cut_off_begins_again_though_something_else_wakes_the_chat(room: Room) -> None:
    room.telegram.uploads.append(NotConnectedError("lost"))
    approval = await written(room)
    await room.until(lambda: parts_told(room)[-1:] == [None])
    await room.engine.composer.write(approval.chat_id, "meanwhile", client_id="b")
    await room.until(lambda: room.telegram.delivered() == ["meanwhile"])
    await room.pass_time(10)
    await room.approval(TaskStatus.DONE, approval.text)


async def test_a_sleep_during_the_upload_makes_it_overdue(room: Room) -> None:
    gate = asyncio.Event()
    room.telegram.uploads.append(gate)
    approval = await written(room)
    await room.telegram.uploading.wait()
    room.clock.advance(4000)
    await room.worked_off()
    gate.set()
    back = await room.approval(TaskStatus.AWAITING_DECISION, approval.text)
    assert AskReason.OVERDUE in back.reasons
    assert room.telegram.file_requests == []


async def test_what_telegram_does_not_take_comes_back_to_the_operator(room: Room, folder: Path) -> None:
    room.telegram.uploads.append(SendRefusedError("no", "FILE_PARTS_INVALID"))
    approval = await written(room)
    back = await room.approval(TaskStatus.AWAITING_DECISION, approval.text)
    assert back.note is not None
    assert (back.note.kind, back.note.words) == (NoteKind.REFUSED, "FILE_PARTS_INVALID")
    assert len(kept(folder)) == 1


async def test_a_copy_that_is_gone_comes_back_to_the_operator(room: Room, folder: Path) -> None:
    await room.engine.holds.hold(HoldScope.ALL)
    chat = await the_chat(room)
    composer = room.engine.composer
    held = await composer.write(chat.chat_id, "", client_id="a", attached=PHOTO, confirm=True)
    assert held.approval is not None
    for path in kept(folder):
        path.unlink()
    backlog = await room.engine.holds.release()
    waiting = [one.approval for one in backlog.items if one.approval.file is not None]
    await room.engine.backlog.confirm(chat.info.account_id, waiting, client_id="b")
    await room.until(lambda: (note := room.newest(waiting[0]).note) is not None and note.kind is NoteKind.FILE_GONE)
    assert room.telegram.file_requests == []


async def test_a_rejected_send_stops_its_upload_and_a_text_passes_it(room: Room, folder: Path) -> None:
    room.telegram.uploads.append(asyncio.Event())
    approval = await written(room)
    await room.telegram.uploading.wait()
    await room.engine.composer.write(approval.chat_id, "meanwhile", client_id="b")
    await room.until(lambda: room.telegram.delivered() == ["meanwhile"])
    await room.decide(room.newest(approval), RejectPlan())
    await room.until(lambda: parts_told(room)[-1:] == [None])
    await room.pass_time(60)
    assert room.telegram.file_requests == []
    assert len(kept(folder)) == 1  # the operator may want it back
    await room.pass_time(4000, 100)
    await room.engine.composer.sweep()
    assert kept(folder) == []


async def test_a_file_that_falls_due_while_a_plan_is_made_is_uploaded_after_it(tmp_path: Path, folder: Path) -> None:
    waits = replace(AT_ONCE, undo_s=5)
    async with engine_room(tmp_path, preferences=waits, outgoing_files=OutgoingCopies(folder, 1000)) as room:
        approval = await written(room)
        room.model.gate = asyncio.Event()
        room.telegram.partner_writes("and now?")
        await room.worked_off()
        await room.engine.takeovers.resume(approval.chat_id)
        await room.model.asked(2)
        await room.pass_time(10)
        assert parts_told(room) == []
        room.model.gate.set()
        # The copy is read in a thread, which `worked_off` does not wait for.
        await room.until(lambda: room.newest(approval).task_status is TaskStatus.DONE)
        assert len(room.telegram.file_requests) == 1


async def test_a_hold_during_the_upload_keeps_it_from_leaving(room: Room) -> None:
    gate = asyncio.Event()
    room.telegram.uploads.append(gate)
    approval = await written(room)
    await room.telegram.uploading.wait()
    await room.engine.holds.hold(HoldScope.ALL)
    gate.set()
    await room.until(lambda: parts_told(room)[-1:] == [None])
    await room.worked_off()
    assert room.telegram.file_requests == []
    assert room.newest(approval).task_status is not TaskStatus.DONE


async def test_a_lost_answer_is_found_by_kind_size_and_caption(room: Room) -> None:
    room.telegram.script.append(HANG)
    approval = await written(room, replace(PHOTO, as_photo=False))
    await done(room, approval)
    assert len(room.telegram.file_requests) == 1
    assert room.telegram.delivered() == ["the lake"]


async def test_lost_bytes_go_out_again_under_the_same_number(room: Room) -> None:
    room.telegram.script.append(LOSE)
    approval = await written(room)
    await done(room, approval)
    first, second = room.telegram.file_requests
    assert first.random_id == second.random_id
    assert room.telegram.delivered() == ["the lake"]


async def test_parts_that_telegram_has_forgotten_are_uploaded_anew(room: Room) -> None:
    room.telegram.script.append(SendRefusedError("gone", "FILE_PART_0_MISSING"))
    approval = await written(room)
    await done(room, approval)
    assert len(room.telegram.file_requests) == 2
    assert room.telegram.delivered() == ["the lake"]
