"""Worlds of numbered people, for benchmarks and for lists that are longer than one page."""

from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED, SeedUser, WorldSeed


def numbered_people(accounts: int = 8, partners: int | None = None) -> WorldSeed:
    """Create a world for benchmarks: numbered people who all know each other, without past messages.

    Args:
        accounts: How many accounts; the first is DEFAULT_SEED's.
        partners: How many partners; as many as accounts by default.
    """
    nora, marta = DEFAULT_SEED.accounts[0], DEFAULT_SEED.partners[0]
    agents = (
        nora,
        *(
            SeedUser(nora.user_id + n, f"Agent{n:02}", "Vale", f"+99966{21001 + n}", f"agent_{n:02}_box")
            for n in range(1, accounts)
        ),
    )
    people = (
        marta,
        *(
            SeedUser(marta.user_id + n, f"Partner{n:02}", "Box", f"+99966{25001 + n}", f"partner_{n:02}_box")
            for n in range(1, accounts if partners is None else partners)
        ),
    )
    pairs = tuple((agent.user_id, person.user_id) for agent in agents for person in people)
    return WorldSeed(agents, people, pairs)
