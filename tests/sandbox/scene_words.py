"""Scenes of tests: their head, and what Nora hears of them."""

from tests.sandbox.clients import MARTA, NORA

HEAD = "title: T\nsummary: S\ncast:\n  nora: Nora Vale\n  marta: Marta Oliveira\n"


def heard(server) -> list[str]:
    """What Nora's box holds of Marta's words."""
    box = server._around.world.box(NORA)
    return [one.text for one in box.messages.values() if one.sender_id == MARTA]
