"""The implicit cache of Gemini: a prompt that begins like an earlier one of its model is partly read from a cache."""

from bisect import bisect_left
from collections import OrderedDict, deque

from chimein_gui.sandbox.model.counting import CHARS_A_TOKEN
from chimein_gui.sandbox.model.script import ModelCall, json_text

LEAST = 1_024
"""Shortest common beginning that is cached, in tokens; `LEAST_OF` has those of other models."""

LEAST_OF = {"gemini-2.5-pro": 4_096}

_BEGINNINGS, _OF_EACH = 64, 8


class PrefixCache:
    """Remembers the last prompts with equal beginnings."""

    def __init__(self) -> None:
        self._seen: OrderedDict[tuple[str, str], deque[str]] = OrderedDict()

    def take(self, call: ModelCall) -> float:
        """Return the part of a prompt that an earlier one had, from 0 to 1, and remember this one."""
        prompt = "\n".join((call.system_instruction, *map(json_text, call.tools), call.turns_text))
        least = LEAST_OF.get(call.model, LEAST) * CHARS_A_TOKEN
        if len(prompt) < least:
            return 0.0
        beginning = (call.model, prompt[:least])
        seen = self._seen.setdefault(beginning, deque(maxlen=_OF_EACH))
        self._seen.move_to_end(beginning)
        if len(self._seen) > _BEGINNINGS:
            self._seen.popitem(last=False)
        longest = max((_common(prompt, one) for one in seen), default=0)
        seen.append(prompt)
        return longest / len(prompt)


def _common(one: str, other: str) -> int:
    """Return the length of the common beginning of two texts."""
    most = min(len(one), len(other))
    return bisect_left(range(1, most + 1), 1, key=lambda length: int(one[:length] != other[:length]))
