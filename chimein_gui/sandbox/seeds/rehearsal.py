"""The world of `chimein sandbox`, whole."""

from chimein_gui.sandbox.seed import WorldSeed
from chimein_gui.sandbox.seeds.past_chats import CHATS
from chimein_gui.sandbox.seeds.past_groups import GROUP_TALK
from chimein_gui.sandbox.seeds.people import (
    ACCOUNTS,
    BOATHOUSE,
    CONTACTS,
    GROUPS,
    JULE,
    MIO,
    NORA,
    OSKAR,
    OTTO,
    PARTNERS,
    PLAIFAH,
    RAFFLE,
    RIM,
    SALMA,
    SORA,
    TIAGO,
    TIDES,
    YADA,
)

REHEARSAL_SEED = WorldSeed(
    accounts=ACCOUNTS,
    partners=PARTNERS,
    contacts=CONTACTS,
    history=(*CHATS, *GROUP_TALK),
    groups=GROUPS,
    unread=(
        (NORA, TIAGO, 1),
        (NORA, BOATHOUSE, 2),
        (OTTO, JULE, 1),
        (OTTO, OSKAR, 1),
        (RIM, SALMA, 1),
        (RIM, BOATHOUSE, 4),
        (SORA, MIO, 1),
        (YADA, PLAIFAH, 1),
    ),
    blocked=((NORA, RAFFLE),),
    muted=((NORA, TIDES), (RIM, BOATHOUSE)),
)
"""Five accounts, thirteen partners, two groups, and some days of a past.

Whoever adds to it needs to change nothing in worlds that exist: `founding` adds what they lack.
"""
