"""Keys, preferences, proxies, agent files and character cards of the small engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chimein_gui.domain.agents import Agent, AgentSpec, FileProblem, Health
from chimein_gui.domain.character_cards.card_file import CardContainer, CardFile, read_card, written_card
from chimein_gui.domain.errors import ConfigError, SecretError
from chimein_gui.domain.ids import AgentId
from chimein_gui.domain.loaded import Loaded
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.notes.keys import KeyReason
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.engine.ports import NewAgent, SecretPlace, StoredSecret

if TYPE_CHECKING:
    from tests.fakes.engine_api import FakeEngineApi


@dataclass(frozen=True)
class FakeVerdict:
    """The result of trying a key."""

    ok: bool
    note: Note
    models: int = 0


class FakeKeys:
    """Keeps secrets in a dict; a key that begins with ``good`` works."""

    def __init__(self) -> None:
        self.secrets: dict[str, StoredSecret] = {}
        self.where = SecretPlace.KEYCHAIN
        self.place_said = Note(KeyReason.IN_DESKTOP_KEYRING)
        self.checked: list[str | None] = []
        self.fail: Exception | None = None

    def stored(self, name: str) -> StoredSecret | None:
        return self.secrets.get(name)

    async def put(self, name: str, value: str) -> SecretPlace:
        if self.fail is not None:
            raise self.fail
        before = self.secrets.get(name)
        if before is not None and before.place is SecretPlace.ENVIRONMENT:
            raise SecretError("An environment variable stands before it.")
        self.secrets[name] = StoredSecret(value, self.where)
        return self.where

    async def put_all(self, values: Mapping[str, str]) -> None:
        for name, value in values.items():
            await self.put(name, value.strip())

    async def drop(self, name: str) -> None:
        if self.fail is not None:
            raise self.fail
        self.secrets.pop(name, None)

    def place(self) -> SecretPlace:
        return self.where

    def place_note(self) -> Note:
        return self.place_said

    async def check(self, key: str | None) -> FakeVerdict:
        self.checked.append(key)
        tried = key if key is not None else self.secrets["gemini-api-key"].value
        if tried.startswith("good"):
            return FakeVerdict(True, Note(KeyReason.KEY_WORKS, number=3), 3)
        return FakeVerdict(False, Note(KeyReason.KEY_NOT_VALID))


class FakePreferences:
    """Checks only two things: a model named ``nonsense`` and negative numbers are refused."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self.before: list[Preferences] = []
        self.directories: list[tuple[str, ...]] = []
        self.fail: Exception | None = None

    def current(self) -> Preferences:
        return self._api.preferences

    async def change(self, **values: Any) -> None:
        if self.fail is not None:
            raise self.fail
        if "config_dirs" in values:
            self.directories.append(tuple(values["config_dirs"]))
        if values.get("model") == "nonsense":
            raise ConfigError("There is no model “nonsense”; see the list.")
        self._take(replace(self.current(), **values))

    async def reset(self, name: str) -> None:
        default: Any = getattr(Preferences(), name)
        self._take(replace(self.current(), **{name: default}))

    async def undo(self) -> None:
        if not self.before:
            raise ConfigError("There is nothing to take back.")
        self._api.preferences = self.before.pop()

    def _take(self, preferences: Preferences) -> None:
        self.before.append(self.current())
        self._api.preferences = preferences


class FakeProxies:
    """Shows each agent's proxy as it was set."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self.given: list[tuple[int, str]] = []
        self.fail: Exception | None = None

    async def set(self, agent_id: AgentId, text: str) -> None:
        if self.fail is not None:
            raise self.fail
        self.given.append((agent_id, text))
        self._api.put_agent(replace(self._api.agents[agent_id], proxy="SOCKS5 proxy.example:1080"))

    async def clear(self, agent_id: AgentId) -> None:
        self.given.append((agent_id, ""))
        self._api.put_agent(replace(self._api.agents[agent_id], proxy=""))


@dataclass(frozen=True)
class FakeProblem:
    """A problem of a field."""

    field: str
    note: Note


class FakeAgentFiles:
    """Accepts names without a slash, and numbers of Telegram's test range."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self.made: list[NewAgent] = []
        self.role_prompts: tuple[str, ...] = ("Person", "Retrieve")
        self.fail: Exception | None = None

    async def load_problems(self) -> Loaded[FileProblem]:
        return self._api.loaded(self._api.problems)

    def problems_of(self, new: NewAgent) -> tuple[FakeProblem, ...]:
        found = list[tuple[str, str]]()
        if not new.name.strip():
            found.append(("name", "Every agent has a name."))
        elif "/" in new.name:
            found.append(("name", "A name has no slash: it is also the name of a directory."))
        if not new.phone.replace(" ", "").startswith("+999"):
            found.append(("phone", "Write the number in international form, such as +999 66 2 1001."))
        if not new.instructions.strip():
            found.append(("instructions", "Say who the persona is."))
        if new.timezone and "/" not in new.timezone and new.timezone != "UTC":
            found.append(("timezone", "A time zone is named like Europe/Lisbon."))
        return tuple(FakeProblem(field, Note(NoteKind.OTHER, words)) for field, words in found)

    async def allow_link(self, target: str) -> None:
        self._api.allowed_links.append(target)
        self._api.put_problems(*(one for one in self._api.problems if one.leads_to != target))

    async def create(self, new: NewAgent) -> AgentId:
        if self.fail is not None:
            raise self.fail
        self.made.append(new)
        number = AgentId(max(self._api.agents, default=0) + 1)
        spec = AgentSpec(new.name.strip(), new.phone, new.instructions, new.role_prompts, ("",), new.timezone)
        self._api.put_agent(Agent(number, spec, None, number - 1, Health.LOGGED_OUT))
        return number


class FakeCharacterCards:
    """Reads real cards, and keeps those of which agents were made in memory."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self.available = True
        self.kept: dict[int, CardFile] = {}

    async def read(self, path: Path) -> CardFile:
        return read_card(path.read_bytes())  # noqa: ASYNC240 - jobs of tests never wait

    async def create(self, card: CardFile, new: NewAgent) -> AgentId:
        agent_id = await self._api.agent_files.create(new)
        self.kept[agent_id] = card
        return agent_id

    async def original(self, agent_id: AgentId) -> CardContainer | None:
        return self.kept[agent_id].container if agent_id in self.kept else None

    async def export(self, agent_id: AgentId, target: Path, *, as_imported: bool) -> None:
        kept, spec = self.kept.get(agent_id), self._api.agents[agent_id].spec
        data = kept.data if kept is not None else None
        out = data if as_imported and data else written_card(data, spec.name, spec.instructions)
        target.write_bytes(out)  # noqa: ASYNC240 - jobs of tests never wait
