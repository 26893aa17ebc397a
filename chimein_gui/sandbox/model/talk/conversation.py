"""Parses a prompt that the product has composed.

The sandbox imports nothing of the product, so it has its own copy of the marks of a prompt, only in this module; a test
compares it with real prompts. Only marks of the product count: nothing that people write can change the target, the
note or the stickers.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from chimein_gui.sandbox.model.fields import field, objects
from chimein_gui.sandbox.model.script import ModelCall
from chimein_gui.sandbox.model.talk.patterns import words_of

_HEADER = re.compile(
    r"⟦(?:from: (?P<name>[^⟦⟧|()]*?) ?\((?:id (?P<id>-?\d+)|no id)\) \| )?message (?P<number>\d+)"
    r"(?: \| reply to (?P<reply>\d+))?(?: \| (?P<at>[^⟦⟧|]*))?⟧\s*"
)
_FORWARDED = "⟦forwarded, "
_MEDIA = re.compile(r"⟦(?P<kind>sticker(?= )|[^⟦⟧:,]*)[^⟦⟧]*⟧(?: [^⟦⟧\n]*)?")
_SECTION = re.compile(r"(?:\A|\n\n)⟦section: (?P<title>[^⟦⟧\n]*)⟧\n")
_QUOTE = re.compile(r"^⟦quote⟧\n(?P<lines>(?:> .*\n)*)⟦end of quote⟧$", re.MULTILINE)
_TARGET = re.compile(r"respond(?:ing)? to message with message_id (\d+)")
_UNANSWERED = re.compile(r"Still unanswered before it: ([\d, ]+)")
_SENT = "Of your reply this is sent already"
_NOTE = "not from the chat: "
_STICKER = re.compile(r"^(?:> )?(?P<set>[^\s:][^:\n]*?) :: (?P<name>[^\n]+?)(?: - [^\n]*)?$", re.MULTILINE)
_ANY_OF_SET = "(any sticker of the set"
_NOT_FROM_CHAT = "⟦not from the chat⟧"
_PAGE = "Retrieved from "
_LOOKS_UP = "Role: Retrieve"
_OURS = (_NOT_FROM_CHAT, _PAGE, "(no new message; continue)")
_MOST_TURNS = 4096
"""Turns that are cached: nearly all of a prompt stood in the chat's last one, too."""
_PERSONA_STANDS_IN = ("Instructions", "Role: ", "Model prompt")


@dataclass(frozen=True, slots=True)
class Said:
    """One message of the chat.

    Attributes:
        name: The sender's name; empty if the header has none.
        sender_id: The sender's user id; 0 if the header has none.
        number: Message id; 0 for none.
        reply_to: Id of the message it replies to; 0 for none.
        media: Kind of the attached media, such as ``sticker``; empty for none.
        own: The agent wrote it.
        images: Pictures attached as data: (MIME type, size in bytes).
    """

    name: str
    text: str
    sender_id: int = 0
    number: int = 0
    reply_to: int = 0
    media: str = ""
    own: bool = False
    images: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Conversation:
    """A call's prompt, parsed as needed."""

    call: ModelCall

    @cached_property
    def _sections(self) -> Mapping[str, str]:
        """The sections of the system instruction and of the last block by title; without any, the former as one."""
        instruction = self.call.system_instruction
        found = [_split_sections(text) for text in (instruction, *map(_last_block, self.call.contents))]
        sections = {title: text for one in found for title, text in zip(one[1::2], one[2::2], strict=True)}
        return sections if len(found[0]) > 1 else {"Instructions": instruction} | sections

    @cached_property
    def messages(self) -> tuple[Said, ...]:
        """All chat messages, oldest first; without pages, notes, and calls and results of functions."""
        return tuple(read_turn(turn) for turn in self.call.contents if not _is_ours(turn))

    @cached_property
    def waiting(self) -> tuple[Said, ...]:
        """The messages to answer, oldest first, the target last; without a target section, the newest one of others."""
        asked_for = self._sections.get("Target", "")
        wanted, others = _TARGET.search(asked_for), _UNANSWERED.search(asked_for)
        numbers = [int(number) for number in re.findall(r"\d+", others[1])] if others else []
        numbers += [int(wanted[1])] if wanted else []
        if "Target" in self._sections:
            by_number = {one.number: one for one in self.messages if not one.own}
            return tuple(by_number[number] for number in numbers if number in by_number)
        return tuple(one for one in self.messages if not one.own)[-1:]

    @property
    def own_texts(self) -> tuple[str, ...]:
        """The texts of the agent's own messages."""
        return tuple(one.text for one in self.messages if one.own and one.text)

    @cached_property
    def sent(self) -> tuple[str, ...]:
        """What has been sent of the plan that is being replaced, one line per message."""
        return self._so_far[0] if _SENT in self._sections.get("Plan so far", "") else ()

    @cached_property
    def drafts(self) -> tuple[str, ...]:
        """The drafts that the answer is to replace, one line per message."""
        return self._so_far[-1] if self._so_far else ()

    @cached_property
    def _so_far(self) -> tuple[tuple[str, ...], ...]:
        return tuple(
            tuple(line.removeprefix("> ") for line in found["lines"].splitlines())
            for found in _QUOTE.finditer(self._sections.get("Plan so far", ""))
        )

    @property
    def note(self) -> str:
        """The operator's note on the draft; empty for none."""
        return self._sections.get("Operator's note", "").partition(_NOTE)[2].strip()

    def may_send(self, set_name: str, name: str) -> bool:
        """Return whether the prompt lists a sticker as available."""
        listed = _STICKER.findall(self._sections.get("Stickers", ""))
        return any(one == set_name and (it == name or it.startswith(_ANY_OF_SET)) for one, it in listed)

    @property
    def is_group(self) -> bool:
        """Whether the chat is a group."""
        return self._sections.get("Chat", "").startswith("This is a group chat")

    @property
    def may_look_up(self) -> bool:
        """Return whether the prompt offers web pages."""
        return _LOOKS_UP in self._sections

    @cached_property
    def pages(self) -> frozenset[str]:
        """The addresses of the web pages that have been looked up."""
        firsts = (next(_texts(objects(turn.get("parts"))), "") for turn in self.call.contents)
        return frozenset(one.removeprefix(_PAGE).rstrip(":") for one in firsts if one.startswith(_PAGE))

    def persona(self, known: Iterable[str]) -> str:
        """Return the agent's name: from its own messages' headers, else the known name that the instruction has first.

        Args:
            known: Names of personas; compared word by word.

        Returns:
            The name; empty if it is not found.
        """
        own = next((one.name for one in reversed(self.messages) if one.own and one.name), "")
        if own:
            return own
        texts = (text for title, text in self._sections.items() if title.startswith(_PERSONA_STANDS_IN))
        words = f" {' '.join(words_of(' '.join(texts)))} "
        places = {name: words.find(f" {' '.join(words_of(name))} ") for name in known}
        return min((name for name in places if places[name] >= 0), key=lambda name: places[name], default="")

    @property
    def knows_grammar(self) -> bool:
        """Whether the instruction explains blocks; without them, a picture is to be described in plain text."""
        return "«" in self.call.system_instruction


@lru_cache(maxsize=64)
def _split_sections(text: str) -> tuple[str, ...]:
    """Return what stands before the first section, then title and text of each; an instruction often comes again."""
    return tuple(_SECTION.split(text))


def read_turn(turn: Mapping[str, Any]) -> Said:
    """Parse one turn: its header, its text, its media."""
    texts = _plain_texts(turn)
    return _read_parts(turn) if texts is None else _read_texts(turn.get("role") == "model", texts)


def _plain_texts(turn: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return the texts of a turn that has nothing else; None for every other turn."""
    parts = turn.get("parts")
    if not isinstance(parts, list):
        return None
    texts = tuple(part["text"] for part in parts if len(part) == 1 and "text" in part)
    return texts if len(texts) == len(parts) else None


@lru_cache(maxsize=_MOST_TURNS)
def _read_texts(own: bool, texts: tuple[str, ...]) -> Said:  # noqa: FBT001 - part of the cache's key
    return _read_parts({"role": "model" if own else "user", "parts": [{"text": text} for text in texts]})


def _read_parts(turn: Mapping[str, Any]) -> Said:
    name, sender_id, number, reply_to, media = "", 0, 0, 0, ""
    texts: list[str] = []
    images: list[tuple[str, int]] = []
    for part in objects(turn.get("parts")):
        text = part.get("text")
        if not isinstance(text, str):
            if data := field(part, "inlineData"):
                images.append((str(field(data, "mimeType")), len(str(field(data, "data")).rstrip("=")) * 3 // 4))
        elif part.get("thought") or text.startswith(_FORWARDED):
            continue
        elif header := _HEADER.match(text):
            name, sender_id = header["name"] or "", int(header["id"] or 0)
            number, reply_to = int(header["number"]), int(header["reply"] or 0)
            texts.append(text[header.end() :])
        elif mark := _MEDIA.fullmatch(text):
            media = media or mark["kind"].strip().casefold()
        else:
            texts.append(text)
    said = "\n".join(" ".join(line.split()) for text in texts for line in text.splitlines() if line.strip())
    return Said(name, said, sender_id, number, reply_to, media, turn.get("role") == "model", tuple(images))


def _is_ours(turn: Mapping[str, Any]) -> bool:
    if texts := _plain_texts(turn):
        return texts[0].startswith(_OURS)
    parts = list(objects(turn.get("parts")))
    first = next(_texts(parts), "")
    return first.startswith(_OURS) or any(
        field(part, name) for part in parts for name in ("functionResponse", "functionCall")
    )


def _last_block(turn: Mapping[str, Any]) -> str:
    """Return the text of a user turn that the program wrote; empty for every other turn."""
    if turn.get("role") != "user":
        return ""
    texts = _plain_texts(turn) or tuple(_texts(objects(turn.get("parts"))))
    return "\n\n".join(texts[1:]) if texts[:1] == (_NOT_FROM_CHAT,) else ""


def _texts(parts: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    return (text for part in parts if isinstance(text := part.get("text"), str))
