"""A persona in the making, and directories before they are taken."""

from __future__ import annotations

import pytest

from chimein_gui.domain.errors import ConfigError


@pytest.fixture
def start(room):
    room.console.agents.clear()
    room.attach()
    room.models.first_run.begin("Europe/Lisbon")
    return room


def fill(model):
    model.edit(name="Zoë Rand", phone="+999 66 2 1009", instructions="You are Zoë.")


def test_a_file_is_written_once_and_its_agent_is_known(start):
    model = start.models.first_run
    fill(model)
    model.create()
    model.create()
    start.settle()
    model.create()
    start.settle()
    assert [new.name for new in start.console.agent_files.made] == ["Zoë Rand"]
    assert model.agent().spec.name == "Zoë Rand"
    model.edit(name="Somebody Else")
    assert model.draft.name == "Zoë Rand"  # the file is written


def test_a_refusal_is_told_and_can_be_mended(start):
    model = start.models.first_run
    fill(model)
    start.console.agent_files.fail = ConfigError("The directory cannot be written to.")
    model.create()
    start.settle()
    assert (model.refusal, model.agent_id, model.busy) == ("The directory cannot be written to.", None, False)
    start.console.agent_files.fail = None
    model.edit(name="Zoë Rand II")
    assert model.refusal == ""
    model.create()
    start.settle()
    assert model.agent_id == 1
