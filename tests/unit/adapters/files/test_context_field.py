"""The field `Context` of an agent file (SPEC §2)."""

from __future__ import annotations

import pytest

from chimein_gui.adapters.files.agent_fields import histories_of
from chimein_gui.adapters.files.agent_file import Field


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("", (500, None)),
        ("DM: history 500\nGroup: chime-in", (500, None)),
        ("history 40", (40, 40)),
        ("chime-in", (None, None)),
        ("Group: history 30", (500, 30)),
        ("dm: Chime-In", (None, None)),
        ("DM:history 0\ngroup : history 7", (0, 7)),
    ],
)
def test_what_it_says_for_dms_and_groups(value: str, wanted: tuple[int | None, int | None]) -> None:
    assert histories_of(Field(1, value, 2)) == wanted
