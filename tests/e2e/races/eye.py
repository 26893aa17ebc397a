"""What the operator has seen: which text of which card was painted, wholly in sight, and since when.

It knows nothing of the window's own guard: it looks at what was painted and where it lies.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from chimein_gui.domain.replies.splitting import split
from chimein_gui.ui.dialogs.backlog.held_card import HeldCard
from chimein_gui.ui.draft_editor.fields import Task
from chimein_gui.ui.panes.approvals.card.action_words import action_effect
from chimein_gui.ui.panes.approvals.card.send_preview import SendPreview
from chimein_gui.ui.panes.approvals.list.delegate import CardDelegate
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.approvals.card_words import is_message

if TYPE_CHECKING:
    from datetime import datetime

    import pytest
    from PySide6.QtWidgets import QWidget

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.ui.panes.approvals.card.send_preview import Shown
    from chimein_gui.ui.panes.approvals.pane import ApprovalsPane
    from tests.fakes.clock import VirtualClock

READ_S = 0.3
Print = tuple[int, str]
"""A version and its text."""


@dataclass
class Look:
    """What was known at one press: what is painted, what was read just then, and what was read at any time."""

    painted: dict[int, Print]
    reading: dict[int, Print]
    read: dict[int, set[Print]] = field(default_factory=dict)
    is_click: bool = False
    where: str = ""


class Eye:
    """Follows the paintings of a pane.

    Attributes:
        pane: What it looks at.
        presses: What was seen at the last presses, the newest last.
        preview: What the wide card's preview shows, in its order.
    """

    pane: ApprovalsPane

    def __init__(self, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch) -> None:
        self._clock = clock
        self._painted: dict[int, Print] = {}
        self._since: dict[int, tuple[Print, datetime]] = {}
        self._gone: dict[int, tuple[tuple[Print, datetime], datetime]] = {}
        self._read: dict[int, set[Print]] = {}
        self.presses: deque[Look] = deque(maxlen=20)
        self._held: dict[HeldCard, Print] = {}
        self.preview: list[object] = []
        card, preview, held = CardDelegate.paint, SendPreview.paintEvent, HeldCard.paintEvent

        def paint(delegate: CardDelegate, painter: Any, option: Any, index: Any) -> None:
            card(delegate, painter, option, index)
            self._note(delegate._queue.item_at(index.row()))

        def paint_preview(well: SendPreview, event: Any) -> None:
            preview(well, event)
            self._note_preview(well)

        def paint_held(one: HeldCard, event: Any) -> None:
            held(one, event)
            self._held[one] = (one.approval.version, one.approval.text)

        monkeypatch.setattr(HeldCard, "paintEvent", paint_held)
        monkeypatch.setattr(CardDelegate, "paint", paint)
        monkeypatch.setattr(SendPreview, "paintEvent", paint_preview)

    def look(self) -> None:
        """Everything that was to be painted is painted: see what lies wholly in sight."""
        if self.pane.card.preview.isVisible():
            self._note_preview(self.pane.card.preview)  # another version of the same words is not painted anew
        now, before = self._clock.now(), {**self._gone_just_now(), **self._since}
        is_behind = QApplication.activeModalWidget() is not None
        self._since = {}
        for number, what in self.in_sight().items():
            was_there = number in before and before[number][0] == what
            if was_there or not is_behind:  # what comes behind a dialog is not in sight, and nothing is read there
                self._since[number] = before[number] if was_there and not is_behind else (what, now)
        for number, what in self._held_in_sight().items():
            was_there = number in before and before[number][0] == what
            self._since[number] = before[number] if was_there else (what, now)
        self._gone = {number: (at, now) for number, at in before.items() if number not in self._since}
        self._note_read()

    def _gone_just_now(self) -> dict[int, tuple[Print, datetime]]:
        """Return what has been out of sight for no time: it was there before and may be there again."""
        return {number: at for number, (at, gone_at) in self._gone.items() if gone_at == self._clock.now()}

    def in_sight_until_now(self) -> dict[int, tuple[Print, datetime]]:
        """Return what has been in sight since when and still is, just before time passes."""
        still = self.in_sight() if QApplication.activeModalWidget() is None else {}
        return {number: at for number, at in self._since.items() if still.get(number) == at[0]}

    def time_passed(self, in_sight: dict[int, tuple[Print, datetime]]) -> None:
        """Time has passed, and what comes of that comes now: what was in sight before was so until now."""
        self._note_read(in_sight)

    def press(self, *, is_click: bool = False) -> None:
        """A key or button goes down now."""
        self._note_read()
        reading = {number: what for number, (what, _) in self._since.items() if what in self._read.get(number, ())}
        self.presses.append(
            Look(
                {**self._painted, **self._held_in_sight()},
                reading,
                {number: set(all_) for number, all_ in self._read.items()},
                is_click,
                self.where(),
            )
        )

    def has_painted(self, number: int) -> bool:
        """Tell whether any version of a card was ever painted."""
        return number in self._painted

    def forget(self) -> None:
        """Begin anew."""
        self._painted.clear()
        self._held.clear()
        self._since.clear()
        self._gone.clear()
        self._read.clear()
        self.presses.clear()

    def _note_read(self, those: dict[int, tuple[Print, datetime]] | None = None) -> None:
        for number, (what, since) in (self._since if those is None else those).items():
            if (self._clock.now() - since).total_seconds() >= READ_S - 1e-6:
                self._read.setdefault(number, set()).add(what)

    def _note(self, approval: Approval | None) -> None:
        if approval is not None:
            self._painted[approval.approval_id] = (approval.version, approval.text)

    def _note_preview(self, well: SendPreview) -> None:
        """What stands in the preview is told by its own rows: the card's parts, then those of its plan."""
        pane = self.pane
        card = pane.card.approval
        self.preview = shown = [_seen_of(one) for one in well._shown]
        if card is None or pane.card.variants.current is not None or not pane.list.is_wide:
            return
        steps = [pane._models.approvals.find(number) for number, _version in well.steps]
        for one in (card, *(step for step in steps if step is not None)):
            parts = parts_of(one)
            if shown[: len(parts)] == parts if one is card else all(part in shown for part in parts):
                self._note(one)

    def edited(self) -> int | None:
        """Return the card whose text is being typed: the preview shows what is typed."""
        editor = self.pane.editor
        return int(editor.target.approval_id) if editor.target is not None and editor.task is Task.EDIT else None

    def _held_in_sight(self) -> dict[int, Print]:
        """Return what lies wholly in sight in the review of what was held."""
        return {
            int(one.approval.approval_id): what
            for one, what in self._held.items()
            if isValid(one) and one.isVisible() and _is_read_to_its_end(one)
        }

    def where(self) -> str:
        """Say where the card under the cursor lies, for whoever reads of a failure."""
        view, well = self.pane.list, self.pane.card.preview
        area = self.pane.card.body.viewport() if view.is_wide else view.viewport()
        place = well.geometry() if view.is_wide else view.visualRect(view.currentIndex())
        shape = "wide" if view.is_wide else "narrow"
        return f"{shape}: {place} in {area.visibleRegion().boundingRect()} of {area.rect()}"

    def in_sight(self) -> dict[int, Print]:
        """Return what lies wholly in sight, as it was painted last."""
        view, card = self.pane.list, self.pane.card
        if not view.is_wide:
            return {
                number: what
                for number, what in self._painted.items()
                if self._lies_whole(view.viewport(), view.visualRect(view._queue.index_of(number)))
            }
        well, shown = card.preview, card.approval
        if shown is None or card.variants.current is not None or not well.isVisible():
            return {}
        place = QRect(well.mapTo(card.body.viewport(), well.rect().topLeft()), well.size())
        if not self._lies_whole(card.body.viewport(), place):
            return {}
        numbers = (int(shown.approval_id), *(int(number) for number, _version in well.steps))
        return {number: self._painted[number] for number in numbers if number in self._painted}

    @staticmethod
    def _lies_whole(viewport: QWidget, place: QRect) -> bool:
        """Nothing covers it; of what is higher than the room there is, the end counts."""
        if place.isEmpty() or not viewport.isVisible() or viewport.visibleRegion().isEmpty():
            return False
        room = viewport.visibleRegion().boundingRect()
        fits = room.top() <= place.top() or place.height() > viewport.height()
        return fits and room.top() <= place.bottom() <= room.bottom() + 1


def _is_read_to_its_end(held: HeldCard) -> bool:
    """Tell whether all of it is in sight; of what is higher than the room there is, the end counts."""
    room: Any = held.parentWidget()
    seen = held.visibleRegion().boundingRect()
    while not isinstance(room, ScrollBox):
        room = room.parentWidget()
    return seen == held.rect() or (seen.bottom() == held.rect().bottom() and held.height() > room.viewport().height())


def parts_of(card: Approval, text: str | None = None) -> list[object]:
    """Return what a preview of a card shows: its texts, its sticker, or what it does."""
    if not is_message(card):
        return [action_effect(card, foreign_text.name)]
    if card.sticker is not None:
        return [card.sticker.document_id]
    text = (card.text if text is None else text).strip()
    return [part.text for part in split(text, ()) or ()] or [text]


def _seen_of(shown: Shown) -> object:
    return shown.words if shown.row is None else shown.row.message.text.strip() or shown.row.message.document_id or ""
