"""Free text: a short, friendly, deterministic answer to whatever was said last.

It knows no persona. It only has to look at the last turn, refer to it, and keep to our reply grammar (SPEC §3).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

_HEADER = re.compile(r"^⟦[^⟧]*⟧\s*")
_NOTHING_NEW = "(no new message; continue)"
_MAX_QUOTE = 60
_GREETING = re.compile(
    r"^(hello|hi|hey|hiya|good (morning|afternoon|evening)|olá|oi|hola|bonjour|salut|hallo|ciao|moin"
    r"|привет|здравствуй\w*)"
    r"\b[\s\w]{0,20}[!.,…]*",
    re.IGNORECASE,
)
_THANKS = re.compile(r"\b(thanks|thank you|thx|obrigad[oa]|gracias|merci|danke|grazie|спасибо)\b", re.IGNORECASE)
_QUESTION_WORDS = re.compile(
    r"^((so|and|but|well|hey|oh)[, ]+)?"
    r"(are|is|do|does|did|can|could|will|would|should|have|has|what|when|where|why|who|how|which)\b"
    r"(\s+(about|is|are|do|does|did|was|were|much|many|you|we|i|it|there|a|an|the))*\s*",
    re.IGNORECASE,
)
_GREETINGS = ("Hey! Good to hear from you. How is your day going?", "Hi there! I was just thinking of you. What's new?")
_WELCOMES = ("Any time! Glad it helped.", "You're welcome, really.")
_ANSWERS = (
    "Good question about “{}”. I'd say yes, let's go for it. What do you think?",
    "About “{}”: I think so, but let me double-check and tell you tonight.",
    "“{}”: I'm not sure, to be honest. Let me look it up before you go.",
)
_REACTIONS = (
    "Oh, “{}” – I like that. Tell me more!",
    "“{}”, really? That made me smile.",
    "Got it: “{}”. Let's see where this goes.",
)


def respond(contents: Sequence[Mapping[str, Any]]) -> str:
    """Return a reply of one `send` block to the last user turn."""
    said = last_words(contents)
    return f"# «send»\n{_answer(said)}"


def last_words(contents: Sequence[Mapping[str, Any]]) -> str:
    """Return what the last user turn says, without our header parts."""
    for turn in reversed(contents):
        if turn.get("role", "user") == "user":
            texts = (_HEADER.sub("", str(part.get("text", ""))) for part in turn.get("parts", ()))
            return " ".join(" ".join(texts).split())
    return ""


def _answer(said: str) -> str:
    if not said or said == _NOTHING_NEW:
        return "Still here! What's on your mind?"
    rest = _GREETING.sub("", said).strip()
    if not rest:
        return _pick(_GREETINGS, said)
    question = next((sentence for sentence in _sentences(rest) if sentence.endswith("?")), "")
    if question:
        return _pick(_ANSWERS, said).format(_quote(_QUESTION_WORDS.sub("", question)) or _quote(question))
    if _THANKS.search(rest):
        return _pick(_WELCOMES, said)
    return _pick(_REACTIONS, said).format(_quote(rest))


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?…])\s+", text)


def _pick(choices: Sequence[str], said: str) -> str:
    """Choose by content, so that the same words always get the same answer."""
    return choices[crc32(said.encode()) % len(choices)]


def _quote(text: str) -> str:
    bare = text.strip(" .!?…,").replace("{", "(").replace("}", ")")
    return bare if len(bare) <= _MAX_QUOTE else bare[: _MAX_QUOTE - 1].rsplit(" ", 1)[0] + "…"
