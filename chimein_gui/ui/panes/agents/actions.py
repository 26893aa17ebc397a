"""Buttons for the selected agent: start, stop, restart, hold, log in, and confirmations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from chimein_gui.domain.agents import CONNECTED, TRIES_AGAIN, Agent, Health
from chimein_gui.domain.holds import HoldScope
from chimein_gui.ui.panes.agents.delegate import wants_confirmation
from chimein_gui.ui.panes.agents.facts import AgentFacts
from chimein_gui.ui.requests import LogOut, OpenFile, OpenLogin, OpenProxy
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.accounts.login_words import can_log_in, can_log_out, can_start, log_in_word
from chimein_gui.viewmodels.accounts.words import event_words
from chimein_gui.viewmodels.words.trust import trust_word

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from chimein_gui.domain.ids import AgentId
    from chimein_gui.ui.pane import PaneContext

_RUNS = CONNECTED | frozenset({Health.CONNECTING}) | TRIES_AGAIN


class AgentActions(Footer):
    """Shown below the list; buttons that do not apply to the agent's state are hidden.

    Attributes:
        focus_left: The focused button was hidden, and no other replaces it.
    """

    focus_left = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme)
        theme = context.theme
        self._agents, self._holds, self._clock = context.models.agents, context.models.holds, context.models.clock
        self._logins = context.models.logins
        self._agent: Agent | None = None
        self._shown: Hashable = None
        self.start = ActionButton(theme, self.tr("Start"), icon="play")
        self.stop = ActionButton(theme, self.tr("Stop"), icon="stop")
        self.restart = ActionButton(theme, self.tr("Restart"), icon="refresh")
        self.hold = ActionButton(theme, self.tr("Hold"), icon="hand")
        self.proxy = ActionButton(theme, self.tr("Proxy…"), kind=Kind.QUIET)
        self.log_in = ActionButton(theme, self.tr("Log in"), icon="key", kind=Kind.PRIMARY)
        self.log_out = ActionButton(theme, self.tr("Log out…"), kind=Kind.QUIET)
        self.open_file = ActionButton(theme, self.tr("Open file"), kind=Kind.QUIET)
        self.clear = ActionButton(theme, self.tr("Clear the limit"), icon="check")
        self.trust = ActionButton(theme, "", icon="bolt")
        self._name = ElidedLabel(theme, "", Face.SMALL_STRONG, "text2")
        self.last = ElidedLabel(theme, "", Face.SMALL, "text3")
        self.facts = AgentFacts(context)
        self._build()
        self.log_in.hide()  # they take no space before an agent needs them
        self.log_out.hide()
        self.start.clicked.connect(lambda _checked=False: self._do(self._agents.start))
        self.stop.clicked.connect(lambda _checked=False: self._do(self._agents.stop))
        self.restart.clicked.connect(lambda _checked=False: self._do(self._agents.restart))
        self.log_in.clicked.connect(lambda _checked=False: self._do(lambda one: context.requests.send(OpenLogin(one))))
        self.log_out.clicked.connect(lambda _checked=False: self._do(lambda one: context.requests.send(LogOut(one))))
        self.clear.clicked.connect(lambda _checked=False: self._do(self._agents.clear_limited))
        self.trust.clicked.connect(lambda _checked=False: self._confirm_trust())
        self.proxy.clicked.connect(lambda _checked=False: self._do(lambda one: context.requests.send(OpenProxy(one))))
        self.open_file.clicked.connect(lambda _checked=False: self._open_file(context))
        self.hold.clicked.connect(lambda _checked=False: self._toggle_hold())

    def _build(self) -> None:
        first = QHBoxLayout()
        first.setSpacing(8)
        first.addWidget(self._name, 1)
        for button in (self.trust, self.clear):
            first.addWidget(button)
        second = QHBoxLayout()
        second.setSpacing(8)
        for button in (self.log_in, self.start, self.stop, self.restart, self.hold):
            second.addWidget(button)
        second.addStretch(1)
        third = QHBoxLayout()
        third.setSpacing(4)
        for button in (self.proxy, self.open_file, self.log_out):
            third.addWidget(button)
        third.addStretch(1)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 14, 8, 12, 10)
        column.setSpacing(8)
        column.addLayout(first)
        column.addWidget(self.facts)
        column.addWidget(self.last)
        column.addLayout(second)
        column.addLayout(third)

    def show_agent(self, agent: Agent | None) -> None:
        """Show the buttons for an agent; None hides all."""
        self._agent = agent
        shown = self._look_of(agent)
        if shown is not None and shown == self._shown:
            return  # another agent has changed
        self._shown = shown
        if agent is None:
            self.facts.show_agent(None)
            self.hide()
            return
        name = foreign_text.name(agent.spec.name)
        self._name.setText(name)
        self.facts.show_agent(agent)
        self.open_file.setVisible(bool(agent.spec.source))
        self.open_file.setAccessibleName(self.tr("Open the file of {name}").format(name=name))
        self._say_last(agent)
        self.start.allow(self._why_not_start(agent))
        held = self._holds.of_account(agent.account_id) is not None
        self.hold.set_look(self.tr("Release") if held else self.tr("Hold"), icon="hand")
        self.log_in.set_look(log_in_word(agent), icon="key", kind=Kind.PRIMARY)
        if wants_confirmation(agent) and agent.spec.trust is not None:
            self.trust.setText(self.tr("Confirm {level}").format(level=trust_word(agent.spec.trust)))
            self.trust.updateGeometry()
        self.log_out.setAccessibleName(self.tr("Log {name} out").format(name=name))
        for button in (self.log_in, self.start, self.stop, self.restart, self.hold):
            button.setAccessibleName(f"{button.text()} {name}")
        self.clear.setAccessibleName(self.tr("Clear the limit of {name}").format(name=name))
        self.proxy.setAccessibleName(self.tr("Proxy of {name}").format(name=name))
        self.trust.setAccessibleName(f"{self.trust.text()}: {name}")
        self._offer(agent)
        self.show()  # last: the dock would keep the width of buttons that were visible only for a moment

    def _offer(self, agent: Agent) -> None:
        """Show the buttons that apply, and move the focus from a hidden button to the one that replaces it."""
        runs = agent.health in _RUNS
        log_in = self._logins.available and can_log_in(agent)
        wanted = {
            self.start: not runs and (not log_in or can_start(agent)),
            self.stop: runs,
            self.restart: runs,
            self.hold: agent.account_id is not None,
            self.log_in: log_in,
            self.log_out: self._logins.available and can_log_out(agent),
            self.clear: bool(agent.limited),
            self.trust: wants_confirmation(agent),
        }
        left = next((button for button, stays in wanted.items() if button.hasFocus() and not stays), None)
        # Hide first, then show: all at once would widen the dock, which does not shrink again.
        for button, is_wanted in sorted(wanted.items(), key=lambda one: one[1]):
            button.setVisible(is_wanted)
        if left is not None:
            fallbacks = (self.log_in, self.start, self.stop) if left in (self.start, self.stop, self.restart) else ()
            fallback = next((button for button in fallbacks if wanted[button] and button.isEnabled()), None)
            self.focus_left.emit() if fallback is None else fallback.setFocus()

    def _why_not_start(self, agent: Agent) -> str:
        if agent.spec.is_disabled:
            return self.tr("Remove the heading “# Disabled” from its file first")
        return self.tr("Fix or restore the agent file first") if agent.health is Health.FAULTY_FILE else ""

    def offered(self) -> tuple[tuple[tuple[str, ActionButton], ...], ...]:
        """Return the available commands in groups: text and button."""
        groups = (
            (self.log_in, self.start, self.stop, self.restart, self.hold),
            (self.trust, self.clear),
            (self.proxy, self.open_file, self.log_out),
        )
        return tuple(tuple((one.text(), one) for one in group if not one.isHidden()) for group in groups)

    def _look_of(self, agent: Agent | None) -> Hashable:
        """Return everything that the shown buttons depend on."""
        if agent is None:
            return None
        held = self._holds.of_account(agent.account_id) is not None
        last = self._clock.stamp(agent.last_event_at) if agent.last_event_at is not None else ""
        return agent, held, self._logins.available, last

    def _say_last(self, agent: Agent) -> None:
        at = agent.last_event_at
        self.last.setVisible(at is not None)
        if at is not None:
            words = self.tr("{event}, {time}").format(event=event_words(agent.last_event), time=self._clock.stamp(at))
            self.last.setText(words)

    def _do(self, action: Callable[[AgentId], object]) -> None:
        if self._agent is not None:
            action(self._agent.agent_id)

    def _open_file(self, context: PaneContext) -> None:
        if self._agent is not None:
            context.requests.send(OpenFile(self._agent.spec.source))

    def _confirm_trust(self) -> None:
        if self._agent is not None:
            self._agents.confirm_trust(self._agent.agent_id, self._agent.spec.trust)

    def _toggle_hold(self) -> None:
        agent = self._agent
        if agent is None or agent.account_id is None:
            return
        if self._holds.of_account(agent.account_id) is not None:
            self._holds.release(HoldScope.ACCOUNT, agent.account_id)
        else:
            self._holds.hold("", HoldScope.ACCOUNT, agent.account_id)
