"""What the sandbox refuses, and mistakes in its files of scenes and voices, in words."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.sandbox_api import Refused, SceneFault, SceneProblem

_REFUSALS: dict[Refused, object] = {
    Refused.OTHER: QT_TRANSLATE_NOOP("SandboxRefusals", "The sandbox refused this: “{0}”"),
    Refused.UNKNOWN: QT_TRANSLATE_NOOP("SandboxRefusals", "The sandbox does not have this any more: “{0}”"),
    Refused.EMPTY_MESSAGE: QT_TRANSLATE_NOOP("SandboxRefusals", "The message is empty."),
    Refused.HALF_CHARACTER: QT_TRANSLATE_NOOP(
        "SandboxRefusals", "The message has an incomplete character, which can't be sent."
    ),
    Refused.MESSAGE_TOO_LONG: QT_TRANSLATE_NOOP(
        "SandboxRefusals", "A message has at most {0} characters, this one has {1}."
    ),
    Refused.NOT_IN_GROUP: QT_TRANSLATE_NOOP("SandboxRefusals", "This person is not in the group “{0}”."),
    Refused.NO_SUCH_NUMBER: QT_TRANSLATE_NOOP("SandboxRefusals", "Nobody has the number {0}."),
    Refused.NO_PICTURE: QT_TRANSLATE_NOOP(
        "SandboxRefusals", "This is not a QR code for a login: it must begin with tg://login?token=."
    ),
    Refused.PICTURE_BROKEN: QT_TRANSLATE_NOOP("SandboxRefusals", "The token in this QR code is incomplete."),
    Refused.PICTURE_UNKNOWN: QT_TRANSLATE_NOOP("SandboxRefusals", "No login shows this QR code."),
    Refused.PICTURE_EXPIRED: QT_TRANSLATE_NOOP("SandboxRefusals", "This QR code has expired. A new one is shown."),
    Refused.PICTURE_SCANNED: QT_TRANSLATE_NOOP("SandboxRefusals", "This QR code has already been scanned."),
    Refused.CHANCE: QT_TRANSLATE_NOOP("SandboxRefusals", "The chance must be above 0 and at most 1, not {0}."),
    Refused.TIMES: QT_TRANSLATE_NOOP(
        "SandboxRefusals", "A fault is triggered 1 to {0} times, or with 0 until it is removed, not {1} times."
    ),
    Refused.WITHOUT_METHOD: QT_TRANSLATE_NOOP("SandboxRefusals", "{0} has no call. Leave it empty."),
    Refused.METHOD_UNKNOWN: QT_TRANSLATE_NOOP("SandboxRefusals", "There is no call “{0}”."),
    Refused.METHOD_MISSPELT: QT_TRANSLATE_NOOP("SandboxRefusals", "There is no call “{0}”. Do you mean “{1}”?"),
    Refused.SECONDS_ODD: QT_TRANSLATE_NOOP("SandboxRefusals", "Seconds must be a number, not {0}."),
    Refused.SECONDS_RANGE: QT_TRANSLATE_NOOP("SandboxRefusals", "Seconds of {0} must be {1} to {2}, not {3}."),
    Refused.SECONDS_WHOLE: QT_TRANSLATE_NOOP("SandboxRefusals", "The wait must be whole seconds, not {0}."),
    Refused.CODE_OF_TELEGRAM: QT_TRANSLATE_NOOP("SandboxRefusals", "A Telegram error code is 300 to 599, not {0}."),
    Refused.NAME_OF_ERROR: QT_TRANSLATE_NOOP("SandboxRefusals", "A Telegram error looks like PEER_FLOOD, not “{0}”."),
    Refused.CODE_OF_MODEL: QT_TRANSLATE_NOOP("SandboxRefusals", "An HTTP error is 400 to 599, not {0}."),
    Refused.FINISH_REASON: QT_TRANSLATE_NOOP("SandboxRefusals", "A finish reason looks like OTHER, not “{0}”."),
    Refused.NEEDS_ACCOUNT: QT_TRANSLATE_NOOP("SandboxRefusals", "{0} affects one account. Choose it."),
    Refused.WITHOUT_ACCOUNT: QT_TRANSLATE_NOOP("SandboxRefusals", "Model faults have no account. Leave it empty."),
    Refused.SPEED: QT_TRANSLATE_NOOP("SandboxRefusals", "A speed is between {0} and {1}, not {2}."),
}

_FAULTS: dict[SceneFault, object] = {
    SceneFault.UNREADABLE: QT_TRANSLATE_NOOP("SceneFaults", "The file can't be read: {0}"),
    SceneFault.NO_YAML: QT_TRANSLATE_NOOP("SceneFaults", "This is not valid YAML: {0}"),
    SceneFault.NO_MAPPING: QT_TRANSLATE_NOOP("SceneFaults", "The file needs these keys: {0}"),
    SceneFault.UNKNOWN_KEY: QT_TRANSLATE_NOOP("SceneFaults", "Unknown key “{0}”. Known here: {1}"),
    SceneFault.NO_NAME: QT_TRANSLATE_NOOP("SceneFaults", "The key “{0}” is not text. Put it in quotes."),
    SceneFault.MISSING: QT_TRANSLATE_NOOP("SceneFaults", "“{0}” is missing."),
    SceneFault.NO_TEXT: QT_TRANSLATE_NOOP("SceneFaults", "“{0}” must be a text."),
    SceneFault.UNQUOTED: QT_TRANSLATE_NOOP("SceneFaults", "“{0}”: “{1}” is not text. Put it in quotes."),
    SceneFault.NO_TIME: QT_TRANSLATE_NOOP(
        "SceneFaults", "“{0}”: “{1}” is not a time. Write 2.5s, 300ms, 2 min or 1 h."
    ),
    SceneFault.NO_NUMBER: QT_TRANSLATE_NOOP("SceneFaults", "“{0}”: “{1}” is not a number from {2} to {3}."),
    SceneFault.NO_INNER_MAPPING: QT_TRANSLATE_NOOP("SceneFaults", "“{0}” must have keys of its own."),
    SceneFault.NO_LIST: QT_TRANSLATE_NOOP("SceneFaults", "“{0}” must be a list."),
    SceneFault.ENTRY_NO_MAPPING: QT_TRANSLATE_NOOP("SceneFaults", "Every entry of “{0}” must have keys."),
    SceneFault.NONE_OF: QT_TRANSLATE_NOOP("SceneFaults", "“{0}”: “{1}” is not one of {2}."),
    SceneFault.TWICE: QT_TRANSLATE_NOOP("SceneFaults", "“{0}”: “{1}” is there twice."),
    SceneFault.EMPTY_CAST: QT_TRANSLATE_NOOP("SceneFaults", "The cast is empty."),
    SceneFault.NO_ACTION: QT_TRANSLATE_NOOP("SceneFaults", "This line does nothing. It needs one of {0}."),
    SceneFault.NOT_IN_CAST: QT_TRANSLATE_NOOP("SceneFaults", "“{0}” is not in the cast."),
    SceneFault.NO_EARLIER: QT_TRANSLATE_NOOP("SceneFaults", "No message above has the label “{0}”."),
    SceneFault.NO_EARLIER_FAULT: QT_TRANSLATE_NOOP("SceneFaults", "No fault above has the label “{0}”."),
    SceneFault.TIMELESS: QT_TRANSLATE_NOOP("SceneFaults", "Lines that repeat forever must take time. Add “after”."),
    SceneFault.NO_PAUSE: QT_TRANSLATE_NOOP("SceneFaults", "“every” must be more than 0."),
    SceneFault.NO_SUBJECT: QT_TRANSLATE_NOOP("SceneFaults", "“crowd” needs at least one subject."),
    SceneFault.TOO_LONG: QT_TRANSLATE_NOOP("SceneFaults", "“say” is longer than a message can be ({0} characters)."),
    SceneFault.NO_FAULT: QT_TRANSLATE_NOOP("SceneFaults", "There is no fault “{0}”. Known: {1}"),
    SceneFault.NEEDS_ACCOUNT: QT_TRANSLATE_NOOP("SceneFaults", "“{0}” affects one account. Name it with “account”."),
    SceneFault.NOTHING_IN: QT_TRANSLATE_NOOP("SceneFaults", "There is no text in {0}."),
    SceneFault.PATTERN: QT_TRANSLATE_NOOP("SceneFaults", "“{0}”: a pattern needs a word that must be in the message."),
    SceneFault.NOBODY: QT_TRANSLATE_NOOP("SceneFaults", "There is nobody called “{0}” in the sandbox."),
    SceneFault.ANSWER_OF_NOBODY: QT_TRANSLATE_NOOP("SceneFaults", "In a group, “answer” must say who answers."),
    SceneFault.NOT_RECEIVED: QT_TRANSLATE_NOOP("SceneFaults", "“{0}” did not receive the message “{1}”."),
    SceneFault.NOT_SAID: QT_TRANSLATE_NOOP("SceneFaults", "The message “{0}” has not been sent yet."),
    SceneFault.GONE: QT_TRANSLATE_NOOP("SceneFaults", "The message “{0}” was deleted."),
    SceneFault.NO_MEDIA: QT_TRANSLATE_NOOP("SceneFaults", "There is no file or sticker “{0}”."),
    SceneFault.NOT_A_MEMBER: QT_TRANSLATE_NOOP("SceneFaults", "“{0}” is not a member of “{1}”."),
    SceneFault.REFUSED: QT_TRANSLATE_NOOP("SceneFaults", "The sandbox refused this line: “{0}”"),
    SceneFault.BROKEN: QT_TRANSLATE_NOOP("SceneFaults", "An internal error occurred. Details are in the log."),
}
"""Both are marked for translation here, and translated when they are shown."""

translate = QCoreApplication.translate


def refused_words(why: Refused, said: tuple[str, ...]) -> str:
    """Return why the sandbox refuses something."""
    if why is Refused.SCENE:
        return scene_problem_words(_problem(said))
    return translate("SandboxRefusals", str(_REFUSALS[why])).format(*said)


def scene_problem_words(problem: SceneProblem | None) -> str:
    """Return file, line and what is wrong; empty for None. Names and texts in it are foreign and not sanitized."""
    if problem is None:
        return ""
    if problem.fault is SceneFault.RULE:
        words = refused_words(Refused(problem.said[0]), problem.said[1:])
    else:
        words = translate("SceneFaults", str(_FAULTS[problem.fault])).format(*problem.said)
    if not problem.line:
        return f"{problem.path}: {words}"
    place = translate("SceneFaults", "{file}, line {line}: {what}")
    return place.format(file=problem.path, line=problem.line, what=words)


def _problem(said: tuple[str, ...]) -> SceneProblem:
    """Return the problem that a `Refused.SCENE` carries."""
    fault, path, line, *more = said
    return SceneProblem(SceneFault(fault), path, int(line), tuple(more))
