"""What of the approvals is in sight: the card under the cursor, with its buttons."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chimein_gui.domain.notes import Note, NoteKind
from tests.fakes.console import NOON, approval


@pytest.mark.parametrize("scrolled_away", [False, True])
def test_a_card_that_grows_under_the_cursor_stays_in_sight(desktop, scrolled_away):
    view, last = desktop.approvals.list, approval(20, "Newest", created_at=NOON)
    for number in range(3, 20):
        desktop.console.put_approval(approval(number, created_at=NOON - timedelta(minutes=1)))
    desktop.put_approval(last)
    view.select(last.approval_id)
    if scrolled_away:
        view.verticalScrollBar().setValue(0)
    height = view.visualRect(view.currentIndex()).height()
    desktop.put_approval(replace(last, note=Note(NoteKind.SERVER_WAIT)))
    card = view.visualRect(view.currentIndex())
    assert card.height() > height
    assert (card.bottom() < view.viewport().height()) is not scrolled_away
