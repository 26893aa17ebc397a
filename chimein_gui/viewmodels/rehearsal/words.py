"""What the sandbox offers and answers, in words; imported when it is needed: a live window has no sandbox."""

from __future__ import annotations

import logging
from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from chimein_gui.sandbox_api import Cast, SandboxRefusedError
from chimein_gui.viewmodels.rehearsal.refusals import refused_words, scene_problem_words
from chimein_gui.viewmodels.words.errors import error_words, is_answer

_log = logging.getLogger(__name__)

translate = QCoreApplication.translate


def cast_in_words(cast: Cast) -> Cast:
    """Return a cast whose faults and scenarios are titled and explained in the language of the window."""
    faults = (
        replace(one, title=translate("Faults", one.title), summary=translate("Faults", one.summary))
        for one in cast.faults
    )
    scenarios = (
        replace(one, title=translate("Scenarios", one.title), summary=translate("Scenarios", one.summary))
        if one.problem is None
        else replace(one, summary=scene_problem_words(one.problem))
        for one in cast.scenarios
    )
    return replace(cast, faults=tuple(faults), scenarios=tuple(scenarios))


def sandbox_words(error: Exception, command: str) -> str:
    """Return a refusal of the sandbox in words; any other unexpected error is logged and reported as a bug."""
    if isinstance(error, SandboxRefusedError):
        return refused_words(error.why, error.said)
    if not is_answer(error):
        _log.error("The sandbox failed: %s", command, exc_info=error)
    return error_words(error)
