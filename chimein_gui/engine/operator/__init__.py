"""What the operator does: decides, writes, edits, holds, sets."""
