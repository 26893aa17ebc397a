"""What the personas answer without a key, as a list to read.

`python -m tests.sandbox.rehearse FILE` asks the sandbox's model each utterance of a file through the prompt that the
product composes. A line is ``Persona | partner | what is said``; ``Persona | partner@group | …`` is said in a group; a
line that begins with ``+`` goes on with the chat above it. Without a file it asks `UTTERANCES`.

`python -m tests.sandbox.rehearse --scenario NAME` plays a scenario and asks what is answered to each of its messages.
"""

import asyncio
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.ids import AccountId, MessageId, PeerId, UserId
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.sandbox.model.script import ModelScript
from chimein_gui.sandbox.seeds.rehearsal import REHEARSAL_SEED
from chimein_gui.sandbox.world.records import StoredMessage
from tests.sandbox.clients import sandbox
from tests.sandbox.prompts import Talk, blocks_of, own_persona, personas, product_model, words_of
from tests.sandbox.stage_time import theatre

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


async def rehearse_scenario(name: str) -> list[tuple[str, str, str]]:
    """Play a scenario to its end; returns the chat, each message of it, and what the persona answers to it.

    In a group those messages count that name it.
    """
    heard: list[tuple[str, str, str]] = []
    async with sandbox(seed=REHEARSAL_SEED) as server:
        world = server._around.world
        accounts = [user for user in server.accounts() if user.name in personas()]
        before = {user.user_id: set(world.box(user.user_id).messages) for user in accounts}
        theatre(server).play_to_the_end(name)
        model = GeminiModel("any-key", base_url=server.addresses.model_base_url)
        for user in accounts:
            box = world.box(user.user_id).messages
            for one in (box[number] for number in sorted(box) if number not in before[user.user_id]):
                others = [it for it in box.values() if it.peer_id == one.peer_id and it.message_id <= one.message_id]
                history = [_message(it, world.users[it.sender_id].name) for it in others if it.action is None]
                title = world.users[one.peer_id].name if one.peer_id > 0 else world.groups.get(one.peer_id).title
                is_callout = one.peer_id < 0
                if is_callout and user.first_name.casefold() not in one.text.casefold():
                    continue
                talk = Talk(personas()[user.name], (), group=title if is_callout else "", is_callout=is_callout)
                prompt = talk.prompt_of(history, title)
                blocks = blocks_of((await model.generate(prompt)).text)
                answer = " | ".join(words for block in blocks if (words := words_of(block)))
                said = f"{world.users[one.sender_id].name}: {one.text[:300] or '(a file)'}"
                heard.append((f"{user.name} in {title}", said, answer or "(says nothing)"))
    return heard


def _message(stored: StoredMessage, name: str) -> Message:
    """Return a message of the sandbox as the product keeps it."""
    key = MessageKey(AccountId(1), PeerId(7), MessageId(stored.message_id))
    at = datetime.fromtimestamp(stored.sent_at, UTC)
    media = "photo" if stored.media is not None else ""
    return Message(key, UserId(stored.sender_id), name, stored.outgoing, at, stored.text, media_kind=media)


def _agent(persona: str) -> AgentSpec:
    return personas().get(persona) or own_persona("You are {{char}}.", persona)


def main(arguments: list[str]) -> None:
    """Print the answers."""
    if arguments[:1] == ["--scenario"]:
        heard = asyncio.run(rehearse_scenario(arguments[1]))
    else:
        path = Path(arguments[0]) if arguments else UTTERANCES
        heard = asyncio.run(rehearse(read_utterances(path.read_text(encoding="utf-8"))))
    for who, said, answer in heard:
        sys.stdout.write(f"{who}\n  ← {said}\n  → {answer}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
