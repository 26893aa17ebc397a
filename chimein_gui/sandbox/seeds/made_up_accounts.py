"""Accounts for personas that the sandbox's own people do not know: an operator rehearses with personas of their own."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.sandbox.seeds.people import BOATHOUSE, DEDE, GROUPS, JULE, MARTA, OSKAR, TIAGO
from chimein_gui.sandbox.seeds.seed import SeedLine, SeedUser, WorldSeed
from chimein_gui.sandbox.seeds.sowing import FindMedia, sow

if TYPE_CHECKING:
    from chimein_gui.sandbox.world.world import World

FIRST_ID = 7_000_100_001
"""User id of the first of them; the others follow."""

_DAY_MINUTES = 24 * 60
_LONGEST_NAME = 64
_LONGEST_USERNAME = 24

_PARTNERS = (MARTA, TIAGO, JULE, OSKAR, DEDE)
"""Who has them in their contacts, and they them."""

_TOLD = (
    (MARTA, "Hi {name}! Marta here, we shared a table on the ferry. This is my number now.", 3 * _DAY_MINUTES),
    (TIAGO, "Hey {name}, Tiago from the boathouse. Marta gave me your number.", 2 * _DAY_MINUTES),
    (OSKAR, "Hello {name}, did you get home all right after the concert?", _DAY_MINUTES),
)
"""What partners have written so far: who, what, and how many minutes ago."""


def account_for(world: World, phone: str, name: str, find_media: FindMedia) -> int:
    """Return the account with a number, made up with contacts, chats and a group if there is none.

    Args:
        world: Where it lives.
        phone: As the agent file has it.
        name: The persona's.
        find_media: Finds the files that a past names.

    Returns:
        Its user id; the same at every call with this number.
    """
    known = world.directory.by_phone(phone)
    if known is not None:
        return known.user_id
    user_id = max(FIRST_ID - 1, *(user.user_id for user in world.users.values())) + 1
    first, _, last = name.strip().partition(" ")
    account = SeedUser(user_id, first[:_LONGEST_NAME], last.strip()[:_LONGEST_NAME], phone, _username(name, user_id))
    seed = WorldSeed(
        accounts=(account,),
        partners=(),
        contacts=tuple((user_id, partner) for partner in _PARTNERS),
        history=tuple(SeedLine(who, user_id, text.replace("{name}", first), ago) for who, text, ago in _TOLD),
        groups=tuple(
            replace(group, member_ids=(*group.member_ids, user_id))
            for group in GROUPS
            if group.peer_id == BOATHOUSE and world.groups.present(BOATHOUSE) == BOATHOUSE
        ),
    )
    sow(world, seed, find_media)
    world.journal.commit()
    return user_id


def _username(name: str, user_id: int) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
    word = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:_LONGEST_USERNAME]
    return f"{word or 'persona'}_{user_id - FIRST_ID + 1}_box"
