"""What was left out of a model's reply or changed in it, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.viewmodels.core.numbers import count_words
from chimein_gui.viewmodels.words.plural import with_number

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORDS: dict[ReplyFault, object] = {
    ReplyFault.OTHER: "{0}",
    ReplyFault.UNKNOWN_TYPE: QT_TRANSLATE_NOOP("Replies", "«{0}» is not a type of block"),
    ReplyFault.NO_NUMBER: QT_TRANSLATE_NOOP("Replies", "“{0}” behind «{1}» is not a message number"),
    ReplyFault.WAIT_NEEDS_DELAY: QT_TRANSLATE_NOOP("Replies", "a «wait» needs a line such as “delay: 5”"),
    ReplyFault.STICKER_NEEDS_NAME: QT_TRANSLATE_NOOP("Replies", "a «sticker» needs two lines: the set and the name"),
    ReplyFault.RETRIEVE_NEEDS_ADDRESS: QT_TRANSLATE_NOOP(
        "Replies", "a «retrieve» needs at least one http(s) address on a line of its own"
    ),
    ReplyFault.NO_PART: QT_TRANSLATE_NOOP("Replies", "this line is no part of a «{0}», so it was left out"),
    ReplyFault.NO_PAGES: QT_TRANSLATE_NOOP("Replies", "the model asked for web pages, which it cannot look up"),
    ReplyFault.MEMORY_CUT_OFF: QT_TRANSLATE_NOOP(
        "Replies", "the reply was cut off in this «remember»; it was left out"
    ),
    ReplyFault.NOT_AVAILABLE: QT_TRANSLATE_NOOP("Replies", "«{0}» is not available yet and was left out"),
    ReplyFault.DIRECT_ONLY: QT_TRANSLATE_NOOP("Replies", "«{0}» is for direct messages only and was left out"),
    ReplyFault.TOO_LONG: QT_TRANSLATE_NOOP("Replies", "a message of {number} characters was cut"),
    ReplyFault.TOO_MANY_STEPS: QT_TRANSLATE_NOOP(
        "Replies", "the plan has %n step(s) more than {0}, which were left out"
    ),
    ReplyFault.STICKER_UNKNOWN: QT_TRANSLATE_NOOP("Replies", "the sticker {0} of {1} is not known; it goes as text"),
    ReplyFault.STICKER_OFFLINE: QT_TRANSLATE_NOOP(
        "Replies", "the account was not connected to look up the sticker {0} of {1}; it goes as text"
    ),
    ReplyFault.STICKER_NOT_FOUND_OUT: QT_TRANSLATE_NOOP(
        "Replies", "the sticker {0} of {1} could not be looked up ({2}); it goes as text"
    ),
    ReplyFault.NO_MESSAGE: QT_TRANSLATE_NOOP(
        "Replies", "there is no message {number} in this chat; sent without a reply"
    ),
    ReplyFault.HISTORY_INCOMPLETE: QT_TRANSLATE_NOOP(
        "Replies", "history incomplete: older messages were still being fetched when this plan was made"
    ),
}
"""Marked for translation here and translated when they are shown."""

_EXACT = frozenset({ReplyFault.NO_MESSAGE})
"""Faults whose number is a message id, shown without thousands separators."""

translate = QCoreApplication.translate


def reply_problem_words(problem: ReplyProblem) -> str:
    """Return what was left out or changed, with its line; quoted text in it is foreign and not sanitized."""
    number = str(problem.number) if problem.fault in _EXACT else count_words(problem.number)
    words = with_number("Replies", str(_WORDS[problem.fault]), problem.number).format(*_said(problem), number=number)
    return translate("Replies", "line {n}: {what}").format(n=problem.line, what=words) if problem.line else words


def reply_problems_words(problems: Iterable[ReplyProblem]) -> str:
    """Return what was left out or changed, one problem a line."""
    return "\n".join(map(reply_problem_words, problems))


def _said(problem: ReplyProblem) -> tuple[str, ...]:
    """Return the texts that belong to a problem, with a default where Telegram gave none."""
    if problem.fault is ReplyFault.STICKER_NOT_FOUND_OUT and not problem.said[-1]:
        return (*problem.said[:-1], translate("Replies", "Telegram did not answer"))
    return problem.said
