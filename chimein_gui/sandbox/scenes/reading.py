"""Parses a YAML file to a `Scene`; the format is described at `read_scene`."""

from collections.abc import Callable, Mapping

from chimein_gui.sandbox.scenes.faults import fault_rule
from chimein_gui.sandbox.scenes.fields import Fields
from chimein_gui.sandbox.scenes.script import (
    Answers,
    Crowd,
    Delete,
    Edit,
    Habit,
    Inject,
    Line,
    React,
    Read,
    RemoveFault,
    Repeat,
    Say,
    Scene,
    SceneAction,
    Step,
    Type,
    Wait,
)
from chimein_gui.sandbox_api import FaultRule, SceneFault

_MAX_TEXT = 4096
"""Telegram's limit for one message, in UTF-16 units."""
_NEVER = -1.0


def read_scene(path: str, text: str, name: str, catalogue: Mapping[str, FaultRule]) -> Scene:
    """Parse a scene.

    A scene has a `title`, a `summary`, a `cast` (short name: name in the world; or *a persona*, *a friend*, *another
    friend* for one of the operator's own personas and those who write to it), `lines` or several `tracks` (name: lines)
    that are played in parallel, and optionally `habits`. Each line does one thing:

    * ``{who, to, say}`` or ``{who, to, media: NAME}``, where `say` is the caption; with `reply_to` and `label`. NAME is
      a file or sticker of `resources/sandbox/media/manifest.toml`. Long: ``say: {start: a, again: b, times: 99}``.
    * ``{edit: LABEL, say}``, ``{delete: LABEL}``, ``{react: LABEL, who, with: 👍}``
    * ``{who, to, types: 3s}``, ``{who, reads: CHAT}``
    * ``{fault: NAME of the catalogue}`` or ``{fault: {kind, method, account, seconds …}}``, ``{mend: LABEL or all}``
    * ``{wait_for: WHO, to: CHAT, up_to: 60s, then: lines, else: lines}``; a `label` names the message that came
    * ``{repeat: 3 or forever, lines}``
    * ``{crowd: GROUP, every: 4s, lasts: 2 min, answers: 0.3, subjects: {name: [{who: text} …]}}``

    `after` is the delay after the line before. What is said or edited may have an `answer`, which the model gives: a
    text or several variants, in a group ``{WHO: text}``. A line ``---`` in it separates two messages.

    Args:
        path: For error messages.
        text: The file's content.
        name: The stable name of the scene.
        catalogue: Faults that can be named.

    Raises:
        SceneError: The file is invalid; the error names file and line.
    """
    top = Fields.of(path, text)
    title, summary = top.text("title"), " ".join(top.text("summary").split())
    cast = _cast(top.mapping("cast"))
    reader = _Reader(cast, catalogue)
    tracks = reader.tracks(top)
    habits = reader.habits(top.mapping("habits")) if "habits" in top else ()
    top.finish()
    return Scene(name, title, summary, path, cast, tracks, habits)


def _cast(fields: Fields) -> dict[str, tuple[str, int]]:
    cast = {key: (fields.text(key), fields.line_of(key)) for key in fields.keys()}  # noqa: SIM118 - no dict
    if not cast:
        raise fields.error("", SceneFault.EMPTY_CAST)
    return cast


class _Reader:
    """Parses the lines of one scene; knows the cast and the labels used so far."""

    def __init__(self, cast: Mapping[str, object], catalogue: Mapping[str, FaultRule]) -> None:
        self._cast = cast
        self._catalogue = catalogue
        self._messages: set[str] = set()
        self._faults: set[str] = set()

    def tracks(self, top: Fields) -> tuple[tuple[Step, ...], ...]:
        """Parse `lines` or `tracks`."""
        if "tracks" not in top:
            return (self._steps(top, "lines"),)
        named = top.mapping("tracks")
        return tuple(self._steps(named, key) for key in named.keys())  # noqa: SIM118 - no dict

    def habits(self, fields: Fields) -> tuple[Habit, ...]:
        """Parse the automatic reactions of partners."""
        return tuple(self._habit(fields, who) for who in fields.keys())  # noqa: SIM118 - no dict

    def _habit(self, fields: Fields, who: str) -> Habit:
        self._known(fields, who, who)
        entry = fields.mapping(who)
        habit = Habit(
            who=who,
            reads_after=entry.seconds("reads_after", _NEVER),
            chance=entry.number("chance", 0.0, low=0, high=1),
            at_most=int(entry.number("at_most", 3, low=0, high=1000)),
            answers=self._sayings(entry, who) if "answers" in entry else (),
        )
        entry.finish()
        return habit

    def _sayings(self, entry: Fields, who: str) -> tuple[Line, ...]:
        """Parse the answers of a habit: texts, or ``{say, answer}``."""
        sayings: list[Line] = []
        for one in entry.entries("answers"):
            if isinstance(one, str):
                sayings.append(Line(who, one))
            else:
                sayings.append(Line(who, one.text("say"), self._answers(one)))
                one.finish()
        return tuple(sayings)

    def _steps(self, fields: Fields, key: str) -> tuple[Step, ...]:
        return tuple(self._step(entry) for entry in fields.mappings(key))

    def _step(self, entry: Fields) -> Step:
        commands = [command for command in _COMMANDS if command in entry]
        if not commands:
            raise entry.error("", SceneFault.NO_ACTION, ", ".join(_COMMANDS))
        after = entry.seconds("after", 0.0)
        label = entry.text("label", "")
        action = _COMMANDS[commands[0]](self, entry)
        entry.finish()
        if label and not isinstance(action, Wait):
            (self._faults if isinstance(action, Inject) else self._messages).add(label)
        return Step(entry.line, after, action, label)

    # -- what a line may do -------------------------------------------------------------------------------------------

    def say(self, entry: Fields) -> SceneAction:
        who, to = self._person(entry, "who"), self._person(entry, "to")
        media = entry.text("media", "")
        text = self._words(entry) if "say" in entry or not media else ""
        reply_to = self._earlier(entry, "reply_to") if "reply_to" in entry else ""
        return Say(who, to, text, media, reply_to, self._answers(entry))

    def edit(self, entry: Fields) -> SceneAction:
        return Edit(self._earlier(entry, "edit"), self._words(entry), self._answers(entry))

    def delete(self, entry: Fields) -> SceneAction:
        return Delete(self._earlier(entry, "delete"))

    def react(self, entry: Fields) -> SceneAction:
        return React(self._person(entry, "who"), self._earlier(entry, "react"), entry.text("with"))

    def type(self, entry: Fields) -> SceneAction:
        return Type(self._person(entry, "who"), self._person(entry, "to"), entry.seconds("types"))

    def read(self, entry: Fields) -> SceneAction:
        return Read(self._person(entry, "who"), self._person(entry, "reads"))

    def fault(self, entry: Fields) -> SceneAction:
        rule, account = fault_rule(entry, self._catalogue)
        if account:
            self._known(entry, account, "fault")
        return Inject(rule, account)

    def remove_fault(self, entry: Fields) -> SceneAction:
        label = entry.text("mend")
        if label != "all" and label not in self._faults:
            raise entry.error("mend", SceneFault.NO_EARLIER_FAULT, label)
        return RemoveFault("" if label == "all" else label)

    def wait(self, entry: Fields) -> SceneAction:
        who, chat, up_to = self._person(entry, "wait_for"), self._person(entry, "to"), entry.seconds("up_to")
        answer = entry.text("label", "")
        before = self._messages  # labels in the branches of an answer may not exist afterwards
        self._messages = before | ({answer} if answer else set())
        then = self._steps(entry, "then") if "then" in entry else ()
        self._messages = set(before)
        otherwise = self._steps(entry, "else") if "else" in entry else ()
        self._messages = before
        return Wait(who, chat, up_to, then, otherwise)

    def repeat(self, entry: Fields) -> SceneAction:
        forever = entry.raw("repeat") == "forever"
        times = 0 if forever else int(entry.number("repeat", 0, low=1, high=100_000))
        steps = self._steps(entry, "lines")
        if forever and not sum(step.after for step in steps):
            raise entry.error("repeat", SceneFault.TIMELESS)
        return Repeat(times, steps)

    def crowd(self, entry: Fields) -> SceneAction:
        to, every = self._person(entry, "crowd"), entry.seconds("every")
        if every <= 0:
            raise entry.error("every", SceneFault.NO_PAUSE)
        subjects = entry.mapping("subjects")
        talks = tuple(self._talk(subjects, key) for key in subjects.keys())  # noqa: SIM118 - no dict
        if not talks:
            raise entry.error("subjects", SceneFault.NO_SUBJECT)
        return Crowd(to, every, entry.seconds("lasts", 0.0), entry.number("answers", 0.0, low=0, high=1), talks)

    def _talk(self, subjects: Fields, key: str) -> tuple[Line, ...]:
        lines = []
        for entry in subjects.mappings(key):
            answers = self._answers(entry)
            for who in (one for one in entry.keys() if one != "answer"):  # noqa: SIM118 - no dict
                self._known(entry, who, who)
                lines.append(Line(who, entry.text(who), answers))
        return tuple(lines)

    # -- parts --------------------------------------------------------------------------------------------------------

    def _answers(self, entry: Fields) -> Answers:
        """Parse an `answer`: a text, several variants, or either of them by short name."""
        if "answer" not in entry:
            return ()
        if not isinstance(entry.raw("answer"), Mapping):
            return (("", entry.texts("answer")),)
        by_name = entry.mapping("answer")
        return tuple((self._known(by_name, who, who), by_name.texts(who)) for who in by_name.keys())  # noqa: SIM118

    def _person(self, entry: Fields, key: str) -> str:
        return self._known(entry, entry.text(key), key)

    def _known(self, entry: Fields, name: str, key: str) -> str:
        if name not in self._cast:
            raise entry.error(key, SceneFault.NOT_IN_CAST, name)
        return name

    def _earlier(self, entry: Fields, key: str) -> str:
        label = entry.text(key)
        if label not in self._messages:
            raise entry.error(key, SceneFault.NO_EARLIER, label)
        return label

    def _words(self, entry: Fields) -> str:
        if isinstance(entry.raw("say"), str):
            text = entry.text("say")
        else:
            parts = entry.mapping("say")
            text = parts.text("start", "") + parts.text("again") * int(parts.number("times", 1, low=1, high=_MAX_TEXT))
            parts.finish()
        if len(text.encode("utf-16-le")) // 2 > _MAX_TEXT:
            raise entry.error("say", SceneFault.TOO_LONG, _MAX_TEXT)
        return text


_COMMANDS: dict[str, Callable[[_Reader, Fields], SceneAction]] = {
    "edit": _Reader.edit,
    "delete": _Reader.delete,
    "react": _Reader.react,
    "types": _Reader.type,
    "reads": _Reader.read,
    "fault": _Reader.fault,
    "mend": _Reader.remove_fault,
    "wait_for": _Reader.wait,
    "repeat": _Reader.repeat,
    "crowd": _Reader.crowd,
    "media": _Reader.say,
    "say": _Reader.say,
}
"""The keys that decide what a line does; the first one present counts, so `say` is last."""
