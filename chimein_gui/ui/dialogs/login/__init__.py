"""The login dialog: one page per step. It shows the engine's state and decides nothing itself."""
