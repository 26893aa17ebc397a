"""Where the keyboard is, as another process finds it over a real accessibility bus: one place at any time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.accessibility_bus import BusReader, bus_screen

pytestmark = pytest.mark.campaign

HOLDERS = {"list": "list item", "tree": "table cell"}
"""What Qt tells to have the keys together with its current row."""

TABS = 5


def where(reader: BusReader) -> list[tuple[str, str]]:
    """All in sight that says that it has the focus; of a list and its current row, the row."""
    told = [one for one in reader.tree() if "focused" in one.states]
    return [
        (one.role, one.name)
        for one, after in zip(told, [*told[1:], None], strict=False)
        if after is None or HOLDERS.get(one.role) != after.role
    ]


def events(reader: BusReader) -> list[str]:
    """The roles that were told to have got the focus."""
    return [one["role"] for one in reader.heard("object:state-changed:focused") if one["detail"]]


def test_one_place_has_the_focus_whatever_happens(tmp_path: Path) -> None:
    with bus_screen(tmp_path) as place:
        place.start("-m", "chimein_gui", "sandbox")
        reader = place.reader()
        assert [role for role, _name in where(reader)] == ["tree"], "at the start"
        reader.wait_for("table cell", "Marta Oliveira").act("Toggle")
        field = reader.wait_for("text", "Write as Marta Oliveira to Nora Vale")
        field.focus()
        reader.until("the focus", lambda: where(reader) == [("text", field.name)])

        reader.forget()
        reader.type("Is the bridge open again?")
        reader.key("Return")
        reader.wait_for("list item", "Nora Vale to Marta Oliveira")
        reader.wait_for("push button", "Approve: Nora Vale to Marta Oliveira")
        assert where(reader) == [("text", field.name)]
        assert events(reader) == []

        for _ in range(TABS):
            before = where(reader)
            reader.key("Tab")
            reader.until("the next stop", lambda before=before: where(reader) != before)  # type: ignore[misc]
            assert len(where(reader)) == 1, where(reader)

        for key, role in (("ctrl+1", "table cell"), ("ctrl+2", "list item"), ("ctrl+3", "list item")):
            reader.forget()
            reader.key(key)
            reader.until(f"the row after {key}", lambda role=role: events(reader)[-1:] == [role])  # type: ignore[misc]
            assert [one for one, _name in where(reader)] == [role]
