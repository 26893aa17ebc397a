"""The fifth migration: requests of a chat whose message is not known."""

from chimein_gui.adapters.store.columns.conditions import GIVEN_UP

_NAMELESS = "state = 'sent' AND message_id IS NULL AND kind IN ('send', 'sticker')"

FIFTH = f"""
CREATE INDEX ledger_nameless ON ledger (chat_id) WHERE {_NAMELESS};
CREATE INDEX ledger_given_up ON ledger (chat_id, claimed_at) WHERE {GIVEN_UP};
"""
