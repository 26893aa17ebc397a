"""The services of the engine that the window may call, as protocols. A model says beside it which of them it asks."""
