"""Character cards of other programs (V1 to V3; PNG, JSON, CHARX): reading, what becomes of each part, and writing."""
