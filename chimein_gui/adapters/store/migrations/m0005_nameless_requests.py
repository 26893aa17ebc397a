"""The fifth migration: requests of a chat whose message is not known."""

from chimein_gui.adapters.store.columns.conditions import GIVEN_UP, NAMELESS

FIFTH = f"""
CREATE INDEX ledger_nameless ON ledger (chat_id) WHERE {NAMELESS};
CREATE INDEX ledger_given_up ON ledger (chat_id, claimed_at) WHERE {GIVEN_UP};
"""
