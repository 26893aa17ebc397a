"""Answers calls that ask for the description of a file: what the sandbox's own media show, and a guess for others."""

import base64
import re
from collections.abc import Iterator
from hashlib import sha256

from chimein_gui.sandbox.model.fields import field, objects, text_of
from chimein_gui.sandbox.model.script import ModelCall

_TASK = "⟦section: Description of a file⟧"
_SOUND = "Write down what is said"
_EMOJI = re.compile(r"It stands for ⟦name: (?P<emoji>[^⟦⟧]*)⟧")
_SET = re.compile(r"Its sticker set: ⟦name: (?P<set>[^⟦⟧]*)⟧")
_NOTE = re.compile(r"⟦section: Operator's note⟧\n(?P<note>[^\n]*)")

_BY_DIGEST = {
    "64ef828cb2d4": "A drawn lake in the evening: an orange sky, blue mountains, and a small sailing boat.",
    "7e55f85bf497": "A drawn plum cake on a white plate, seen from above.",
    "d2cd851f3202": "A drawn kitchen with a steaming red mug on the table and a small window.",
    "c58d8afb2a35": "The drawn portrait of a person.",
    "7f3e4a5e9af1": "Blue waves under an evening sky, with a light that moves on the water.",
    "9b4499d46b25": "(Somebody hums a short line.)",
    "a209325f23ce": "(Ten notes of a calm tune.)",
    "10d8c7fdc8f7": "An otter holds a red heart.",
    "7256a9380037": "An otter laughs so hard that tears come.",
    "195dd858e6a4": "An otter sleeps; three letters Z rise beside it.",
    "245231e8acb1": "An otter raises a paw and waves.",
    "07d5e8a03e12": "A paper boat on two paper waves.",
    "dd477c74cb3e": "A paper boat leans over on high paper waves.",
}
"""By the beginning of the file's SHA-256, as in the manifest of the sandbox's media."""

_BY_STICKER = {
    ("little_lantern", "🔥"): "A small yellow lantern glows, brighter and darker in turn.",
    ("little_lantern", "🎉"): "A small yellow lantern sways from side to side.",
    ("little_lantern", "🤔"): "A small yellow lantern tilts its head; three dots rise beside it.",
    ("little_lantern", "✨"): "A small yellow lantern grows a little and shrinks again.",
    ("paper_boats", "⛵"): "A white paper boat rocks on paper waves.",
    ("paper_boats", "🌊"): "A paper boat leans far over on high waves.",
}


def described(call: ModelCall) -> str | None:
    """Return the answer to a call that asks for a description; None for every other call."""
    if _TASK not in call.system_instruction:
        return None
    files = list(_files(call))
    words = _words(call, *files[-1]) if files else "There is no file."
    note = _NOTE.search(call.system_instruction)
    return f"{words} It is drawn with few lines, in clear colours." if note is not None else words


def _files(call: ModelCall) -> Iterator[tuple[str, bytes]]:
    """Iterate over the files of a call: type and content."""
    for turn in call.contents:
        for part in objects(turn.get("parts")):
            if data := field(part, "inlineData"):
                yield str(field(data, "mimeType")), base64.b64decode(str(field(data, "data")))


def _words(call: ModelCall, mime_type: str, content: bytes) -> str:
    hints = "\n".join(map(text_of, call.contents))
    emoji, of_set = _EMOJI.search(hints), _SET.search(hints)
    sticker = (of_set["set"] if of_set else "", emoji["emoji"] if emoji else "")
    known = _BY_DIGEST.get(sha256(content).hexdigest()[:12]) or _BY_STICKER.get(sticker)
    if known is not None:
        return known
    if _SOUND in call.system_instruction:
        return "(Somebody says something that can't be made out.)"
    if emoji is not None:
        return f"A sticker that stands for {emoji['emoji']}."
    return f"A picture ({mime_type}, {len(content):,} bytes) with clear shapes and friendly colours."
