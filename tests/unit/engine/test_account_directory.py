"""The account directory is asked from the store's thread, inside claims, while agents come and go in the loop's."""

from __future__ import annotations

from typing import cast

from chimein_gui.domain.agents import Agent, AgentSpec
from chimein_gui.domain.ids import AccountId, AgentId
from chimein_gui.engine.accounts.directory import AccountDirectory, AccountEntry
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.core.jobs import JobRunner
from tests.fakes.clock import VirtualClock

NORA = AgentSpec("Nora Vale", "+9996621001", "Be kind.", (), ())


def entry(number: int) -> AccountEntry:
    return AccountEntry(Agent(AgentId(number), NORA, AccountId(number), 0))


class Interrupted:
    """An entry at which the other thread has its turn: an agent's file comes."""

    def __init__(self, directory: AccountDirectory) -> None:
        self.directory = directory

    @property
    def agent(self) -> Agent:
        self.directory.entries[AgentId(99)] = entry(99)
        return entry(1).agent


def test_an_account_is_found_while_an_agent_comes() -> None:
    directory = AccountDirectory(EventBus(), VirtualClock(), JobRunner().spawn)
    directory.entries = {AgentId(1): cast("AccountEntry", Interrupted(directory)), AgentId(2): entry(2)}
    assert directory.gateway_of(AccountId(2)) is None
    found = directory.entry_of(AccountId(2))
    assert found is not None
    assert found.agent.agent_id == AgentId(2)
