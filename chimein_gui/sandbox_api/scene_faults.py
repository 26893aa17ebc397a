"""What is wrong with the file of a scene or a voice, by name; the view models have words for each."""

from dataclasses import dataclass
from enum import StrEnum


class SceneFault(StrEnum):
    """What is wrong; where something belongs to it, it says in which order."""

    # The file.
    UNREADABLE = "can't be read"
    """What the system or the decoder says."""
    NO_YAML = "no YAML"
    """What the parser says."""
    NO_MAPPING = "no mapping"
    """The keys that it needs."""
    UNKNOWN_KEY = "unknown key"
    """The key, the keys that are known."""
    NO_NAME = "no name"
    """What stands as a key."""

    # A value; its key comes first.
    MISSING = "missing"
    NO_TEXT = "must be a text"
    UNQUOTED = "no text"
    """The value."""
    NO_TIME = "no time"
    """The value."""
    NO_NUMBER = "no number"
    """The value, the least, the most."""
    NO_INNER_MAPPING = "must be a mapping"
    NO_LIST = "must be a list"
    ENTRY_NO_MAPPING = "every entry must be a mapping"
    NONE_OF = "none of"
    """The value, those that are known."""
    TWICE = "stands twice"
    """The value."""

    # A scene.
    EMPTY_CAST = "a cast of nobody"
    NO_ACTION = "a line does one thing"
    """The actions."""
    NOT_IN_CAST = "not in the cast"
    """The name."""
    NO_EARLIER = "no message above has the label"
    """The label."""
    NO_EARLIER_FAULT = "no fault above has the label"
    """The label."""
    TIMELESS = "lines that take time"
    NO_PAUSE = "every must be more"
    NO_SUBJECT = "a crowd without a subject"
    TOO_LONG = "longer than a message"
    """The most UTF-16 units."""
    NO_FAULT = "no fault is called"
    """The name, the names that are known."""
    NEEDS_ACCOUNT = "happens to one account"
    """The kind."""
    RULE = "rule"
    """The name of a `Refused`, and what belongs to it."""

    # A voice.
    NOTHING_IN = "nothing in"
    """The languages."""
    PATTERN = "pattern"
    """The language."""

    # A scene that is played.
    NOBODY = "nobody is called"
    """The full name."""
    ANSWER_OF_NOBODY = "answer of nobody"
    NOT_RECEIVED = "not received"
    """Who, the label."""
    NOT_SAID = "not said yet"
    """The label."""
    GONE = "gone"
    """The label."""
    NO_MEDIA = "no media"
    """The name."""
    NOT_A_MEMBER = "not a member"
    """Who, the group."""
    REFUSED = "refused"
    """What the world says, in English."""
    BROKEN = "broken"
    """Nothing; the log has it."""


@dataclass(frozen=True, slots=True)
class SceneProblem:
    """A mistake in a file, or a line of it that could not be played.

    Attributes:
        fault: What is wrong, by name.
        path: The file's name.
        line: From 1; 0 if no line is to blame.
        said: What belongs to the fault.
    """

    fault: SceneFault
    path: str
    line: int = 0
    said: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return it for the log."""
        place = f"{self.path}:{self.line}" if self.line else self.path
        return ": ".join(filter(None, (place, self.fault, ", ".join(self.said))))
