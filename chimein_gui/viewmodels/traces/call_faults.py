"""Why a model call failed, in a word beside its bar, and what to do about it in its details."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.domain.prompt.model_faults import ModelFault

if TYPE_CHECKING:
    from chimein_gui.domain.notes import Note

translate = QCoreApplication.translate

_KEY: object = QT_TRANSLATE_NOOP("CallFaults", "rejected key")
_LATE: object = QT_TRANSLATE_NOOP("CallFaults", "timed out")
_EMPTY: object = QT_TRANSLATE_NOOP("CallFaults", "no reply")
_LARGE: object = QT_TRANSLATE_NOOP("CallFaults", "too large")
_BUSY: object = QT_TRANSLATE_NOOP("CallFaults", "overloaded")

_WORD: dict[object, object] = {
    ModelFault.CHANGED_KEY: QT_TRANSLATE_NOOP("CallFaults", "key changed"),
    ModelFault.NO_ANSWER: _LATE,
    ModelFault.TIMED_OUT: _LATE,
    ModelFault.ANSWERED_LATER: QT_TRANSLATE_NOOP("CallFaults", "server error"),
    ModelFault.REFUSED_REQUEST: QT_TRANSLATE_NOOP("CallFaults", "refused"),
    ModelFault.SIGNATURE_MISSING: QT_TRANSLATE_NOOP("CallFaults", "refused"),
    ModelFault.KEY_NOT_ACCEPTED: _KEY,
    ModelFault.KEY_UNUSABLE: _KEY,
    ModelFault.ANSWER_TOO_LONG: QT_TRANSLATE_NOOP("CallFaults", "answer too long"),
    ModelFault.UNREACHABLE: QT_TRANSLATE_NOOP("CallFaults", "no network"),
    ModelFault.NOT_GEMINI: QT_TRANSLATE_NOOP("CallFaults", "no network"),
    ModelFault.NO_SUCH_MODEL: QT_TRANSLATE_NOOP("CallFaults", "no such model"),
    ModelFault.MAKES_IMAGES: QT_TRANSLATE_NOOP("CallFaults", "wrong model"),
    ModelFault.PROMPT_BLOCKED: QT_TRANSLATE_NOOP("CallFaults", "prompt blocked"),
    ModelFault.REPLY_BLOCKED: QT_TRANSLATE_NOOP("CallFaults", "reply blocked"),
    ModelFault.NO_REPLY: _EMPTY,
    ModelFault.ONLY_THOUGHTS: _EMPTY,
    ModelFault.ENDED_WITHOUT_REPLY: _EMPTY,
    ModelFault.TOKENS_USED_UP: QT_TRANSLATE_NOOP("CallFaults", "no tokens left"),
}

_AGAIN: object = QT_TRANSLATE_NOOP("CallFaults", "Nothing: it is tried again, up to 10 times.")
_MODEL: object = QT_TRANSLATE_NOOP("CallFaults", "Choose another model in Preferences, or in the agent's file.")
_REWORD: object = QT_TRANSLATE_NOOP(
    "CallFaults", "Read the prompt, change what is objected to, and plan again; or write the answer yourself."
)
_SHORTEN: object = QT_TRANSLATE_NOOP(
    "CallFaults", "Shorten the prompt: fewer messages, memories or pages. Then plan again."
)

_REMEDY: dict[object, object] = {
    ModelFault.CHANGED_KEY: QT_TRANSLATE_NOOP("CallFaults", "Nothing: it is tried again with the new key."),
    ModelFault.KEY_NOT_ACCEPTED: QT_TRANSLATE_NOOP(
        "CallFaults", "Check the key in Preferences. The plan is made as soon as a key works."
    ),
    ModelFault.KEY_UNUSABLE: QT_TRANSLATE_NOOP(
        "CallFaults", "Check the key in Preferences. The plan is made as soon as a key works."
    ),
    ModelFault.UNREACHABLE: QT_TRANSLATE_NOOP(
        "CallFaults", "Check the connection to the internet. It is tried again, up to 10 times."
    ),
    ModelFault.NOT_GEMINI: QT_TRANSLATE_NOOP(
        "CallFaults", "Check the connection to the internet. It is tried again, up to 10 times."
    ),
    ModelFault.NO_SUCH_MODEL: _MODEL,
    ModelFault.MAKES_IMAGES: _MODEL,
    ModelFault.PROMPT_BLOCKED: _REWORD,
    ModelFault.REPLY_BLOCKED: _REWORD,
    ModelFault.REFUSED_REQUEST: QT_TRANSLATE_NOOP(
        "CallFaults", "Read the service's words and the prompt, then plan again or choose another model."
    ),
    ModelFault.SIGNATURE_MISSING: QT_TRANSLATE_NOOP(
        "CallFaults", "Read the service's words and the prompt, then plan again or choose another model."
    ),
    ModelFault.TOKENS_USED_UP: _SHORTEN,
}

_ONCE_MORE: object = QT_TRANSLATE_NOOP("CallFaults", "It is not retried automatically: ask once more.")
_REWORD_ASIDE: object = QT_TRANSLATE_NOOP(
    "CallFaults", "Read the prompt, change what is objected to, and ask once more."
)
_CHANGE_ASIDE: object = QT_TRANSLATE_NOOP("CallFaults", "Change what is objected to, and ask once more.")
_ASIDE: dict[object, object] = {
    ModelFault.PROMPT_BLOCKED: _REWORD_ASIDE,
    ModelFault.REPLY_BLOCKED: _REWORD_ASIDE,
    ModelFault.KEY_NOT_ACCEPTED: QT_TRANSLATE_NOOP("CallFaults", "Check the key in Preferences, then ask once more."),
    ModelFault.KEY_UNUSABLE: QT_TRANSLATE_NOOP("CallFaults", "Check the key in Preferences, then ask once more."),
    ModelFault.UNREACHABLE: QT_TRANSLATE_NOOP(
        "CallFaults", "Check the connection to the internet, then ask once more."
    ),
    ModelFault.NOT_GEMINI: QT_TRANSLATE_NOOP("CallFaults", "Check the connection to the internet, then ask once more."),
    ModelFault.CHANGED_KEY: _ONCE_MORE,
}
"""Where nothing is tried again: in dry runs, and in further versions of a plan."""

_TOO_LARGE, _TOO_MANY, _OVERLOADED = 413, 429, frozenset({503, 529})
_COUNT = "token count"
"""In the service's words about a request that is too large, which has the same status as other bad ones."""


def _is_too_large(note: Note) -> bool:
    return note.kind is ModelFault.REFUSED_REQUEST and (note.number == _TOO_LARGE or _COUNT in note.words.lower())


def fault_word(note: Note) -> str:
    """Return why a call failed, in a word or two; empty for a fault without a name."""
    if _is_too_large(note):
        return translate("CallFaults", str(_LARGE))
    if note.kind is ModelFault.ANSWERED_LATER and note.number == _TOO_MANY:
        return translate("CallFaults", "too many requests")
    if note.kind is ModelFault.ANSWERED_LATER and note.number in _OVERLOADED:
        return translate("CallFaults", str(_BUSY))
    word = _WORD.get(note.kind)
    return "" if word is None else translate("CallFaults", str(word))


def fault_remedy(note: Note, *, is_tried_again: bool = True, has_prompt: bool = True) -> str:
    """Return what to do about a failed call, in a sentence or two; nobody is sent to a prompt that is not kept."""
    remedy = _SHORTEN if _is_too_large(note) else _REMEDY.get(note.kind, _AGAIN if is_tried_again else _ONCE_MORE)
    if not is_tried_again:
        remedy = _ASIDE.get(note.kind, remedy)
    if remedy is _REWORD_ASIDE and not has_prompt:
        remedy = _CHANGE_ASIDE
    return translate("CallFaults", str(remedy))
