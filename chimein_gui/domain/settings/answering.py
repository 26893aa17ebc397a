"""Which model answers in the sandbox."""

from enum import StrEnum


class Answering(StrEnum):
    """Which model answers; the values are those of the command line."""

    WRITTEN = "written"
    """Prepared answers on this computer, free of charge."""
    GEMINI = "gemini"
    """Google's model: prompts go to Google, and each answer is charged."""
