"""The whole main job by actions and texts of the accessibility bus, from another process: no key, no pixel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.bus.door import Door
from tests.e2e.bus.operator import BUTTONS, CHOICES, MENU_ITEMS, Operator
from tests.e2e.ten_drafts import MARTA, SALMA
from tests.support.accessibility_bus import BusReader, bus_screen

pytestmark = pytest.mark.campaign

EDITED = "Only on foot, since 2 November."
TALK = "Nora Vale to Marta Oliveira"
OTTO_PHONE = "+9996621002"


class Journey:
    """The steps, each on its own; what one leaves open the next closes.

    Attributes:
        heard: For each step, what the program told by itself, or what went wrong.
    """

    def __init__(self, operator: Operator) -> None:
        self.operator, self.reader = operator, operator.reader
        self.heard: list[tuple[str, list[str], str]] = []

    def run(self) -> None:
        for step in (
            self.chooses_the_chat,
            self.writes_as_the_partner,
            self.reads_the_card,
            self.approves_and_undoes,
            self.approves,
            self.edits,
            self.rejects,
            self.holds_and_releases,
            self.changes_trust,
            self.changes_preferences,
            self.logs_out_and_in,
        ):
            self._take(step)

    def _take(self, step: Callable[[], None]) -> None:
        """Take a step, and tell at the end if it went wrong: most others do not need it."""
        self.reader.forget()
        wrong = ""
        try:
            step()
        except AssertionError as error:
            wrong = (str(error) or repr(error)).splitlines()[0]
        self.heard.append((step.__name__, self.reader.announced(), wrong))

    def _announces(self, *words: str) -> None:
        """Wait until something was announced that holds all these words."""
        self.operator.until(
            f"an announcement of {words}",
            lambda: any(all(word in told for word in words) for told in self.reader.announced()),
        )

    def _restores_the_size(self) -> None:
        """Qt presses a button for a tenth of a second; what is pressed meanwhile would come before."""
        self.operator.press("Restore size")
        self.operator.until("the size", lambda: not self.operator.all(BUTTONS, "Restore size"))

    def chooses_the_chat(self) -> None:
        """Two partners of that name write with two agents; the first row of the tree is in a third one's branch."""
        operator = self.operator
        for agent, title in (("Rim Saadoun", SALMA), ("Nora Vale", MARTA)):
            rows = operator.all(("table cell", "tree item"))
            branch = next(number for number, row in enumerate(rows) if row.name.startswith(f"{agent}, Online"))
            chat = next(row for row in rows[branch:] if row.name.startswith(f"{title}, "))
            chat.act("Toggle")
            operator.wait_for(("text",), f"Write as {title} to {agent}")
            assert "selected" in chat.again().states

    def writes_as_the_partner(self) -> None:
        self.operator.speak(MARTA, "Is the bridge open again?")
        self.operator.until("the draft", lambda: self.operator.draft(MARTA))
        self._announces("Marta Oliveira")

    def reads_the_card(self) -> None:
        operator = self.operator
        name = operator.choose_draft(MARTA)
        operator.press("Maximize Approvals")
        text = name.split("Waits for you, ", 1)[1].split(", ")[0]
        card = operator.until("the card", lambda: operator.below(("panel", "grouping"), "The card"))
        told = operator.words_of(card)
        for words in (MARTA, "Nora Vale", text, "Is the bridge open again?"):
            assert words in told, f"the card does not tell {words!r}: {told!r}"
        why = operator.words_of(operator.below(("panel",), "Why"))
        assert "Review" in why, f"why it asks is not told: {why!r}"

    def approves_and_undoes(self) -> None:
        operator, before = self.operator, self.operator.mailbox(MARTA)
        operator.choose_draft(MARTA)
        operator.press(f"Approve: {TALK}")
        operator.until("the time to undo", lambda: operator.row(TALK, "Sends in"))
        operator.press(f"Undo: {TALK}")
        operator.until("it back", lambda: operator.draft(MARTA))
        assert operator.mailbox(MARTA) == before
        self._announces("Approved")

    def approves(self) -> None:
        operator, before = self.operator, self.operator.mailbox(MARTA)
        operator.choose_draft(MARTA)
        operator.press(f"Approve: {TALK}")
        operator.until("the message", lambda: operator.mailbox(MARTA) != before)
        operator.until("the row gone", lambda: operator.row(TALK) is None)
        assert len(operator.mailbox(MARTA)) == len(before) + 1

    def edits(self) -> None:
        operator, before = self.operator, self.operator.mailbox(MARTA)
        self._restores_the_size()
        operator.speak(MARTA, "And the path along the river?")
        operator.choose_draft(MARTA)
        operator.press(f"Edit: {TALK}")
        operator.write("Your text", EDITED)
        operator.press("Approve edited text")
        operator.until("the message", lambda: operator.mailbox(MARTA) != before)
        assert operator.mailbox(MARTA) == [*before, EDITED]

    def rejects(self) -> None:
        operator, before = self.operator, self.operator.mailbox(MARTA)
        operator.speak(MARTA, "Is there a dog?")
        operator.choose_draft(MARTA)
        operator.press(f"Reject: {TALK}")
        operator.write("Reason", "too long")
        operator.press("Reject")
        operator.until("the row gone", lambda: operator.draft(MARTA) is None)
        assert operator.mailbox(MARTA) == before
        self._announces("Rejected")

    def holds_and_releases(self) -> None:
        operator, before = self.operator, self.operator.mailbox(MARTA)
        operator.speak(MARTA, "Shall I bring a lamp?")
        operator.choose_draft(MARTA)
        operator.choose("Hold everything")
        operator.until("the hold", lambda: "checked" in operator.wait_for(CHOICES, "Hold everything").states)
        self._announces("held")
        operator.press(f"Approve: {TALK}")
        operator.until("it held", lambda: operator.draft(MARTA, "Approved, held"))
        assert operator.mailbox(MARTA) == before
        operator.choose("Hold everything")
        operator.press("Send 1 selected of Nora Vale")
        operator.until("the message", lambda: operator.mailbox(MARTA) != before)
        assert len(operator.mailbox(MARTA)) == len(before) + 1

    def changes_trust(self) -> None:
        operator = self.operator
        operator.press("Trust: Review")
        observe = operator.wait_for(MENU_ITEMS, "Observe")
        assert [one.name for one in operator.all(MENU_ITEMS) if "checked" in one.states] == ["Agent's default"]
        observe.act("Press")
        operator.wait_for(("push button",), "Trust: Observe")
        assert operator.door.ask("trust", partner=MARTA) == "observe"

    def changes_preferences(self) -> None:
        """A number by its value and by its text, and one of several choices by its list."""
        operator, ask = self.operator, self.operator.door.ask
        operator.press("Preferences")
        operator.wait_for(("list item",), "Approvals and trust").act("Toggle")
        operator.wait_for(("spin button",), "Undo time").set_value(9)
        operator.until("the value", lambda: ask("preference", name="undo_s") == 9)
        operator.wait_for(("spin button",), "Undo time").write("7")
        operator.until("the text", lambda: ask("preference", name="undo_s") == 7)
        operator.wait_for(("list item",), "Appearance").act("Toggle")
        operator.choose("Theme: Dark")
        operator.until("the choice", lambda: "checked" in operator.wait_for(CHOICES, "Theme: Dark").states)
        self._restores_the_size()

    def logs_out_and_in(self) -> None:
        """By a code, and once by a wrong one; what is wrong and what is done is told."""
        operator = self.operator
        operator.press("Agents")
        operator.wait_for(("list item",), "Otto Brandt").act("Toggle")
        operator.press("Log Otto Brandt out")
        operator.press("Log out")
        operator.press("Log in again Otto Brandt")
        operator.press("Use phone number")
        operator.press("Send code")
        operator.wait_for(("text",), "Code")
        self._announces("Step 2 of 3")
        code = operator.door.ask("code", phone=OTTO_PHONE)
        operator.write("Code", "".join(str(9 - int(digit)) for digit in code))
        operator.press("Check")
        self._announces("Wrong code")
        operator.write("Code", code)
        operator.press("Check")
        self._announces("Otto Brandt", "logged in")
        operator.press("Done")
        operator.until("the agent", lambda: operator.row("Otto Brandt, Online"))


@contextmanager
def working(tmp_path: Path) -> Iterator[tuple[BusReader, Door]]:
    with bus_screen(tmp_path) as place:
        process = place.start("-m", "tests.e2e.bus.program", str(tmp_path / "state"), str(tmp_path / "door"))
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        door = Door(tmp_path / "door")
        yield place.reader(), door
        door.close()
        assert process.wait(60) == 0


def test_the_main_job_is_done_by_actions_and_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with working(tmp_path) as (reader, door):
        journey = Journey(Operator(reader, door))
        journey.run()
    with capsys.disabled():
        for step, heard, wrong in journey.heard:
            print(f"\n{step}: {wrong or 'done'}", *heard, sep="\n    ", end="")  # noqa: T201 - the report to quote
    assert [(step, wrong) for step, _, wrong in journey.heard if wrong] == []
