"""The data of a scene; parsed from YAML by `reading`, played by `performance`.

People and groups are named by their short names in the scene's cast. Times and durations are in scene seconds, which
pass at the speed at which the scene is played.
"""

from dataclasses import dataclass

from chimein_gui.sandbox_api import FaultRule

Answers = tuple[tuple[str, tuple[str, ...]], ...]
"""Answers to a line by the short name of who answers, each in variants; an empty name is the recipient."""


@dataclass(frozen=True, slots=True)
class Line:
    """What someone says in a crowd or as a habit.

    Attributes:
        answers: The model's answers to it.
    """

    who: str
    text: str
    answers: Answers = ()


@dataclass(frozen=True, slots=True)
class Say:
    """Someone writes to a person or a group.

    Attributes:
        media: Name of a file or sticker in the sandbox's library, with the text as caption; empty for a text alone.
        reply_to: Label of an earlier message; empty for none.
        answers: The model's answers to it.
    """

    who: str
    to: str
    text: str
    media: str = ""
    reply_to: str = ""
    answers: Answers = ()


@dataclass(frozen=True, slots=True)
class Edit:
    """The author of an earlier message changes its text.

    Attributes:
        answers: The model's answers to the new text; empty if those to the old one stay.
    """

    message: str
    text: str
    answers: Answers = ()


@dataclass(frozen=True, slots=True)
class Delete:
    """The author of an earlier message deletes it for everyone."""

    message: str


@dataclass(frozen=True, slots=True)
class React:
    """Someone reacts to an earlier message with an emoji."""

    who: str
    message: str
    emoji: str


@dataclass(frozen=True, slots=True)
class Type:
    """Someone is shown typing for a while."""

    who: str
    to: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Read:
    """Someone marks a chat as read."""

    who: str
    chat: str


@dataclass(frozen=True, slots=True)
class Inject:
    """A fault is activated; its durations are in real seconds, because clients use real time.

    Attributes:
        rule: The rule without its account.
        account: The account it is for; empty for all.
    """

    rule: FaultRule
    account: str = ""


@dataclass(frozen=True, slots=True)
class RemoveFault:
    """A fault of this scene is removed; without a label, all of them."""

    fault: str = ""


@dataclass(frozen=True, slots=True)
class Wait:
    """The track waits until someone has written in a chat since the scene last wrote there.

    Attributes:
        up_to: Time limit in scene seconds.
        then: Steps to play if they have written.
        otherwise: Steps to play if the time is up.
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
        times: How often; 0 for until the scene is stopped.
    """

    times: int
    steps: "tuple[Step, ...]"


@dataclass(frozen=True, slots=True)
class Crowd:
    """Several people talk in a group about several subjects at once; the next steps do not wait for them.

    Attributes:
        every: Mean interval between two messages, in scene seconds.
        lasts: For how many scene seconds the subjects are repeated; 0 for once.
        answers: Probability that a line is a reply to the one before it in its subject.
        subjects: Conversations, each kept in its order; which one continues is random.
    """

    to: str
    every: float
    lasts: float
    answers: float
    subjects: tuple[tuple[Line, ...], ...]

    @property
    def size(self) -> int:
        """How many lines are said; 0 if that is random."""
        return 0 if self.lasts else sum(map(len, self.subjects))


SceneAction = Say | Edit | Delete | React | Type | Read | Inject | RemoveFault | Wait | Repeat | Crowd


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a track.

    Attributes:
        line: Its line in the file, from 1.
        after: Scene seconds from the end of the step before.
        label: Name of the message or fault, for later steps; empty for none.
    """

    line: int
    after: float
    action: SceneAction
    label: str = ""


@dataclass(frozen=True, slots=True)
class Habit:
    """Automatic reactions of a partner to what an account writes to them while the scene plays.

    Attributes:
        reads_after: Scene seconds until it is marked as read; negative for never.
        chance: Probability of a short answer.
        at_most: Maximum number of such answers in one scene.
        answers: The possible answers, used in turn.
    """

    who: str
    reads_after: float
    chance: float = 0.0
    at_most: int = 0
    answers: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A parsed scene.

    Attributes:
        name: The file's name without extension.
        path: Of the file, for error messages.
        cast: Short name → (name in the world, line of the file).
        tracks: Played in parallel.
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
        """How many steps it has for the progress; steps after an answer are not counted, endless repetitions once."""
        return sum(_size(track) for track in self.tracks)


def _size(steps: tuple[Step, ...]) -> int:
    return sum(_size_of(step.action) for step in steps)


def _size_of(action: SceneAction) -> int:
    if isinstance(action, Repeat):
        return max(1, action.times) * _size(action.steps)
    return 1 + action.size if isinstance(action, Crowd) else 1
