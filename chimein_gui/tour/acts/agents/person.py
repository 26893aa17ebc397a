"""Everything about a person: the table, and what stands between it and forgetting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from chimein_gui import ui_driver as hand
from chimein_gui.tour.driver import looks, still
from chimein_gui.ui.dialogs.person.dialog import PersonDialog
from chimein_gui.ui.requests import ShowPerson

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour


async def play_person(tour: Tour, program: Program) -> None:
    """Look at what is held about the partner of the open chat; nobody is forgotten."""
    window = program.window
    async with tour.step("everything that is held about a person stands on one page"):
        chat = window.models.transcript.chat
        assert chat is not None
        window.requests.send(ShowPerson(chat.info.peer_id, chat.info.title))
        dialog = await hand.until("the page", _shown)
        await hand.until("what is held", dialog.model.table.rowCount)
        for look in looks(tour, program, stays=True):
            await still(dialog)
            tour.picture(dialog, f"person-{look}")
    async with tour.step("nobody is forgotten before the name is typed"):
        dialog.forget.click()
        question = await hand.until("the question", lambda: dialog.question)
        assert not question.action.isEnabled()
        for look in looks(tour, program, stays=True):
            await still(question)
            tour.picture(question, f"person-forget-{look}")
        question.reject()
        dialog.reject()
        await hand.until("the end of the page", lambda: _shown() is None)


def _shown() -> PersonDialog | None:
    found = (one for one in QApplication.topLevelWidgets() if isinstance(one, PersonDialog) and one.isVisible())
    return next(found, None)
