"""Why the sandbox refuses a request, by name; the view models have words for each."""

from enum import StrEnum


class Refused(StrEnum):
    """Why; where something belongs to it, it says in which order."""

    OTHER = "other"
    """What the error says; nothing that can be chosen in the window leads to it."""
    UNKNOWN = "unknown"
    """What there is none of: a person, a group, a scenario, a fault."""

    # What a partner says.
    EMPTY_MESSAGE = "empty message"
    HALF_CHARACTER = "half character"
    MESSAGE_TOO_LONG = "message too long"
    """Most characters, its characters."""
    NOT_IN_GROUP = "not in group"
    """Title of the group."""

    # The picture of a login.
    NO_SUCH_NUMBER = "no such number"
    """The number."""
    NO_PICTURE = "no picture"
    PICTURE_BROKEN = "picture broken"
    PICTURE_UNKNOWN = "picture unknown"
    PICTURE_EXPIRED = "picture expired"
    PICTURE_SCANNED = "picture scanned"

    # A rule of a fault.
    CHANCE = "chance"
    """What was given."""
    TIMES = "times"
    """The most, what was given."""
    WITHOUT_METHOD = "without method"
    """The kind."""
    METHOD_UNKNOWN = "method unknown"
    """The method."""
    METHOD_MISSPELT = "method misspelt"
    """The method, a similar one."""
    SECONDS_ODD = "seconds odd"
    """What was given."""
    SECONDS_RANGE = "seconds range"
    """The kind, the least, the most, what was given."""
    SECONDS_WHOLE = "seconds whole"
    """What was given."""
    CODE_OF_TELEGRAM = "code of telegram"
    """The code."""
    NAME_OF_ERROR = "name of error"
    """The name."""
    CODE_OF_MODEL = "code of model"
    """The code."""
    FINISH_REASON = "finish reason"
    """The reason."""
    NEEDS_ACCOUNT = "needs account"
    """The kind."""
    WITHOUT_ACCOUNT = "without account"

    # A scenario.
    SCENE = "scene"
    """The fault, file, line and details of a `SceneProblem`."""
    SPEED = "speed"
    """The least, the most, what was given."""


class SandboxRefusedError(ValueError):
    """The sandbox refuses a request: a thing does not exist or a value is invalid.

    Attributes:
        why: Why, by name.
        said: What belongs to it.
    """

    def __init__(self, why: Refused | str, *said: object) -> None:
        """Create the error from a name with what belongs to it, or from plain words."""
        self.why = why if isinstance(why, Refused) else Refused.OTHER
        self.said = tuple(map(str, said if isinstance(why, Refused) else (why,)))
        super().__init__(": ".join(filter(None, (why, ", ".join(map(str, said))))))
