"""Errors in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.errors import (
    ChimeinError,
    MediaTrouble,
    MediaUnavailableError,
    ModelError,
    NotFoundError,
    Refusal,
    RefusedError,
    SendRefusedError,
    SignInError,
    note_of,
)
from chimein_gui.domain.notes import Note
from chimein_gui.viewmodels.words.notes import note_sentence
from chimein_gui.viewmodels.words.refusals import refusal_words

translate = QCoreApplication.translate


def error_words(error: Exception) -> str:
    """Return why something was not done; never empty.

    A bug's own message is only for the log: a caller that shows these words raises the error again to have it logged.
    """
    if (words := _named(error)) is not None:
        return words
    if isinstance(error, TimeoutError):
        return translate("Errors", "No answer in time.")
    if isinstance(error, OSError):
        return note_sentence(note_of(error))
    if isinstance(error, ChimeinError):
        detail = str(error) or type(error).__name__  # only in a text for the log
        return translate("Errors", "This did not work: “{detail}”").format(detail=detail)
    return translate("Errors", "An internal error occurred. Details are in the log.")


def _named(error: Exception) -> str | None:
    """Return the words for an error with a known reason; None for any other."""
    if isinstance(error, NotFoundError):
        return translate("Errors", "It no longer exists.")
    if isinstance(error, RefusedError) and (words := _refusals().get(error.refusal)) is not None:
        return words
    if isinstance(error, ChimeinError) and (note := _note_of(error)) is not None:
        return note_sentence(note)
    refused = error if isinstance(error, SendRefusedError) else error.__cause__
    if isinstance(refused, SendRefusedError):
        return refusal_words(refused.code)
    return _media()[error.trouble] if isinstance(error, MediaUnavailableError) else None


def _note_of(error: ChimeinError) -> Note | None:
    """Return what an error says by name, in whichever attribute it does."""
    if error.note is None and isinstance(error, SignInError):
        return Note(error.trouble, number=round(error.retry_after_s))
    return error.fault if error.note is None and isinstance(error, ModelError) else error.note


def is_answer(error: Exception) -> bool:
    """Tell whether an error is an expected answer, such as a refusal, and not a bug."""
    return isinstance(error, (ChimeinError, OSError))


def _refusals() -> dict[Refusal, str]:
    return {
        Refusal.FILE_GONE: translate("Errors", "The file of this agent is gone. Put it back first."),
        Refusal.NO_LOG_INS: translate("Errors", "Accounts can't be logged in or out here."),
        Refusal.NOTHING_BESIDE: translate(
            "Errors", "This text has no draft any more. You can send it as your own message."
        ),
        Refusal.NO_FILES: translate("Errors", "Files can't be sent here."),
        Refusal.FILE_TOO_LARGE: translate("Errors", "The file is too large: Telegram takes at most 2 GB."),
        Refusal.FILE_EMPTY: translate("Errors", "The file is empty, so it cannot be sent."),
        Refusal.FILE_UNREADABLE: translate("Errors", "The file can't be read. Choose it again."),
        Refusal.DISK_FULL: translate("Errors", "The disk is full. Free some space, then send the file again."),
        Refusal.DISK_REFUSES: translate("Errors", "Files can't be saved in the data folder. Check its disk."),
        Refusal.CAPTION_TOO_LONG: translate(
            "Errors", "The caption is too long: at most 1,024 characters go with a file."
        ),
        Refusal.RULE_CHANGED: translate("Errors", "The trust level has changed. Check it, then decide again."),
    }


def _media() -> dict[MediaTrouble, str]:
    return {
        MediaTrouble.OFFLINE: translate("Errors", "This account is not connected."),
        MediaTrouble.WAIT: translate("Errors", "Telegram asks to wait with downloads."),
        MediaTrouble.DISK: translate("Errors", "The file could not be saved. Check the disk."),
        MediaTrouble.TOO_BIG: translate("Errors", "The file is too big to be shown."),
        MediaTrouble.GONE: translate("Errors", "Telegram no longer has this file."),
        MediaTrouble.NO_FILE: translate("Errors", "This message has no file."),
    }
