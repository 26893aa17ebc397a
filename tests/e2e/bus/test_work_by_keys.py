"""The whole main job by keys alone beside Orca: what it says holds, for each step, what a listener needs.

CHIMEIN_CAMPAIGN_SPEECH names a file for the speech of each step, to quote.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.bus.door import Door
from tests.e2e.bus.listener import Listener, version
from tests.e2e.ten_drafts import MARTA
from tests.support.accessibility_bus import bus_screen

pytestmark = pytest.mark.campaign

ASKED = "Is the bridge open again?"
ADDED = " Only on foot."
TALK = "Nora Vale to Marta Oliveira"
FIELD, SEND = "Write as Marta Oliveira to Nora Vale", "Send as Marta Oliveira to Nora Vale"
OTTO_PHONE = "+9996621002"
DRAFTS, CHATS, PAGES = "Planned messages", "Agents and chats", "Pages of the preferences"


class Journey:
    """The steps, each on its own; after one that went wrong Esc closes what it left open.

    Attributes:
        told: For each step, what was said, what of it the program announced, and what went wrong.
    """

    def __init__(self, listener: Listener, door: Door) -> None:
        self.listener, self.door, self.reader = listener, door, listener.reader
        self.told: list[tuple[str, list[str], list[str], str]] = []

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
            self.changes_a_preference,
            self.logs_out_and_in,
        ):
            self._take(step)

    def _take(self, step: Callable[[], None]) -> None:
        self.listener.forget()
        wrong = ""
        try:
            step()
        except AssertionError as error:
            wrong = (str(error) or repr(error)).splitlines()[0]
            self.listener.press("Escape", "Escape")
        self.told.append((step.__name__, self.listener.said(), self.listener.announced(), wrong))

    def report(self) -> str:
        """What was said at each step, a line each; what the program announced by itself is marked."""
        lines = []
        for step, said, announced, wrong in self.told:
            lines.append(f"{step}: {wrong or 'done'}")
            marked = {words.rstrip(".") for words in announced}
            lines += [f"    {'(announced) ' if words.rstrip('.') in marked else ''}{words}" for words in said]
        return "\n".join(lines)

    # -- what the steps share

    def mailbox(self) -> list[str]:
        told: list[str] = self.door.ask("mailbox", partner=MARTA)
        return told

    def grown(self, before: list[str]) -> list[str]:
        """What Marta has received since, once it is something."""
        return self.listener.until("a message", lambda: self.mailbox()[len(before) :])

    def speak(self, words: str) -> None:
        """Write as Marta in the chat that is open, and hear the draft come."""
        self.listener.into("ctrl+1", CHATS)
        self.listener.tab_to(FIELD)
        self.listener.hears(FIELD)
        self.listener.writes(FIELD, words)
        self.listener.tab_to(SEND)
        self.listener.press("space")
        self.listener.hears("Nora Vale", MARTA, "waits")

    def to_draft(self) -> None:
        """Go to the list of drafts; whichever row is current is read, and then the one that waits.

        What was sent leaves the list some seconds later. Keys on a card that has just come in its place do nothing.
        """
        self.listener.until("what was sent gone", lambda: not self.draft("Sent"))
        self.listener.into("ctrl+2", DRAFTS)
        self.listener.until("the draft", lambda: self.draft("Waits for you"))
        self.listener.hears(f"{TALK}, ")  # before another key: who hears nothing does not know where he is
        self.listener.go_to(f"{TALK}, Waits", DRAFTS, key="j")
        self.listener.hears(TALK, "Waits for you")

    def at_draft(self) -> None:
        """Make sure that the keys are still where the last step left them."""
        at = self.listener.until("a row", lambda: self.listener.selected(DRAFTS))
        assert at.startswith(f"{TALK}, Waits"), at
        assert self.listener.has_keys(DRAFTS)

    def draft(self, status: str) -> bool:
        return bool(self.reader.search(("list item",), f"{TALK}, {status}"))

    def gone(self) -> None:
        self.listener.until("the row gone", lambda: not self.draft("Waits for you"))

    # -- the steps

    def chooses_the_chat(self) -> None:
        listener = self.listener
        listener.into("ctrl+1", CHATS)
        listener.go_to("Nora Vale, Online", CHATS)
        listener.go_to("Marta Oliveira, trust Review", CHATS)
        listener.hears(MARTA, "trust Review")

    def writes_as_the_partner(self) -> None:
        self.speak(ASKED)

    def reads_the_card(self) -> None:
        """To whom, what was said before, what is sent, and why it asks."""
        listener = self.listener
        self.to_draft()
        listener.press("ctrl+shift+m")
        listener.tab_to("The card")
        listener.hears(TALK, "Review: messages wait for you")
        listener.hears(MARTA, ASKED)
        listener.tab_to("Why")
        listener.hears("Review: messages wait for you")
        listener.press("ctrl+shift+m")

    def approves_and_undoes(self) -> None:
        before = self.mailbox()
        self.to_draft()
        self.listener.press("a")
        self.listener.hears("Approved", MARTA)
        self.listener.until("the time to undo", lambda: self.draft("Sends in"))
        self.listener.mark()
        self.listener.press("z")
        self.listener.until("it back", lambda: self.draft("Waits for you"))
        self.listener.hears("Nora Vale", MARTA, "waits")
        assert self.mailbox() == before

    def approves(self) -> None:
        """It is the row that the undone one stands in."""
        before = self.mailbox()
        self.at_draft()
        self.listener.press("a")
        self.listener.hears("Approved", MARTA)
        assert len(self.grown(before)) == 1

    def edits(self) -> None:
        before = self.mailbox()
        self.speak("And the path?")
        self.to_draft()
        self.listener.press("e")
        self.listener.until_focus("Your text")
        self.listener.hears("Your text")
        self.listener.adds("Your text", ADDED)
        self.listener.press("ctrl+Return")
        self.listener.hears("Approved", MARTA)
        [sent] = self.grown(before)
        assert sent.endswith(ADDED)
        assert sent != ADDED

    def rejects(self) -> None:
        before = self.mailbox()
        self.speak("And a dog?")
        self.to_draft()
        self.listener.press("r")
        self.listener.hears("Reason")
        self.listener.writes("Reason", "too long")
        self.listener.press("ctrl+Return")
        self.gone()
        self.listener.hears("Rejected", MARTA)
        assert self.mailbox() == before

    def holds_and_releases(self) -> None:
        before = self.mailbox()
        self.speak("And a lamp?")
        self.to_draft()
        self.listener.press("F8")
        self.listener.hears("held")
        self.at_draft()
        self.listener.press("a")
        self.listener.until("it held", lambda: self.draft("Approved, held"))
        self.listener.hears("Approved", MARTA, "held")
        assert self.mailbox() == before
        self.listener.press("F8")
        self.listener.hears("Review held messages", "are selected")
        self.listener.tab_to("Send 1 selected of Nora Vale")
        self.listener.press("space")
        self.listener.hears("Nothing is held any more")
        assert len(self.grown(before)) == 1

    def changes_trust(self) -> None:
        listener = self.listener
        listener.into("ctrl+1", CHATS)
        listener.tab_to("Trust: Review")
        listener.hears("Trust: Review")
        listener.press("space")
        listener.hears("Agent's default", "checked")
        for choice in ("Off", "Observe"):
            listener.press("Down")
            listener.hears(choice)
        listener.press("Return")
        listener.until("the trust", lambda: self.door.ask("trust", partner=MARTA) == "observe")
        listener.hears("Trust: Observe", "button")

    def changes_a_preference(self) -> None:
        listener = self.listener
        listener.into("ctrl+comma", PAGES)
        listener.hears(PAGES)
        listener.go_to("Approvals and trust", PAGES)
        listener.hears("Approvals and trust")
        listener.tab_to("Undo time", whole=True)
        listener.hears("Undo time", "8")
        listener.press("Up")
        listener.until("the preference", lambda: self.door.ask("preference", name="undo_s") == 9)
        listener.hears("9")

    def logs_out_and_in(self) -> None:
        """By a code, and once by a wrong one; what is wrong and what is done is said."""
        listener = self.listener
        listener.into("ctrl+3", "Agents")
        listener.go_to("Otto Brandt", "Agents")
        listener.hears("Otto Brandt")
        listener.tab_to("Log Otto Brandt out")
        listener.press("space")
        listener.hears("Log Otto Brandt out?")
        listener.tab_to("Log out")
        listener.press("space")
        listener.until("it is logged out", lambda: self.reader.search(("push button",), "Log in again Otto Brandt"))
        listener.tab_to("Log in again Otto Brandt")
        listener.press("space")
        listener.hears("Log in as Otto Brandt")
        listener.tab_to("Use phone number")
        listener.press("space")
        listener.until_focus("Phone number")
        listener.hears("Phone number", "text")
        listener.press("Return")
        listener.hears("Step 2 of 3")
        code = listener.until("the code", lambda: self.door.ask("code", phone=OTTO_PHONE))
        listener.hears("Code, 5 characters")
        listener.types("".join(str(9 - int(digit)) for digit in code))  # with the last one it is checked
        listener.hears("Wrong code")
        listener.types(code)
        listener.hears("Otto Brandt", "logged in")
        listener.hears("Done", "button")
        listener.press("Return")
        listener.until("the agent", lambda: self.reader.search(("list item",), "Otto Brandt, Online"))


@contextmanager
def listening(tmp_path: Path) -> Iterator[tuple[Listener, Door]]:
    if not version():
        pytest.skip("needs orca (.ci/apt-campaign.txt)")
    with bus_screen(tmp_path) as place:
        process = place.start("-m", "tests.e2e.bus.program", str(tmp_path / "state"), str(tmp_path / "door"))
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        door = Door(tmp_path / "door")
        listener = Listener(place, place.reader(), tmp_path)
        try:
            listener.hears("Screen reader on")
            yield listener, door
        finally:
            listener.close()
        door.close()
        assert process.wait(60) == 0


def test_a_listener_with_a_keyboard_does_the_main_job(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with listening(tmp_path) as (listener, door):
        journey = Journey(listener, door)
        journey.run()
    with capsys.disabled():
        print(f"\nOrca {version()}\n{journey.report()}")  # noqa: T201 - the speech to quote
    if (file := os.environ.get("CHIMEIN_CAMPAIGN_SPEECH")) is not None:
        Path(file).write_text(journey.report() + "\n", encoding="utf-8")
    assert [(step, wrong) for step, _, _, wrong in journey.told if wrong] == []
