"""The simple model: what a bystander writes down, in plain dicts, and what must never be seen.

It knows nothing of the engine: states are the words in the file, texts are what partners get.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from tests.unit.engine.state_machine.facts import Card, Happening, Written, Yes
from tests.unit.engine.state_machine.inline_store import Move
from tests.unit.engine.state_machine.spec_tables import PLANNED_KINDS, is_allowed

OVER = {"done", "skipped", "cancelled", "failed", "observed"}
ANY = -1
"""Instead of an approval: whatever comes back now does so because the operator changed the settings."""
LONG_AGO = datetime(1970, 1, 1).astimezone()
LOOKED_UP = timedelta(seconds=60)
"""How long it counts whether a chat is muted."""


@dataclass
class Notebook:
    """Everything a bystander knows."""

    now: Callable[[], datetime]
    undo_s: float
    countdown_s: float
    takeover_s: float
    misfire_s: float
    chat_cap: int
    account_cap: int
    is_up: Callable[[], bool] = lambda: False
    is_told_all: Callable[[], bool] = lambda: True
    has_written: Callable[[int], bool] = lambda _chat: False
    order: int = 0
    wrong: list[str] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)
    seen_moves: set[tuple[str, str, str, str]] = field(default_factory=set)
    tasks: dict[int, dict[str, Any]] = field(default_factory=dict)
    task_of: dict[int, int] = field(default_factory=dict)
    rows: dict[int, dict[str, Any]] = field(default_factory=dict)
    cards: dict[int, Card] = field(default_factory=dict)
    states: dict[int, str] = field(default_factory=dict)
    rule_at: dict[int, datetime] = field(default_factory=dict)
    written: dict[str, Written] = field(default_factory=dict)
    happenings: dict[int, list[Happening]] = field(default_factory=dict)
    cancelled: set[int] = field(default_factory=set)
    fresh: list[Happening] = field(default_factory=list)
    yes: dict[int, Yes] = field(default_factory=dict)
    seen: dict[int, int] = field(default_factory=dict)
    approved: set[int] = field(default_factory=set)
    reconsidered: set[int] = field(default_factory=set)
    reworded: set[int] = field(default_factory=set)
    rejected: set[int] = field(default_factory=set)
    touched: set[int] = field(default_factory=set)
    marked: set[int] = field(default_factory=set)
    marked_tasks: set[int] = field(default_factory=set)
    marked_at: dict[int, int] = field(default_factory=dict)
    copying: str = ""
    reordered: dict[int, datetime] = field(default_factory=dict)
    inserted: set[str] = field(default_factory=set)
    trust: dict[int, tuple[str, datetime | None]] = field(default_factory=dict)
    holds: list[dict[str, Any]] = field(default_factory=list)
    takeover: dict[int, tuple[datetime, datetime]] = field(default_factory=dict)
    quiet_until: dict[int, datetime] = field(default_factory=dict)
    was_quiet_until: dict[int, datetime] = field(default_factory=dict)
    editing: set[int] = field(default_factory=set)
    postponed: dict[int, datetime] = field(default_factory=dict)
    told_to_wait: dict[tuple[int, str], datetime] = field(default_factory=dict)
    mutes_told: dict[int, tuple[datetime, datetime | None]] = field(default_factory=dict)
    limited: bool = False
    limit_told: bool = False
    undoing: int = 0
    just_told: dict[tuple[int, str], datetime] = field(default_factory=dict)
    told_by: dict[tuple[int, str], int] = field(default_factory=dict)
    automatic: dict[int, tuple[datetime, int]] = field(default_factory=dict)
    was_in_doubt: dict[int, datetime] = field(default_factory=dict)
    uploaded: dict[str, datetime] = field(default_factory=dict)
    delivered: dict[int, int] = field(default_factory=dict)

    # --- what it is told

    def tick(self) -> int:
        self.order += 1
        return self.order

    def happens(self, chat: int, kind: str, token: str, author: int, *, calls: bool = False) -> Happening:
        """Note what happened in a chat; `order` is set when the client hears of it."""
        happening = Happening(None, kind, token, author, calls, self.now())
        self.happenings.setdefault(chat, []).append(happening)
        self.fresh.append(happening)
        return happening

    def was_gone_by(self, chat: int, token: str, order: int) -> bool:
        """Tell whether a text, or what it became, was taken away, and the client knew by then."""
        names = self.names_of(token)
        return any(
            one.kind == "delete" and one.token in names and one.order is not None and one.order <= order
            for one in self.happenings.get(chat, [])
        )

    def names_of(self, token: str) -> set[str]:
        """Return the word of a text and of all that it was edited to."""
        names = {token}
        while token in self.renamed:
            token = self.renamed[token]
            names.add(token)
        return names

    def hold(self, scope: str, target: int) -> None:
        self.holds.append({"scope": scope, "target": target, "from": self.tick(), "to": None})

    def release(self, scope: str, target: int) -> None:
        """What the operator decided before a release has to be decided again."""
        mine = [one for one in self.holds if (one["scope"], one["target"]) == (scope, target) and one["to"] is None]
        for one in mine:
            one["to"] = self.tick()
            for approval in list(self.yes):
                if self.covers(one, self.cards[approval].chat):
                    del self.yes[approval]

    def covers(self, hold: dict[str, Any], chat: int) -> bool:
        return hold["scope"] != "chat" or hold["target"] == chat

    def is_held(self, chat: int) -> bool:
        return any(one["to"] is None and self.covers(one, chat) for one in self.holds)

    def is_heard(self, chat: int) -> bool:
        """Tell whether Telegram has just said that a chat is not muted."""
        told_at, until = self.mutes_told.get(chat, (LONG_AGO, None))
        return self.now() - told_at < LOOKED_UP and (until is None or until <= self.now())

    def is_muted(self, chat: int) -> bool:
        """Tell whether Telegram has just said that a chat is muted."""
        told_at, until = self.mutes_told.get(chat, (LONG_AGO, None))
        return self.now() - told_at < LOOKED_UP and until is not None and until > self.now()

    def level(self, chat: int) -> str:
        level, until = self.trust.get(chat, ("review", None))
        return "review" if level == "auto" and until is not None and self.now() >= until else level

    # --- what the file shows

    def watch(self, moves: list[Move]) -> None:
        """See what one commit changed, in its order."""
        for move in moves:
            if move.what == "dependency":
                self._dependency(move)
                continue
            self.seen_moves.add((move.what, move.kind if move.what == "task" else "", move.old, move.new))
            if not is_allowed(move.what, move.kind, move.old, move.new):
                self.blame(f"illegal: {move.what} {move.kind} {move.id}: {move.old or '(new)'} -> {move.new}")
            getattr(self, f"_{move.what}")(move)
        self.cancelled.clear()

    def _task(self, move: Move) -> None:
        known = self.tasks.setdefault(move.id, {"since": self.now(), "settled": None, "before": set()})
        known.update(
            chat=move.chat,
            kind=move.kind,
            status=move.new,
            graph=move.graph,
            position=move.position,
            reason=move.text,
        )
        if (move.old, move.new) == ("approved", "awaiting_decision"):
            self.cancelled.add(move.id)
        if move.new in {"done", "skipped"}:
            known["settled"] = self.now()
        if move.new == "cancelled" and move.text.startswith("superseded"):
            self.is_replaced(move)
        if move.new == "unknown":
            self.was_in_doubt[move.id] = self.now()

    def _dependency(self, move: Move) -> None:
        before = self.tasks[move.id]["before"]
        (before.add if move.new == "bound" else before.discard)(move.before)

    def _approval(self, move: Move) -> None:
        self.task_of[move.id] = move.owner
        self.states[move.id] = move.new
        if not move.old:
            self._is_born(move)
        if move.new == "approved":
            self.rule_at[move.id] = self.now()
            if move.kind == "operator":
                self.approved.add(move.id)
                self.reconsidered.discard(move.id)
        elif move.old == "approved" and move.new == "open":
            if move.owner in self.cancelled:
                self.comes_back(move)
            self.yes.pop(move.id, None)
            self.rule_at.pop(move.id, None)

    def _is_born(self, move: Move) -> None:
        token = move.text.split()[0] if move.text.split() else ""
        chat, graph = self.tasks[move.owner]["chat"], self.tasks[move.owner]["graph"]
        beside = (card for card in self.cards.values() if self.tasks[card.task]["graph"] == graph)
        of_plan = next((Written(card.saw, card.author, card.saw_order) for card in beside), Written(frozenset(), 0))
        written = self.written.get(token, of_plan)  # an action without words was written with the rest of its plan
        twin = (
            any(card.text.split()[:1] == [token] for card in self.cards.values())
            if token and token != self.copying
            else False
        )
        self.cards[move.id] = Card(
            approval=move.id,
            task=move.owner,
            chat=chat,
            text=move.text,
            saw=written.saw,
            author=written.author,
            saw_order=written.order,
            origin="operator" if token.startswith("c") else "plan",
            beside=twin,
            born=self.now(),
            born_order=self.tick(),
            trust=self.level(chat),
        )
        if token.startswith("c"):
            self.yes[move.id] = Yes(move.text, self.now(), self.order)

    def _ledger(self, move: Move) -> None:
        row = self.rows.setdefault(move.id, {"first": None, "times": 0, "old": ""})
        row.update(
            approval=move.owner,
            chat=move.chat,
            text=move.text,
            state=move.new,
            part=move.part,
            kind=move.kind,
            random_id=move.random_id,
        )
        if move.new == "sending" and move.old in {"prepared", "unknown"}:
            self.claims(move, row)
        elif move.new == "prepared":
            row["first"] = None
            if not move.part:
                self.automatic.pop(move.owner, None)
        if move.old == "sending":
            self._now_it_waits(move.chat)

    def _now_it_waits(self, chat: int) -> None:
        """What Telegram told a send of this chat counts from the commit that keeps it."""
        for key in [key for key in self.just_told if self.told_by.get(key, chat) == chat]:
            until = self.just_told.pop(key)
            self.told_to_wait[key] = max(until, self.told_to_wait.get(key, until))
        self.limited = self.limited or self.limit_told

    def claims(self, move: Move, row: dict[str, Any]) -> None:
        """A request is about to leave; replaced by the judge."""

    def comes_back(self, move: Move) -> None:
        """What was approved asks again; replaced by the judge."""

    def is_replaced(self, move: Move) -> None:
        """A new plan has replaced a step; replaced by the judge."""

    def blame(self, words: str) -> None:
        self.wrong.append(words)

    def on_its_way(self, chat: int, but: int) -> bool:
        return any(
            one["chat"] == chat and one["status"] in {"sending", "unknown"} and one["kind"] in PLANNED_KINDS
            for number, one in self.tasks.items()
            if number != but
        )

    def steps_before(self, task: int) -> list[int]:
        found, open_ends = [], sorted(self.tasks[task]["before"])
        while open_ends:
            number = open_ends.pop()
            if number not in found:
                found.append(number)
                open_ends += sorted(self.tasks[number]["before"])
        return found

    def settled_at(self, task: int) -> datetime | None:
        """Return when the steps before one were over; None if they are not, long ago if there are none."""
        newest = LONG_AGO
        for number in self.steps_before(task):
            step = self.tasks[number]
            if step["status"] == "cancelled" and step["kind"] == "received":
                continue
            if step["settled"] is None:
                return None
            newest = max(newest, step["settled"])
        return newest

    def recent_automatic(self, chat: int | None) -> int:
        since = self.now() - timedelta(hours=1)
        return sum(1 for at, where in self.automatic.values() if at > since and chat in {None, where})
