"""Bad files in the place of those that people write: told with their path, never a crash, and never overwritten."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from chimein_gui.adapters.files.agents.agents import load_agents, load_model_prompt
from chimein_gui.adapters.files.memory import MarkdownMemoryFiles
from chimein_gui.adapters.files.preference_file import PreferenceFiles
from chimein_gui.adapters.files.preferences import load_preferences
from chimein_gui.adapters.files.secrets_file import SecretsFile
from chimein_gui.adapters.secrets.store import LayeredSecretStore
from chimein_gui.domain.errors import ConfigError
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.engine.ports import SecretPlace
from tests.support.bad_files import every_bad_file, no_file, spoil
from tests.support.log_guard import ExpectedLogs

PREFERENCES = b"undo_s = 3\nconfig_dirs = ['/x']\n[prices]\nx = [1, 2]\n"
SECRETS = b"in_keychain = ['a']\n[values]\nx = 'canary'\n"
AGENT = b"# Agent Name\nNora\n# Agent Phone\n+9996621001\n# Role Prompt\nPerson\n# Agent Instructions\nBe Nora.\n"
OTHER = AGENT.replace(b"Nora", b"Otto").replace(b"21001", b"21002")


@every_bad_file
def test_bad_preferences_are_told_and_all_defaults_hold(tmp_path: Path, kind: str) -> None:
    untouched = spoil(tmp_path / "preferences.toml", kind, PREFERENCES)
    preferences, problems = load_preferences(tmp_path / "preferences.toml")
    assert preferences == Preferences() or kind == "truncated"
    assert [problem.path for problem in problems] == [str(tmp_path / "preferences.toml")] * (kind != "empty")
    assert untouched()


@every_bad_file
async def test_bad_preferences_are_not_written_over(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "preferences.toml"
    untouched = spoil(path, kind, PREFERENCES)
    if kind == "empty":
        await PreferenceFiles(path).write({"undo_s": 4.0})
        assert load_preferences(path) == (Preferences(undo_s=4.0), ())
        return
    with pytest.raises(ConfigError, match=r"preferences\.toml"):
        await PreferenceFiles(path).write({"undo_s": 4.0})
    assert untouched()


@pytest.mark.parametrize("price", ["nan", "inf", "true", f"1{'0' * 400}"])
def test_what_is_no_price_is_told(tmp_path: Path, price: str) -> None:
    (tmp_path / "preferences.toml").write_text(f"[prices]\nx = [1, {price}]\n")
    assert len(load_preferences(tmp_path / "preferences.toml")[1]) == 1


@every_bad_file
async def test_a_bad_file_of_secrets_is_told_and_kept(
    tmp_path: Path, kind: str, expected_logs: ExpectedLogs, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "state" / "secrets.toml"
    untouched = spoil(path, kind, SECRETS)
    store = LayeredSecretStore(SecretsFile(path), None)
    if kind == "empty":
        assert await store.put("gemini-api-key", "key") is SecretPlace.FILE
        return
    expected_logs(r"WARNING chimein_gui.adapters.secrets.store: The file of secrets can't be read")
    assert await store.get("gemini-api-key") is None
    assert await store.put("gemini-api-key", "key") is SecretPlace.SESSION
    assert str(path) in str(store.place_note())
    assert "canary" not in caplog.text
    assert untouched()


@every_bad_file
async def test_a_memory_is_added_to_and_never_replaced(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "Nora" / "memory.md"
    untouched = spoil(path, kind, b"# Memory from 2026-01-01 00:00:00 UTC\n\nShe likes tea.\n")
    before = b"" if kind in no_file else path.read_bytes()
    remember = MarkdownMemoryFiles(tmp_path).append(
        "Nora", "It rains.", at=datetime(2026, 1, 2, tzinfo=UTC), provenance="a chat", key="k1"
    )
    if kind in no_file:
        with pytest.raises(OSError, match=r"."):
            await remember
        assert untouched()
        return
    await remember
    after = path.read_bytes()
    assert after.startswith(before)
    assert b"It rains." in after[len(before) :]


@every_bad_file
def test_a_bad_agent_file_is_told_and_the_others_are_there(tmp_path: Path, kind: str) -> None:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "Person.md").write_text("You are a person.")
    untouched = spoil(tmp_path / "agents" / "Nora.md", kind, AGENT)
    (tmp_path / "agents" / "Otto.md").write_bytes(OTHER)
    specs, problems = load_agents([tmp_path])
    assert [spec.name for spec in specs] == ["Otto"]
    assert {Path(problem.path).name for problem in problems} == ({"Nora.md"} if kind != "a directory" else set())
    assert untouched()


@every_bad_file
def test_a_bad_role_prompt_is_told_with_the_agents_that_have_it(tmp_path: Path, kind: str) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "Nora.md").write_bytes(AGENT)
    untouched = spoil(tmp_path / "prompts" / "Person.md", kind, b"You are a person. Be kind.")
    specs, problems = load_agents([tmp_path])
    if kind in {"empty", "truncated", "nested", "another format"}:  # it is text, and any text is a prompt
        assert [spec.name for spec in specs] == ["Nora"]
        return
    assert specs == ()
    assert [(Path(problem.path).name, problem.note.words) for problem in problems] == [("Nora.md", "Person")]
    assert untouched()


@every_bad_file
def test_a_bad_model_prompt_is_told_and_the_next_one_counts(tmp_path: Path, kind: str) -> None:
    spoil(tmp_path / "one" / "prompts" / "Gemini.md", kind, b"Speak plainly, as people do.")
    (tmp_path / "two" / "prompts").mkdir(parents=True)
    (tmp_path / "two" / "prompts" / "Gemini.md").write_text("The next.")
    prompt, _source, problems = load_model_prompt([tmp_path / "one", tmp_path / "two"])
    if kind in {"empty", "truncated", "nested", "another format"}:
        assert problems == ()
    else:
        assert prompt == "The next."
        assert kind == "a link to itself" or "Gemini.md" in problems[0].path
