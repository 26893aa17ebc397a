"""Why memories can't be embedded, in words."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.domain.notes.embedders import EmbedderReason
from chimein_gui.domain.notes.reasons import AnyReason

EMBEDDERS: dict[AnyReason, object] = {
    EmbedderReason.NO_DIRECTORY: QT_TRANSLATE_NOOP(
        "Reasons", "No folder is set for the local model. Set it in Preferences, under Models."
    ),
    EmbedderReason.EXTRA_MISSING: QT_TRANSLATE_NOOP(
        "Reasons",
        "“{words}” is not installed, which a local model needs. Install Chimein with its extra “local”, then start it "
        "again.",
    ),
    EmbedderReason.MODEL_FILE_MISSING: QT_TRANSLATE_NOOP(
        "Reasons", "{words} is missing. Put the model's files into its folder, or set another one in Preferences."
    ),
    EmbedderReason.MODEL_UNREADABLE: QT_TRANSLATE_NOOP("Reasons", "{words} can't be used: {more}"),
    EmbedderReason.MODEL_OUTPUT_ODD: QT_TRANSLATE_NOOP(
        "Reasons", "{words} is no model that makes vectors of texts. Set another one in Preferences."
    ),
    EmbedderReason.MODEL_FAILED: QT_TRANSLATE_NOOP("Reasons", "The local model failed: {words}"),
    EmbedderReason.NO_EMBEDDER: QT_TRANSLATE_NOOP("Reasons", "That kind of search is not available here."),
    EmbedderReason.VECTORS_ODD: QT_TRANSLATE_NOOP("Reasons", "The model's answer could not be used."),
}
"""Marked for translation here and translated when they are shown."""
