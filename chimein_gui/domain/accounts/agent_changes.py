"""Difference between the stored agents and the agent files; pure functions.

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
    """A stored agent together with its file.

    Attributes:
        before: The agent as it is stored.
        spec: What its file says now.
    """

    before: Agent
    spec: AgentSpec

    @property
    def is_renamed(self) -> bool:
        """Return whether its state directory changes its name; a change of case counts."""
        return self.before.spec.name != self.spec.name


@dataclass(frozen=True, slots=True)
class AgentChanges:
    """Which stored agents belong to which files.

    Attributes:
        kept: Agents with a file. Renames are ordered so that each new name is free when its turn comes.
        added: Files of agents that are not stored.
        gone: Stored agents without a file.
        swapped: Agents renamed in a circle. None can be renamed first, so none is in `kept`.
        mixed: Agents whose file has another agent's name, if that agent has vanished and has an account. It is unclear
            which agent is meant, and the wrong account must not answer, so none is in `kept`.
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

    The name does not decide if the number of the stored agent is now in another file. Then the names were exchanged,
    and the account follows its number.

    Args:
        stored: All agents that were ever stored.
        specs: Content of the files; names and numbers are unique among them.
        broken: Sources of files that can't be read now; an agent that was read from one has not vanished.
        vanished: Agents that had no file at the last comparison; a new file with their path is not theirs for that.
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
    """Find files with the name of another agent whose own number is unused; returns index of the file → stored agent.

    The file is left out if it is the other agent's own and was never missing, because then only its number was edited.
    A file that stays the same may give its old name to a new agent.
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
    """Return the sort key of vanished agents with one number; the last wins: one with an account, else the newest."""
    return agent.account_id is not None, agent.agent_id


def _in_order(kept: Iterable[Kept]) -> tuple[tuple[Kept, ...], tuple[Kept, ...]]:
    """Sort renames behind those that free their names; returns the sorted ones and those that wait in a circle."""
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
