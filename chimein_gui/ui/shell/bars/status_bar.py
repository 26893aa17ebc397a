"""The status bar: facts, of which only accounts that wait can be clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QTimer, Signal
from PySide6.QtWidgets import QStatusBar

from chimein_gui.ui.widgets.surfaces.fact import Fact
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.core.numbers import decimal_words

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

    from chimein_gui.viewmodels.accounts.agents import AgentListModel
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.window import WindowModels

translate = QCoreApplication.translate

_EVERY_MS = 200
LEAST_MEDIAN_S = 0.05
"""A lesser median would be shown as 0.0 s, which tells nothing: the written answers of the sandbox take no time."""

STORE_FAULTS = frozenset({"store", "outbox", "memory"})
"""Keys of problems that mean that something is not saved."""


class FactBar(QStatusBar):
    """Shows counts, the model's latency, accounts that wait, holds, and whether everything is saved.

    In the sandbox it also says what leaves this computer.

    Attributes:
        agents_pressed: The operator clicked the accounts that wait.
    """

    agents_pressed = Signal()

    _models: WindowModels | None = None

    def __init__(self, theme: Theme, *, is_sandbox: bool) -> None:
        super().__init__()
        self._theme, self._is_sandbox = theme, is_sandbox
        self.setAccessibleName(self.tr("Status"))
        self.setSizeGripEnabled(False)
        set_rtl_margins(self, 12, 0, 6, 0)
        self.counts, self.model = Fact(theme), Fact(theme)
        self.waits, self.held, self.stored = Fact(theme, pressable=True), Fact(theme), Fact(theme)
        for fact in (self.counts, self.model, self.waits, self.held):
            self.addWidget(fact)
        if is_sandbox:
            self.real = Fact(theme)
            self.addPermanentWidget(self.real)
        self.addPermanentWidget(self.stored)
        self._fit_height()
        theme.fonts_changed.connect(self._fit_height)
        self.waits.clicked.connect(self.agents_pressed)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.refresh)

    def follow(self, models: WindowModels) -> None:
        """Show the values of these models from now on."""
        from chimein_gui.viewmodels.costs import make_costs

        self._models, self._costs = models, models.own(make_costs)
        if self._is_sandbox:
            models.model_choice.changed.connect(lambda: self._say_what_is_real(is_real=models.model_choice.is_real))
            self._say_what_is_real(is_real=models.model_choice.is_real)
        for signal in (
            models.chats.feed.chats_changed,
            models.agents.summary_changed,
            models.holds.changed,
            self._costs.changed,
            models.faults.changed,
        ):
            signal.connect(self._seldom)
        models.clock.ticked.connect(lambda: self._show_waits(models.agents, models.clock))
        self.refresh()

    def _say_what_is_real(self, *, is_real: bool) -> None:
        """Show what leaves this computer: nothing, or prompts if Gemini itself answers."""
        goes = self.tr("Sandbox: prompts go to Google, everything else stays on this machine")
        stays = self.tr("Sandbox: everything stays on this machine")
        self.real.say(IconLabel("flask", goes if is_real else stays, "text3"))

    def _fit_height(self) -> None:
        self.setMinimumHeight(max(26, round(self._theme.metrics(Face.META).height() + 8)))

    def _seldom(self) -> None:
        # A new text width causes a layout of the whole bar, so frequent changes are combined.
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()

    def refresh(self) -> None:
        """Update all facts."""
        models = self._models
        if models is None:
            return
        agents, chats, unread = models.chats.totals()
        parts = [
            translate("FactBar", "%n agent(s)", "", agents),
            translate("FactBar", "%n chat(s)", "", chats),
            translate("FactBar", "%n unread message(s)", "", unread),  # the filter of the chats counts chats
        ]
        self.counts.say(IconLabel("chats", " · ".join(parts), "text3") if agents else None)
        median_s = self._costs.median_s()
        words = ""
        if median_s is not None and median_s >= LEAST_MEDIAN_S:
            words = self.tr("Model: {s} s median").format(s=decimal_words(median_s, 1))
        self.model.say(IconLabel("bolt", words, "text3") if words else None)
        stopped = self.tr("Sending stopped on all accounts")
        self.held.say(IconLabel("hand", stopped, "attention") if models.holds.everything() is not None else None)
        self._show_waits(models.agents, models.clock)
        self._show_stored(models)

    def _show_waits(self, agents: AgentListModel, clock: ClockFace) -> None:
        words = " · ".join(
            part for part in (self._reconnecting(agents, clock), self._rate_limited(agents, clock)) if part
        )
        self.waits.say(IconLabel("hourglass", words, "info") if words else None, self.tr("Opens Agents"))

    def _reconnecting(self, agents: AgentListModel, clock: ClockFace) -> str:
        """Return which accounts connect again, and when the first of them does; empty for none."""
        trying = agents.trying_again()
        if not trying:
            return ""
        first = min(trying, key=lambda agent: (agent.next_try_at is None, agent.next_try_at or clock.now()))
        count, name = len(trying), foreign_text.isolated(first.spec.name)
        if first.next_try_at is None:
            one = self.tr("{name} connects again")
            words = one if count == 1 else translate("FactBar", "%n account(s) connect again", "", count)
            return words.format(name=name)
        one = self.tr("{name} connects again in {time}")
        many = translate("FactBar", "%n account(s) connect again, first {name} in {time}", "", count)
        return (one if count == 1 else many).format(name=name, time=clock.left(first.next_try_at))

    def _rate_limited(self, agents: AgentListModel, clock: ClockFace) -> str:
        """Return which accounts wait because Telegram asks for it, and how long at most; empty for none."""
        limited = agents.rate_limited(clock.now())
        if not limited:
            return ""
        longest = max(wait.until for agent in limited for wait in agent.waits)
        count, name = len(limited), foreign_text.isolated(limited[0].spec.name)
        one = self.tr("{name} waits for Telegram: {time}")
        many = translate("FactBar", "%n account(s) wait for Telegram, at most {time}", "", count)
        return (one if count == 1 else many).format(name=name, time=clock.left(longest))

    def _show_stored(self, models: WindowModels) -> None:
        held = models.holds.everything()
        troubles = [fault for fault in models.faults.faults if fault.key in STORE_FAULTS]
        if troubles or (held is not None and not held.stored):
            from chimein_gui.viewmodels.words.notes import hold_words  # the first paint does not wait for all reasons

            why = troubles[0].cause if troubles else hold_words(held) if held is not None else ""
            words = self.tr("Not everything is saved")
            self.stored.say(IconLabel("disk", words, "danger"), foreign_text.line(why, 160))
        elif models.agents.loaded:
            self.stored.say(IconLabel("", self.tr("Messages saved"), "text3"))
        else:
            self.stored.say(None)
