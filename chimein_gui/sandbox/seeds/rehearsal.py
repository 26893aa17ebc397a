"""The complete seed of `chimein sandbox`."""

from chimein_gui.sandbox.seeds.past_chats import CHATS
from chimein_gui.sandbox.seeds.past_groups import GROUP_TALK
from chimein_gui.sandbox.seeds.people import (
    ACCOUNTS,
    BOATHOUSE,
    CONTACTS,
    GROUPS,
    HANNO,
    INES,
    JULE,
    KETTLE,
    MARTA,
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
    SPARE_ACCOUNTS,
    TIAGO,
    TIDES,
    YADA,
)
from chimein_gui.sandbox.seeds.seed import WorldSeed

SPARE_NUMBERS = frozenset(account.phone for account in SPARE_ACCOUNTS)
"""Phone numbers of accounts without a log-in at first."""

REHEARSAL_SEED = WorldSeed(
    accounts=(*ACCOUNTS, *SPARE_ACCOUNTS),
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
        (INES, TIAGO, 1),
        (INES, MARTA, 2),
        (HANNO, JULE, 1),
        (HANNO, KETTLE, 2),
    ),
    blocked=((NORA, RAFFLE),),
    muted=((NORA, TIDES), (RIM, BOATHOUSE)),
)
"""Five accounts and two spare ones, thirteen partners, two groups, and some days of a past.

Whoever adds to it needs to change nothing in worlds that exist: `founding` adds what they lack.
"""
