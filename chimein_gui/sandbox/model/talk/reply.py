"""The last touch to a reply: its first heading, the sender's name in a group, a thought before, a sticker behind."""

import re
from zlib import crc32

from chimein_gui.sandbox.model.playbooks.rules import Situation
from chimein_gui.sandbox.model.talk.conversation import Conversation
from chimein_gui.sandbox.model.talk.cue_tables import Kind
from chimein_gui.sandbox.model.talk.kinds import Understanding
from chimein_gui.sandbox.model.talk.slots import chosen_sticker, harmless

_HEADING = re.compile(r"^#[ \t]*«", re.MULTILINE)
_SEND = re.compile(r"^# «send»\n", re.MULTILINE)
_MERRY = frozenset(
    {Kind.GREETING, Kind.LAUGHTER, Kind.GLAD, Kind.CONGRATULATION, Kind.NIGHT, Kind.COMPLIMENT, Kind.MEDIA, Kind.EMOJI}
    | {Kind.THANKS}
)
_ONE_IN = 3


def finished(text: str, think: str, conversation: Conversation, understood: Understanding, at: Situation) -> str:
    """Return the reply as it is sent."""
    if _HEADING.match(text) is None:
        text = f"# «send»\n{text}"
    if conversation.is_group:
        text = _addressed(text, conversation, understood)
    lot = crc32(f"{at.seed} sticker {at.said}".encode())
    sticker = chosen_sticker(conversation)
    if sticker is not None and understood.kind in _MERRY and lot % _ONE_IN == 0 and "«sticker»" not in text:
        text += f"\n# «sticker»\n{harmless(sticker.set_name)}\n{harmless(sticker.name)}"
    return f"# «think»\n{think}\n{text}" if think else text


def _addressed(text: str, conversation: Conversation, understood: Understanding) -> str:
    """Answer a callout by reply, and by name."""
    said = conversation.target
    name = harmless(said.name.split(" ")[0]) if said.name else ""
    found = _SEND.search(text)
    if found is None:
        return text
    head = f"# «send» {said.number}\n" if said.number else "# «send»\n"
    body = text[found.end() :]
    first = body.split("\n", 1)[0]
    call = understood.lexicon.call_out.format(name) if name and name not in first else ""
    return text[: found.start()] + head + call + body
