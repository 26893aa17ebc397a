"""What things are: frozen dataclasses, enums and pure functions."""
