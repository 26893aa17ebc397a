"""Two of our agents in one group each see it with their own eyes."""

from __future__ import annotations

from pathlib import Path

from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.ids import AccountId
from chimein_gui.domain.prompt.prompts import Prompt, Role
from tests.fakes.clock import VirtualClock
from tests.support.engine_room import engine_room
from tests.support.group_room import ACCOUNT, AT_ONCE, NORA, GroupRoom, NamedGroup, shipped_model, texts

OTTO_ACCOUNT = AccountId(ACCOUNT + 1)
OTTO = AgentSpec("Otto Brandt", "+9996621002", "You are {{char}}.", (), (), aliases=("Otto",))
MINUTE = 60.0
NORAS, OTTOS = "the tent poles are in the green bag, Priya", "nine is fine for the match, Leo"


def own_words(prompt: Prompt) -> list[str]:
    """Return what stands in a prompt as said by the agent itself."""
    return [part for turn in prompt.turns if turn.role is Role.MODEL for part in turn.parts[1:]]


def answers(group: NamedGroup, ago_s: float, account: AccountId, text: str) -> None:
    """One of the agents wrote this before."""
    group.ago_s[len(group.posts) + 1] = ago_s
    group.says(text, account)


def lake(clock: VirtualClock) -> NamedGroup:
    """Both agents have taken part: Nora in the talk about the tent, Otto in that about the match."""
    group = NamedGroup(clock)
    group.accounts[OTTO.name] = OTTO_ACCOUNT
    group.said((30 * MINUTE, "Priya", "where are the tent poles, Nora?"))
    answers(group, 29 * MINUTE, ACCOUNT, NORAS)
    group.said((28 * MINUTE, "Priya", "Nora, I look in the green bag for the tent poles"))
    group.said((10 * MINUTE, "Leo", "Hello, does anyone know when the match begins? Otto?"))
    answers(group, 9 * MINUTE, OTTO_ACCOUNT, OTTOS)
    group.said((8 * MINUTE, "Leo", "Otto, nine is late for the match"))
    return group


async def test_each_sees_its_own_conversation_and_only_its_own_words_as_its_own(tmp_path: Path) -> None:
    clock = VirtualClock()
    group = lake(clock)
    opened = engine_room(
        tmp_path, telegram=group, agents=(NORA, OTTO), preferences=AT_ONCE, link_model=shipped_model(), online=False
    )
    async with opened as room:
        await room.reach(lambda: room.are_online(2))
        here = GroupRoom(room, group)
        noras = await here.call("Priya", "Nora, what about the tent poles?")
        ottos = await here.call("Leo", "Otto, what about the match?")
    assert "You are Nora Vale." in noras.system_instruction
    assert "You are Otto Brandt." in ottos.system_instruction
    assert own_words(noras) == [NORAS]
    assert own_words(ottos) == [OTTOS]
    assert OTTOS not in texts(noras)
    assert NORAS not in texts(ottos)
    assert texts(noras)[-1] == "Nora, what about the tent poles?"
    assert texts(ottos)[-1] == "Otto, what about the match?"
