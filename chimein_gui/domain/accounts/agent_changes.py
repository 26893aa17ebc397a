"""What has become of the agents, now that their files are others: pure.

See docs/behaviour.md, "Names, numbers and renamed agents".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from chimein_gui.domain.agents import Agent, AgentSpec
from chimein_gui.domain.ids import AgentId
from chimein_gui.domain.input.names import folded


@dataclass(frozen=True, slots=True)
class Kept:
    """An agent whose file is there.

    Attributes:
        before: The agent as it is stored.
        spec: What its file says now.
    """

    before: Agent
    spec: AgentSpec

    @property
    def is_renamed(self) -> bool:
        """Tell whether its state directory has another name, be it only by capitals."""
        return self.before.spec.name != self.spec.name


@dataclass(frozen=True, slots=True)
class AgentChanges:
    """How stored agents and files belong together.

    Attributes:
        kept: Those that have a file; renamed ones so that each new name is free when its turn comes.
        added: Files of agents that nobody has stored.
        gone: Stored agents without a file.
        swapped: Renamed in a circle: nobody can be the first, so none of them is in `kept`.
        mixed: Their files have the number of one agent and the name of another, who has vanished and has an account of
            his own: whoever was meant, the other's account must not answer, so none of them is in `kept`.
    """

    kept: tuple[Kept, ...] = ()
    added: tuple[AgentSpec, ...] = ()
    gone: tuple[Agent, ...] = ()
    swapped: tuple[Kept, ...] = ()
    mixed: tuple[Kept, ...] = ()


def compare(
    stored: Sequence[Agent],
    specs: Sequence[AgentSpec],
    broken: frozenset[str] = frozenset(),
    vanished: frozenset[AgentId] = frozenset(),
) -> AgentChanges:
    """Find the stored agent of each file: by its name, else by its number, which makes it a rename.

    A name does not decide where the number of the stored agent has moved on to another file: then the names were
    passed on, and the account goes where its number is.

    Args:
        stored: All agents that were ever stored.
        specs: What the files say; names and numbers are unique among them.
        broken: Sources of files that can't be read just now: an agent that was read from one is not vanished.
        vanished: Agents that had no file when that was looked at last: a file that comes is not theirs for its path.
    """
    by_name = {folded(agent.spec.name): agent for agent in stored}
    owners = {spec.phone: spec for spec in specs}
    found: dict[int, Agent] = {}
    mixed = _mixed(stored, specs, broken, vanished)
    for place, spec in enumerate(specs):
        agent = by_name.get(folded(spec.name))
        if place not in mixed and agent is not None and owners.get(agent.spec.phone, spec) is spec:
            found[place] = agent
    claimed = {agent.agent_id for agent in (*found.values(), *mixed.values())}
    free = [agent for agent in stored if agent.agent_id not in claimed and agent.spec.source not in broken]
    by_phone = {agent.spec.phone: agent for agent in sorted(free, key=_trustworthy)}
    for place, spec in enumerate(specs):
        if place not in found and place not in mixed and spec.phone in by_phone:
            found[place] = by_phone.pop(spec.phone)
    claimed |= {agent.agent_id for agent in found.values()}
    for place, spec in enumerate(specs):
        agent = by_name.get(folded(spec.name))
        if place not in found and place not in mixed and agent is not None and agent.agent_id not in claimed:
            found[place] = agent
            claimed.add(agent.agent_id)
    kept, swapped = _in_order([Kept(agent, specs[place]) for place, agent in sorted(found.items())])
    return AgentChanges(
        kept=kept,
        added=tuple(spec for place, spec in enumerate(specs) if place not in found and place not in mixed),
        gone=tuple(agent for agent in stored if agent.agent_id not in claimed),
        swapped=swapped,
        mixed=tuple(Kept(agent, specs[place]) for place, agent in mixed.items()),
    )


def _mixed(
    stored: Sequence[Agent], specs: Sequence[AgentSpec], broken: frozenset[str], vanished: frozenset[AgentId]
) -> dict[int, Agent]:
    """Find files that have taken the name of another agent, while their own is not used: the place, and whose it is.

    Where the file is the other's own, and was there all the time, only its number was edited. Their own name may be
    that of somebody new already, if they are still the same file.
    """
    by_name = {folded(agent.spec.name): agent for agent in stored}
    names, phones = {folded(spec.name) for spec in specs}, {spec.phone for spec in specs}
    by_phone = {
        agent.spec.phone: agent
        for agent in sorted(stored, key=_trustworthy)
        if agent.account_id is not None and agent.spec.source not in broken
    }
    found: dict[int, Agent] = {}
    for place, spec in enumerate(specs):
        named, numbered = by_name.get(folded(spec.name)), by_phone.get(spec.phone)
        if named is None or named.account_id is None or numbered is None or named.spec.phone in phones:
            continue
        if folded(numbered.spec.name) in names and spec.source != numbered.spec.source:
            continue
        if spec.source != named.spec.source or named.agent_id in vanished:
            found[place] = numbered
    return found


def _trustworthy(agent: Agent) -> tuple[bool, AgentId]:
    """Of several vanished agents with one number the last is taken: one that was logged in, else the newest."""
    return agent.account_id is not None, agent.agent_id


def _in_order(kept: Iterable[Kept]) -> tuple[tuple[Kept, ...], tuple[Kept, ...]]:
    """Put each rename behind the one that frees its name; returns those that wait for each other beside them."""
    done: list[Kept] = []
    waiting: list[Kept] = []
    for one in kept:
        (waiting if one.is_renamed else done).append(one)
    while waiting:
        taken: Mapping[str, Kept] = {folded(one.before.spec.name): one for one in waiting}
        ready = [one for one in waiting if taken.get(folded(one.spec.name), one) is one]
        if not ready:
            break
        done += ready
        waiting = [one for one in waiting if one not in ready]
    return tuple(done), tuple(waiting)
