"""The prompt of a call as it was sent, or of the call that would be made now: sections, turns, tokens."""
