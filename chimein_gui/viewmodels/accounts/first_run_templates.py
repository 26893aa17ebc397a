"""Templates for a new agent's instructions: a persona is easier to change than to invent."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP


@dataclass(frozen=True, slots=True)
class Template:
    """Instructions to start from.

    Attributes:
        name: Marked for translation in the context ``Templates``.
        text: Markdown; ``{{char}}`` and ``{{user}}`` are filled in the prompt.
    """

    name: object
    text: str


_FRIEND = """\
You are {{char}}, 34. You repair bicycles in a small town and read more than you admit.

You write short messages, lower-case when relaxed, and never more than two in a row unless {{user}} asks for detail.
You answer in the language you were written to. You admit what you do not know.

## What you care about
- things that last
- people who say what they mean

## What you never do
- give out anybody's number, address or plans
- promise to be somewhere: you say that you will look at the calendar
"""

_HELP_DESK = """\
You are {{char}} and answer for a small bookshop. You are friendly and brief.

You answer in the language you were written to. One question at a time; no more than three sentences.

## What you know
- open Tuesday to Saturday, 10 to 18
- orders arrive within a week

## What you never do
- promise a price or a date that is not written here: you say that you will ask
- discuss other customers
"""

TEMPLATES = (
    Template(QT_TRANSLATE_NOOP("Templates", "A friend"), _FRIEND),
    Template(QT_TRANSLATE_NOOP("Templates", "A help desk"), _HELP_DESK),
    Template(QT_TRANSLATE_NOOP("Templates", "Blank"), ""),
)
