"""Executes the tools of one plan: limited to its chat and what it may see of the memories, texts masked as in prompts.

A tool never raises: the model gets an answer, or a short sentence why there is none.

Functions that take a transaction run on the reader thread.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.prompt.foreign import mask
from chimein_gui.domain.prompt.memories import recalled_line
from chimein_gui.domain.prompt.tool_calls import ToolAnswer
from chimein_gui.domain.traces.entries import ToolUse
from chimein_gui.engine.ports import MessageQuery
from chimein_gui.engine.prompt.builder import message_parts, record_of, voice_of
from chimein_gui.engine.prompt.inputs import scope_of
from chimein_gui.engine.tools.arguments import Arguments, BadArgumentError, quoted
from chimein_gui.engine.tools.declarations import (
    LONGEST_GAP_MIN,
    MESSAGE,
    MOST_MEMORIES,
    MOST_MESSAGES,
    SEARCH,
    SEARCH_MEMORIES,
    SMART_CONTEXT,
    TOOLS,
    USUAL_CONTEXT,
    USUAL_FOUND,
    USUAL_GAP_MIN,
    USUAL_MEMORIES,
)
from chimein_gui.engine.tools.history_search import ChatScope, message_at, said_around, search, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chimein_gui.domain.ids import MessageId
    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.prompt.tool_calls import ToolCall, ToolDeclaration
    from chimein_gui.engine.ports import Clock, Store, Transaction
    from chimein_gui.engine.prompt.inputs import FindMemories, PlanInputs

_log = logging.getLogger(__name__)

MOST_CALLS_A_ROUND = 4
"""Further calls of the same turn are refused."""

LONGEST_ANSWER = 20_000
"""Most characters of messages that one call returns."""

MOST_SAID = 2_000
"""Most characters of a call's arguments that its trace keeps."""

NOTHING = "Nothing was found."
CUT = "There was more; ask for less at once."
BROKEN = "That can't be looked up now."

_PARAMETERS = {tool.name: tuple(one.name for one in tool.parameters) for tool in TOOLS}
_Tool = Callable[[Arguments], Awaitable["Sequence[Message]"]]


class Toolbox:
    """The tools of one plan.

    Attributes:
        shown: All messages that they have shown to the model.
    """

    def __init__(
        self,
        store: Store,
        begun: PlanInputs,
        declared: Iterable[ToolDeclaration] = TOOLS,
        find_memories: FindMemories | None = None,
        *,
        clock: Clock,
    ) -> None:
        """Create the tools for the chat of a plan, as it was when the plan began.

        Args:
            store: The database.
            begun: The inputs of the plan; they alone say which chat and which memories may be seen.
            declared: The tools that the model was offered; calls of others are refused.
            find_memories: Searches memories; without it none are found.
            clock: Tells how long each call took.
        """
        self._store, self._trace, self._clock = store, begun.trace, clock
        self._declared = tuple(tool.name for tool in declared)
        self._scope, self._find_memories = scope_of(begun.inputs), find_memories
        info = begun.chat.info
        up_to = max([begun.covers_up_to, *begun.considered, *begun.trigger_ids])
        target = begun.trigger_ids[-1] if begun.trigger_ids else up_to
        self._place = ChatScope(info.account_id, info.peer_id, up_to, target)
        self._own_name, self._zone = voice_of(begun.inputs.agent)
        self._descriptions = begun.inputs.descriptions
        self._tools: dict[str, _Tool] = {
            SMART_CONTEXT: self._smart_context,
            MESSAGE: self._message,
            SEARCH: self._search,
        }
        self.shown: dict[MessageId, Message] = {}

    async def answer(self, calls: Iterable[ToolCall]) -> tuple[ToolAnswer, ...]:
        """Answer the calls of one turn in order; never raises."""
        answers = []
        for number, call in enumerate(calls):
            began_at = self._clock.now()
            if number < MOST_CALLS_A_ROUND:
                answer = await self._answer(call)
            else:
                answer = ToolAnswer(call, error=f"At most {MOST_CALLS_A_ROUND} calls at once are answered.")
            shown = len(answer.messages) + len(answer.memories or ())
            took_s = max(0.0, (self._clock.now() - began_at).total_seconds())
            said = json.dumps(call.arguments, ensure_ascii=False, default=str)[:MOST_SAID]
            self._trace.note(ToolUse(call.name, shown, answer.error, began_at, took_s, said))
            answers.append(answer)
        return tuple(answers)

    async def _answer(self, call: ToolCall) -> ToolAnswer:
        if call.name not in self._declared:
            return ToolAnswer(
                call, error=f"There is no tool {quoted(call.name)!r}; there are {', '.join(self._declared)}."
            )
        try:
            arguments = Arguments.of(call.arguments, _PARAMETERS[call.name], self._zone)
            if call.name == SEARCH_MEMORIES:
                return await self._search_memories(call, arguments)
            return self._as_answer(call, await self._tools[call.name](arguments))
        except BadArgumentError as error:
            return ToolAnswer(call, error=str(error))
        except Exception:  # noqa: BLE001 - a look-up must not cost the plan
            _log.exception("A look-up of the model's failed unexpectedly")
            return ToolAnswer(call, error=BROKEN)

    def _as_answer(self, call: ToolCall, found: Sequence[Message]) -> ToolAnswer:
        """Compose as many messages as fit, in the form of a prompt, and record them as shown."""
        fitting: list[tuple[str, ...]] = []
        room = LONGEST_ANSWER
        for message in found:
            record = record_of(message, self._descriptions)
            parts = message_parts(message, self._own_name, self._zone, record)
            room -= sum(map(len, parts))
            if room < 0 and fitting:
                return ToolAnswer(call, tuple(fitting), CUT)
            fitting.append(parts)
            self.shown[message.key.message_id] = message
        return ToolAnswer(call, tuple(fitting), "" if fitting else NOTHING)

    async def _message(self, arguments: Arguments) -> Sequence[Message]:
        number = arguments.message_id("message_id")
        if number is None:
            raise BadArgumentError("message_id is needed.")
        return (await self._known(number),)

    async def _smart_context(self, arguments: Arguments) -> Sequence[Message]:
        number = arguments.message_id("anchor_id")
        gap = timedelta(minutes=arguments.number("max_gap_minutes", USUAL_GAP_MIN, LONGEST_GAP_MIN))
        limit = arguments.number("limit", USUAL_CONTEXT, MOST_MESSAGES)
        anchor = await self._known(self._place.target if number is None else number)

        def around(tx: Transaction) -> list[Message]:
            return said_around(tx, self._place, anchor, gap, limit)

        return await self._store.read(around)

    async def _search(self, arguments: Arguments) -> Sequence[Message]:
        query, sender = arguments.words("query"), arguments.words("from_user").lstrip("@")
        after, before = arguments.moment("after", end_of_day=False), arguments.moment("before", end_of_day=True)
        limit = arguments.number("limit", USUAL_FOUND, MOST_MESSAGES)
        words = words_of(query)
        if not words and not sender:
            raise BadArgumentError("query must hold a word to look for.")
        return await search(self._store, self._place, MessageQuery(words, sender, after, before), limit)

    async def _search_memories(self, call: ToolCall, arguments: Arguments) -> ToolAnswer:
        query, limit = arguments.words("query"), arguments.number("limit", USUAL_MEMORIES, MOST_MEMORIES)
        if not query:
            raise BadArgumentError("query must hold a word to look for.")
        found = await self._find_memories(self._scope, query, limit) if self._find_memories is not None else ()
        lines = tuple(mask(recalled_line(one.entry, self._scope.chat)) for one in found)
        return ToolAnswer(call, note="" if lines else NOTHING, memories=lines)

    async def _known(self, number: int) -> Message:
        found = await self._store.read(lambda tx: message_at(tx, self._place, number))
        if found is None:
            raise BadArgumentError(f"There is no message {number} in this chat.")
        return found
