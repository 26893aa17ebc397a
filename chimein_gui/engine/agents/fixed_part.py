"""Measures the part of an agent's prompts that is the same in all its calls, of a file as it is being written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.agent_files.fixed_part import FixedKind, FixedPart
from chimein_gui.domain.agent_files.parsing import parse
from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.costs import cost_usd
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.text.tokens import tokens_of
from chimein_gui.engine.prompt.builder import stable_sections

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chimein_gui.domain.agent_files.parsing import AgentFile
    from chimein_gui.domain.costs import Price

_KINDS = {"Model prompt": FixedKind.MODEL, "Instructions": FixedKind.INSTRUCTIONS, "Stickers": FixedKind.STICKERS}
_SOMEBODY = "Somebody"


@dataclass(frozen=True, slots=True)
class SharedByAll:
    """What the prompts of all agents have in common.

    Attributes:
        model_prompt: The model-specific prompt, or empty.
        model: The model of agents whose file names none.
        prices: The price list.
    """

    model_prompt: str = ""
    model: str = ""
    prices: tuple[Price, ...] = ()


def fixed_part(text: str, role_texts: Mapping[str, str], shared: SharedByAll) -> FixedPart:
    """Estimate the fixed part with the builder of the real prompts.

    Args:
        text: The agent file; what can't be used in it counts nothing.
        role_texts: Texts of the role prompts by name; a prompt that is missing here counts nothing.
        shared: What all agents have in common.
    """
    spec = _spec_of(parse(text), role_texts)
    counted: dict[FixedKind, int] = {}
    for section in stable_sections(spec, shared.model_prompt, "", _SOMEBODY):
        default = FixedKind.ROLES if section.title.startswith("Role: ") else FixedKind.OURS
        kind = _KINDS.get(section.title, default)
        counted[kind] = counted.get(kind, 0) + tokens_of((section.text,))
    tokens = tuple((kind, count) for kind, count in counted.items() if count)
    usage = Usage(sum(count for _kind, count in tokens), 0, 0)
    return FixedPart(tokens, cost_usd(spec.model or shared.model, usage, shared.prices))


def role_names(text: str) -> tuple[str, ...]:
    """Return the names of the role prompts that an agent file names, in its order."""
    return _listed(parse(text), "Role Prompt")


def _spec_of(file: AgentFile, role_texts: Mapping[str, str]) -> AgentSpec:
    roles = tuple(name for name in _listed(file, "Role Prompt") if name in role_texts)
    stickers = (line.split("::", 1) for line in _listed(file, "Agent Stickers") if "::" in line)
    return AgentSpec(
        name=_value(file, "Agent Name"),
        phone="",
        instructions=_value(file, "Agent Instructions"),
        role_prompts=roles,
        role_texts=tuple(role_texts[name] for name in roles),
        model=_value(file, "LLM"),
        sticker_sets=_listed(file, "Agent Sticker Sets"),
        stickers=tuple((one[0].strip(), one[1].strip()) for one in stickers),
    )


def _value(file: AgentFile, name: str) -> str:
    field = file.fields.get(name)
    return field.value.strip() if field is not None else ""


def _listed(file: AgentFile, name: str) -> tuple[str, ...]:
    lines = (line.strip().removesuffix(".md") for line in _value(file, name).splitlines())
    return tuple(dict.fromkeys(line for line in lines if line))
