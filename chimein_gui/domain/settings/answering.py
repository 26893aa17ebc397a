"""Which model answers in the sandbox."""

from enum import StrEnum


class Answering(StrEnum):
    """Which model answers; the values are what the command line takes."""

    WRITTEN = "written"
    """Answers written beforehand, on this computer; they cost nothing."""
    GEMINI = "gemini"
    """Google's model: prompts go to Google, and each answer costs what Google charges."""
