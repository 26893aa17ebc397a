"""Why a call of the model brought no plan: by name. A note of such a kind is the cause of what failed.

The values are what the database keeps, so none of them is ever changed.
"""

from enum import StrEnum


class ModelFault(StrEnum):
    """Why a call brought no plan; `words` and `number` of its note are named where a fault has them."""

    CALLS_USED_UP = "calls used up"
    """`number` calls were made."""
    CHANGED_KEY = "changed key"
    """During the call."""
    NO_ANSWER = "no answer"
    """Within `number` seconds."""
    ONLY_LOOKS_UP = "only looks up"
    ONLY_PAGES = "only pages"
    """It asks for web pages instead of answering."""
    BROKE_OFF = "broke off"
    """Before there was anything to send."""

    # What Gemini answered, or what came instead.
    ANSWERED_LATER = "answered later"
    """It can't answer now: HTTP status `number`, with the service's `words`."""
    REFUSED_REQUEST = "refused request"
    """HTTP status `number`, with the service's `words`."""
    TIMED_OUT = "timed out"
    ANSWER_TOO_LONG = "answer too long"
    UNREACHABLE = "unreachable"
    NO_SUCH_MODEL = "no such model"
    """`words` is the name."""
    NOT_GEMINI = "not gemini"
    """Something in between answered."""
    PROMPT_BLOCKED = "prompt blocked"
    """`words` is Gemini's name of the reason."""
    REPLY_BLOCKED = "reply blocked"
    """`words` is Gemini's name of the reason."""
    NO_REPLY = "no reply"
    ONLY_THOUGHTS = "only thoughts"
    TOKENS_USED_UP = "tokens used up"
    SIGNATURE_MISSING = "signature missing"
    MAKES_IMAGES = "makes images"
    ENDED_WITHOUT_REPLY = "ended without reply"
    """`words` is Gemini's name of the reason, or empty."""
