"""The twentieth migration: the plans of a chat in turn, without what is beside them.

A variant that was not chosen is *retired*, no longer *past*. Of the old rows only the instructions that were kept for a
next plan can be told apart, because they have no steps.
"""

from chimein_gui.adapters.store.columns.conditions import HOLDS_CHOICES, IN_TURN

TWENTIETH = f"""
UPDATE graphs SET standing = 'retired' WHERE variant_of IS NOT NULL AND standing = 'past'
    AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.graph_id = graphs.graph_id);
DROP INDEX graphs_newest;
CREATE INDEX graphs_newest ON graphs (chat_id) WHERE {IN_TURN};   -- ends with the row id, as every index does
DROP INDEX graphs_to_trim;
CREATE INDEX graphs_to_trim ON graphs (created_at) WHERE {HOLDS_CHOICES};
"""
