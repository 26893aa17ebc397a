"""Answers calls for which the script has nothing: with texts of the scenario or of the persona's voice.

It never repeats what a partner wrote: all its texts come from the program's files. Only what it is asked to extract
from a conversation, as JSON, is in the partners' words.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from zlib import crc32

from chimein_gui.sandbox.model.script import ModelCall, ScriptedReply
from chimein_gui.sandbox.model.talk.conversation import Conversation, Said
from chimein_gui.sandbox.model.talk.descriptions import described
from chimein_gui.sandbox.model.talk.extraction import extracted
from chimein_gui.sandbox.model.talk.language import language_of
from chimein_gui.sandbox.model.talk.library import VoiceLibrary, file_name_of
from chimein_gui.sandbox.model.talk.note_requests import read_requests
from chimein_gui.sandbox.model.talk.patterns import read_pattern, read_words, words_of
from chimein_gui.sandbox.model.talk.voice import Voice
from chimein_gui.sandbox.model.talk.wording import Again, as_blocks, is_in_place, reworded, sendable, without
from chimein_gui.sandbox.model.talk.written import WrittenAnswers

_MOST_LINES = 2
"""Maximum number of waiting messages that are answered separately."""
_MOST_WAITING = 5
_MOST_PROMPTS = 1_000
_SILENT = "# «think»\nNobody has asked me."


@dataclass(frozen=True, slots=True)
class _Line:
    """One answer to a message.

    Attributes:
        variants: Equivalent texts, the preferred one first.
        answers: Id of the message that it answers; 0 for none.
    """

    variants: tuple[str, ...]
    answers: int


class Responder:
    """Answers with the voices of the personas, and with the answers that scenarios have given."""

    def __init__(self, voices: VoiceLibrary | None = None, written: WrittenAnswers | None = None) -> None:
        """Create a responder; each voice is read when it is first needed.

        Args:
            voices: Voices of the personas; None for those of the program.
            written: Answers of scenarios; None for no answers.
        """
        self._voices = voices or VoiceLibrary()
        self._written = written or WrittenAnswers()
        self._asked: OrderedDict[bytes, int] = OrderedDict()
        self._read: dict[str, Voice] = {}
        self._reading = asyncio.Lock()

    async def answer(self, call: ModelCall, seed: int = 0) -> ScriptedReply:
        """Answer a call; when the same prompt comes again, it gets another variant.

        Args:
            call: The request.
            seed: Selects among evasions.

        Raises:
            SceneError: The voice's file can't be used.
        """
        memories = extracted(call)
        if memories is not None:
            return ScriptedReply(memories)
        words = described(call)
        if words is not None:
            return ScriptedReply(words)
        conversation = Conversation(call)
        if seen := _description(conversation):
            return ScriptedReply(seen)
        known = {file_name_of(name): name for name in (*self._voices.names, *self._written.personas)}
        persona = conversation.persona(known.values())
        voice = await self._voice(persona)
        language = _language(conversation, voice)
        lines = self._lines(conversation, persona, voice, language, seed)[-_MOST_LINES:]
        requests, drafts = read_requests(conversation.note), conversation.drafts
        is_second = bool(conversation.note) and not (drafts or requests)
        again = Again(drafts, requests, self._times_asked(call) + is_second)
        blocks = [
            block
            for line in lines
            for block in as_blocks(
                reworded(line.variants, again, voice.warmer[language], voice.ask_when[language]),
                line.answers if conversation.is_group else 0,
            )
        ]
        return ScriptedReply("\n".join(block.text for block in blocks) or _SILENT)

    async def _voice(self, persona: str) -> Voice:
        """Return the voice of a persona; its file is read once, in a thread."""
        async with self._reading:
            if persona not in self._read:
                self._read[persona] = await asyncio.to_thread(self._voices.voice, persona)
        return self._read[persona]

    def _lines(self, conversation: Conversation, persona: str, voice: Voice, language: str, seed: int) -> list[_Line]:
        """Return the answers to the waiting messages: those of the scenario, and the voice's to the rest."""
        waiting = conversation.waiting
        scene = [
            _Line(fresh, one.number)
            for one in waiting
            if (fresh := _fresh(self._written.find(persona, one.sender_id, one.number), conversation))
        ]
        if conversation.is_group:
            scene = scene[-1:]
        if scene and (conversation.is_group or scene[-1].answers == waiting[-1].number):
            return scene
        is_called = not conversation.is_group or _is_called(conversation, persona, voice)
        found = _answer_of(
            conversation, voice, language, waiting[-1:] if scene else waiting[-_MOST_WAITING:], is_called=is_called
        )
        if scene or found or not is_called:
            return scene + found
        return [_evasion(conversation, voice, language, seed)]

    def _times_asked(self, call: ModelCall) -> int:
        """Return how often the same prompt has come before, and count it."""
        prompt = sha256(f"{call.system_instruction}{call.turns_text}".encode("utf-8", "surrogatepass")).digest()
        times = self._asked.pop(prompt, -1) + 1
        self._asked[prompt] = times
        while len(self._asked) > _MOST_PROMPTS:
            self._asked.popitem(last=False)
        return times


def _description(conversation: Conversation) -> str:
    """Describe the newest message's pictures in plain text; empty without any, or if the instruction has blocks."""
    images = [image for said in conversation.messages[-1:] for image in said.images]
    if not images or conversation.knows_grammar:
        return ""
    kinds = ", ".join(f"{kind}, {size:,} bytes" for kind, size in images)
    return f"A picture ({kinds}) with clear shapes and friendly colours."


def _answer_of(
    conversation: Conversation, voice: Voice, language: str, waiting: Sequence[Said], *, is_called: bool
) -> list[_Line]:
    """Return the voice's answer to the newest message that it has one for.

    If the agent is not addressed (`is_called`), only facts are answered. If no message waits, this is an opening.
    """
    for said in reversed(waiting):
        entry = voice.entry_for(read_words(said.text), said.media, language)
        meant = entry if is_called or entry in voice.facts else None
        if meant is not None and (fresh := _fresh(meant.say.get(language, ()), conversation)):
            return [_Line(fresh, said.number)]
    opening = None if waiting else voice.turn("nothing") or voice.turn("greeting")
    fresh = _fresh(opening.say.get(language, ()), conversation) if opening is not None else ()
    return [_Line(fresh, 0)] if fresh else []


def _evasion(conversation: Conversation, voice: Voice, language: str, seed: int) -> _Line:
    """Return an evasive answer to the newest waiting message, if possible one that has not been used in the chat."""
    said = conversation.waiting[-1] if conversation.waiting else Said("", "")
    evasions = voice.evasions[language]
    first = crc32(f"{seed} {said.number} {said.text}".encode()) % len(evasions)
    return _Line(_fresh((*evasions[first:], *evasions[:first]), conversation), said.number)


def _fresh(variants: Sequence[str], conversation: Conversation) -> tuple[str, ...]:
    """Return the variants that can be sent and have not been said yet; if all have been said, all that can be sent.

    Messages that the plan has sent already are left out.
    """
    fitting = [one for one in variants if sendable(one, conversation) and is_in_place(one, conversation)]
    may = tuple(left for one in fitting if (left := without(one, conversation.sent)))
    said = set(conversation.own_texts)
    return tuple(one for one in may if said.isdisjoint(block.body for block in as_blocks(one, 0))) or may


def _language(conversation: Conversation, voice: Voice) -> str:
    """Return the language of the chat: first by the messages to answer, then by others, newest first."""
    waiting = conversation.waiting
    others = [one for one in reversed(conversation.messages) if not one.own and one not in waiting]
    asking = [one for one in others if one.name in {it.name for it in waiting}]
    found = language_of((one.text for one in (*reversed(waiting), *asking, *others)), voice.languages)
    heard = (voice.language_of(read_words(one.text)) for one in reversed(waiting))
    return found or next(filter(None, heard), voice.languages[0])


def _is_called(conversation: Conversation, persona: str, voice: Voice) -> bool:
    """Return whether the agent is addressed: by name or by a reply to it; always true if its name is unknown."""
    own = {one.number for one in conversation.messages if one.own}
    names = [read_pattern(f"{name}*") for name in (*words_of(persona)[:1], *voice.aliases)]
    said = [(one.reply_to, read_words(one.text)) for one in conversation.waiting]
    return not persona or any(answers in own or any(name.fits(words) for name in names) for answers, words in said)
