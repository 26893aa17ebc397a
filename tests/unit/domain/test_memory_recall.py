"""Ids and hashes of memory entries, and the files that a chat may see."""

import pytest

from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind, MemoryScope
from chimein_gui.domain.memory.recall import entry_id, readable_files, text_hash
from chimein_gui.engine.ports import Vector

OWN = MemoryFile(MemoryKind.REMEMBERED, "Nora")


def test_an_id_names_the_file_and_the_text():
    about = MemoryFile(MemoryKind.ABOUT_PARTNER, "Nora", PeerId(7))
    files = [OWN, about, MemoryFile(MemoryKind.CURATED, "Nora", PeerId(7)), MemoryFile(MemoryKind.REMEMBERED, "Ben")]
    ids = {entry_id(file, text) for file in files for text in ("has a cat", "has a dog")}
    assert len(ids) == 8
    assert {len(one) for one in ids} == {64}
    assert entry_id(OWN, "has a cat") == entry_id(OWN, "\n has a cat \n")


@pytest.mark.parametrize(("one", "other"), [("caf\u00e9", "cafe\u0301"), ("a cat", " a cat\n")])
def test_texts_that_look_the_same_have_the_same_hash(one, other):
    assert text_hash(one) == text_hash(other) != text_hash("a dog")


def test_halves_of_characters_have_a_hash():
    assert len(text_hash("\ud83d")) == 64


def test_a_chat_sees_its_notes_what_is_remembered_and_the_entries_about_its_person():
    curated = MemoryFile(MemoryKind.CURATED, "Nora", PeerId(-5))
    about = MemoryFile(MemoryKind.ABOUT_PARTNER, "Nora", PeerId(7))
    assert readable_files(MemoryScope("Nora", PeerId(-5), PeerId(7))) == (curated, OWN, about)
    assert readable_files(MemoryScope("Nora", PeerId(-5), None)) == (curated, OWN)


def test_a_vector_knows_its_dimension():
    assert Vector("m", (0.5, 0.5, 0.0)).dimension == 3
