"""Keys and proxies while everything runs: known without waiting, changed at once, told of by name only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.adapters.files.secrets_file import SecretsFile
from chimein_gui.adapters.secrets.keychain import Keychain
from chimein_gui.adapters.secrets.store import LayeredSecretStore
from chimein_gui.domain.accounts.proxies import Proxy, ProxyKind
from chimein_gui.domain.agents import Agent, Health
from chimein_gui.domain.errors import ConfigError, ModelKeyError, ProxyError, SecretError
from chimein_gui.domain.events import AgentChanged, EngineEvent, FaultReported, SecretsChanged
from chimein_gui.domain.ids import AgentId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.notes.keys import KeyReason
from chimein_gui.domain.prompt.prompts import Prompt
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.accounts.proxies import proxy_of
from chimein_gui.engine.llm.calls import ModelRouter, PlanTrace
from chimein_gui.engine.ports import AgentFolder, KeyVerdict, ModelProvider, TelegramGateway
from chimein_gui.engine.ports.secrets import API_HASH, API_ID, MODEL_KEY, proxy_name
from chimein_gui.engine.settings.secrets import SecretCache, SessionSecrets
from chimein_gui.engine.settings.setup import Setup
from chimein_gui.viewmodels.words.notes import note_sentence, problem_words
from tests.fakes.keyrings import HangingKeyring, LockedKeyring
from tests.fakes.model import FakeModel
from tests.support.engine_room import NORA, Room, engine_room
from tests.support.log_guard import ExpectedLogs

HASH = "0123456789abcdef" * 2
ADDRESS = "socks5://mira:canary@proxy.example:1080"
SHOWN = "SOCKS5 proxy.example:1080"


def with_secrets(secrets: SecretCache, connects: list[Proxy | None] | None = None) -> Callable[[Setup], Setup]:
    """Return what gives an engine these secrets, and accounts that connect through their proxies."""

    def adjust(setup: Setup) -> Setup:
        def factory(agent: Agent) -> TelegramGateway:
            proxy = proxy_of(secrets, agent.agent_id)
            if connects is not None:
                connects.append(proxy)
            return setup.gateways(agent)

        return replace(setup, secrets=secrets, gateways=factory)

    return adjust


def in_file(folder: Path) -> SecretCache:
    """Return the secrets of a folder's file, not read yet."""
    return SecretCache(LayeredSecretStore(SecretsFile(folder / "secrets.toml")))


def told(room: Room) -> list[tuple[tuple[str, str], ...]]:
    return [event.places for event in room.events if isinstance(event, SecretsChanged)]


def agent(room: Room) -> Agent:
    return room.engine._services.accounts.directory.agents()[0]


async def test_what_is_put_is_known_at_once_and_told_by_name_only() -> None:
    secrets, heard = SecretCache(SessionSecrets()), []  # type: tuple[SecretCache, list[tuple[str, ...]]]
    unlisten = secrets.listen(heard.append)
    await secrets.load()
    assert (secrets.value(MODEL_KEY), secrets.missing()) == ("", (MODEL_KEY, API_ID, API_HASH))
    await secrets.put(MODEL_KEY, " canary\n")
    assert secrets.value(MODEL_KEY) == "canary"
    assert "canary" not in repr(secrets)
    await secrets.drop(MODEL_KEY)
    await secrets.drop(MODEL_KEY)
    unlisten()
    await secrets.put(MODEL_KEY, "other")
    assert heard == [(MODEL_KEY,), (MODEL_KEY,)]


async def test_who_writes_hears_of_all_that_must_not_be_written() -> None:
    """Kept, replaced, refused or only typed: whatever it was, it is in no log and no report."""
    secrets, hidden = SecretCache(SessionSecrets()), []  # type: tuple[SecretCache, list[str]]
    await secrets.put(MODEL_KEY, "before")
    secrets.hide_with(hidden.append)
    await secrets.put(MODEL_KEY, "after")
    with pytest.raises(SecretError):
        await secrets.put(API_HASH, "refused")
    secrets.hide(" typed ")
    assert set(hidden) == {"before", "after", "refused", "typed"}
    again: list[str] = []
    secrets.hide_with(again.append)
    await secrets.load()
    assert set(again) == {"after"}


async def test_keys_that_are_tried_and_proxies_that_are_typed_are_kept_out_of_what_is_written(tmp_path: Path) -> None:
    secrets, hidden = SecretCache(SessionSecrets()), []  # type: tuple[SecretCache, list[str]]
    secrets.hide_with(hidden.append)
    async with engine_room(tmp_path, adjust=with_secrets(secrets)) as room:
        await room.engine.key_check.check("tried")
        with pytest.raises(ConfigError):
            await room.engine.proxies.set(AgentId(1), "socks5://mira:typed@proxy.example:99999")
        assert (room.engine.proxies.of(agent(room).agent_id), agent(room).proxy) == (None, "")
    assert {"tried", "socks5://mira:typed@proxy.example:99999"} <= set(hidden)


async def test_the_application_is_a_pair_or_nothing() -> None:
    secrets = SecretCache(SessionSecrets())
    assert secrets.application() is None
    await secrets.put(API_ID, "1234567")
    assert secrets.application() is None
    await secrets.put(API_HASH, HASH)
    assert secrets.application() == (1234567, HASH)
    with pytest.raises(SecretError, match="api hash form"):
        await secrets.keep_application(7, "canary")
    assert secrets.application() == (1234567, HASH)
    await secrets.keep_application(7, HASH[::-1])
    assert secrets.application() == (7, HASH[::-1])
    assert SecretCache(SessionSecrets(), {API_ID: "1", API_HASH: "x", MODEL_KEY: "k"}).missing() == ()


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        (MODEL_KEY, "  ", "secret empty"),
        (MODEL_KEY, "two words", "secret odd"),
        (MODEL_KEY, "schlüssel", "secret odd"),
        (API_ID, "12a", "api id form"),
        (API_ID, "0", "api id form"),
        (API_HASH, "canary", "api hash form"),
        (API_HASH, "g" * 32, "api hash form"),
    ],
)
async def test_what_can_not_be_a_secret_is_refused_without_repeating_it(name: str, value: str, words: str) -> None:
    secrets = SecretCache(SessionSecrets())
    with pytest.raises(SecretError, match=words) as caught:
        await secrets.put(name, value)
    assert value.strip() == "0" or not value.strip() or value not in str(caught.value)
    assert secrets.stored(name) is None


class Checker:
    """Knows one good key."""

    async def check(self, key: str) -> KeyVerdict:
        models = 3 if key == "good" else 0
        return KeyVerdict(bool(models), Note(KeyReason.KEY_WORKS, number=len(key)), models)


async def keys_heard(room: Room) -> None:
    while "model key changed" in room.jobs.names():
        await room.store.read(lambda tx: tx.revision)


async def test_a_second_provider_is_one_entry_and_its_bad_key_stops_its_calls_alone(tmp_path: Path) -> None:
    other, main = FakeModel(), FakeModel()
    provider = ModelProvider("other", other, ("other-",), "other-api-key")  # the folder of its adapter, and this line
    store = SessionSecrets()
    await store.put("other-api-key", "old")
    secrets = SecretCache(store)
    async with engine_room(tmp_path, model=main, secrets=secrets, providers=(provider,)) as room:
        assert secrets.value("other-api-key") == "old"
        assert "other-api-key" not in secrets.missing()
        calls = room.engine._services.calls
        prompts = [Prompt(name, (), ()) for name in ("gemini-2.5-flash", "other-large", "models/other-small")]
        other.script.append(ModelKeyError("bad key"))
        with pytest.raises(ModelKeyError):
            await calls.ask("one", prompts[1], "plan", PlanTrace())
        for prompt in (prompts[0], prompts[2]):
            await calls.ask("two", prompt, "plan", PlanTrace())
        assert (len(main.prompts), len(other.prompts)) == (2, 1)
        assert [calls.key_problem(prompt.model) for prompt in prompts] == [None, Note(NoteKind.OTHER, "bad key"), None]
        main.script.append(ModelKeyError("bad, too"))
        with pytest.raises(ModelKeyError):
            await calls.ask("one", prompts[0], "plan", PlanTrace())
        await room.engine.keys.put(MODEL_KEY, "canary")  # another provider's
        await keys_heard(room)
        assert [calls.key_problem(prompt.model) for prompt in prompts] == [None, Note(NoteKind.OTHER, "bad key"), None]
        await room.engine.keys.put("other-api-key", "new")
        await keys_heard(room)
        await calls.ask("one", prompts[1], "plan", PlanTrace())
        assert len(other.prompts) == 2
    with pytest.raises(ValueError, match="two providers"):
        ModelRouter(main, (provider, provider))


async def test_a_key_is_tried_without_being_kept(tmp_path: Path) -> None:
    secrets = SecretCache(SessionSecrets())
    async with engine_room(
        tmp_path, adjust=lambda setup: replace(setup, secrets=secrets, key_checker=Checker()), online=False
    ) as room:
        keys, check = room.engine.keys, room.engine.key_check
        assert (await check.check("good")).ok
        assert keys.stored(MODEL_KEY) is None
        assert not (await check.check()).ok
        await keys.put(MODEL_KEY, "good")
        assert await check.check() == KeyVerdict(ok=True, note=Note(KeyReason.KEY_WORKS, number=4), models=3)
        assert keys.missing() == (API_ID, API_HASH)
        assert keys.place_note() == Note(KeyReason.IN_MEMORY)
        await keys.drop(MODEL_KEY)
        assert keys.stored(MODEL_KEY) is None


async def test_plans_go_on_when_the_refused_key_is_found_to_work(tmp_path: Path) -> None:
    secrets = SecretCache(SessionSecrets(), {MODEL_KEY: "good"})
    async with engine_room(
        tmp_path, adjust=lambda setup: replace(setup, secrets=secrets, key_checker=Checker())
    ) as room:
        room.model.script.append(ModelKeyError("The Gemini API is switched off."))
        room.telegram.partner_writes("hello")
        await room.chat(lambda chat: "switched off" in problem_words(chat.planning_problem))
        await room.engine.key_check.check("bad")
        assert len(room.model.prompts) == 1
        await room.engine.key_check.check()
        await room.approval(TaskStatus.AWAITING_DECISION)


async def test_an_account_connects_anew_when_its_proxy_changes(tmp_path: Path) -> None:
    connects: list[Proxy | None] = []
    async with engine_room(tmp_path, adjust=with_secrets(SecretCache(SessionSecrets()), connects)) as room:
        me = agent(room).agent_id
        await room.engine.proxies.set(me, ADDRESS)
        assert agent(room).proxy == SHOWN
        await room.until(lambda: len(connects) == 2 and room.health() is Health.ONLINE)
        assert connects == [None, Proxy(ProxyKind.SOCKS5, "proxy.example", 1080, "mira", "canary")]
        assert room.engine.proxies.of(me) == connects[1]
        await room.engine.proxies.clear(me)
        await room.engine.proxies.clear(me)
        await room.until(lambda: len(connects) == 3 and room.health() is Health.ONLINE)
        assert (connects[2], agent(room).proxy) == (None, "")
        await room.engine.accounts.stop(me)
        await room.engine.proxies.set(me, ADDRESS)
        assert (agent(room).health, agent(room).proxy) == (Health.STOPPED, SHOWN)
        assert not any("canary" in repr(event) for event in room.events)


async def test_an_agent_that_appears_later_does_not_connect_past_its_proxy(tmp_path: Path) -> None:
    store, connects = SessionSecrets(), []  # type: tuple[SessionSecrets, list[Proxy | None]]
    async with engine_room(tmp_path, adjust=with_secrets(SecretCache(store), connects)) as room:
        late = AgentId(agent(room).agent_id + 1)
        await store.put(proxy_name(late), ADDRESS)
        with pytest.raises(ProxyError, match="proxy not read"):
            room.engine.proxies.of(late)
        accounts = room.engine._services.accounts
        both = (NORA, replace(NORA, name="Late", phone="+9996621002"))
        await room.engine.agent_files._reconciler.take(AgentFolder(both, ()), None)
        accounts.start(late)
        await room.until(lambda: len(connects) > 1)
        assert [proxy and proxy.host for proxy in connects] == [None, "proxy.example"]
        await room.until(lambda: any(isinstance(e, AgentChanged) and e.agent.proxy == SHOWN for e in room.events))


async def test_a_proxy_is_there_after_a_restart_and_nothing_connects_past_one_in_a_damaged_file(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs(r"WARNING chimein_gui.adapters.secrets.store: The file of secrets can't be read")
    file = tmp_path / "secrets.toml"
    async with engine_room(tmp_path, adjust=with_secrets(in_file(tmp_path))) as room:
        await room.engine.proxies.set(agent(room).agent_id, ADDRESS)
    connects: list[Proxy | None] = []
    async with engine_room(tmp_path, adjust=with_secrets(in_file(tmp_path), connects)) as room:
        assert agent(room).proxy == SHOWN
        assert [proxy and proxy.host for proxy in connects] == ["proxy.example"]
    file.write_text(file.read_text() + "half a li")
    connects.clear()
    async with engine_room(tmp_path, adjust=with_secrets(in_file(tmp_path), connects), online=False) as room:
        await room.until(lambda: room.health() is Health.PROXY_TROUBLE)
        assert connects == []
        assert "file of secrets" in note_sentence(agent(room).health_note)
        assert "file of secrets" in fault(room.events)


@pytest.mark.parametrize("gives_another", [True, False])
async def test_nothing_connects_past_a_proxy_that_can_not_be_read(
    tmp_path: Path, expected_logs: ExpectedLogs, gives_another: bool
) -> None:
    expected_logs(r"WARNING chimein_gui.adapters.secrets.store: keychain locked")
    backend = LockedKeyring()
    backend.locked = False

    def kept() -> SecretCache:
        keychain = Keychain("Chimein (here)", open_backend=lambda: backend)
        return SecretCache(LayeredSecretStore(SecretsFile(tmp_path / "secrets.toml"), keychain))

    async with engine_room(tmp_path, adjust=with_secrets(kept())) as room:
        await room.engine.proxies.set(agent(room).agent_id, ADDRESS)
    backend.locked = True
    connects: list[Proxy | None] = []
    async with engine_room(tmp_path, adjust=with_secrets(kept(), connects), online=False) as room:
        await room.until(lambda: room.health() is Health.PROXY_TROUBLE)
        assert connects == []
        assert "keychain" in note_sentence(agent(room).health_note)
        assert fault(room.events) == "The keychain or the file of secrets can't be read."
        assert agent(room).proxy == "Unreadable"
        if gives_another:
            await room.engine.proxies.set(agent(room).agent_id, ADDRESS)
        else:
            expected_logs(r"WARNING chimein_gui.adapters.secrets.store: A secret may still be in the keychain")
            await room.engine.proxies.clear(agent(room).agent_id)
        await room.until(lambda: room.health() is Health.ONLINE)
        assert [proxy and proxy.host for proxy in connects] == ["proxy.example" if gives_another else None]
        assert fault(room.events) == ""


async def test_a_keychain_that_answers_late_brings_its_secrets(tmp_path: Path, expected_logs: ExpectedLogs) -> None:
    expected_logs(r"WARNING chimein_gui.adapters.secrets.store: keychain silent")
    backend = HangingKeyring()
    backend.wake.set()

    def kept(timeout_s: float = 10.0) -> tuple[SecretCache, Keychain]:
        keychain = Keychain("Chimein (here)", timeout_s=timeout_s, open_backend=lambda: backend)
        return SecretCache(LayeredSecretStore(SecretsFile(tmp_path / "secrets.toml"), keychain)), keychain

    first, _ = kept()
    await first.load()
    await first.put(MODEL_KEY, "key")
    backend.wake.clear()
    secrets, keychain = kept(0.05)
    async with engine_room(tmp_path, adjust=with_secrets(secrets)) as room:
        assert secrets.value(MODEL_KEY) == ""
        assert fault(room.events) == "The keychain or the file of secrets can't be read."
        keychain._timeout_s = 10.0  # from here on it answers, if not at once
        backend.wake.set()
        await room.until(lambda: told(room))
        assert secrets.value(MODEL_KEY) == "key"
        await room.until(lambda: fault(room.events) == "")


@pytest.mark.parametrize(
    ("name", "value", "half"), [(API_ID, "1234567", "API hash"), (API_HASH, "0123456789abcdef" * 2, "API ID")]
)
async def test_half_a_pair_is_told_by_name_until_the_other_half_is_there(
    tmp_path: Path, name: str, value: str, half: str
) -> None:
    def halves(room: Room) -> list[str]:
        return [
            note_sentence(one.cause)
            for one in room.events
            if isinstance(one, FaultReported) and one.key == "application"
        ]

    variables = {API_ID: "ONE", API_HASH: "OTHER"}
    store = LayeredSecretStore(SecretsFile(tmp_path / "secrets.toml"), None, {variables[name]: value}, variables)
    secrets = SecretCache(store)
    async with engine_room(tmp_path, adjust=with_secrets(secrets)) as room:
        [words] = set(halves(room))
        assert f"but not its {half}" in words
        assert "environment" in words
        other = {API_ID: "1234567", API_HASH: "fedcba9876543210" * 2}
        await secrets.put(*next((one, text) for one, text in other.items() if one != name))
        assert halves(room)[-1] == ""


async def test_a_pair_of_which_the_environment_has_a_half_is_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    variables = {API_ID: "ONE", API_HASH: "OTHER"}
    for name, value in ((API_ID, "1234567"), (API_HASH, HASH)):
        store = LayeredSecretStore(
            SecretsFile(tmp_path / name / "secrets.toml"), None, {variables[name]: value}, variables
        )
        secrets = SecretCache(store)
        await secrets.load()
        with pytest.raises(SecretError, match=variables[name]):
            await secrets.put_all({API_ID: "7654321", API_HASH: HASH[::-1]})
        assert secrets.application() is None, "half of the one pair and half of the other is none"
        await secrets.keep_application(1234567, HASH)  # the environment's half, once more
        assert secrets.application() == (1234567, HASH)


async def test_a_damaged_proxy_is_not_repeated() -> None:
    secrets = SecretCache(SessionSecrets())
    await secrets.put(proxy_name(1), "socks5://canary@")
    with pytest.raises(ProxyError, match="damaged") as caught:
        proxy_of(secrets, 1)  # type: ignore[arg-type]
    assert caught.value.__context__ is None


def fault(events: list[EngineEvent]) -> str:
    return [
        note_sentence(event.cause) for event in events if isinstance(event, FaultReported) and event.key == "secrets"
    ][-1]
