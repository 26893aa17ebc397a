"""Creates accounts for the operator's own personas, which the seed does not have."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chimein_gui.sandbox.model.talk.language import language_of
from chimein_gui.sandbox.seeds.company import COMPANY
from chimein_gui.sandbox.seeds.people import BOATHOUSE, GROUPS, NORA
from chimein_gui.sandbox.seeds.seed import SeedLine, SeedUser, WorldSeed
from chimein_gui.sandbox.seeds.sowing import FindMedia, sow

if TYPE_CHECKING:
    from chimein_gui.sandbox.world.world import World

FIRST_ID = 7_000_100_001
"""User id of the first created account; the others follow."""

_DAY_MINUTES = 24 * 60
_LONGEST_NAME = 64
_LONGEST_USERNAME = 24
_LANGUAGES = tuple(COMPANY)


@dataclass(frozen=True, slots=True)
class Company:
    """A persona and the friends who write to it, for scenes that do not name their cast."""

    account_id: int
    friend_ids: tuple[int, ...]
    language: str


def account_for(world: World, phone: str, name: str, instructions: str, find_media: FindMedia) -> int:
    """Return the account with a number; if there is none, create it with contacts, chats and a group.

    Args:
        world: Where the account is searched or created.
        phone: As the agent file has it.
        name: The persona's name.
        instructions: The persona's instructions; its friends write in their language.
        find_media: Finds the files that past messages name.

    Returns:
        Its user id; the same at every call with this number.
    """
    known = world.directory.by_phone(phone)
    if known is not None:
        return known.user_id
    user_id = max(FIRST_ID - 1, *(user.user_id for user in world.users.values())) + 1
    first, _, last = name.strip().partition(" ")
    account = SeedUser(user_id, first[:_LONGEST_NAME], last.strip()[:_LONGEST_NAME], phone, _username(name, user_id))
    friends = COMPANY[language_of((instructions,), _LANGUAGES) or _LANGUAGES[0]]
    seed = WorldSeed(
        accounts=(account,),
        partners=tuple(one.user for one in friends if one.user is not None and one.user_id not in world.users),
        contacts=tuple((user_id, one.user_id) for one in friends),
        history=tuple(
            SeedLine(one.user_id, user_id, one.history.replace("{name}", first), days_ago * _DAY_MINUTES)
            for days_ago, one in enumerate(reversed(friends), 1)
        ),
        groups=tuple(
            replace(group, member_ids=(*group.member_ids, user_id))
            for group in GROUPS
            if group.peer_id == BOATHOUSE and world.groups.present(BOATHOUSE) == BOATHOUSE
        ),
    )
    sow(world, seed, find_media)
    world.journal.commit()
    return user_id


def company_in(world: World) -> Company:
    """Return the first of the operator's own personas with its friends; without any, Nora with hers, in English."""
    own = sorted(user_id for user_id, user in world.users.items() if user_id >= FIRST_ID and not user.is_partner)
    for user_id in own:
        contacts = world.directory.contacts_of(user_id)
        for language, friends in COMPANY.items():
            if all(one.user_id in contacts for one in friends):
                return Company(user_id, tuple(one.user_id for one in friends), language)
    return Company(NORA, tuple(one.user_id for one in COMPANY["en"]), "en")


def _username(name: str, user_id: int) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
    word = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:_LONGEST_USERNAME]
    return f"{word or 'persona'}_{user_id - FIRST_ID + 1}_box"
