"""The real window on the real engine and the real database, in virtual time; Telegram and the model are a crowd."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from chimein_gui.domain.approvals import Approval, RejectPlan
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.ids import ChatId
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.pane import EmptyStateText
from chimein_gui.ui.requests import ClosePane
from chimein_gui.ui.shell.start import build_window
from chimein_gui.ui.widgets.theme.theme import Scheme
from chimein_gui.viewmodels.panes.approvals import make_approvals
from chimein_gui.viewmodels.window import WindowModels
from tests.e2e import keyboard
from tests.e2e.races.book import Book, WatchedStore, listen
from tests.e2e.races.eye import Eye, parts_of
from tests.e2e.races.virtual_qt import on_virtual_time
from tests.support.bridge import drain
from tests.unit.engine.state_machine.town import Town

if TYPE_CHECKING:
    import random
    from pathlib import Path

    import pytest

QUICK = Preferences(debounce_s=0.5, callout_debounce_s=0.5, undo_s=5.0, typing_base_s=0, typing_s_per_60=0)
USUAL, NARROW = (1280, 720), (900, 560)
LEFT = Qt.MouseButton.LeftButton
WAITING = {TaskStatus.AWAITING_DECISION}
PHONE = re.compile(r"p\d+")
"""What the operator writes on his phone."""


class Room(Town):
    """One window and one engine, in which interleaving follows on interleaving."""

    book: Book

    def __init__(self, folder: Path, rng: random.Random, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(folder, rng, QUICK, Book)
        on_virtual_time(monkeypatch, self.clock)
        self.eye = Eye(self.clock, monkeypatch)

    async def start(self) -> None:
        path = self.folder / "chimein.db"
        self.store = WatchedStore(path, self.clock.now, self.book.watch, committed=self.book.committed)
        self.make_engine()
        listen(self.engine, self.book, self.eye)
        self.models = WindowModels(self.clock.now)
        step = EmptyStateText("No agents yet", ("Write a file.",))
        self.window = build_window(models=lambda: self.models, empty_state=step, scheme=Scheme.LIGHT)
        self.window.resize(*USUAL)
        self.window.appearance.choose_motion("off")  # Qt's animations are in real time: a pane would stand halfway
        self.window.show()
        self.window.activateWindow()
        pane: Any = self.window.pane("approvals")
        self.pane: Any = pane
        self.eye.pane = pane
        self.window.attach(self.engine, self.jobs.spawn)
        for unseen in ("conversations", "agents"):
            self.window.pane(unseen).setUpdatesEnabled(False)  # a fifth of the time, and nobody looks there
        self.book.started = self.clock.now()
        await self.engine.start()
        await self.all_shown()
        self.clock.advance(1)
        await self.all_shown()
        self.chats = {one.info.peer_id: int(one.chat_id) for one in self.store.peek(lambda tx: tx.chats.all())}

    async def close(self) -> None:
        self.window.detach()
        await super().close()
        self.window.close_guard.force_close()
        self.window.close()
        self.window.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    # --- how far the world gets

    async def handed_over(self) -> None:
        """The engine has done what it can, and the window has heard of it; nothing is painted yet."""
        await self.settled()
        drain(self.models.bridge)

    async def all_shown(self) -> None:
        """Nothing happens any more until time passes or somebody acts; all of it is painted."""
        for _ in range(100):
            await self.handed_over()
            QApplication.processEvents()
            await asyncio.sleep(0)
            if not self.models.bridge._queue and not asyncio.get_running_loop()._ready:  # type: ignore[attr-defined]
                break
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)  # no loop of Qt's runs that would do it
        for _ in range(3):  # a layout comes before a painting, and may be delayed itself
            QApplication.processEvents()
        self.eye.look()

    async def passes(self, seconds: float, steps: int = 1, *, asleep: bool = False) -> None:
        """Let time pass, and the second hand of the window with it."""
        del asleep
        for _ in range(steps):
            self.services.awake.expect_round(seconds / steps)
            in_sight = self.eye.in_sight_until_now()
            self.clock.advance(seconds / steps)
            self.eye.time_passed(in_sight)
            self.models.clock.ticked.emit()
            await self.all_shown()

    # --- hands

    def key(self, code: Qt.Key, modifiers: Qt.KeyboardModifier = keyboard.NONE) -> None:
        """Press a key, wherever the focus is."""
        self.eye.press()
        QTest.keyClick(self._focus(), code, modifiers)

    def _focus(self) -> QWidget:
        """Where keys go: an open menu is closed first, as it would take them all; a dialog does take them."""
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            menu.close()
        dialog = QApplication.activeModalWidget()
        if dialog is not None:
            return dialog.focusWidget() or dialog
        keyboard.be_a_desktop()
        return QApplication.focusWidget() or self.window.focusWidget() or self.window

    def click(self, widget: QWidget) -> bool:
        """Click a widget that can be seen and pressed; tell whether it could."""
        is_behind = QApplication.activeModalWidget() not in {None, widget.window()}
        if is_behind or not widget.isVisible() or not widget.isEnabled() or widget.visibleRegion().isEmpty():
            return False
        self.eye.press(is_click=True)
        QTest.mouseClick(widget, LEFT, pos=widget.rect().center())
        return True

    def type_text(self, text: str) -> None:
        """Type a text."""
        self.eye.press()
        QTest.keyClicks(self._focus(), text)

    # --- between two interleavings

    def begin(self, rng: random.Random) -> None:
        """The next interleaving begins."""
        self.rng = rng
        self.story.clear()
        self.presses.clear()

    async def tidy_up(self) -> None:
        """Bring everything back to how an interleaving finds it: nothing waits, nothing is open."""
        self.model.slow = False
        self.book.is_tidying = True
        for one in list(self.model.thinking):
            one.set()
        await self._close_everything()
        for chat in self.chats.values():
            self.book.trust[chat] = ("review", None)
            await self.do(self.engine.chat_settings.set_trust(ChatId(chat), TrustLevel.REVIEW))
            await self.do(self.engine.takeovers.resume(ChatId(chat)))
        await self.do(self.engine.holds.release(HoldScope.ALL, 0))
        await self._close_everything()
        await self.passes(40, 8)
        for _ in range(20):
            waiting = [card for card in self.cards() if card.task_status in WAITING]
            if not waiting:
                break
            card = waiting[0]
            how: dict[str, Any] = {"expected_version": card.version, "seen_up_to": card.seen_up_to}
            await self.do(
                self.engine.decisions.decide(
                    card.approval_id, decision=RejectPlan(), client_id=self.token("tidy"), **how
                )
            )
        self.models.own(make_approvals).batch.clear()
        self.window.requests.send(ClosePane("plans"))
        if self.window.dock_manager.maximizer.pane_id:
            self.window.dock_manager.maximise()
        self.window.resize(*USUAL)
        await self.passes(700, 2)
        self.eye.forget()
        self.book.is_tidying = False

    async def _close_everything(self) -> None:
        """Close what is open in front of the window, then what is typed there."""
        await self.all_shown()
        while (front := QApplication.activePopupWidget() or QApplication.activeModalWidget()) is not None:
            front.close()
            await self.all_shown()
        if self.pane.editor.isVisible():
            self.pane.editor._do_cancel()
            await self.all_shown()

    # --- what the window says

    def compare(self) -> None:
        """What the window shows as decided is what the store says."""
        stored = {int(card.approval_id): card for card in self.cards()}
        shown = {int(card.approval_id): card for card in self.models.approvals.items()}
        for number, card in stored.items():
            there = shown.pop(number, None)
            if there is None and card.task_status in WAITING:
                self.book.blame(f"not in the window: {_words(card)}")
            elif there is not None and _words(there) != _words(card):
                self.book.blame(f"the window shows {_words(there)}, the store has {_words(card)}")
        for number, there in shown.items():
            if there.task_status in WAITING | {TaskStatus.APPROVED}:
                self.book.blame(f"in the window alone: {number} {_words(there)}")
        self.compare_painted()
        self._compare_mail()

    def compare_painted(self) -> None:
        """What lies wholly in sight is what is stored, or what is being typed."""
        stored = {int(card.approval_id): card for card in self.cards()}
        edited = self.eye.edited()
        for number, (version, text) in self.eye.in_sight().items():
            painted = stored.get(number)
            if painted is not None and number != edited and (version, text) != (painted.version, painted.text):
                self.book.blame(f"painted v{version} {text[:20]!r}, stored {_words(painted)}; {self.eye.where()}")
        self._compare_typed(edited)

    def _compare_typed(self, edited: int | None) -> None:
        """What is being typed is what the preview of the card shows, once the hand has rested."""
        editor, card = self.pane.editor, self.pane.card
        is_shown = card.approval is not None and int(card.approval.approval_id) == edited
        if not is_shown or not self.pane.list.is_wide or not self.eye.in_sight() or editor.fields.rest.isActive():
            return
        typed = parts_of(card.approval, editor.fields.message.text())
        if self.eye.preview[: len(typed)] != typed:
            self.book.blame(f"typed {typed}, the preview shows {self.eye.preview}")

    async def compare_narrow(self) -> None:
        """A pane that comes over the transcript is there at once: nothing moves in real time, between two looks."""
        self.window.resize(*NARROW)
        await self.all_shown()
        self.window.show_pane("approvals")
        await self.all_shown()
        seen = self.pane.visibleRegion().boundingRect()
        if seen != self.pane.rect():
            self.book.blame(f"the pane is halfway: {seen} of {self.pane.rect()}")
        self.window.resize(*USUAL)
        await self.all_shown()

    def _compare_mail(self) -> None:
        """Partners got what was let go, each of it once, and nothing else; what is told as sent is there."""
        stickers = {one.document_id: name for (_set, name), one in self.crowd.stickers.items()}
        came = Counter(
            (self.chats[one.key.peer_id], stickers.get(one.document_id or 0, one.text))
            for one in self.crowd.messages
            if one.out and one.text != "long ago" and not PHONE.fullmatch(one.text)
        )
        rows = [row for row in self.book.rows.values() if row["kind"] in {"send", "sticker"}]
        told = Counter((row["chat"], row["text"]) for row in rows if row["state"] == "sent")
        for (_chat, text), many in (came - Counter(self.book.went.values())).items():
            self.book.blame(f"a partner got {many} of {text[:20]!r} that nobody let go")
        for (_chat, text), many in (told - came).items():
            self.book.blame(f"told as sent, but {many} of {text[:20]!r} never came")


def _words(card: Approval) -> str:
    return f"{card.approval_id} v{card.version} {card.state}/{card.task_status} {card.text[:24]!r}"
