"""The database keeps of a note's kind its value alone: no two kinds share one, and each comes back as it was."""

from __future__ import annotations

import importlib
import pkgutil
from collections import defaultdict
from enum import StrEnum

import pytest

from chimein_gui.adapters.store.rows.values import note_from_text, note_to_text
from chimein_gui.domain import notes
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.notes.reasons import AnyReason, Reason
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.tasks import CancelReason
from chimein_gui.viewmodels.words.notes import note_words
from chimein_gui.viewmodels.words.reasons import WORDS

for found in pkgutil.iter_modules(notes.__path__, f"{notes.__name__}."):
    importlib.import_module(found.name)

STORED = (NoteKind, CancelReason, ModelFault, ConnectionReason, FaultReason, Reason)


def kinds() -> list[type[StrEnum]]:
    """Return all enums of which a note's kind may be."""
    return [NoteKind, CancelReason, ModelFault, *AnyReason.__subclasses__()]


def test_no_two_kinds_of_notes_have_the_same_value() -> None:
    members = defaultdict(list)
    for kind in kinds():
        for member in kind:
            members[member.value].append(f"{kind.__name__}.{member.name}")
    assert len(members) > 300
    assert [names for names in members.values() if len(names) > 1] == []


def test_the_words_of_each_reason_are_its_own() -> None:
    kept = {id(kind) for kind in WORDS}
    reasons = [member for kind in AnyReason.__subclasses__() for member in kind if member in WORDS]
    assert len(reasons) == len(kept) == len(WORDS)
    assert {id(member) for member in reasons} == kept


@pytest.mark.parametrize("kind", STORED)
def test_each_kind_comes_back_as_it_was(kind: type[StrEnum]) -> None:
    for member in kind:
        read = note_from_text(note_to_text(Note(member)))  # type: ignore[arg-type]
        assert read is not None
        assert read.kind is member


def test_what_an_earlier_version_wrote_is_told_apart() -> None:
    file_to_send, agent_file = note_from_text('["file gone"]'), note_from_text('["file gone","/agents/Ada.md"]')
    assert file_to_send is not None
    assert agent_file is not None
    assert (file_to_send.kind, agent_file.kind) == (NoteKind.FILE_GONE, ConnectionReason.FILE_GONE)
    assert "/agents/Ada.md" in note_words(agent_file)
