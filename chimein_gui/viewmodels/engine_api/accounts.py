"""Engine protocols for secrets, preferences, proxies and new agent files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from chimein_gui.domain.agents import FileProblem
    from chimein_gui.domain.character_cards.card_file import CardContainer, CardFile
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.domain.loaded import Loaded
    from chimein_gui.domain.notes import Note
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.ports import NewAgent, SecretPlace, StoredSecret


class KeyVerdictLike(Protocol):
    """The result of testing a key."""

    @property
    def ok(self) -> bool:
        """Whether the key works."""
        ...

    @property
    def note(self) -> Note:
        """The result and what to do."""
        ...

    @property
    def models(self) -> int:
        """Number of models that the key may use; 0 if unknown."""
        ...


class KeysService(Protocol):
    """Stored secrets. Only `stored` returns a secret itself."""

    def stored(self, name: str) -> StoredSecret | None:
        """Return a secret and its place, or None; only its last characters may be shown."""
        ...

    async def put_all(self, values: Mapping[str, str]) -> object:
        """Store secrets that belong together in the best place available: all of them or none.

        Raises:
            SecretError: An environment variable overrides it, or no place can store it.
        """
        ...

    async def drop(self, name: str) -> object:
        """Delete a secret."""
        ...

    def place(self) -> SecretPlace:
        """Return where a new secret would be stored."""
        ...

    def place_note(self) -> Note:
        """Return what the place for new secrets is, and why it is no keychain if it is none."""
        ...


class KeyCheckService(Protocol):
    """Tests keys of the model provider."""

    async def check(self, key: str | None) -> KeyVerdictLike:
        """Test a key with one cheap call; None tests the stored one."""
        ...


class PreferenceService(Protocol):
    """The operator's preferences; a change applies at once."""

    def current(self) -> Preferences:
        """Return the active preferences."""
        ...

    async def change(self, **values: object) -> object:
        """Change one or more values.

        Raises:
            ConfigError: A value is invalid; the message says why.
        """
        ...

    async def reset(self, name: str) -> object:
        """Reset a value to its default."""
        ...

    async def undo(self) -> object:
        """Undo the last change."""
        ...


class ProxiesService(Protocol):
    """The proxies of the accounts' connections."""

    async def set(self, agent_id: AgentId, text: str) -> object:
        """Use a proxy, given as a URL or a link; the account reconnects.

        Raises:
            ConfigError: The text is no proxy, or one of an unsupported kind; the message says why.
        """
        ...

    async def clear(self, agent_id: AgentId) -> object:
        """Connect without a proxy."""
        ...


class FieldProblemLike(Protocol):
    """Why a field of a new agent is invalid."""

    @property
    def field(self) -> str:
        """Name of a field of `NewAgent`."""
        ...

    @property
    def note(self) -> Note:
        """What is wrong and what to write instead."""
        ...


class AgentFilesService(Protocol):
    """Agent files and their problems."""

    async def load_problems(self) -> Loaded[FileProblem]:
        """Return the config files that could not be used."""
        ...

    @property
    def role_prompts(self) -> tuple[str, ...]:
        """Names of the available shared role prompts."""
        ...

    def problems_of(self, new: NewAgent) -> Sequence[FieldProblemLike]:
        """Return the invalid fields of a new agent; fast enough to call at every key press."""
        ...

    async def allow_link(self, target: str) -> None:
        """Allow prompts to be links to a file outside the config directories."""
        ...

    async def create(self, new: NewAgent) -> AgentId:
        """Write a new agent's file to the first config directory, and load it.

        Raises:
            ConfigError: It cannot be written, or is invalid; the message says why.
        """
        ...


class CharacterCardsService(Protocol):
    """Character cards of other programs."""

    @property
    def available(self) -> bool:
        """Whether this run has files of cards."""
        ...

    async def read(self, path: Path) -> CardFile:
        """Read a card; nothing is kept yet.

        Raises:
            RefusedError: It is no card, or is damaged or harmful; the message says what to do.
        """
        ...

    async def create(self, card: CardFile, new: NewAgent) -> AgentId:
        """Write the file of an agent made of a card, load it, and keep the card for exports.

        Raises:
            RefusedError: The card can't be kept.
            ConfigError: The agent's file cannot be written, or is invalid; the message says why.
        """
        ...

    async def original(self, agent_id: AgentId) -> CardContainer | None:
        """Return the kind of file that an agent was made of; None if there is none."""
        ...

    async def export(self, agent_id: AgentId, target: Path, *, as_imported: bool) -> None:
        """Write the card of an agent: the imported bytes, or as the agent is now.

        Raises:
            RefusedError: It can't be written; the message says why.
        """
        ...


class AccountsApi(Protocol):
    """The parts of the engine that setting up an account needs."""

    @property
    def keys(self) -> KeysService:
        """Stored secrets."""
        ...

    @property
    def key_check(self) -> KeyCheckService:
        """Tests keys of the model provider."""
        ...

    @property
    def preferences_service(self) -> PreferenceService:
        """Changes the preferences."""
        ...

    @property
    def proxies(self) -> ProxiesService:
        """The accounts' proxies."""
        ...

    @property
    def character_cards(self) -> CharacterCardsService:
        """Makes agents of character cards, and cards of agents."""
        ...

    @property
    def agent_files(self) -> AgentFilesService:
        """Agent files and their problems."""
        ...
