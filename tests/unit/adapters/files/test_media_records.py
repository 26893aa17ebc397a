"""Files of descriptions: what people and other programs wrote stays, an edit changes its words alone."""

from __future__ import annotations

import json
import os
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.adapters.files.media.records import MediaRecordFiles
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.media.records import DescriptionStatus, MediaRecord, PlaceKind
from chimein_gui.domain.notes.files import FileReason
from chimein_gui.resource_files import resource_path

SAMPLES = resource_path("samples")
NUMBER = "1155569976834354520"

ODD = {
    "crlf": '{\r\n\t"description":"old words" ,\r\n\t"status":\t"curated",\r\n\t"unique_id": "7"\r\n}\r\n',
    "bom": '\ufeff{"unique_id": "7", "description": "old words", "kind": "sticker"}',
    "unknown keys": '{"zeal": {"a": [1, 2.50, 1e3]}, "description": "old words", "_seen": null, "ä": "\\u00e4"}\n\n',
    "twice": '{"description": "never read", "description": "old words"}',
    "escaped": '{"description": "old words \\u2764\\ufe0f", "duration": 2.0, "ts": "2026-11-22T12:00:00+01:00"}',
    "wrong types": '{"kind": 3, "duration": "long", "met": {}, "ts": true, "description": "old words", "status": []}',
}


def files(tmp_path: Path, *config: Path) -> MediaRecordFiles:
    return MediaRecordFiles(tmp_path / "state", config or (tmp_path / "config",), SAMPLES)


async def only(records: MediaRecordFiles, unique_id: str, agent_name: str = "") -> MediaRecord:
    (record,) = (await records.find(records.places(agent_name), (unique_id,)))[unique_id]
    return record


def content(record: MediaRecord) -> bytes:
    return Path(record.path).read_bytes()


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


async def test_the_curated_samples_load_and_are_written_back_byte_equal(tmp_path: Path) -> None:
    config = tmp_path / "config"
    for sample in (SAMPLES / "media").glob("*.json"):
        put(config / "media" / sample.name, sample.read_text("utf-8"))
    records = files(tmp_path)
    found = await records.all()
    assert len(found) == 13
    for record in found:
        assert record.place is not None
        before = content(record)
        assert record.is_curated
        assert record.status is DescriptionStatus.CURATED
        assert record.kind in {"sticker", "photo"}
        await records.write(record, record.place)
        assert content(record) == before
        old, new = record.description, "Something “else” ❤️\nin two lines."
        await records.write(replace(record, description=new), record.place)
        expected = before.decode().replace(json.dumps(old, ensure_ascii=False), json.dumps(new, ensure_ascii=False))
        assert content(record) == expected.encode()


@pytest.mark.parametrize("name", ODD)
async def test_an_edit_leaves_everything_else_as_it_was(tmp_path: Path, name: str) -> None:
    path = put(tmp_path / "config/media/7.json", ODD[name])
    records = files(tmp_path)
    record = await only(records, "7")
    assert record.description.startswith("old words")
    assert record.place is not None
    await records.write(record, record.place)
    assert path.read_bytes() == ODD[name].encode()
    written = await records.write(replace(record, description="new"), record.place)
    head, _old, tail = ODD[name].rpartition(json.dumps(record.description, ensure_ascii="\\u" in ODD[name]))
    assert path.read_bytes() == f'{head}"new"{tail}'.encode()
    assert written == await only(records, "7")


async def test_a_new_key_gets_the_blanks_of_those_before_it(tmp_path: Path) -> None:
    path = put(tmp_path / "config/media/7.json", '{\r\n  "kind" : "photo",\r\n  "mood": 1\r\n}')
    empty = put(tmp_path / "config/media/8.json", "{ }")
    records = files(tmp_path)
    for number in ("7", "8"):
        record = await only(records, number)
        assert record.place is not None
        assert not record.has_words
        await records.write(replace(record, description="A lake."), record.place)
    assert path.read_bytes() == b'{\r\n  "kind" : "photo",\r\n  "mood": 1,\r\n  "description": "A lake."\r\n}'
    assert empty.read_bytes() == b'{"description": "A lake." }'


async def test_what_can_not_be_read_is_a_record_that_says_why(tmp_path: Path) -> None:
    shared = tmp_path / "config/media"
    bad = {"1": "{", "2": "[]", "3": "[" * 100_000, "4": '{"a": 1} x', "5": '{"a": ' + "9" * 5_000 + "}", "6": ""}
    for number, text in bad.items():
        put(shared / f"{number}.json", text)
    (shared / "7.json").write_bytes(b'{"description": "\xff"}')
    (shared / "8.json").mkdir()
    (shared / "9.json").write_bytes(b" " * 1_000_001)
    put(shared / "..json", "{}")
    found = {record.unique_id: record for record in await files(tmp_path).all()}
    assert set(found) == set("123456789")
    reasons = [found[number].problem for number in "123456789"]
    assert [note is not None and note.kind for note in reasons] == [
        *[FileReason.NO_JSON] * 6,
        FileReason.NOT_UTF8,
        FileReason.NO_PLAIN_FILE,
        FileReason.TOO_LARGE,
    ]


async def test_the_order_is_own_then_shared_of_all_directories_then_the_cache(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    records = files(tmp_path, first, second)
    order = [
        first / "agents/Nora/media",
        second / "agents/Nora/media",
        first / "media",
        second / "media",
        tmp_path / "state/media",
    ]
    for folder in order:
        put(folder / "7.json", json.dumps({"description": str(folder)}))
    assert [place.folder for place in records.places("Nora")] == [str(folder) for folder in order]
    found = (await records.find(records.places("Nora"), ("7", "8")))["7"]
    assert [record.description for record in found] == [str(folder) for folder in order]
    assert [record.status.value for record in found] == ["curated"] * 4 + ["generated"]
    assert len((await records.find(records.places("Theo"), ("7",)))["7"]) == 3


async def test_nothing_is_written_over_words_that_the_writer_has_not_seen(tmp_path: Path) -> None:
    path = put(tmp_path / "config/media/7.json", '{"description": "first"}')
    records = files(tmp_path)
    record = await only(records, "7")
    place = record.place
    assert place is not None
    put(path, '{"description": "an edit on disk"}')
    with pytest.raises(RefusedError, match="description changed"):
        await records.write(replace(record, description="mine"), place)
    with pytest.raises(RefusedError, match="description changed"):
        await records.delete(record)
    with pytest.raises(RefusedError, match="description exists"):
        await records.write(MediaRecord("7", description="mine"), place)
    samples = next(one for one in files(tmp_path, SAMPLES).places("") if not one.is_writable)
    with pytest.raises(RefusedError, match="folder read-only"):
        await records.write(MediaRecord("7", description="mine"), samples)
    with pytest.raises(RefusedError, match="folder read-only"):
        await records.write(MediaRecord("../7", description="mine"), place)
    assert path.read_text() == '{"description": "an edit on disk"}'


async def test_an_edit_on_disk_counts_at_once_even_one_of_the_same_size(tmp_path: Path) -> None:
    path = put(tmp_path / "config/media/7.json", '{"description": "first"}')
    records = files(tmp_path)
    for words in ("first", "later", "lying"):
        path.write_text(f'{{"description": "{words}"}}')
        assert (await only(records, "7")).description == words
    os.utime(path, (1_000, 1_000))
    read = await only(records, "7")
    assert await only(records, "7") is read, "what has not changed for a while is not read again"


async def test_a_description_is_promoted_moved_and_deleted(tmp_path: Path) -> None:
    cached = put(tmp_path / "state/media/7.json", '{"description": "An otter.", "status": "generated", "odd": 1}')
    records = files(tmp_path)
    own, shared, _cache = records.places("Nora")
    record = await only(records, "7")
    curated = replace(record, description="Our otter.", status=DescriptionStatus.CURATED)
    promoted = await records.write(replace(curated, media_file="7.webp"), shared)
    assert promoted.rest == {"odd": 1}
    assert promoted.place is not None
    assert promoted.place.kind is PlaceKind.SHARED
    (tmp_path / "config/media/7.webp").write_bytes(b"picture")
    moved = await records.move(promoted, own)
    assert (moved.description, moved.media_file) == ("Our otter.", "7.webp")
    assert (tmp_path / "config/agents/Nora/media/7.webp").read_bytes() == b"picture"
    assert not list((tmp_path / "config/media").iterdir())
    await records.delete(moved)
    assert [found.path for found in await records.all()] == [str(cached)]


async def test_without_directories_of_their_own_people_write_beside_the_state(tmp_path: Path) -> None:
    records = files(tmp_path, SAMPLES)
    place = next(one for one in records.places("") if one.is_writable)
    assert place.folder == str(tmp_path / "state/notes/media")
    written = await records.write(MediaRecord(NUMBER, "sticker", description="Mine."), place)
    found = (await records.find(records.places(""), (NUMBER,)))[NUMBER]
    assert found[0] == written
    assert len(found) == 2


async def test_changes_on_disk_are_reported_whoever_made_them(tmp_path: Path) -> None:
    path = put(tmp_path / "config/media/7.json", '{"description": "first"}')
    records = MediaRecordFiles(tmp_path / "state", (tmp_path / "config",))
    assert len(await records.all()) == 1
    put(tmp_path / "config/agents/Nora/media/8.json", "{}")
    async with aclosing(records.changes()) as changes:
        assert await anext(changes) == {"8"}
        put(path, '{"description": "second"}')
        assert await anext(changes) == {"7"}
        await records.write(MediaRecord("9", description="A lake."), records.places("")[-1])
        assert await anext(changes) == {"9"}
        path.unlink()
        assert await anext(changes) == {"7"}
