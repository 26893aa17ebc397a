"""What a form says of a persona while it is typed."""

from dataclasses import replace

import pytest

from chimein_gui.domain.agents import AgentSpec
from chimein_gui.engine.agents.new_agent import NewAgentField, problems_of, tidied
from chimein_gui.engine.ports import NewAgent
from chimein_gui.viewmodels.words.notes import note_words

GOOD = NewAgent("Nora Vale", "+999 66 21-001", "You are {{char}}.", ("Person",), "Europe/Lisbon")
OTTO = AgentSpec("Otto", "+9996621002", "x", (), ())


def test_a_good_one_has_no_problems() -> None:
    assert problems_of(GOOD, [OTTO], ("Person", "Retrieve")) == ()
    assert problems_of(replace(GOOD, timezone="")) == ()


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"name": "  "}, NewAgentField.NAME, "a name"),
        ({"name": "otto"}, NewAgentField.NAME, "already an agent “Otto”"),
        ({"name": "media"}, NewAgentField.NAME, "taken by a folder"),
        ({"name": "a/b"}, NewAgentField.NAME, "folder"),
        ({"phone": ""}, NewAgentField.PHONE, "international format"),
        ({"phone": "+999 66 21-002"}, NewAgentField.PHONE, "belongs to Otto"),
        ({"instructions": " \n"}, NewAgentField.INSTRUCTIONS, "who the agent is"),
        ({"role_prompts": ()}, NewAgentField.ROLE_PROMPTS, "at least one"),
        ({"role_prompts": ("Person", "Person.md")}, NewAgentField.ROLE_PROMPTS, "once"),
        ({"role_prompts": ("../x",)}, NewAgentField.ROLE_PROMPTS, "can't be the name"),
        ({"role_prompts": ("Ghost",)}, NewAgentField.ROLE_PROMPTS, "no role prompt “Ghost”"),
        ({"timezone": "Mars"}, NewAgentField.TIMEZONE, "IANA"),
    ],
)
def test_each_field_says_what_is_wrong_with_it(changes: dict[str, object], field: NewAgentField, words: str) -> None:
    [problem] = problems_of(replace(GOOD, **changes), [OTTO], ("Person",))  # type: ignore[arg-type]
    assert (problem.field, words in note_words(problem.note)) == (field, True)


def test_what_is_written_is_tidy() -> None:
    typed = NewAgent(" Jose\u0301 ", "\u202a+999 66 21-001", "\nHi.\n", (" Person.md ", ""), " UTC ")
    assert tidied(typed) == NewAgent("José", "+9996621001", "Hi.", ("Person",), "UTC")
