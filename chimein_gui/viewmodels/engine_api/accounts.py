"""What the window asks of the engine about keys, preferences, proxies and new agent files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chimein_gui.domain.agents import FileProblem
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.domain.loaded import Loaded
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.ports import NewAgent, SecretPlace, StoredSecret


class KeyVerdictLike(Protocol):
    """What came of trying a key."""

    @property
    def ok(self) -> bool:
        """It works."""
        ...

    @property
    def words(self) -> str:
        """What that means and what to do, for the operator."""
        ...

    @property
    def models(self) -> int:
        """How many models it may use; 0 where it is not known."""
        ...


class KeysConsole(Protocol):
    """Keys: where they are. No answer but `stored` holds one."""

    def stored(self, name: str) -> StoredSecret | None:
        """Return a secret and its place, or None; only its last characters may be shown."""
        ...

    async def put_all(self, values: Mapping[str, str]) -> object:
        """Keep secrets that belong together in the best place there is: all of them or none.

        Raises:
            SecretError: An environment variable stands before it, or nothing can keep it.
        """
        ...

    async def drop(self, name: str) -> object:
        """Forget a secret."""
        ...

    def place(self) -> SecretPlace:
        """Tell where a new secret would go."""
        ...

    def place_words(self) -> str:
        """Name the place for new secrets, with a warning where it is not a keychain."""
        ...


class KeyCheckConsole(Protocol):
    """Whether a key works."""

    async def check(self, key: str | None) -> KeyVerdictLike:
        """Try a model key by one cheap call; None for the one that is kept."""
        ...


class PreferenceConsole(Protocol):
    """What the operator may adjust; a change holds at once."""

    def current(self) -> Preferences:
        """Return what holds now."""
        ...

    async def change(self, **values: object) -> object:
        """Change one or more values.

        Raises:
            ConfigError: A value cannot be used; says why.
        """
        ...

    async def reset(self, name: str) -> object:
        """Take the default of a value again."""
        ...

    async def undo(self) -> object:
        """Take the last change back."""
        ...


class ProxiesConsole(Protocol):
    """How each account's connection reaches Telegram."""

    async def set(self, agent_id: AgentId, text: str) -> object:
        """Use a proxy, given as a URL or a link; the account connects anew.

        Raises:
            ConfigError: The text is no proxy, or of a kind that is not spoken; says why.
        """
        ...

    async def clear(self, agent_id: AgentId) -> object:
        """Connect without a proxy."""
        ...


class FieldProblemLike(Protocol):
    """Why a field of a persona can't be as it is."""

    @property
    def field(self) -> str:
        """Name of a field of `NewAgent`."""
        ...

    @property
    def words(self) -> str:
        """What is wrong and what to write instead."""
        ...


class AgentFilesConsole(Protocol):
    """Agent files and their problems."""

    async def load_problems(self) -> Loaded[FileProblem]:
        """Return the config files that could not be used."""
        ...

    @property
    def role_prompts(self) -> tuple[str, ...]:
        """Names of the shared role prompts that there are."""
        ...

    def problems_of(self, new: NewAgent) -> Sequence[FieldProblemLike]:
        """Return what is wrong with a persona so far; quick enough for every key."""
        ...

    async def allow_link(self, target: str) -> None:
        """Let prompts be links to a file outside the config directories."""
        ...

    async def create(self, new: NewAgent) -> AgentId:
        """Write its file into the first config directory, and take its agent.

        Raises:
            ConfigError: It cannot be written, or is not as it should be; says why.
        """
        ...


class AccountsConsole(Protocol):
    """Those parts of the engine that the way to an account needs."""

    @property
    def keys(self) -> KeysConsole:
        """Secrets."""
        ...

    @property
    def key_check(self) -> KeyCheckConsole:
        """Tries a key of the model."""
        ...

    @property
    def preferences_service(self) -> PreferenceConsole:
        """What may be adjusted."""
        ...

    @property
    def proxies(self) -> ProxiesConsole:
        """Ways to Telegram."""
        ...

    @property
    def agent_files(self) -> AgentFilesConsole:
        """New personas."""
        ...
