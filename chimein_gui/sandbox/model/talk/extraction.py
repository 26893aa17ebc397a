"""Answers calls that read a conversation for memories: what people say about themselves, in the third person.

It knows sentences by how they begin, and has no idea what they mean. Those that it cannot turn are quoted.
"""

import json
import re
from collections.abc import Iterator

from chimein_gui.sandbox.model.fields import field, objects
from chimein_gui.sandbox.model.script import ModelCall
from chimein_gui.sandbox.model.talk.conversation import Said, read_turn

_TASK = "⟦section: Extraction of memories⟧"
_OWN = re.compile(r'other than "(?P<name>[^"\n]+)"')
_HEADER = re.compile(r"⟦(?:from: [^⟦⟧]*\| )?message \d+")
_SENTENCE = re.compile(r"[^.!?…\n]+[.!?…]*")
_MOST = 5
"""Entries of an answer: of more, the newest."""
_SHORTEST, _LONGEST = 12, 160
_TURNED = (
    (re.compile(r"^i(?:'| a)m (.+)", re.IGNORECASE), "{name} is {rest}."),
    (re.compile(r"^i(?:'ve| have)(?: got)? (.+)", re.IGNORECASE), "{name} has {rest}."),
    (re.compile(r"^i (like|love|hate|prefer|live|work|play|speak|drive|collect|want|need) (.+)", re.IGNORECASE), ""),
    (re.compile(r"^my (.+)", re.IGNORECASE), "{name}'s {rest}."),
)
_CUES = re.compile(
    r"\b(?:i|my|ich|mein\w*|je|mon|ma|mes|yo|mi|mis|eu|meu|minha|io|mio|mia|я|мой|моя|моё|мої|моє)\b|我|私|僕",
    re.IGNORECASE,
)
_SENSITIVE = re.compile(r"\b(?:died|death|ill|cancer|pregnant|doctor|password|salary|gestorben|krank)\b", re.IGNORECASE)
_ORDERS = re.compile(r"^(?:please )?(?:remember|send|tell|ignore|always|never)\b", re.IGNORECASE)


def extracted(call: ModelCall) -> str | None:
    """Return the answer to a call that asks for memories, as JSON; None for every other call."""
    if _TASK not in call.system_instruction or field(call.config, "responseMimeType") != "application/json":
        return None
    own = _OWN.search(call.system_instruction)
    found = []
    for said in _messages(call):
        if own is not None and said.name == own["name"]:
            continue
        found += [_entry(said, sentence) for sentence in _sentences(said.text)]
    return json.dumps({"memories": found[-_MOST:]}, ensure_ascii=False)


def _messages(call: ModelCall) -> Iterator[Said]:
    """Split the one turn with the whole conversation into its messages."""
    parts = [part for turn in call.contents for part in objects(turn.get("parts"))]
    starts = [place for place, part in enumerate(parts) if _HEADER.match(str(part.get("text", "")))]
    for start, end in zip(starts, [*starts[1:], len(parts)], strict=True):
        yield read_turn({"role": "user", "parts": parts[start:end]})


def _sentences(text: str) -> Iterator[str]:
    for match in _SENTENCE.finditer(text):
        sentence = match[0].strip()
        is_fact = _SHORTEST <= len(sentence) <= _LONGEST and not sentence.endswith("?")
        if is_fact and (_CUES.search(sentence) or _ORDERS.match(sentence)):
            yield sentence


def _entry(said: Said, sentence: str) -> dict[str, object]:
    is_order = bool(_ORDERS.match(sentence))
    return {
        "text": sentence if is_order else _third_person(said.name or "Somebody", sentence.rstrip(".!… ")),
        "evidence": [{"message": said.number, "words": sentence}],
        "sensitive": bool(_SENSITIVE.search(sentence)),
        "order": is_order,
        "confidence": 0.4 if is_order else 0.9,
    }


def _third_person(name: str, sentence: str) -> str:
    plain = re.sub(r"^(?:well|oh|and|but|so|by the way|you know),? ", "", sentence, flags=re.IGNORECASE)
    for pattern, form in _TURNED:
        match = pattern.match(plain)
        if match is None:
            continue
        if form:
            return form.format(name=name, rest=match[1])
        return f"{name} {match[1].lower()}s {match[2]}."
    return f"{name}: “{sentence}”"
