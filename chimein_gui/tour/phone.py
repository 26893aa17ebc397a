"""The sandbox's phone: it sees the picture of a log-in, and the account is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.accounts.sign_in import LoginStep
from chimein_gui.tour.acts.agents.logins import NAME
from chimein_gui.tour.driver import panes_of, press, still
from chimein_gui.ui.panes.rehearsal.pane import PHONE

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

OTHER_PHONE = "+9996622001"
"""Of an account without a password: the picture alone logs it in."""


async def play_phone(tour: Tour, program: Program) -> None:
    """Log in by picture, with the page Phone beside the dialog."""
    window, panes = program.window, panes_of(program)
    page = panes.rehearsal.phone
    async with tour.step("the picture of a log-in is seen by the sandbox's phone, beside the open dialog"):
        await press(panes.agents, f"Log in again {NAME}")
        dialog = await hand.until("the dialog", lambda: window.lazy.logins.dialog)
        await hand.until("a picture", lambda: window.models.rehearsal.login_pictures.newest)
        window.show_pane("rehearsal")
        panes.rehearsal.turn_to(PHONE)
        page.phone.setCurrentText(OTHER_PHONE)
        for dark in (False, True):
            window.set_dark(dark)
            await still(panes.rehearsal)
            tour.picture(panes.rehearsal, f"rehearsal-phone-{'dark' if dark else 'light'}")
        window.set_dark(False)
        await press(page, "Scan the QR code")
        await hand.until(
            "the account", lambda: (state := window.models.logins.state) is not None and state.step is LoginStep.DONE
        )
        await press(dialog, "Done")
        await hand.until("the end of the dialog", lambda: window.lazy.logins.dialog is None)
