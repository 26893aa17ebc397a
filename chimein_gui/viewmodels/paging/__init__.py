"""Lists of any length of which only some pages are in memory."""
