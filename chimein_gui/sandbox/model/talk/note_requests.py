"""Recognises what an operator's note asks of a draft: to be shorter, to be warmer, or to ask for the time."""

import re
from dataclasses import dataclass

from chimein_gui.sandbox.model.talk.patterns import plain

_SHORTER = re.compile(
    r"\b(?:short\w*|brief\w*|concise|kurz\w*|knapp\w*|court\w*|bref|breve\w*|curt\w*|cort\w*|korter|kort)\b|اقصر|قصير|短|สั้น"
)
_WARMER = re.compile(
    r"\b(?:warm\w*|kind\w*|friendl\w*|nic\w+|gentl\w*|herzlich\w*|freundlich\w*|lieb\w*|netter|chaleur\w*|gentil\w*|aimable\w*"
    r"|carinh\w*|simpatic\w*|calor\w*|amavel|amable\w*|cald\w*|vriendelijk\w*|hartelijk\w*|aardig\w*)\b|لطف|دفئ|温か|やさし|อบอุ่น"
)
_ASK = re.compile(
    r"\b(?:ask\w*|frag\w*|demand\w*|pergunt\w*|pregunt\w*|chied\w*|vraag\w*)\b.*"
    r"\b(?:when|if|time|wann|ob|zeit|quand|si|quando|hora|cuando|se|ora|wanneer|of|tijd)\b|متى|いつ|เมื่อไ"
)


@dataclass(frozen=True, slots=True)
class NoteRequests:
    """What a note asks for; false if it asks for nothing that is recognised."""

    shorter: bool = False
    warmer: bool = False
    ask_when: bool = False

    def __bool__(self) -> bool:
        return self.shorter or self.warmer or self.ask_when


NO_REQUESTS = NoteRequests()


def read_requests(note: str) -> NoteRequests:
    """Find the requests in a note, by keywords of the supported languages."""
    text = plain(note)
    return NoteRequests(*(request.search(text) is not None for request in (_SHORTER, _WARMER, _ASK)))
