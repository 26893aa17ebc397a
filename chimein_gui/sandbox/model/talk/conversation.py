"""A prompt read back: who said what, what is to be answered, and what the model may do (SPEC §3, §5)."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from chimein_gui.sandbox.model.fields import field, objects
from chimein_gui.sandbox.model.script import ModelCall

NOTHING_NEW = "(no new message; continue)"
"""What stands in for the last user turn where nobody said anything."""

_HEADER = re.compile(
    r"⟦(?:from: (?P<name>[^⟦⟧|]*?)(?: ?\((?:id (?P<id>-?\d+)|no id)\))? \| )?message (?P<number>\d+)"
    r"(?: \| reply to (?P<reply>\d+))?(?: \| (?P<at>[^⟦⟧|]*))?⟧\s*"
)
_MEDIA = re.compile(r"⟦(?P<kind>\w+)[\s:]*(?P<about>[^⟦⟧]*)⟧\s*")
_NOT_FROM_CHAT = "⟦not from the chat⟧"
_SECTION = re.compile(r"(?:\A|\n\n)⟦section: (?P<title>[^⟦⟧\n]*)⟧\n")
_PAGE = re.compile(r"Retrieved from (?P<url>https?://\S+?):?\s*(?:\n|$)(?P<text>.*)", re.DOTALL)
_TARGET = re.compile(r"respond(?:ing)? to message with message_id (\d+)")
_UNANSWERED = re.compile(r"Still unanswered before it: ([\d, ]+)")
_STICKER = re.compile(r"^\W*(?P<set>[^\s:][^:\n]*?) :: (?P<name>[^\n(][^\n]*?)(?: - (?P<about>[^\n]*))?$", re.MULTILINE)
_CLOCK = re.compile(r"It is (\w+), (\d{4}-\d\d-\d\d) (\d\d:\d\d)")
_AGENT = re.compile(r"You are (?:chatting as )?([A-Z][\w’'-]*)")
_MEMORY = re.compile(r"^# Memory from[^\n]*\n(?P<text>.+?)(?=^# |\Z)", re.MULTILINE | re.DOTALL)
_TAG = re.compile(r"<(?:script|style)[^>]*>.*?</(?:script|style)>|<[^>]+>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Said:
    """One message.

    Attributes:
        name: Of the sender; empty where the header names none.
        number: Message id, 0 for none.
        media: Kind of what comes with it, such as ``sticker``, or empty.
        own: The agent wrote it.
        images: Pictures that came along as data: (type, bytes).
    """

    name: str
    text: str
    number: int = 0
    reply_to: int = 0
    media: str = ""
    own: bool = False
    images: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Sticker:
    """One that may be sent."""

    set_name: str
    name: str
    about: str


@dataclass(frozen=True)
class Conversation:
    """A call, read as needed: a plain answer never looks at more than the last turns."""

    call: ModelCall

    @cached_property
    def _sections(self) -> Mapping[str, str]:
        """The sections of the instruction by title; what people write stands in none of them as our own word."""
        pieces = _SECTION.split(self.call.system_instruction)
        return dict(zip(pieces[1::2], pieces[2::2], strict=True))

    def _section(self, title: str) -> str:
        """Return a section of the instruction; the whole where it has none, as other programs write it."""
        return self._sections.get(title, "") if self._sections else self.call.system_instruction

    @cached_property
    def target(self) -> Said:
        """What is to be answered: the message that the instruction names, else the last one of the others."""
        asked_for = self._section("Target")
        wanted = _TARGET.search(asked_for)
        numbers = [int(wanted[1])] if wanted else []
        others = _UNANSWERED.search(asked_for) if wanted else None
        numbers += [int(number) for number in reversed(re.findall(r"\d+", others[1]))] if others else []
        waiting = [said for number in numbers if (said := self._numbered(number)) is not None]
        asked = next((said for said in waiting if said.text.rstrip().endswith(("?", "？"))), None)
        return asked or (waiting[0] if waiting else next(self.from_last(), Said("", "")))

    def _numbered(self, number: int) -> Said | None:
        mark = f"message {number} "
        for turn in reversed(self.call.contents):
            if turn.get("role") != "model" and mark in str(_first_text(turn)):
                said = read_turn(turn)
                if said.number == number:
                    return said
        return None

    def from_last(self) -> Iterator[Said]:
        """Give the others' messages, newest first; pages and answers of tools are none."""
        for turn in reversed(self.call.contents):
            if turn.get("role", "user") == "user" and not _PAGE.match(_first_text(turn)) and not _is_tool_answer(turn):
                yield read_turn(turn)

    @cached_property
    def history(self) -> tuple[Said, ...]:
        """All messages but the target, oldest first."""
        turns = (
            turn for turn in self.call.contents if not _is_tool_answer(turn) and not _PAGE.match(_first_text(turn))
        )
        target = self.target
        return tuple(said for turn in turns if (said := read_turn(turn)) != target)

    @property
    def answers_so_far(self) -> int:
        """How often the agent has spoken in what the prompt shows."""
        return sum(1 for turn in self.call.contents if turn.get("role") == "model")

    @cached_property
    def pages(self) -> Mapping[str, str]:
        """Retrieved pages by address, as text."""
        found: dict[str, str] = {}
        for turn in self.call.contents:
            texts = [text for part in objects(turn.get("parts")) if isinstance(text := part.get("text"), str)]
            match = _PAGE.match("\n".join(_HEADER.sub("", text) for text in texts)) if texts else None
            if match:
                found[match["url"]] = " ".join(_TAG.sub(" ", match["text"]).split())
        return found

    @cached_property
    def memories(self) -> tuple[str, ...]:
        """What the instruction says is remembered."""
        text = self.call.system_instruction
        found = [" ".join(match["text"].split()) for match in _MEMORY.finditer(text)]
        start = text.find("Relevant context about the user")
        if start >= 0:
            found += [line.strip(" -*") for line in text[start:].split("\n\n")[0].split("\n")[1:]]
        return tuple(line for line in found if line)

    @cached_property
    def stickers(self) -> tuple[Sticker, ...]:
        """Those that may be sent."""
        _, mark, listed = self._section("Stickers").partition("Stickers you may send")
        if not mark:
            return ()
        listed = listed.split("\n\n# ")[0]
        found = _STICKER.finditer(listed)
        return tuple(Sticker(one["set"].strip(), one["name"].strip(), one["about"] or "") for one in found)

    @property
    def is_group(self) -> bool:
        """Several people read along."""
        return "This is a group chat" in self._section("Chat").partition("⟦name:")[0]

    @property
    def knows_grammar(self) -> bool:
        """The instruction explains blocks; without it a picture is to be described in plain words."""
        return "«" in self.call.system_instruction

    @property
    def may_retrieve(self) -> bool:
        """The Retrieve prompt is there."""
        return "«retrieve»" in self.call.system_instruction.casefold()

    @cached_property
    def agent(self) -> str:
        """The agent's first name, or nothing if the prompt does not tell."""
        found = _AGENT.search(self.call.system_instruction)
        if found:
            return found[1]
        own = next((read_turn(turn) for turn in reversed(self.call.contents) if turn.get("role") == "model"), None)
        return own.name.split(" ")[0] if own is not None else ""

    @cached_property
    def clock(self) -> tuple[str, str, str]:
        """Week day, date and time where the agent is, each maybe empty."""
        found = _CLOCK.search(self._section("Time"))
        return (found[1], found[2], found[3]) if found else ("", "", "")

    @cached_property
    def tool_answers(self) -> Mapping[str, tuple[str, ...]]:
        """What tools have answered to the calls since the target, by the tool's name, as texts."""
        found: dict[str, tuple[str, ...]] = {}
        for turn in reversed(self.call.contents):
            if turn.get("role") == "model":
                continue
            answers = [answer for part in objects(turn.get("parts")) if (answer := field(part, "functionResponse"))]
            if not answers:
                break
            for answer in answers:
                name = str(field(answer, "name"))
                found[name] = found.get(name, ()) + tuple(_strings(field(answer, "response")))
        return found

    @cached_property
    def tools(self) -> Mapping[str, Mapping[str, Any]]:
        """The declared functions by name; none where the client forbids calls."""
        if self.call.calling_mode == "NONE":
            return {}
        return {str(tool.get("name")): tool for tool in self.call.tools}


def read_turn(turn: Mapping[str, Any]) -> Said:
    """Read one turn: its header, its text, its media."""
    own = turn.get("role") == "model"
    name, number, reply_to, media = "", 0, 0, ""
    texts: list[str] = []
    images: list[tuple[str, int]] = []
    for part in objects(turn.get("parts")):
        text = part.get("text")
        if not isinstance(text, str):
            data = field(part, "inlineData")
            if data:
                encoded = str(field(data, "data")).rstrip("=")
                images.append((str(field(data, "mimeType")), len(encoded) * 3 // 4))
            continue
        if part.get("thought"):
            continue
        if text.startswith("⟦"):
            header = _HEADER.match(text)
            if header is not None:
                name, number, reply_to = header["name"] or "", int(header["number"]), int(header["reply"] or 0)
                text = text[header.end() :]
            elif text.startswith(_NOT_FROM_CHAT):
                text = text.removeprefix(_NOT_FROM_CHAT)
            elif found := _MEDIA.match(text):
                media, text = found["kind"].casefold(), text[found.end() :]
        if text:
            texts.append(text)
    return Said(name, " ".join(" ".join(texts).split()), number, reply_to, media, own, tuple(images))


def _first_text(turn: Mapping[str, Any]) -> str:
    parts = turn.get("parts")
    first = parts[0] if isinstance(parts, list) and parts else {}
    text = first.get("text") if isinstance(first, Mapping) else ""
    return text if isinstance(text, str) else ""


def _is_tool_answer(turn: Mapping[str, Any]) -> bool:
    return any(field(part, "functionResponse") for part in objects(turn.get("parts")))


def _strings(value: object) -> Iterator[str]:
    """Give all texts of a tool's answer; a text that is JSON itself is opened."""
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)
    elif isinstance(value, str) and value[:1] in "[{" and value:
        try:
            yield from _strings(json.loads(value))
        except ValueError:
            yield value
    elif isinstance(value, str) and value:
        yield value
