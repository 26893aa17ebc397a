"""What a scene consists of, as data; read from YAML by `reading`, played by `performance`.

People and groups are named by their short names in the scene's cast. Moments and durations are in scene seconds, which
pass at the speed the scene is played with.
"""

from dataclasses import dataclass

from chimein_gui.sandbox_api import FaultRule

Answers = tuple[tuple[str, tuple[str, ...]], ...]
"""Who answers a line, by short name, with which written variants; an empty name is whoever it is said to."""


@dataclass(frozen=True, slots=True)
class Line:
    """What somebody says in a crowd, or of their own accord.

    Attributes:
        answers: What the model has written down for it.
    """

    who: str
    text: str
    answers: Answers = ()


@dataclass(frozen=True, slots=True)
class Say:
    """Somebody writes to a person or a group.

    Attributes:
        media: Name of a file or sticker in the sandbox's library; empty for a text. The text is then the caption.
        reply_to: Label of an earlier message; empty for none.
        answers: What the model has written down for it.
    """

    who: str
    to: str
    text: str
    media: str = ""
    reply_to: str = ""
    answers: Answers = ()


@dataclass(frozen=True, slots=True)
class Edit:
    """An earlier message gets another text, from whoever wrote it.

    Attributes:
        answers: To the new text; none if that of the old one stays.
    """

    message: str
    text: str
    answers: Answers = ()


@dataclass(frozen=True, slots=True)
class Delete:
    """An earlier message is deleted for everyone by whoever wrote it."""

    message: str


@dataclass(frozen=True, slots=True)
class React:
    """Somebody puts an emoji on an earlier message."""

    who: str
    message: str
    emoji: str


@dataclass(frozen=True, slots=True)
class Type:
    """Somebody is seen typing for a while."""

    who: str
    to: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Read:
    """Somebody reads a chat up to its end."""

    who: str
    chat: str


@dataclass(frozen=True, slots=True)
class Inject:
    """Something is made to go wrong; its seconds are real ones, because clients live in real time.

    Attributes:
        rule: What; its account is filled in from `account`.
        account: Whose calls; empty for all.
    """

    rule: FaultRule
    account: str = ""


@dataclass(frozen=True, slots=True)
class Mend:
    """A fault this scene brought is taken back; all of them without a label."""

    fault: str = ""


@dataclass(frozen=True, slots=True)
class Wait:
    """The track stands still until somebody has written in a chat since the scene last wrote there.

    Attributes:
        up_to: How long, scene seconds.
        then: What follows if they did.
        otherwise: What follows if they did not.
    """

    who: str
    chat: str
    up_to: float
    then: "tuple[Step, ...]" = ()
    otherwise: "tuple[Step, ...]" = ()


@dataclass(frozen=True, slots=True)
class Repeat:
    """Steps that are played several times.

    Attributes:
        times: 0 for until the scene is stopped.
    """

    times: int
    steps: "tuple[Step, ...]"


@dataclass(frozen=True, slots=True)
class Crowd:
    """Several people talk in a group about several subjects at once; the next steps do not wait for them.

    Attributes:
        every: Mean distance of two messages, scene seconds.
        lasts: For how long the subjects are talked about again and again; 0 for once.
        answers: Chance that a line is a reply to the one before it in its subject.
        subjects: Each a conversation, kept in its order; the subjects mix by chance.
    """

    to: str
    every: float
    lasts: float
    answers: float
    subjects: tuple[tuple[Line, ...], ...]

    @property
    def size(self) -> int:
        """How many lines are said; 0 if that is a matter of chance."""
        return 0 if self.lasts else sum(map(len, self.subjects))


Deed = Say | Edit | Delete | React | Type | Read | Inject | Mend | Wait | Repeat | Crowd


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a track.

    Attributes:
        line: Where it stands in the file, from 1.
        after: Scene seconds since the step before it was over.
        label: Name of the message or fault, for later steps; empty for none.
    """

    line: int
    after: float
    deed: Deed
    label: str = ""


@dataclass(frozen=True, slots=True)
class Habit:
    """How somebody behaves towards whatever an account writes to them, while the scene plays.

    Attributes:
        reads_after: Scene seconds until it is marked as read; negative for never.
        chance: Of a short answer.
        at_most: How many such answers in one scene.
        answers: What they may say; each once, then again.
    """

    who: str
    reads_after: float
    chance: float = 0.0
    at_most: int = 0
    answers: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene as written.

    Attributes:
        name: The file's name without its ending.
        path: Of the file, for error words.
        cast: Short name → (name in the world, line of the file).
        tracks: Played side by side.
    """

    name: str
    title: str
    summary: str
    path: str
    cast: dict[str, tuple[str, int]]
    tracks: tuple[tuple[Step, ...], ...]
    habits: tuple[Habit, ...] = ()

    @property
    def size(self) -> int:
        """How many things happen in it; what depends on an answer is not counted, what repeats for ever once."""
        return sum(_size(track) for track in self.tracks)


def _size(steps: tuple[Step, ...]) -> int:
    return sum(_size_of(step.deed) for step in steps)


def _size_of(deed: Deed) -> int:
    if isinstance(deed, Repeat):
        return max(1, deed.times) * _size(deed.steps)
    return 1 + deed.size if isinstance(deed, Crowd) else 1
