"""Bad files of the sandbox: scenes, voices, its world, and the file that tells where it listens."""

from __future__ import annotations

from pathlib import Path

import pytest

from chimein_gui.sandbox.model.talk.library import VoiceLibrary
from chimein_gui.sandbox.persistence import DamagedStateError, SqliteJournal
from chimein_gui.sandbox.scenes.fields import SceneError
from chimein_gui.sandbox.scenes.library import SceneLibrary
from tests.sandbox.clients import sandbox
from tests.support.bad_files import every_bad_file, no_file, spoil

GOOD = b"title: A scene\nsummary: Somebody writes.\ncast: {}\nlines: []\n"


@every_bad_file
def test_a_bad_scene_is_listed_with_what_is_wrong(tmp_path: Path, kind: str) -> None:
    spoil(tmp_path / "odd.yaml", kind, GOOD)
    [offer] = SceneLibrary(tmp_path, {}).scenarios()
    assert offer.problem is not None
    assert offer.problem.path == "odd.yaml"


@every_bad_file
def test_a_bad_voice_is_told_by_name(tmp_path: Path, kind: str) -> None:
    spoil(tmp_path / "ada-quill.yaml", kind, b"persona: Ada Quill\nlanguages: [en]\nturns: {}\n")
    with pytest.raises(SceneError, match=r"ada-quill\.yaml:"):
        VoiceLibrary(tmp_path).voice("Ada Quill")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("world")
    journal = SqliteJournal(folder)
    journal.prepare("CREATE TABLE things (x); INSERT INTO things VALUES (hex(zeroblob(20000)))")
    journal.close()
    return (folder / "sandbox.db").read_bytes()


@every_bad_file
async def test_a_bad_world_is_told_and_left_as_it_is(tmp_path: Path, kind: str, world: bytes) -> None:
    if kind in {"empty", "huge"}:
        return  # a new world, and a good one with something behind it
    untouched = spoil(tmp_path / "sandbox.db", kind, world)
    expected = OSError if kind in no_file else DamagedStateError
    with pytest.raises(expected, match=r"sandbox\.db"):
        async with sandbox(tmp_path):
            pass
    assert untouched()
