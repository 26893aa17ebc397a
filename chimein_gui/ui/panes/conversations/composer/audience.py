"""Which simulated people can write in a chat, and to whom: the partner of a DM, or the members of a group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import Chat, ChatKind

if TYPE_CHECKING:
    from chimein_gui.sandbox_api import SandboxPartner
    from chimein_gui.viewmodels.window import WindowModels


@dataclass(frozen=True, slots=True)
class Audience:
    """Possible senders in a chat, and the recipient.

    Attributes:
        peer_id: The recipient: an agent's account, or a group (marked id).
        name: Name of the account or group, foreign text.
        senders: The simulated people who can write; the first one is the default.
    """

    peer_id: int
    name: str
    senders: tuple[SandboxPartner, ...]


def audience_of(models: WindowModels, chat: Chat | None) -> Audience | None:
    """Return who can write in this chat; without one, anybody to the first account. None if nobody can."""
    if chat is None:
        return _anybody(models)
    if chat.info.kind is ChatKind.DM:
        agent = models.chats.agent(chat.agent_id)
        partner = models.send_as_partner.partner(chat.info.peer_id)
        name = agent.spec.name if agent is not None else ""
        return Audience(chat.info.account_id, name, (partner,)) if partner is not None else None
    members = models.send_as_partner.members(chat.info.peer_id)
    return Audience(chat.info.peer_id, chat.info.title, members) if members else None


def _anybody(models: WindowModels) -> Audience | None:
    for agent in models.agents.items():
        if agent.account_id is not None and models.send_as_partner.partners:
            return Audience(agent.account_id, agent.spec.name, models.send_as_partner.partners)
    return None
