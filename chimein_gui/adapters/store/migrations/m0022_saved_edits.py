"""The twenty-second migration: saved edits have the name that the program uses for them."""

TWENTY_SECOND = """
ALTER TABLE shelf RENAME TO saved_edits;
ALTER TABLE saved_edits RENAME COLUMN shelf_id TO saved_edit_id;
DROP INDEX shelf_of_chat;
CREATE INDEX saved_edits_of_chat ON saved_edits (chat_id);
"""
