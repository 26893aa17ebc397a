"""Why something was not done, in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.errors import ChimeinError, NotFoundError, Refusal, RefusedError, SendRefusedError
from chimein_gui.viewmodels.words.refusals import refusal_words

translate = QCoreApplication.translate


def error_words(error: Exception) -> str:
    """Return why something was not done; never empty.

    A bug's own words are for the log: whoever shows these raises it again, so that it is logged and written down.
    """
    if isinstance(error, NotFoundError):
        return translate("Errors", "It does not exist any more.")
    if isinstance(error, RefusedError) and (words := _refusals().get(error.refusal)) is not None:
        return words
    refused = error if isinstance(error, SendRefusedError) else error.__cause__
    if isinstance(refused, SendRefusedError):
        return refusal_words(refused.code)
    if isinstance(error, TimeoutError):
        return translate("Errors", "No answer came in time.")
    if is_answer(error):
        return str(error) or type(error).__name__
    return translate("Errors", "An internal error occurred. Details are in the log.")


def is_answer(error: Exception) -> bool:
    """Tell whether an error is an answer to what was asked, and not a bug of ours."""
    return isinstance(error, (ChimeinError, OSError))


def _refusals() -> dict[Refusal, str]:
    return {
        Refusal.FILE_GONE: translate("Errors", "The file of this agent is gone. Put it back first."),
        Refusal.NO_LOG_INS: translate("Errors", "Accounts cannot be logged in or out here."),
        Refusal.NOTHING_BESIDE: translate(
            "Errors", "No draft stands beside this text. It can be sent as a message of yours."
        ),
    }
