"""The judge: whether what is about to leave may leave, by the notebook alone."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from tests.unit.engine.state_machine.facts import Card, Happening
from tests.unit.engine.state_machine.inline_store import Move
from tests.unit.engine.state_machine.notebook import ANY, LONG_AGO, Notebook

LONGEST_TYPING_S = 31.0
FRESH_S = 60.0
REPEAT_S = 600.0
START_GRACE = timedelta(seconds=10)
OLD = timedelta(hours=12)


class Judge(Notebook):
    """A notebook that says at once what is wrong."""

    def claims(self, move: Move, row: dict[str, Any]) -> None:
        """A request turns *sending*: look at everything that could speak against it."""
        card = self.cards[move.owner]
        what = f"{row['text'][:12]!r} ({row['kind']}, approval {card.approval})"
        row["times"] += 1
        if row["kind"] == "file" and row["text"].split()[0] not in self.uploaded:
            self.blame(f"before its file is at Telegram: {what}")
        repeated = move.old == "unknown"
        first = row["first"] if row["first"] is not None else self.now()
        row["first"] = first
        self._exits(card, row["kind"], what, goes_on=row["part"] > 0 or repeated)
        if repeated and self._again_by_itself(card, first):
            self._repetition(card, first, what)
            return
        later_part = row["part"] > 0 and self._part_one_is_fresh(card)
        self._whose_yes(card, row["text"], what)
        if card.approval not in self.yes:
            self._mute(card, what, goes_on=later_part)
        if not later_part:
            self._stale(card, what)
            self._due(card, what)
        if row["part"] == 0 and not repeated and row["times"] == 1:
            self._awake(card, what)
        if card.approval not in self.yes:
            self.automatic.setdefault(card.approval, (self.now(), card.chat))

    def comes_back(self, move: Move) -> None:
        """The first gate that fails is the reason shown: a takeover comes before a changed conversation."""
        card, yes = self.cards[move.id], self.yes.get(move.id)
        began, until = self.takeover.get(card.chat, (LONG_AGO, LONG_AGO))
        if yes is None or card.origin == "operator" or self.undoing in {move.id, ANY} or "held" in move.text:
            return
        if self.now() < until and yes.at < began and "you took over" not in move.text:
            self.blame(f"taken over, and back for another reason: {card.text[:12]!r} {move.text}")

    def is_replaced(self, move: Move) -> None:
        """What the operator approved as it was is offered again, whatever has put it back since."""
        card = next((one for one in self.cards.values() if one.task == move.id), None)
        if card is None:
            return
        number, is_offered = card.approval, move.text == "superseded after approval"
        if is_offered and number not in self.approved:
            self.blame(f"offered again, though nobody approved it: {card.text[:12]!r}")
        is_his_own = card.text in self.inserted or re.fullmatch(r"\w+ e\d+", card.text) is not None
        changed_his_mind = is_his_own or number in self.reconsidered | self.reworded
        has_left = any(row["approval"] == number and row["state"] in {"sent", "unknown"} for row in self.rows.values())
        if not is_offered and number in self.approved and not changed_his_mind and not has_left:
            self.blame(f"approved by the operator, replaced, and not offered again: {card.text[:12]!r}")

    def _exits(self, card: Card, kind: str, what: str, *, goes_on: bool) -> None:
        """What holds back whatever it is; a next part or a repetition meets a lost connection itself."""
        if self.is_held(card.chat):
            self.blame(f"under hold: {what}")
        if not goes_on and not (self.is_up() and self.is_told_all()):
            self.blame(f"offline or catching up: {what}")
        keys = ((0, kind), (card.chat, "any"))
        if any(self.told_to_wait.get(key, LONG_AGO) > self.now() for key in keys):
            self.blame(f"Telegram asked to wait: {what}")
        if self.on_its_way(card.chat, but=card.task):
            self.blame(f"another send of the chat is on its way: {what}")
        if self.settled_at(card.task) is None:
            self.blame(f"out of plan order: {what}")

    def _whose_yes(self, card: Card, text: str, what: str) -> None:
        if card.approval in self.rejected:
            self.blame(f"rejected: {what}")
        yes = self.yes.get(card.approval)
        if yes is None:
            self._rule(card, what)
            return
        if text and text not in yes.text and not card.text.startswith("s"):
            self.blame(f"not the bytes that were approved: {what}")
        if card.origin == "operator":
            return
        if self.level(card.chat) in {"off", "observe"} and not card.beside:
            self.blame(f"the chat is {self.level(card.chat)}: {what}")
        began, until = self.takeover.get(card.chat, (LONG_AGO, LONG_AGO))
        if self.now() < until and yes.at < began:
            self.blame(f"decided before the takeover: {what}")

    def _rule(self, card: Card, what: str) -> None:
        """Nobody said yes: did a named rule hold?"""
        chat, task, is_new = card.chat, card.task, card.approval not in self.automatic
        against = {
            f"no rule at {self.level(chat)}": self.level(chat) not in {"auto", "countdown"},
            "the first message": not self.has_written(chat),
            "it cannot be taken back": self.tasks[task]["kind"] not in {"send", "sticker"},
            "it lived through a hold": self._held_since(card),
            "the account is limited": self.limited,
            "the operator had it in his hands": card.approval in self.touched,
            "asked for anew by the operator": card.beside,
            "quiet hours": self.now() < self.quiet_until.get(chat, LONG_AGO),
            "an open editor": chat in self.editing,
            "takeover": self.now() < self.takeover.get(chat, (LONG_AGO, LONG_AGO))[1],
            "too many in the chat": is_new and self.recent_automatic(chat) >= self.chat_cap,
            "too many of the account": is_new and self.recent_automatic(None) >= self.account_cap,
            "an earlier step was rejected or edited": self._earlier_touched(card),
        }
        for reason, holds in against.items():
            if holds:
                self.blame(f"nobody approved it, {reason}: {what}")

    def _mute(self, card: Card, what: str, *, goes_on: bool) -> None:
        """A DM that is muted, or perhaps is, gets nothing by itself; a text is cut in two for a mute alone."""
        if card.chat in self.groups or card.origin == "operator":
            return
        if self.is_muted(card.chat) or not (goes_on or self.is_heard(card.chat)):
            self.blame(f"nobody approved it, muted or not known: {what}")

    def _held_since(self, card: Card) -> bool:
        return any(
            self.covers(hold, card.chat) and (hold["to"] is None or hold["to"] > card.born_order) for hold in self.holds
        )

    def _earlier_touched(self, card: Card) -> bool:
        before = set(self.steps_before(card.task))
        if before & self.marked_tasks:
            return True
        if any(self.marked_at.get(step, 0) > card.born_order for step in before):
            return True  # put there after the rule had decided
        return any(other.task in before and other.approval in self.marked for other in self.cards.values())

    def _stale(self, card: Card, what: str) -> None:
        if card.origin == "operator" or card.beside:
            return
        yes = self.yes.get(card.approval)
        seen = yes.seen if yes is not None else 0
        for one in self.happenings.get(card.chat, []):
            if any(one is too_new for too_new in self.fresh):
                continue  # it is told in this very moment, and not stored yet
            if (one.order is None or one.order > seen) and self._counts(card, one):
                self.blame(f"stale ({one.kind} of {one.token}): {what}")
        old_at = card.born + OLD
        if self.now() >= old_at and (yes is None or yes.at < old_at):
            self.blame(f"more than 12 hours old: {what}")

    def _counts(self, card: Card, one: Happening) -> bool:
        if one.kind in {"edit", "delete"}:
            return one.token in card.saw and card.text not in self.inserted
        if self.names_of(one.token) & card.saw or self.was_gone_by(card.chat, one.token, card.saw_order):
            return False
        return one.kind == "own" or card.chat not in self.groups or one.calls or one.author == card.author

    groups: frozenset[int] = frozenset()

    def _due(self, card: Card, what: str) -> None:
        now, yes = self.now(), self.yes.get(card.approval)
        decided = yes.at if yes is not None else self.rule_at.get(card.approval, LONG_AGO)
        stop_s = self.undo_s if yes is not None else self.countdown_s if card.trust == "countdown" else 0.0
        if now < decided + timedelta(seconds=stop_s):
            self.blame(f"before its time: {what}")
        until = self.postponed.get(card.approval, LONG_AGO)
        if now < until:
            self.blame(f"postponed: {what}")
        settled = self.settled_at(card.task) or LONG_AGO
        quiet = self.was_quiet_until.get(card.chat, LONG_AGO) if yes is None else LONG_AGO
        arrived = self.uploaded.get(card.text.split()[0], LONG_AGO) if card.origin == "operator" else LONG_AGO
        edited = self.reordered.get(self.tasks[card.task]["graph"], LONG_AGO)
        earliest = max(decided, until, settled, quiet, arrived, edited) + timedelta(seconds=stop_s)
        latest = earliest + timedelta(seconds=LONGEST_TYPING_S)
        if earliest < self.awake_since <= latest + timedelta(seconds=self.misfire_s):
            # After a break that was not too long the time to stop it begins anew; after several it would never end.
            # How long it is typed is not known here: it may have been due before the break ended.
            latest = self.awake_since + timedelta(seconds=stop_s + LONGEST_TYPING_S)
        if now - latest > timedelta(seconds=self.misfire_s):
            self.blame(f"overdue by {now - latest}: {what}")

    started = awake_since = slept_before = LONG_AGO

    def wakes(self) -> None:
        """There was a break until now."""
        self.slept_before, self.awake_since = self.awake_since, self.now()

    def _awake(self, card: Card, what: str) -> None:
        """What could be stopped until its time came: was anybody there to stop it?"""
        yes = self.yes.get(card.approval)
        decided = yes.at if yes is not None else self.rule_at.get(card.approval, LONG_AGO)
        stop_s = self.undo_s if yes is not None else self.countdown_s if card.trust == "countdown" else 0.0
        edited = self.reordered.get(self.tasks[card.task]["graph"], LONG_AGO)  # its typing may begin anew then
        typed = max(self.settled_at(card.task) or LONG_AGO, edited) + timedelta(seconds=LONGEST_TYPING_S)
        quiet = self.was_quiet_until.get(card.chat, LONG_AGO) if yes is None else LONG_AGO
        until = self.postponed.get(card.approval, LONG_AGO)
        ends = max(decided + timedelta(seconds=stop_s), typed, until, quiet)
        if ends <= self.slept_before and self.tasks[card.task]["kind"] == "file":
            return  # its time began anew when its file had arrived, and a crash forgets when that was
        if ends <= self.slept_before:
            ends = self.slept_before + timedelta(seconds=stop_s)  # begun anew then, if anybody asked
        if ends <= self.awake_since and self.now() < self.awake_since + timedelta(seconds=stop_s):
            self.blame(f"its time ran out while nobody could stop it: {what}")
        if yes is None and self.now() < self.started + START_GRACE:
            self.blame(f"nobody approved it, and the program has just started: {what}")

    def _part_one_is_fresh(self, card: Card) -> bool:
        firsts = [row["first"] for row in self.rows.values() if row["approval"] == card.approval and row["part"] == 0]
        return any(first is not None and (self.now() - first).total_seconds() <= FRESH_S for first in firsts)

    def _again_by_itself(self, card: Card, first: object) -> bool:
        """The same bytes go out again; unless the operator said so, only for a while and if nothing happened."""
        yes, doubt = self.yes.get(card.approval), self.was_in_doubt.get(card.task)
        del first
        return yes is None or doubt is None or yes.at < doubt

    def _repetition(self, card: Card, first: Any, what: str) -> None:
        if (self.now() - first).total_seconds() >= REPEAT_S:
            self.blame(f"repeated after ten minutes: {what}")
        if card.approval in self.rejected:
            self.blame(f"rejected, and repeated: {what}")
        if card.approval not in self.yes and card.approval not in self.rule_at:
            self.blame(f"repeated without a yes: {what}")
        if card.approval not in self.yes:
            self._mute(card, f"repeated {what}", goes_on=False)
        self._stale(card, f"repeated {what}")
