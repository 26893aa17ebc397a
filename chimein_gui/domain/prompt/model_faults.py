"""Why a call of the model brought no plan, by name. Used as the kind of a note that is a cause.

The database keeps the values, so they must never be changed.
"""

from enum import StrEnum


class ModelFault(StrEnum):
    """Why a call brought no plan; where a fault uses `words` and `number` of its note, it says so."""

    CALLS_USED_UP = "calls used up"
    """`number` calls were made."""
    CHANGED_KEY = "changed key"
    """During the call."""
    NO_ANSWER = "no answer"
    """Within `number` seconds."""
    ONLY_LOOKS_UP = "only looks up"
    ONLY_PAGES = "only pages"
    """The model requests web pages instead of answering."""
    BROKE_OFF = "broke off"
    """The reply ended before there was anything to send."""

    # Costs.
    CAP_REACHED = "cap reached"
    """`words` is what the cap is for, `more` its target, `number` today's limit in millionths of a US dollar."""
    NO_PRICE = "no price"
    """A cap can't hold for a model without a price; `words` is its name."""

    # Errors of Gemini and of the connection to it.
    ANSWERED_LATER = "answered later"
    """It can't answer now: HTTP status `number`; `words` are the service's."""
    REFUSED_REQUEST = "refused request"
    """HTTP status `number`; `words` are the service's."""
    KEY_NOT_ACCEPTED = "key not accepted"
    """HTTP status `number`; `words` are the service's."""
    KEY_UNUSABLE = "key unusable"
    """It is missing, or has characters that no key has."""
    TIMED_OUT = "timed out"
    ANSWER_TOO_LONG = "answer too long"
    UNREACHABLE = "unreachable"
    NO_SUCH_MODEL = "no such model"
    """`words` is the name."""
    NOT_GEMINI = "not gemini"
    """Another server answered, such as a proxy."""
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
