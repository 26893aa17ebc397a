"""Caps on costs, calls that are under way, and sums a day."""

from collections.abc import Mapping
from datetime import date

from chimein_gui.adapters.store.rows.values import from_micros, to_micros
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.costs import ModelCall
from chimein_gui.domain.ids import AgentId, ChatId
from chimein_gui.domain.spending.caps import CapDay, CapKey, CapScope, Payer, Reservation
from chimein_gui.domain.spending.sums import CostRow

_ORDER = {CapScope.ALL: 0, CapScope.AGENT: 1, CapScope.CHAT: 2, CapScope.MODEL: 3}

CAPS = "SELECT scope, target, usd FROM caps"
GIVEN = "SELECT added_usd, is_lifted, is_quiet FROM cap_days WHERE day = ? AND scope = ? AND target = ?"
SPENT = "SELECT coalesce(sum(usd), 0.0) FROM cost_days WHERE day = ?"
SUMS = """
SELECT day, agent_id, chat_id, purpose, model, calls, prompt_tokens, cached_tokens, reply_tokens, thinking_tokens,
estimated, unpriced, usd FROM cost_days WHERE day >= ? AND day <= ? ORDER BY day
"""
UNDER_WAY = "SELECT coalesce(sum(usd), 0.0), count(*) FROM reservations"
OF_TARGET = {CapScope.ALL: "", CapScope.AGENT: "agent_id = ?", CapScope.CHAT: "chat_id = ?"}
ADD_TO_DAY = """
INSERT INTO cost_days (day, agent_id, chat_id, purpose, model, calls, prompt_tokens, cached_tokens, reply_tokens,
thinking_tokens, estimated, unpriced, usd)
VALUES (?1, coalesce(?2, (SELECT agent_id FROM chats WHERE chat_id = ?3), 0), ?3, ?4, ?5, 1, ?6, ?7, ?8, ?9, ?10, ?11,
?12) ON CONFLICT (day, agent_id, chat_id, purpose, model) DO UPDATE SET calls = calls + 1,
prompt_tokens = prompt_tokens + excluded.prompt_tokens, cached_tokens = cached_tokens + excluded.cached_tokens,
reply_tokens = reply_tokens + excluded.reply_tokens, thinking_tokens = thinking_tokens + excluded.thinking_tokens,
estimated = estimated + excluded.estimated, unpriced = unpriced + excluded.unpriced, usd = usd + excluded.usd
"""


def add_to_day(sql: Sql, agent_id: AgentId | None, chat_id: ChatId | None, call: ModelCall) -> None:
    """Add a booked call to the sums of its day, and end its reservation."""
    usage = call.usage
    sql.run(
        ADD_TO_DAY,
        call.began_at.astimezone().date().isoformat(),
        agent_id,
        chat_id or 0,
        call.purpose,
        call.model,
        usage.prompt_tokens,
        usage.cached_tokens,
        usage.reply_tokens,
        usage.thinking_tokens,
        call.estimated,
        call.cost_usd is None,
        call.cost_usd or 0.0,
    )
    if call.reservation:
        sql.run("DELETE FROM reservations WHERE token = ?", call.reservation)


class SqliteSpendingRows:
    """Implements `engine.ports.SpendingRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def caps(self) -> Mapping[CapKey, float]:
        return {CapKey(CapScope(scope), target): usd for scope, target, usd in self._sql.all(CAPS)}

    def set_cap(self, key: CapKey, usd: float | None) -> float | None:
        before = self._sql.one("SELECT usd FROM caps WHERE scope = ? AND target = ?", key.scope.value, key.target)
        if usd is None:
            self._sql.run("DELETE FROM caps WHERE scope = ? AND target = ?", key.scope.value, key.target)
        else:
            self._sql.run(
                "INSERT INTO caps VALUES (?, ?, ?) ON CONFLICT (scope, target) DO UPDATE SET usd = excluded.usd",
                key.scope.value,
                key.target,
                usd,
            )
        return None if before is None else float(before[0])

    def day_of_caps(self, day: date, payer: Payer | None = None) -> tuple[CapDay, ...]:
        wanted = None if payer is None else set(payer.keys)
        keys = [(key, usd) for key, usd in self.caps().items() if wanted is None or key in wanted]
        return tuple(self._day_of(day, key, usd) for key, usd in sorted(keys, key=lambda one: _ORDER[one[0].scope]))

    def _day_of(self, day: date, key: CapKey, usd: float) -> CapDay:
        given = self._sql.one(GIVEN, day.isoformat(), key.scope.value, key.target)
        added_usd, is_lifted, is_quiet = given or (0.0, 0, 0)
        condition = OF_TARGET[key.scope]
        target = (int(key.target),) if condition else ()
        also, where = (f" AND {condition}", f" WHERE {condition}") if condition else ("", "")
        ((spent_usd,),) = self._sql.all(f"{SPENT}{also}", day.isoformat(), *target)
        ((reserved_usd, under_way),) = self._sql.all(f"{UNDER_WAY}{where}", *target)
        return CapDay(key, usd, added_usd, bool(is_lifted), bool(is_quiet), spent_usd, reserved_usd, under_way)

    def release(
        self, day: date, key: CapKey, *, added_usd: float = 0.0, is_lifted: bool = False, is_quiet: bool = False
    ) -> None:
        self._sql.run(
            "INSERT INTO cap_days (day, scope, target, added_usd, is_lifted, is_quiet) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (day, scope, target) DO UPDATE SET added_usd = added_usd + excluded.added_usd,"
            " is_lifted = max(is_lifted, excluded.is_lifted), is_quiet = excluded.is_quiet",
            day.isoformat(),
            key.scope.value,
            key.target,
            added_usd,
            is_lifted,
            is_quiet,
        )

    def is_lifted(self, day: date, key: CapKey) -> bool:
        given = self._sql.one(GIVEN, day.isoformat(), key.scope.value, key.target)
        return given is not None and bool(given[1])

    def is_quiet(self, day: date, key: CapKey) -> bool:
        given = self._sql.one(GIVEN, day.isoformat(), key.scope.value, key.target)
        return given is not None and bool(given[2])

    def sums(self, first: date, last: date) -> tuple[CostRow, ...]:
        rows = self._sql.all(SUMS, first.isoformat(), last.isoformat())
        days = {text: date.fromisoformat(text) for text in {row[0] for row in rows}}
        return tuple(CostRow(days[day], *rest) for day, *rest in rows)

    def let_pass(self, chat_id: ChatId) -> None:
        self._sql.run("INSERT INTO cap_passes (chat_id) VALUES (?) ON CONFLICT DO NOTHING", chat_id)

    def may_pass(self, chat_id: ChatId) -> bool:
        return self._sql.one("SELECT 1 FROM cap_passes WHERE chat_id = ?", chat_id) is not None

    def take_pass(self, chat_id: ChatId) -> None:
        if self.may_pass(chat_id):
            self._sql.run("DELETE FROM cap_passes WHERE chat_id = ?", chat_id)

    def reserve(self, reservation: Reservation) -> None:
        self._sql.run(
            "INSERT INTO reservations (token, agent_id, chat_id, model, purpose, began_at, prompt_tokens, usd,"
            " prompt_usd) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            reservation.token,
            reservation.payer.agent_id,
            reservation.payer.chat_id,
            reservation.model,
            reservation.purpose,
            to_micros(reservation.began_at),
            reservation.prompt_tokens,
            reservation.usd,
            reservation.prompt_usd,
        )

    def drop(self, token: int) -> None:
        self._sql.run("DELETE FROM reservations WHERE token = ?", token)

    def reservations(self) -> tuple[Reservation, ...]:
        rows = self._sql.all(
            "SELECT token, agent_id, chat_id, model, purpose, began_at, prompt_tokens, usd, prompt_usd"
            " FROM reservations ORDER BY began_at, token"
        )
        return tuple(
            Reservation(
                token,
                Payer(
                    None if agent_id is None else AgentId(agent_id),
                    None if chat_id is None else ChatId(chat_id),
                ),
                model,
                purpose,
                from_micros(began_at),
                prompt_tokens,
                usd,
                prompt_usd,
            )
            for token, agent_id, chat_id, model, purpose, began_at, prompt_tokens, usd, prompt_usd in rows
        )
