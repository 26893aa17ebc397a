"""What another process gets of the window over a real accessibility bus: the right chat, and what is announced."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.accessibility_bus import BusReader, bus_screen

pytestmark = pytest.mark.campaign


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[BusReader]:
    """The sandbox on a bus, with Marta Oliveira's chat chosen."""
    with bus_screen(tmp_path) as place:
        place.start("-m", "chimein_gui", "sandbox")
        reader = place.reader()
        reader.wait_for("table cell", "Marta Oliveira").act("Toggle")
        reader.wait_for("text", "Write as Marta Oliveira to Nora Vale")
        yield reader


def hears(reader: BusReader, *words: str) -> str:
    """Wait until something with all these words is announced; it is announced once."""
    told = reader.until(str(words), lambda: [one for one in reader.announced() if all(word in one for word in words)])
    assert len(told) == 1
    return told[0]


def turn(reader: BusReader, name: str) -> None:
    box = reader.wait_for("check box", name)
    box.act(box.actions()[0])


def test_the_chat_that_is_toggled_or_selected_is_the_one_that_opens(reader: BusReader) -> None:
    tree = reader.wait_for("tree", "Agents and chats")
    rows = [row.name.split(", ")[0] for row in tree.children()]
    for who in ("Rim Saadoun", "Otto Brandt"):
        first_chat = rows.index(who) + 1
        assert tree.select(first_chat)
        reader.wait_for("text", "Write as ", rows[first_chat])  # the field names the chat that is open
    reader.wait_for("table cell", "Tiago Freixo").act("Toggle")
    reader.wait_for("text", "Write as Tiago Freixo to Nora Vale")


def test_what_happens_is_heard_wherever_the_focus_is(reader: BusReader) -> None:
    reader.find("text", "Write as Marta Oliveira").write("Is the bridge open again?")  # type: ignore[union-attr]
    reader.wait_for("push button", "Send as Marta Oliveira").act()
    hears(reader, "Nora Vale: a message to Marta Oliveira waits. ")
    reader.wait_for("push button", "Approve: Nora Vale to Marta Oliveira").act()
    hears(reader, "Approved for Marta Oliveira. Sends in 5 s. ", "Undo")
    turn(reader, "Hold everything")
    hears(reader, "You held everything at ")
