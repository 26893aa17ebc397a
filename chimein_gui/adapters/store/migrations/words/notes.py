"""What the database kept as sentences up to its tenth migration, and the names they have since.

Used by the eleventh migration alone, so nothing here follows later names or words.
"""

import json
import re
from typing import Any

_NOTES: dict[str, list[Any]] = {
    "It lived through a hold": ["was held"],
    "You approved it under hold": ["approved under hold"],
    "approved, held": ["approved, held"],
    "Held: by the operator": ["held"],
    "Held: Everything is held": ["held"],
    "Its time ran out while Chimein was closed or the computer was asleep, so it starts again.": ["began anew"],
    "You wrote in this chat yourself": ["taken over"],
    "You took over": ["took over"],
    "The rule that approved it no longer holds": ["rule gone"],
    "It changed after it was approved": ["changed after approval"],
    "The conversation went on after it was approved": ["went on"],
    "It is more than 12 hours old": ["old"],
    "No answer from Telegram": ["unanswered"],
    "Waits for Telegram": ["waits for telegram"],
    "Telegram asks to wait": ["server wait"],
    "the next part follows": ["next part"],
    "Sent again under the same number: no answer came, and there was no trace of it": ["sent again"],
    "Done after retry": ["after retry"],
    "It was delivered after all": ["delivered after all"],
    "Its earlier text has arrived after all": ["earlier came"],
    "No trace of it in the chat on Telegram": ["not found"],
    "No trace of it in the chat on Telegram, and the group became a supergroup meanwhile": [
        "not found",
        "",
        0,
        ["became supergroup"],
    ],
    "No trace of it in the chat on Telegram, and it was held meanwhile": ["not found", "", 0, ["held meanwhile"]],
    "No trace of it in the chat on Telegram, and the conversation went on": [
        "not found",
        "",
        0,
        ["went on meanwhile"],
    ],
    "Telegram does not let us look whether it arrived": ["cannot look"],
    "The conversation went on between its parts": ["went on between"],
    "Deleted for everyone; the partner may have seen it": ["deleted"],
    "can't be checked: another account is logged in": ["uncheckable"],
    "The account is logged out: it leaves after the next log-in": ["stays logged out"],
    "rejected": ["rejected"],
    "An earlier step was rejected": ["earlier rejected"],
    "An earlier step was edited": ["earlier edited"],
    "An earlier step was skipped": ["earlier skipped"],
    "asked for again": ["taken up"],
    "observed only": ["observed"],
    "skipped by the operator": ["skipped by operator"],
    "cancelled by the operator": ["cancelled by operator"],
    "a message in the prompt was changed meanwhile": ["rewritten"],
    "a newer message came": ["newer came"],
    "a newer message came while it was made": ["cut off"],
    "something was sent meanwhile": ["sent meanwhile"],
    "the outcome of a send is looked up first": ["in doubt"],
    "answered meanwhile": ["answered"],
    "you answered yourself": ["answered by operator"],
    "nothing in this chat asks for an answer any more": ["not heard"],
    "the chat is muted": ["the chat is muted"],
    "The chat is muted": ["the chat is muted"],
    "Telegram did not say whether the chat is muted": ["mute unknown"],
    "older than the first log-in": ["before log-in"],
    "the key was changed": ["key changed"],
    "the program was closed": ["closed"],
    "the program ended three times while making it": ["crashed"],
    "the program ended during this plan": ["program ended"],
    "it was cut off between two parts": ["cut off between parts"],
    "superseded": ["superseded"],
    "superseded after approval": ["superseded after approval"],
    "plan rejected": ["plan rejected"],
    "predecessor failed": ["predecessor failed"],
    "variant": ["variant"],
    "account changed": ["account changed"],
}

_PART_SENT = "; a part of it was sent before"
_NOT_FOUND = "No trace of it in the chat on Telegram. "
_WITH_WORDS = (
    ("Held: ", "held"),
    ("The chat was set to ", "switched"),
    ("Sending it again was refused: ", "repeat refused"),
)
_WITH_NUMBER = (
    (re.compile(r"There were (\d+) automatic sends in this chat within an hour"), "cap of chat"),
    (re.compile(r"There were (\d+) automatic sends of this account within an hour"), "cap of account"),
    (re.compile(r"It is more than (\d+) minutes overdue"), "overdue"),
    (re.compile(r"Telegram asks to wait (\d+) s"), "server wait"),
    (re.compile(r"The plan wants to wait (\d+) h"), "long wait"),
    (re.compile(r"done after retry \(attempt (\d+)\)"), "done after retry"),
)
_PART = re.compile(r"Part (\d+) was refused, the parts before it were sent: (.*)", re.DOTALL)
_ATTEMPTS = re.compile(r" \((\d+) attempts\)\Z")

_SILENT = "The model decided not to answer."
_GIVEN_UP = "No plan: "
_CRASHED = "No plan: the program ended three times while making it."
_FOR_KEY = " It is made as soon as the key is changed."
_PARTLY = "Part of the reply was left out or changed: "
_WITH_REASON = (
    ("The model only wants to wait; there is nothing to send", "only waits"),
    ("Nothing of the reply could be used", "nothing usable"),
)
_ASKED = re.compile(r"\.? The service asks to wait (\d+) s; the next attempt comes by itself\.\Z")
_AGAIN = re.compile(r"\.? Attempt (\d+) of (\d+); the next one comes by itself\.\Z")


def note_of(sentence: str) -> str:
    """Return what a note, the reason of a step or the fault of a plan is called; unknown words stay words."""
    return _encoded(_note(sentence)) if sentence else ""


def rejection_of(words: str) -> str:
    """Return the note of a rejected card: whatever it says are the operator's words."""
    return _encoded(["rejected", words]) if words else ""


def problem_of(sentence: str) -> str:
    """Return what a planning problem is called; unknown words stay words."""
    return _encoded(_problem(sentence)) if sentence else ""


def _note(sentence: str) -> list[Any]:
    if sentence not in _NOTES and sentence.endswith(_PART_SENT):
        return ["part sent", "", 0, _whole(sentence.removesuffix(_PART_SENT))]
    return _whole(sentence)


def _whole(sentence: str) -> list[Any]:
    if sentence not in _NOTES and sentence.startswith(_NOT_FOUND):
        return ["not found", "", 0, _plain(sentence.removeprefix(_NOT_FOUND))]
    return _plain(sentence)


def _plain(sentence: str) -> list[Any]:
    return _NOTES.get(sentence) or _with_number(sentence) or _with_words(sentence)


def _with_number(sentence: str) -> list[Any]:
    for pattern, kind in _WITH_NUMBER:
        found = pattern.fullmatch(sentence)
        if found is not None:
            return [kind, "", int(found[1])]
    part = _PART.fullmatch(sentence)
    return ["refused", part[2], int(part[1])] if part is not None else []


def _with_words(sentence: str) -> list[Any]:
    for beginning, kind in _WITH_WORDS:
        if sentence.startswith(beginning):
            return [kind, sentence.removeprefix(beginning)]
    attempts = _ATTEMPTS.search(sentence)
    if attempts is not None:
        return ["model failed", sentence[: attempts.start()], int(attempts[1])]
    return ["other", sentence]


def _problem(sentence: str) -> list[Any]:
    if sentence in {_SILENT, _CRASHED}:
        return ["silent" if sentence == _SILENT else "crashed"]
    if sentence.startswith(_GIVEN_UP):
        return _given_up(sentence.removeprefix(_GIVEN_UP))
    return _of_reply(sentence) or _tried_again(sentence) or ["other", sentence]


def _of_reply(sentence: str) -> list[Any]:
    if sentence.startswith(_PARTLY):
        return ["partly used", sentence.removeprefix(_PARTLY)]
    for beginning, kind in _WITH_REASON:
        if sentence.startswith(beginning):
            return [kind, *([sentence[len(beginning) + 2 : -2]] if "(" in sentence else [])]
    return []


def _tried_again(sentence: str) -> list[Any]:
    asked, again = _ASKED.search(sentence), _AGAIN.search(sentence)
    if asked is not None:
        return ["asked to wait", sentence[: asked.start()], int(asked[1])]
    return ["retrying", sentence[: again.start()], 0, int(again[1]), int(again[2])] if again is not None else []


def _given_up(why: str) -> list[Any]:
    if why.endswith(_FOR_KEY):
        return ["no key", why.removesuffix(_FOR_KEY)]
    attempts = _ATTEMPTS.search(why)
    return ["failed", why[: attempts.start()], 0, int(attempts[1])] if attempts is not None else ["failed", why]


def _encoded(parts: list[Any]) -> str:
    return json.dumps(parts, separators=(",", ":"))
