"""What the sandbox offers and answers, in words; imported when it is needed: a live window has no sandbox."""

from __future__ import annotations

import logging
from dataclasses import replace

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.sandbox_api import Cast, Refused, SandboxRefusedError
from chimein_gui.viewmodels.words.errors import error_words, is_answer

_log = logging.getLogger(__name__)

_REFUSALS: dict[Refused, object] = {
    Refused.OTHER: "{0}",
    Refused.EMPTY_MESSAGE: QT_TRANSLATE_NOOP("SandboxRefusals", "There is nothing to say: the message is empty."),
    Refused.HALF_CHARACTER: QT_TRANSLATE_NOOP(
        "SandboxRefusals", "The message holds half a character, which can't be sent."
    ),
    Refused.MESSAGE_TOO_LONG: QT_TRANSLATE_NOOP(
        "SandboxRefusals", "A message has at most {0} characters, this one has {1}."
    ),
    Refused.NOT_IN_GROUP: QT_TRANSLATE_NOOP("SandboxRefusals", "This person is not in the group “{0}”."),
    Refused.NO_SUCH_NUMBER: QT_TRANSLATE_NOOP("SandboxRefusals", "Nobody has the number {0}."),
    Refused.NO_PICTURE: QT_TRANSLATE_NOOP(
        "SandboxRefusals", "That is no picture to log in by: it begins with tg://login?token=."
    ),
    Refused.PICTURE_BROKEN: QT_TRANSLATE_NOOP("SandboxRefusals", "The token in this picture is not whole."),
    Refused.PICTURE_UNKNOWN: QT_TRANSLATE_NOOP(
        "SandboxRefusals", "This picture is not, or no longer, shown by anybody."
    ),
    Refused.PICTURE_EXPIRED: QT_TRANSLATE_NOOP(
        "SandboxRefusals", "This picture has expired; a new one is shown by now."
    ),
    Refused.PICTURE_SCANNED: QT_TRANSLATE_NOOP("SandboxRefusals", "This picture was scanned already."),
    Refused.CHANCE: QT_TRANSLATE_NOOP("SandboxRefusals", "A chance is above 0 and at most 1, not {0}."),
    Refused.TIMES: QT_TRANSLATE_NOOP(
        "SandboxRefusals", "A fault strikes 1 to {0} times, or 0 for until it is removed, not {1}."
    ),
    Refused.WITHOUT_METHOD: QT_TRANSLATE_NOOP("SandboxRefusals", "{0} is about no method; leave it out."),
    Refused.METHOD_UNKNOWN: QT_TRANSLATE_NOOP("SandboxRefusals", "There is no method “{0}”."),
    Refused.METHOD_MISSPELT: QT_TRANSLATE_NOOP("SandboxRefusals", "There is no method “{0}”. Do you mean “{1}”?"),
    Refused.SECONDS_ODD: QT_TRANSLATE_NOOP("SandboxRefusals", "Seconds are a number, not {0}."),
    Refused.SECONDS_RANGE: QT_TRANSLATE_NOOP("SandboxRefusals", "Seconds of {0} are {1} to {2}, not {3}."),
    Refused.SECONDS_WHOLE: QT_TRANSLATE_NOOP("SandboxRefusals", "Telegram asks to wait whole seconds, not {0}."),
    Refused.CODE_OF_TELEGRAM: QT_TRANSLATE_NOOP("SandboxRefusals", "An error code of Telegram is 300 to 599, not {0}."),
    Refused.NAME_OF_ERROR: QT_TRANSLATE_NOOP(
        "SandboxRefusals", "An error of Telegram is spelt like PEER_FLOOD, not “{0}”."
    ),
    Refused.CODE_OF_MODEL: QT_TRANSLATE_NOOP("SandboxRefusals", "An HTTP error is 400 to 599, not {0}."),
    Refused.FINISH_REASON: QT_TRANSLATE_NOOP("SandboxRefusals", "A finish reason is spelt like OTHER, not “{0}”."),
    Refused.NEEDS_ACCOUNT: QT_TRANSLATE_NOOP("SandboxRefusals", "Say whose: {0} is about one account."),
    Refused.WITHOUT_ACCOUNT: QT_TRANSLATE_NOOP(
        "SandboxRefusals", "The model does not know whose call it answers; leave the account out."
    ),
    Refused.SPEED: QT_TRANSLATE_NOOP("SandboxRefusals", "A speed is between {0} and {1}, not {2}."),
}
"""Marked for translation here and translated when they are shown."""

translate = QCoreApplication.translate


def cast_in_words(cast: Cast) -> Cast:
    """Return a cast whose faults and scenarios are titled and explained in the language of the window."""
    faults = (
        replace(one, title=translate("Faults", one.title), summary=translate("Faults", one.summary))
        for one in cast.faults
    )
    scenarios = (
        replace(one, title=translate("Scenarios", one.title), summary=translate("Scenarios", one.summary))
        for one in cast.scenarios
    )
    return replace(cast, faults=tuple(faults), scenarios=tuple(scenarios))


def sandbox_words(error: Exception, verb: str) -> str:
    """Return a refusal of the sandbox in words; any other unexpected error is logged and reported as a bug."""
    if isinstance(error, SandboxRefusedError):
        return translate("SandboxRefusals", str(_REFUSALS[error.why])).format(*error.said)
    if not is_answer(error):
        _log.error("The sandbox failed: %s", verb, exc_info=error)
    return error_words(error)
