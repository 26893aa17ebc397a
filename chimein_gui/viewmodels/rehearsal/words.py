"""Errors of the sandbox in words; imported at the first error, because a live window has no sandbox."""

from __future__ import annotations

import logging

from chimein_gui.sandbox_api import SandboxRefusedError
from chimein_gui.viewmodels.words.errors import error_words, is_answer

_log = logging.getLogger(__name__)


def sandbox_words(error: Exception, verb: str) -> str:
    """Return a refusal of the sandbox in words; any other unexpected error is logged and reported as a bug."""
    if isinstance(error, SandboxRefusedError):
        return str(error) or type(error).__name__
    if not is_answer(error):
        _log.error("The sandbox failed: %s", verb, exc_info=error)
    return error_words(error)
