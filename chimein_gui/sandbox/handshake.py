"""The place of the key exchange; today's clients bring keys that the world already knows."""

from chimein_gui.sandbox.wire import UNKNOWN_KEY


def answer_unencrypted(packet: bytes) -> bytes:  # noqa: ARG001 - the exchange will read it
    """Answer a packet without an auth key: refused, so that a client without a preseeded key fails at once."""
    return UNKNOWN_KEY
