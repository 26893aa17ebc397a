"""Data model of the product: frozen dataclasses, enums and pure functions."""
