"""The process that reads over the bus: it finds, presses and writes in a window of Qt's own, and hears what happens."""

from pathlib import Path

import pytest

from tests.support.accessibility_bus import bus_screen

pytestmark = pytest.mark.campaign


def test_it_finds_presses_writes_and_hears(tmp_path: Path) -> None:
    with bus_screen(tmp_path) as place:
        place.start("-m", "tests.e2e.bus_stages", "plain")
        reader = place.reader()
        field = reader.wait_for("text", "Name")
        field.write("Marta")
        reader.find("push button", "Greet").act("Press")  # type: ignore[union-attr]
        label = reader.wait_for("label", "Good day, Marta")
        assert "showing" in label.states
        assert label.relations() == {}
        assert field.text() == "Marta"
        assert field.relations() == {"labelled-by": ["Name"]}
        reader.key("Tab")
        [button] = reader.until("the focus", reader.focused)
        assert (button.role, button.name) == ("push button", "Greet")
        assert reader.heard("object:state-changed:focused")
        assert reader.announced() == ["Good day, Marta"]
        assert field.place()[3] > 0
