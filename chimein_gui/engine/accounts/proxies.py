"""Proxies of accounts, kept as secrets because an address may contain a password."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.accounts.proxies import as_url, parse_proxy
from chimein_gui.domain.agents import CONNECTED, Health
from chimein_gui.domain.errors import ConfigError, ProxyError
from chimein_gui.domain.events import AgentChanged
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.engine.ports.secrets import proxy_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.accounts.proxies import Proxy
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.engine.accounts.accounts import Accounts
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.engine.settings.secrets import SecretCache

_TRYING = CONNECTED | frozenset({Health.CONNECTING, Health.WAITING, Health.PROXY_TROUBLE})
"""Health of an account that is kept connected; it reconnects when its proxy changes."""


def proxy_of(secrets: SecretCache, agent_id: AgentId) -> Proxy | None:
    """Return an account's proxy, or None if it has none.

    Raises:
        ProxyError: It has one that can't be read; the account must not connect without it.
    """
    name = proxy_name(agent_id)
    if not secrets.is_read(name):
        raise ProxyError(Note(ConnectionReason.PROXY_NOT_READ))
    text = secrets.value(name)
    if not text:
        if secrets.is_unreadable(name):
            raise ProxyError(Note(ConnectionReason.PROXY_LOCKED_AWAY))
        return None
    try:
        return parse_proxy(text)
    except ConfigError:
        pass
    # Raised outside of the handler, because the original error may repeat the password.
    raise ProxyError(Note(ConnectionReason.PROXY_DAMAGED))


class Proxies:
    """Sets and clears proxies; the account then reconnects."""

    def __init__(
        self, secrets: SecretCache, accounts: Accounts, spawn: Spawn, on_changed: Callable[[AgentId], object]
    ) -> None:
        """`on_changed` is called with the agent whose proxy has changed."""
        self._on_changed = on_changed
        self._secrets = secrets
        self._accounts = accounts
        self._spawn = spawn

    async def load(self) -> None:
        """Read the proxies of all agents, and show them."""
        agents = [agent.agent_id for agent in self._accounts.directory.agents()]
        await self._secrets.load(proxy_name(agent_id) for agent_id in agents)
        for agent_id in agents:
            self.show(agent_id)

    def hear(self, event: EngineEvent) -> None:
        """Read the proxy of an agent that appears while the program runs; it may have one from before."""
        if isinstance(event, AgentChanged) and self._secrets.is_left_out(proxy_name(event.agent.agent_id)):
            self._spawn(self._read(event.agent.agent_id), name=f"proxy of {event.agent.spec.name}")

    def of(self, agent_id: AgentId) -> Proxy | None:
        """Return an account's proxy, or None if it has none.

        Raises:
            ProxyError: It has one that can't be read.
        """
        return proxy_of(self._secrets, agent_id)

    async def set(self, agent_id: AgentId, text: str) -> None:
        """Give an account a proxy, or another one.

        Args:
            agent_id: The agent.
            text: The address, as typed or copied from a link.

        Raises:
            ConfigError: The address is invalid; the words say why.
            SecretError: It can't be stored.
        """
        self._secrets.hide(text)
        proxy = parse_proxy(text)
        await self._secrets.put(proxy_name(agent_id), as_url(proxy))
        await self._connect_anew(agent_id)

    async def clear(self, agent_id: AgentId) -> None:
        """Let an account connect without a proxy; one that has none is left alone.

        Raises:
            SecretError: It could not be removed; the account continues to use it.
        """
        name = proxy_name(agent_id)
        if self._secrets.value(name) or self._secrets.is_unreadable(name):
            await self._secrets.drop(name)
            await self._connect_anew(agent_id)

    def show(self, agent_id: AgentId) -> None:
        """Show an account's current proxy; an agent that is gone is ignored."""
        if agent_id not in self._accounts.directory.entries:
            return
        try:
            proxy = self.of(agent_id)
        except ProxyError:
            shown = "Unreadable"
        else:
            shown = proxy.shown() if proxy is not None else ""
        self._accounts.show_proxy(agent_id, shown)

    async def _read(self, agent_id: AgentId) -> None:
        await self._secrets.load([proxy_name(agent_id)])
        self.show(agent_id)

    async def _connect_anew(self, agent_id: AgentId) -> None:
        self.show(agent_id)
        self._on_changed(agent_id)
        account = self._accounts.directory.entries.get(agent_id)
        if account is not None and account.agent.health in _TRYING:
            await self._accounts.stop(agent_id)
            self._accounts.start(agent_id)
