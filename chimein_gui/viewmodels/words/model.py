"""Why a model call brought no plan, and why memories can't be embedded, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.domain.notes.embedders import EmbedderReason
from chimein_gui.domain.notes.reasons import AnyReason
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.spending.caps import CapScope
from chimein_gui.viewmodels.core.numbers import limit_words
from chimein_gui.viewmodels.words.plural import with_number

if TYPE_CHECKING:
    from chimein_gui.domain.notes import Note

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
    EmbedderReason.POSTGRES_EXTRA_MISSING: QT_TRANSLATE_NOOP(
        "Reasons",
        "“{words}” is not installed, which PostgreSQL needs. Install Chimein with its extra “postgres”, then start it "
        "again.",
    ),
    EmbedderReason.POSTGRES_ADDRESS_ODD: QT_TRANSLATE_NOOP(
        "Reasons", "The connection string of PostgreSQL can't be used. Set it again in Preferences, under Keys."
    ),
    EmbedderReason.POSTGRES_UNREACHABLE: QT_TRANSLATE_NOOP("Reasons", "PostgreSQL can't be reached: {words}"),
    EmbedderReason.POSTGRES_NO_VECTOR: QT_TRANSLATE_NOOP(
        "Reasons",
        "PostgreSQL has no pgvector. Install it on the server, or let its administrator run CREATE EXTENSION vector.",
    ),
    EmbedderReason.POSTGRES_FAILED: QT_TRANSLATE_NOOP("Reasons", "PostgreSQL refused: {words} ({more})"),
    EmbedderReason.VECTORS_ODD: QT_TRANSLATE_NOOP("Reasons", "The model's answer could not be used."),
}
"""Marked for translation here and translated when they are shown."""

_WORDS: dict[ModelFault, object] = {
    ModelFault.CALLS_USED_UP: QT_TRANSLATE_NOOP("Models", "%n model call(s) brought no reply"),
    ModelFault.CHANGED_KEY: QT_TRANSLATE_NOOP("Models", "The API key changed during the call"),
    ModelFault.NO_ANSWER: QT_TRANSLATE_NOOP("Models", "The model did not answer within {n} s"),
    ModelFault.ONLY_LOOKS_UP: QT_TRANSLATE_NOOP("Models", "The model wants to look something up and writes no reply"),
    ModelFault.ONLY_PAGES: QT_TRANSLATE_NOOP(
        "Models", "The model asked for web pages, which it cannot look up, instead of answering"
    ),
    ModelFault.BROKE_OFF: QT_TRANSLATE_NOOP("Models", "The model's reply broke off before there was anything to send"),
    ModelFault.NO_PRICE: QT_TRANSLATE_NOOP("Models", "“{words}” has no price, so no cap can limit its cost"),
    ModelFault.ANSWERED_LATER: QT_TRANSLATE_NOOP("Models", "Gemini can't answer now (HTTP {n})"),
    ModelFault.REFUSED_REQUEST: QT_TRANSLATE_NOOP("Models", "Gemini refuses this request (HTTP {n})"),
    ModelFault.KEY_NOT_ACCEPTED: QT_TRANSLATE_NOOP("Models", "Gemini does not accept the API key (HTTP {n})"),
    ModelFault.KEY_UNUSABLE: QT_TRANSLATE_NOOP(
        "Models", "The Gemini API key is missing or has characters that no key has"
    ),
    ModelFault.TIMED_OUT: QT_TRANSLATE_NOOP("Models", "Gemini did not answer in time"),
    ModelFault.ANSWER_TOO_LONG: QT_TRANSLATE_NOOP("Models", "Gemini's answer is longer than 4 MB; it was given up"),
    ModelFault.UNREACHABLE: QT_TRANSLATE_NOOP("Models", "Gemini can't be reached"),
    ModelFault.NO_SUCH_MODEL: QT_TRANSLATE_NOOP("Models", "There can't be a model named “{words}”"),
    ModelFault.NOT_GEMINI: QT_TRANSLATE_NOOP(
        "Models", "Unexpected answer, not from Gemini. Are you behind a Wi-Fi login page?"
    ),
    ModelFault.PROMPT_BLOCKED: QT_TRANSLATE_NOOP("Models", "Gemini blocked the prompt because {why}"),
    ModelFault.REPLY_BLOCKED: QT_TRANSLATE_NOOP("Models", "Gemini broke off its reply because {why}"),
    ModelFault.NO_REPLY: QT_TRANSLATE_NOOP("Models", "Gemini's answer holds no reply"),
    ModelFault.ONLY_THOUGHTS: QT_TRANSLATE_NOOP("Models", "Gemini sent its thoughts, but no reply"),
    ModelFault.TOKENS_USED_UP: QT_TRANSLATE_NOOP(
        "Models", "Gemini used up all its tokens before the first word of the reply"
    ),
    ModelFault.SIGNATURE_MISSING: QT_TRANSLATE_NOOP(
        "Models", "Gemini rejected the request: a thought signature is missing"
    ),
    ModelFault.MAKES_IMAGES: QT_TRANSLATE_NOOP(
        "Models", "This model makes images and writes no replies. Choose another model"
    ),
    ModelFault.ENDED_WITHOUT_REPLY: QT_TRANSLATE_NOOP("Models", "Gemini ended without a reply"),
}

_BLOCKED: dict[str, object] = {
    "BLOCKLIST": QT_TRANSLATE_NOOP("Models", "it contains a forbidden term"),
    "IMAGE_PROHIBITED_CONTENT": QT_TRANSLATE_NOOP("Models", "it considers an image prohibited"),
    "IMAGE_RECITATION": QT_TRANSLATE_NOOP("Models", "an image would copy a protected one"),
    "IMAGE_SAFETY": QT_TRANSLATE_NOOP("Models", "of an image in it"),
    "JAILBREAK": QT_TRANSLATE_NOOP("Models", "it considers this an attempt to bypass its rules"),
    "LANGUAGE": QT_TRANSLATE_NOOP("Models", "it does not support the language"),
    "MODEL_ARMOR": QT_TRANSLATE_NOOP("Models", "of the Model Armor of its project"),
    "OTHER": QT_TRANSLATE_NOOP("Models", "of a reason it does not name"),
    "PROHIBITED_CONTENT": QT_TRANSLATE_NOOP("Models", "it considers the content prohibited"),
    "RECITATION": QT_TRANSLATE_NOOP("Models", "the reply would copy a protected text"),
    "SAFETY": QT_TRANSLATE_NOOP("Models", "of its safety filters"),
    "SPII": QT_TRANSLATE_NOOP("Models", "of sensitive personal information"),
}
"""By Gemini's names of its block reasons."""

_BEHIND = {
    ModelFault.ANSWERED_LATER: "{fault}: {words}",
    ModelFault.REFUSED_REQUEST: "{fault}: {words}",
    ModelFault.KEY_NOT_ACCEPTED: "{fault}: {words}",
    ModelFault.ENDED_WITHOUT_REPLY: "{fault} ({words})",
}
"""How the service's own words follow ours."""

QUOTING = frozenset(_BEHIND)
"""Faults whose words are the service's own."""

translate = QCoreApplication.translate


def model_fault_words(fault: ModelFault, note: Note) -> str:
    """Return why a call brought no plan, without a final punctuation mark; the service's own words are foreign text."""
    known = _BLOCKED.get(note.words or "OTHER")
    why = (
        translate("Models", str(known))
        if known is not None
        else translate("Models", "of {reason}").format(reason=note.words)
    )
    if fault is ModelFault.CAP_REACHED:
        return _cap_words(note)
    words = with_number("Models", str(_WORDS[fault]), note.number).format(n=note.number, words=note.words, why=why)
    return _BEHIND[fault].format(fault=words, words=note.words) if note.words and fault in _BEHIND else words


def _cap_words(note: Note) -> str:
    words = {
        CapScope.AGENT.value: translate("Models", "Today's cap of {amount} for this agent is reached"),
        CapScope.CHAT.value: translate("Models", "Today's cap of {amount} for this chat is reached"),
    }.get(note.words, translate("Models", "Today's cap of {amount} for everything is reached"))
    return words.format(amount=limit_words(note.number / 1_000_000))
