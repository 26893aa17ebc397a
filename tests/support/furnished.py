"""Fills every place of a window that shows texts of others with one text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.agents import FileProblem, Health
from chimein_gui.domain.approvals import SavedEdit
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import ApprovalId, ChatId, GraphId, MessageId, SavedEditId, TaskId
from chimein_gui.domain.messages import Forward, Media, Message, Reaction, TextEntity
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.plans.hidden_steps import HiddenKind, HiddenStep
from chimein_gui.domain.tasks import TaskStatus
from tests.fakes.engine_api import BIG, NOON, agent, approval, chat, message

if TYPE_CHECKING:
    from tests.panes.conftest import Desktop

TELEGRAM_LONGEST = 4_096
"""Maximum length of a message in the store; names and notes have no such limit here."""

KINDS = ("photo", "video", "gif", "sticker", "voice", "audio", "document", "contact", "poll", "location", "unknown")


def fill(desktop: Desktop, name: str, body: str) -> None:
    """Use `name` for every name, and `body` for every message and note."""
    api, text = desktop.api, body[:TELEGRAM_LONGEST]
    note = body
    api.agents = {
        1: agent(1, name, health_note=Note(NoteKind.OTHER, note), limited=note),
        2: agent(2, name, health=Health.LOGGED_OUT, health_note=Note(NoteKind.OTHER, note)),
    }
    api.chats = {
        1: chat(
            1,
            name,
            last_text=text,
            unread=3,
            pending=2,
            planning_problem=PlanningProblem(PlanningKind.FAILED, note),
            takeover_until=None,
        ),
        2: _group(chat(2, name, last_text=text)),
        3: chat(3, name, agent_number=2, last_text=""),
    }
    api.messages[1] = {one.key.message_id: one for one in transcript(name, text)}
    api.transcripts.hidden = {1: hidden(note)}
    api.approvals = {
        BIG + 1: approval(1, text, chat_title=name, agent_name=name, note=Note(NoteKind.REFUSED, note), reply_to_id=3),
        BIG + 2: approval(2, text, chat_title=name, agent_name=name, created_at=NOON - timedelta(seconds=20)),
    }
    api.problems = (
        FileProblem(f"agents/{name}.md", 3, Note(NoteKind.OTHER, note)),
        FileProblem(name, 0, Note(NoteKind.OTHER, note)),
    )
    api.saved_edits.edits = (
        SavedEdit(SavedEditId(1), ChatId(1), text, text, 0, ApprovalId(BIG + 1), NOON - timedelta(minutes=1)),
    )


def _group(made):
    return replace(made, info=replace(made.info, kind=ChatKind.GROUP))


def transcript(name: str, text: str) -> list[Message]:
    """Return one message of every kind."""
    plain = [
        message(1, text, out=True, minutes_ago=90),
        message(2, text, sender_name=name, reply_to_id=1, minutes_ago=80),
        message(3, text, sender_name=name, forward=Forward(name, NOON - timedelta(days=3)), minutes_ago=70),
        message(4, text, sender_name=name, reactions=(Reaction(name, 3, mine=True), Reaction("👍", 2)), minutes_ago=60),
        message(5, text, sender_name=name, is_service=True, minutes_ago=50),
        message(6, text, sender_name=name, deleted=True, edited_at=NOON, minutes_ago=45),
        message(7, "code and link", entities=_entities(name), sender_name=name, minutes_ago=44),
    ]
    media = Media(None, name, 10**9, 0, 0, 12.5, name, name, name, name, bytes(range(32)))
    plain += [
        message(10 + number, "", sender_name=name, media_kind=kind, media=media, minutes_ago=40 - number)
        for number, kind in enumerate(KINDS)
    ]
    return plain


def _entities(name: str) -> tuple[TextEntity, ...]:
    return (TextEntity("pre", 0, 4, name), TextEntity("text_url", 9, 4, name), TextEntity("bold", -5, 10**6))


def hidden(text: str) -> tuple[HiddenStep, ...]:
    """Return an invisible step of a plan."""
    note = Note(NoteKind.OTHER, text)
    step = HiddenStep(TaskId(90), GraphId(1), HiddenKind.REMEMBERED, TaskStatus.DONE, text, NOON, MessageId(2), note)
    return (step, replace(step, task_id=TaskId(91), kind=HiddenKind.SEND, status=TaskStatus.FAILED))


def disturb(desktop: Desktop, text: str) -> None:
    """Cause everything that shows a text for a while: bars, toasts, holds, typing."""
    desktop.api.put_fault("x", text, text)
    desktop.api.holds.put(Hold(HoldScope.ALL, 0, text, NOON))
    desktop.models.toasts.show(text, "Undo", lambda: None, detail=text)
    desktop.api.put_problems(*desktop.api.problems)
    desktop.settle()


def news(desktop: Desktop, name: str, body: str) -> Iterator[Callable[[], object]]:
    """Yield the events, one by one, that change every name and every text in an open window."""
    api = desktop.api
    fill(desktop, name, body)
    yield from (partial(api.put_agent, one) for one in api.agents.values())
    yield from (partial(api.put_chat, talk) for talk in api.chats.values())
    yield from (partial(api.put_message, 1, said) for said in api.messages[1].values())
    yield from (partial(api.put_approval, card) for card in api.approvals.values())
    yield partial(api.put_problems, *api.problems)
    yield partial(api.saved_edits.put, *api.saved_edits.edits)


def refill(desktop: Desktop, name: str, body: str) -> None:
    """Cause all of these events at once."""
    for step in list(news(desktop, name, body)):
        step()
    desktop.settle()
