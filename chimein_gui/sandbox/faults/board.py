"""The active rules, and the decision which calls they hit.

Every place that can be hit asks through its own method; None means no fault:

* `call_fault(request type, account)` — the dispatcher, before it executes a call;
* `push_fault(account)` — the hub, before it sends a push;
* `difference_fault(account)` — the handler of updates.getDifference;
* `history_fault(account)` — the handler of messages.getHistory;
* `model_fault(method)` — the model's endpoint, once for each valid request, with the method as in the address
  (``generateContent``); the kinds and their effects are in the comments of `FaultKind`, the relevant fields are `kind`,
  `code`, `message` and `seconds`.

The oldest rule that matches, and whose probability comes up, hits. The random numbers come from one seeded generator,
which is called once for each matching rule with a probability below 1: the same seed, rules and calls give the same
faults.
"""

import math
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from chimein_gui.sandbox.faults.change_counter import ChangeCounter
from chimein_gui.sandbox.faults.families import FAMILIES, Family
from chimein_gui.sandbox.faults.methods import method_name, writes
from chimein_gui.sandbox.timekeeping import Clock, stopwatch
from chimein_gui.sandbox_api import ActiveFault, FaultKind, FaultRule, Incident

_REMEMBERED = 50


@dataclass(slots=True)
class _Entry:
    """A rule on the board."""

    fault_id: int
    rule: FaultRule
    hits: int = 0

    @property
    def has_ended(self) -> bool:
        return 0 < self.rule.times <= self.hits


@dataclass(frozen=True, slots=True)
class _Flood:
    """A requested wait; calls within it get the remaining time."""

    until: float
    entry: _Entry


class FaultBoard:
    """Holds the rules and decides which calls they hit.

    A FLOOD_WAIT counts down as on live Telegram: every further call of the same method by the same account gets the
    remaining wait, until it is over. These repetitions count neither as hits nor for `times`, and continue after the
    rule has ended; removing the rule ends them too.

    Args:
        changes: Counts every change.
        name_of: Returns an account's name, for the incidents.

    Attributes:
        changes: As given.
        elapsed: Measures waits; a virtual stopwatch in tests.
        recent: The last incidents, newest first.
        seed: Seed of the generator.
    """

    def __init__(self, changes: ChangeCounter, name_of: Callable[[int], str]) -> None:
        self.changes = changes
        self.elapsed: Clock = stopwatch
        self.recent: deque[Incident] = deque(maxlen=_REMEMBERED)
        self.seed = 0
        self._name_of = name_of
        self._chance = random.Random(self.seed)
        self._rules: dict[Family, list[_Entry]] = {family: [] for family in Family}
        self._floods: dict[tuple[str, int], _Flood] = {}
        self._last_id = 0

    # -- what the operator does ---------------------------------------------------------------------------------------

    def put(self, rule: FaultRule) -> int:
        """Activate a checked rule; returns its id."""
        self._last_id += 1
        self._rules[FAMILIES[rule.kind]].append(_Entry(self._last_id, rule))
        self.changes.change()
        return self._last_id

    def remove(self, fault_id: int) -> None:
        """Remove a rule; one that has already ended is no error.

        Raises:
            LookupError: There has never been a rule with this id.
        """
        if not 0 < fault_id <= self._last_id:
            raise LookupError(f"no fault {fault_id}")
        for entries in self._rules.values():
            entries[:] = [entry for entry in entries if entry.fault_id != fault_id]
        self._floods = {key: flood for key, flood in self._floods.items() if flood.entry.fault_id != fault_id}
        self.changes.change()

    def clear(self) -> None:
        """Remove all rules."""
        for entries in self._rules.values():
            entries.clear()
        self._floods.clear()
        self.changes.change()

    def set_seed(self, seed: int) -> None:
        """Restart the random generator with a seed."""
        self.seed = seed
        self._chance.seed(seed)
        self.changes.change()

    def active(self) -> tuple[ActiveFault, ...]:
        """Return the active rules, oldest first."""
        entries = sorted((one for some in self._rules.values() for one in some), key=lambda entry: entry.fault_id)
        return tuple(ActiveFault(entry.fault_id, entry.rule, entry.hits) for entry in entries)

    def tell(self, incident: Incident) -> None:
        """Add a recent incident."""
        self.recent.appendleft(incident)
        self.changes.change()

    # -- queries of the places that can be hit ----------------------------------------------------------------------

    def call_fault(self, request_type: type, account_id: int) -> FaultRule | None:
        """Return the rule that hits a call of an account (0: not logged in); a FLOOD_WAIT with its remaining time."""
        if not self._rules[Family.CALL] and not self._floods:
            return None
        method = method_name(request_type)
        remaining = self._remaining(method, account_id)
        if remaining is not None:
            self.tell(Incident(remaining, method, self._name(account_id)))
            return remaining
        entry = self._strike(Family.CALL, method, account_id)
        if entry is None:
            return None
        if entry.rule.kind is FaultKind.FLOOD_WAIT:
            self._floods[method, account_id] = _Flood(self.elapsed() + entry.rule.seconds, entry)
        self.tell(Incident(entry.rule, method, self._name(account_id)))
        return entry.rule

    def is_frozen(self, account_id: int) -> bool:
        """Return whether an account may only read."""
        return any(
            entry.rule.kind is FaultKind.FROZEN and entry.rule.account_id in {0, account_id}
            for entry in self._rules[Family.CALL]
        )

    @property
    def has_push_faults(self) -> bool:
        """Return whether there are rules for pushes."""
        return bool(self._rules[Family.PUSH])

    def push_fault(self, account_id: int) -> FaultRule | None:
        """Return the rule that hits a push to an account."""
        return self._triggered(Family.PUSH, "", account_id)

    def difference_fault(self, account_id: int) -> FaultRule | None:
        """Return the rule that hits a getDifference of an account."""
        return self._triggered(Family.DIFFERENCE, "", account_id)

    def history_fault(self, account_id: int) -> FaultRule | None:
        """Return the rule that hits a history request of an account."""
        return self._triggered(Family.HISTORY, "", account_id)

    def model_fault(self, method: str) -> FaultRule | None:
        """Return the rule that hits a call of the model, such as ``generateContent``."""
        return self._triggered(Family.MODEL, method, 0)

    def _strike(self, family: Family, method: str, account_id: int) -> _Entry | None:
        """Find the rule that hits, count the hit, and remove the rule after its last one."""
        entries = self._rules[family]
        for entry in entries:
            if self._hits(entry.rule, method, account_id):
                entry.hits += 1
                if entry.has_ended:
                    entries.remove(entry)
                return entry
        return None

    def _hits(self, rule: FaultRule, method: str, account_id: int) -> bool:
        if rule.method not in {"", method} or rule.account_id not in {0, account_id}:
            return False
        if rule.kind is FaultKind.FROZEN and not writes(method):
            return False
        return rule.probability >= 1 or self._chance.random() < rule.probability

    def _remaining(self, method: str, account_id: int) -> FaultRule | None:
        flood = self._floods.get((method, account_id))
        if flood is None:
            return None
        left = math.ceil(flood.until - self.elapsed())
        if left <= 0:
            del self._floods[method, account_id]
            return None
        return replace(flood.entry.rule, seconds=left)

    def _triggered(self, family: Family, method: str, account_id: int) -> FaultRule | None:
        entry = self._strike(family, method, account_id)
        if entry is None:
            return None
        self.tell(Incident(entry.rule, method, self._name(account_id), is_push=family is Family.PUSH))
        return entry.rule

    def _name(self, account_id: int) -> str:
        return self._name_of(account_id) if account_id else ""
