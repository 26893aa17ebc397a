"""Free text from a table (free_text.yaml): 190 things people write, each with the kind of answer it has to get.

They are regression tests: the responder has been improved with them in sight, so they tell nothing of other texts.
"""

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.sandbox.model_talk import RETRIEVE, STICKERS, Talk, asked, read, talking

MEMORIES = (
    "\n\n# Memory from 2026-10-02 18:11:05 UTC\n\nMarta's sister Ines is getting married on the 12th of June."
    "\n\n# Memory from 2026-10-03 09:00:00 UTC\n\nMarta is allergic to peanuts."
)
EXTRAS = {"": "", "retrieve": RETRIEVE, "stickers": STICKERS, "memories": MEMORIES}
ROWS = YAML(typ="safe").load(Path(__file__).with_name("free_text.yaml").read_text(encoding="utf-8"))
SPOKEN = {"send", "think", "wait", "sticker"}


def talk(row) -> Talk:
    return Talk(
        row["says"],
        tuple(pair for line in row.get("before", ()) for pair in line.items()),
        name=row.get("from", "Marta Oliveira"),
        group=row.get("group", False),
        extra=EXTRAS[row.get("with", "")],
        media=row.get("media", ""),
        tools=tuple(row.get("tools", ())),
    )


def is_of_kind(kind: str, answer, *, has_stickers: bool) -> bool:
    if kind == "send":
        allowed = SPOKEN if has_stickers else SPOKEN - {"sticker"}
        return bool(answer.sends) and set(answer.kinds) <= allowed
    if kind == "many":
        return len(answer.sends) > 1
    return kind == "any" or kind in answer.kinds or kind in answer.calls


@pytest.mark.operation("generateContent: free text from a table", "the product's own grammar reads the answer")
@pytest.mark.parametrize("seed", [0, 11])
async def test_the_answer_is_of_the_expected_kind_in_its_language_and_to_the_point(seed):
    wrong = []
    async with talking() as (models, script):
        script.seed = seed
        for row in ROWS:
            asks = talk(row)
            answer = read(await asked(models, asks))
            is_right = (
                is_of_kind(row["kind"], answer, has_stickers=asks.extra == STICKERS)
                and row.get("language", answer.language) == answer.language
                and re.search(row.get("answer", ""), answer.said, re.IGNORECASE)
                and not ("not" in row and re.search(row["not"], answer.said, re.IGNORECASE))
            )
            if not is_right:
                wrong.append((row["says"], answer.kinds, answer.said))
    assert len(ROWS) >= 190
    assert not wrong
