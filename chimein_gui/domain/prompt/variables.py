"""The variables of prompt files, and what fills them."""

import re
from dataclasses import dataclass

from chimein_gui.domain.prompt.marks import name_mark

Places = tuple[tuple[int, int], ...]
"""Pieces of a text: begin and end, in characters."""

VARIABLE = re.compile(r"\{\{(char|user|character|AGENT_NAME)\}\}|\{(char|user|character)\}")
"""`character` and `AGENT_NAME` stand in prompt files of the earlier program."""


@dataclass(frozen=True, slots=True)
class Filler:
    """Fills variables once; filled-in values are not searched for variables."""

    values: dict[str, str]

    def __call__(self, text: str) -> tuple[str, Places]:
        """Return the text with values, and where they stand in it."""
        pieces, places = [], []
        at = length = 0
        for match in VARIABLE.finditer(text):
            value = self.values[match[1] or match[2]]
            length += match.start() - at
            places.append((length, length + len(value)))
            pieces += [text[at : match.start()], value]
            at, length = match.end(), length + len(value)
        return "".join((*pieces, text[at:])), tuple(places)


def filler(agent_name: str, user_name: str) -> Filler:
    """Return what fills the variables with the names of an agent and of its partner."""
    names = dict.fromkeys(("char", "character", "AGENT_NAME"), agent_name)
    return Filler({**names, "user": name_mark(user_name)})
