"""What the models ask of the engine: one protocol a consumer."""
