"""What an engine is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.failpoints import Reach, pass_by

if TYPE_CHECKING:
    from chimein_gui.domain.agents import AgentSpec, FileProblem
    from chimein_gui.domain.preferences import Preferences
    from chimein_gui.engine.jobs import JobRunner
    from chimein_gui.engine.ports import Clock, GatewayFactory, LanguageModel, MemoryFiles, Store


@dataclass(frozen=True, slots=True)
class Setup:
    """What an engine is made of.

    Attributes:
        store: The database.
        gateways: Makes a gateway for an agent.
        model: The language model.
        clock: Time.
        jobs: Owner of all jobs; the caller closes it after the engine.
        preferences: Adjustable behaviour.
        agents: The agent files that could be read.
        file_problems: Those that could not.
        model_prompt: Model-specific prompt, or empty.
        memory: Where agents remember; without it what they remember waits in the database.
        reach: The failpoints.
    """

    store: Store
    gateways: GatewayFactory
    model: LanguageModel
    clock: Clock
    jobs: JobRunner
    preferences: Preferences
    agents: tuple[AgentSpec, ...] = ()
    file_problems: tuple[FileProblem, ...] = ()
    model_prompt: str = ""
    memory: MemoryFiles | None = None
    reach: Reach = pass_by
