"""What a list of chats shows of the newest message."""

PREVIEW_CHARACTERS = 200


def one_line(text: str) -> str:
    """Return the beginning of a text on one line."""
    return " ".join(text[: 2 * PREVIEW_CHARACTERS].split())[:PREVIEW_CHARACTERS]
