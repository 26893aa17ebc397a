"""Dependencies and configuration of an engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chimein_gui.domain.failpoints import Reach, pass_by
from chimein_gui.engine.core.environment import START_GRACE_S
from chimein_gui.engine.settings.secrets import SecretCache, SessionSecrets

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chimein_gui.domain.agents import AgentSpec, FileProblem
    from chimein_gui.domain.context import LinkModel
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.core.jobs import JobRunner
    from chimein_gui.engine.ports import (
        AgentFiles,
        CharacterCardFiles,
        Clock,
        DiagnosticsFile,
        Embedder,
        FrameRenderer,
        GatewayFactory,
        KeyChecker,
        LanguageModel,
        LocalModels,
        MediaCache,
        MediaRecords,
        MemoryFiles,
        MemoryIndex,
        ModelProvider,
        OutgoingFiles,
        PageFetcher,
        PersonFiles,
        PreferenceFile,
        SignIns,
        SourceFiles,
        Store,
    )


@dataclass(frozen=True, slots=True)
class Setup:
    """The collaborators and options of an engine.

    Attributes:
        store: The database.
        gateways: Makes a gateway for an agent.
        model: The language model of the main provider.
        clock: Time.
        jobs: Owner of all jobs; the caller closes it after the engine.
        preferences: The preferences at the start.
        agents: The agents, if there are no agent files.
        file_problems: Other files that could not be used.
        model_prompt: Model-specific prompt, may be empty; used if there are no agent files.
        agent_files: The agent files, read at the start and watched.
        memory: The agents' memory files; without it memory entries wait in the database.
        memory_index: Searches them; without it none are chosen for the messages of a prompt.
        memory_embedder: Makes vectors of memories with the operator's key; without it that can't be chosen.
        local_models: Loads models that make them on this computer; without it that can't be chosen.
        extraction_prompt: The task of the calls that read conversations for memories; without it none are made.
        person_files: Files with something about a person; without it only the database is looked at.
        reach: The failpoints.
        frames: Draws animated stickers.
        shown_files: Temporary files of messages for display; without it no files are shown.
        media_records: Descriptions of media; without it prompts have none.
        descriptions_per_tick: How many of them may be begun between two ticks of the scheduler; None: as preferred.
        outgoing_files: Copies of the files that the operator sends; without it files can't be sent.
        card_files: Files of character cards; without it no agent is made of one.
        source_files: Files of agents and prompts as they are written; without it they can't be edited.
        pages: Fetches web pages; without it none can be looked up.
        embedder: Refines the choice of context; without it only the weights are used.
        link_model: The weights of the choice of context; without them sessions are cut by gaps of time.
        link_model_is_broken: The file of the weights exists but can't be used.
        sign_ins: Logs accounts in and out; without it this is impossible.
        keep_application: Keeps Telegram's API id and hash, raises SecretError; without it they go to the secrets.
        secrets: Keys and proxies, read by `Engine.start`; by default in memory for this run.
        providers: Further providers of language models.
        key_checker: Checks keys of the model; without it they can't be checked.
        preference_file: The file for changed preferences; without it changes last for this run.
        diagnostics_file: The file for diagnostics; without it they can't be saved.
        start_grace_s: Seconds after the start without automatic messages.
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
    agent_files: AgentFiles | None = None
    memory: MemoryFiles | None = None
    memory_index: MemoryIndex | None = None
    memory_embedder: Embedder | None = None
    local_models: LocalModels | None = None
    extraction_prompt: str = ""
    reach: Reach = pass_by
    frames: FrameRenderer = field(kw_only=True)
    shown_files: MediaCache | None = None
    media_records: MediaRecords | None = None
    descriptions_per_tick: int | None = None
    outgoing_files: OutgoingFiles | None = None
    card_files: CharacterCardFiles | None = None
    source_files: SourceFiles | None = None
    person_files: PersonFiles | None = None
    pages: PageFetcher | None = None
    embedder: Embedder | None = None
    link_model: LinkModel | None = None
    link_model_is_broken: bool = False
    sign_ins: SignIns | None = None
    keep_application: Callable[[int, str], Awaitable[None]] | None = None
    secrets: SecretCache = field(default_factory=lambda: SecretCache(SessionSecrets()))
    providers: tuple[ModelProvider, ...] = ()
    key_checker: KeyChecker | None = None
    preference_file: PreferenceFile | None = None
    diagnostics_file: DiagnosticsFile | None = None
    start_grace_s: float = START_GRACE_S
