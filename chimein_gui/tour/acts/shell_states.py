"""The shell's own states: palette, toast, bars, agents in trouble, one pane with all the room, larger letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QPainter

from chimein_gui import ui_driver as hand
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.tour.driver import SIZES, day_of, expect, looks, panes_of, press, schemes, still
from chimein_gui.ui.requests import MaximizePane
from chimein_gui.ui.shell.notifications.tray import TrayIcon
from chimein_gui.viewmodels.problems.faults import Fault
from chimein_gui.viewmodels.words.notes import note_sentence

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog

    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

translate = QCoreApplication.translate

TYPED = {"": "at-first", "mar": "everything", ">layout": "commands", "zzz": "no-results"}
"""What is typed into the palette → end of the picture's name."""

LARGER = "150"
NARROW = (1100, 720)
"""Below the width from which the panes at the right have a place of their own, logical pixels."""


async def play_shell_states(tour: Tour, program: Program) -> None:
    """Photograph them one after the other; everything is as before afterwards."""
    await _palette(tour, program)
    await _toast_and_bars(tour, program)
    await _agents(tour, program)
    await _room_and_letters(tour, program)
    await _narrow_and_tray(tour, program)


async def _palette(tour: Tour, program: Program) -> None:
    window = program.window
    async with tour.step("the command palette finds chats, agents and commands"):
        for typed, name in TYPED.items():
            for look in looks(tour, program):
                window.action("palette").trigger()
                dialog = await hand.until("the palette", lambda: window.lazy.palette.dialog)
                dialog.field.setText(typed)
                if typed == "mar":
                    expect(dialog.list, "Marta Oliveira")
                if typed == "zzz":
                    assert any(hand.says(said, "No results for") for said in hand.words_in_sight(dialog))
                _picture_with(tour, program, dialog, f"palette-{name}-{look}")
                dialog.reject()
                assert window.lazy.palette.dialog is None


async def _toast_and_bars(tour: Tour, program: Program) -> None:
    window, models = program.window, program.window.models
    async with tour.step("a toast offers a way back"):
        text = translate("CardActions", "Approved for {who}").format(who="Marta")
        detail = translate("SendStatus", "Sends in {time}").format(time="4 s")
        models.toasts.show(
            text, translate("CardActions", "Undo"), lambda: None, detail=detail, icon="check", token="ok"
        )
        models.toasts.pause()
        assert window.toast.isVisible()
        for look in looks(tour, program):
            tour.picture(window, f"toast-{look}")
        models.toasts.detach()
    async with tour.step("bars say what is wrong, the most severe first"):
        for key, cause, remedy in (
            ("tour: other", FaultReason.SECRETS_UNREADABLE, FaultReason.TRIED_IN_A_MOMENT),
            ("store", FaultReason.FILE_NOT_KEPT_FULL, FaultReason.MESSAGES_IN_MEMORY),
        ):
            models.faults.report(Fault(key, note_sentence(Note(cause)), note_sentence(Note(remedy))))
        for look in looks(tour, program):
            tour.picture(window, f"bars-{look}")
        for key in ("tour: other", "store"):
            models.faults.dismiss(key)
        assert not window.fault_bar.isVisible()


async def _agents(tour: Tour, program: Program) -> None:
    window, pane = program.window, panes_of(program).agents
    async with tour.step("an agent is held and stopped, and started again"):
        window.show_pane("agents")
        index = await hand.until("an agent", lambda: hand.row_with(pane.list, "Otto Brandt"))
        pane.list.setCurrentIndex(index)
        await press(pane, "Hold Otto Brandt")
        await press(pane, "Stop Otto Brandt")
        await hand.until("its rest", lambda: hand.row_with(pane.list, "Otto Brandt, Stopped"))
        await hand.until("the hold", lambda: hand.button(pane, "Release Otto Brandt"))
        for look in looks(tour, program):
            tour.picture(pane, f"agents-stopped-{look}")
        await press(pane, "Release Otto Brandt")
        await press(pane, "Start Otto Brandt")
        await hand.until("it online", lambda: hand.row_with(pane.list, "Otto Brandt, Online"))


async def _room_and_letters(tour: Tour, program: Program) -> None:
    window = program.window
    async with tour.step("one pane has all the room, and gives it back"):
        for look in looks(tour, program):
            window.requests.send(MaximizePane("agents"))
            await day_of(panes_of(program))
            tour.picture(window, f"maximised-{look}")
            window.requests.send(MaximizePane("agents"))
        assert window.pane("conversations").isVisible()
        window.show_pane("approvals")
    async with tour.step("the letters are larger"):
        window.appearance.choose_text_size(LARGER)
        for look in looks(tour, program):
            tour.picture(window, f"letters-{LARGER}-{look}")
        window.appearance.choose_text_size("100")


async def _narrow_and_tray(tour: Tour, program: Program) -> None:
    window = program.window
    async with tour.step("in a narrow window the panes at the right are shown over the transcript"):
        window.resize(*NARROW)
        await hand.until("the wide transcript", lambda: not window.docks["approvals"].isVisible())
        window.rail.buttons["approvals"].click()
        await hand.until("the pane over it", window.pane("approvals").isVisible)
        for scheme in schemes(tour, program):
            await still(window)
            tour.picture(window, f"narrow-{scheme}")
        window.rail.buttons["approvals"].click()
        window.resize(*SIZES[""])
        window.show_pane("approvals")
    async with tour.step("the menu of the tray icon"):
        tray = TrayIcon(window.models.approvals, window.models.holds, window.theme, window)
        for scheme in schemes(tour, program):
            tray.menu.adjustSize()
            tour.picture(tray.menu, f"tray-menu-{scheme}")
        tray.deleteLater()


def _picture_with(tour: Tour, program: Program, dialog: QDialog, name: str) -> None:
    """Save the window with a dialog over it, as the desktop would show them."""
    # No other events than these: all of them at once would run the steps of other jobs inside this one.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    picture = program.window.grab()
    painter = QPainter(picture)
    painter.drawPixmap(program.window.mapFromGlobal(dialog.pos()), dialog.grab())
    painter.end()
    path = tour.folder / f"{name}.png"
    if not picture.save(str(path)):
        raise OSError(f"{path} could not be written")
    tour.pictures.append(path.name)
