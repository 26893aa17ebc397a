"""What the personas answer without a key, as a list to read.

`python -m tests.sandbox.rehearse FILE` asks the sandbox's model each utterance of a file through the prompt that the
product composes. A line is ``Persona | partner | what is said``; ``Persona | partner@group | …`` is said in a group; a
line that begins with ``+`` goes on with the chat above it. Without a file it asks `UTTERANCES`.
"""

import asyncio
import sys
from collections.abc import Iterable
from pathlib import Path

from chimein_gui.domain.agents import AgentSpec
from chimein_gui.sandbox.model.script import ModelScript
from tests.sandbox.prompts import Talk, blocks_of, own_persona, personas, product_model, words_of

UTTERANCES = Path(__file__).with_name("utterances.txt")


def read_utterances(text: str) -> list[tuple[str, str, str]]:
    """Return persona, partner (with ``@group``) and words; both are empty where a chat goes on."""
    rows: list[tuple[str, str, str]] = []
    for line in text.splitlines():
        if line.startswith("+"):
            rows.append(("", "", line.removeprefix("+").strip()))
        elif line.strip() and not line.startswith("#"):
            persona, partner, said = (part.strip() for part in line.split("|", 2))
            rows.append((persona, partner, said))
    return rows


async def rehearse(rows: Iterable[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Ask for the answer to each utterance; returns persona, what was said, what was answered."""
    heard: list[tuple[str, str, str]] = []
    agent, partner, group = own_persona("You are {{char}}."), "", ""
    before: tuple[tuple[str, ...], ...] = ()
    async with product_model(ModelScript()) as model:
        for persona, who, said in rows:
            if persona:
                agent, before = _agent(persona), ()
                partner, _, group = who.partition("@")
            media = (said[1:-1],) if said.startswith("[") and said.endswith("]") else ()
            talk = Talk(agent, (*before, (partner, "" if media else said, *media)), group=group)
            blocks = blocks_of((await model.generate(talk.prompt())).text)
            answer = " | ".join(words for block in blocks if (words := words_of(block)))
            before = (*talk.said, ("", answer)) if answer else talk.said
            heard.append((agent.name, said, answer or "(says nothing)"))
    return heard


def _agent(persona: str) -> AgentSpec:
    return personas().get(persona) or own_persona("You are {{char}}.", persona)


def main(arguments: list[str]) -> None:
    """Print the answers."""
    path = Path(arguments[0]) if arguments else UTTERANCES
    for persona, said, answer in asyncio.run(rehearse(read_utterances(path.read_text(encoding="utf-8")))):
        sys.stdout.write(f"{persona:15} ← {said}\n{'':15} → {answer}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
