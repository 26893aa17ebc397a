"""Holds, waits, account limits and saved edits in the database."""

from datetime import datetime

from chimein_gui.adapters.store.columns.conditions import OF_SEVERAL
from chimein_gui.adapters.store.rows.values import Row, from_micros, to_micros
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.accounts.group_moves import GroupMove, KnownGroups, is_basic_group
from chimein_gui.domain.approvals import SavedEdit
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import AccountId, AgentId, ApprovalId, ChatId, PeerId, SavedEditId
from chimein_gui.engine.ports import ServerWait

WIDEST_FIRST = "CASE scope WHEN 'all' THEN 0 WHEN 'account' THEN 1 ELSE 2 END"
WHOLE_ACCOUNT = 0
"""Value of `waits.chat_id` for a whole account; no chat has this id."""

OVER = f"""
SELECT scope, target, reason, since FROM holds
WHERE scope = 'all' AND target = 0 OR scope = 'account' AND target = ? OR scope = 'chat' AND target = ?
ORDER BY {WIDEST_FIRST} LIMIT 1
"""
SAVED = "SELECT saved_edit_id, chat_id, base, mine, position, paired_with, created_at, result FROM saved_edits"


class SqliteHoldRows:
    """Implements `engine.ports.HoldRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def all(self) -> tuple[Hold, ...]:
        return self._sql.made(
            _hold, f"SELECT scope, target, reason, since FROM holds ORDER BY since, {WIDEST_FIRST}, target"
        )

    def put(self, hold: Hold) -> None:
        self._sql.run(
            "INSERT OR REPLACE INTO holds (scope, target, reason, since) VALUES (?, ?, ?, ?)",
            hold.scope.value,
            hold.target,
            hold.reason,
            to_micros(hold.since),
        )

    def release(self, scope: HoldScope, target: int) -> bool:
        return self._sql.run("DELETE FROM holds WHERE scope = ? AND target = ?", scope.value, target).rowcount > 0

    def over(self, account_id: AccountId, chat_id: ChatId) -> Hold | None:
        return self._sql.first(_hold, OVER, account_id, chat_id)


class SqliteWaitRows:
    """Implements `engine.ports.WaitRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def put(self, wait: ServerWait) -> None:
        self._sql.run(
            "INSERT INTO waits (account_id, chat_id, method, until) VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET until = max(until, excluded.until)",
            wait.account_id,
            WHOLE_ACCOUNT if wait.chat_id is None else wait.chat_id,
            wait.method,
            to_micros(wait.until),
        )

    def over(self, account_id: AccountId, chat_id: ChatId, method: str, now: datetime) -> ServerWait | None:
        """Return the last-ending wait that blocks this method in this chat now, or None.

        A wait of a chat is a slow mode: it applies to every method there.
        """
        # Without the time as a parameter, so that repeated queries hit the cache.
        row = self._sql.one(
            "SELECT chat_id, method, until FROM waits WHERE account_id = ? AND chat_id IN (?, ?)"
            " AND (chat_id = ? OR method = ?) ORDER BY until DESC LIMIT 1",
            account_id,
            WHOLE_ACCOUNT,
            chat_id,
            chat_id,
            method,
        )
        if row is None or row[-1] <= to_micros(now):
            return None
        whose, kept, until = row
        return ServerWait(account_id, None if whose == WHOLE_ACCOUNT else ChatId(whose), kept, from_micros(until))

    def of_accounts(self, now: datetime) -> tuple[ServerWait, ...]:
        return self._sql.made(
            _wait, "SELECT account_id, chat_id, method, until FROM waits WHERE until > ?", to_micros(now)
        )


class SqliteAccountRows:
    """Implements `engine.ports.AccountRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def limited(self, account_id: AccountId) -> str:
        row = self._sql.one("SELECT limited FROM accounts WHERE account_id = ?", account_id)
        return "" if row is None else str(row[0])

    def set_limited(self, account_id: AccountId, code: str) -> None:
        self._sql.run(
            "INSERT INTO accounts (account_id, limited) VALUES (?, ?)"
            " ON CONFLICT DO UPDATE SET limited = excluded.limited",
            account_id,
            code,
        )

    def usernames(self, account_id: AccountId) -> tuple[str, ...]:
        row = self._sql.one("SELECT username FROM accounts WHERE account_id = ?", account_id)
        return () if row is None else tuple(str(row[0]).split())

    def set_usernames(self, account_id: AccountId, usernames: tuple[str, ...]) -> None:
        """Store the account's user names, separated by blanks, which no name contains."""
        self._sql.run(
            "INSERT INTO accounts (account_id, username) VALUES (?, ?)"
            " ON CONFLICT DO UPDATE SET username = excluded.username",
            account_id,
            " ".join(usernames),
        )

    def to_compare(self) -> frozenset[AgentId]:
        return frozenset(AgentId(agent_id) for (agent_id,) in self._sql.all("SELECT agent_id FROM to_compare"))

    def set_to_compare(self, agent_id: AgentId, *, wanted: bool) -> None:
        if wanted:
            self._sql.run("INSERT INTO to_compare VALUES (?) ON CONFLICT DO NOTHING", agent_id)
        else:
            self._sql.run("DELETE FROM to_compare WHERE agent_id = ?", agent_id)

    def blocked(self, account_id: AccountId) -> frozenset[PeerId]:
        rows = self._sql.all("SELECT peer_id FROM blocked WHERE account_id = ?", account_id)
        return frozenset(PeerId(row[0]) for row in rows)

    def has_blocked(self, account_id: AccountId, peer_id: PeerId) -> bool:
        found = self._sql.one("SELECT 1 FROM blocked WHERE account_id = ? AND peer_id = ?", account_id, peer_id)
        return found is not None

    def set_blocked(self, account_id: AccountId, peer_ids: frozenset[PeerId]) -> None:
        self._sql.run("DELETE FROM blocked WHERE account_id = ?", account_id)
        for peer_id in sorted(peer_ids):
            self.note_block(account_id, peer_id, is_blocked=True)

    def note_block(self, account_id: AccountId, peer_id: PeerId, *, is_blocked: bool) -> None:
        if is_blocked:
            self._sql.run(
                "INSERT INTO blocked (account_id, peer_id) VALUES (?, ?) ON CONFLICT DO NOTHING", account_id, peer_id
            )
        else:
            self._sql.run("DELETE FROM blocked WHERE account_id = ? AND peer_id = ?", account_id, peer_id)

    def groups(self) -> KnownGroups:
        moves = self._sql.all("SELECT account_id, group_id, supergroup_id FROM moved_groups")
        chats = self._sql.all(f"SELECT account_id, peer_id FROM chats WHERE {OF_SEVERAL}")
        places = [(AccountId(row[0]), PeerId(row[1])) for row in chats]
        return KnownGroups(
            moves=tuple(GroupMove(AccountId(row[0]), PeerId(row[1]), PeerId(row[2])) for row in moves),
            apart=frozenset(place for place in places if not is_basic_group(place[1])),
            basic=frozenset(place for place in places if is_basic_group(place[1])),
        )

    def note_move(self, move: GroupMove) -> None:
        self._sql.run(
            "INSERT INTO moved_groups (account_id, group_id, supergroup_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            move.account_id,
            move.group_id,
            move.supergroup_id,
        )


class SqliteSavedEditRows:
    """Implements `engine.ports.SavedEditRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(
        self,
        chat_id: ChatId,
        *,
        base: str,
        mine: str,
        position: int,
        paired_with: ApprovalId | None,
        created_at: datetime,
        result: str = "",
    ) -> SavedEdit:
        saved_edit_id = self._sql.insert(
            "INSERT INTO saved_edits (chat_id, base, mine, position, paired_with, created_at, result)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            chat_id,
            base,
            mine,
            position,
            paired_with,
            to_micros(created_at),
            result,
        )
        return self.get(SavedEditId(saved_edit_id))

    def get(self, saved_edit_id: SavedEditId) -> SavedEdit:
        row = self._sql.one(f"{SAVED} WHERE saved_edit_id = ?", saved_edit_id)
        if row is None:
            raise NotFoundError(f"no saved edit {saved_edit_id}")
        return _saved_edit(row)

    def of_chat(self, chat_id: ChatId) -> tuple[SavedEdit, ...]:
        return tuple(map(_saved_edit, self._sql.all(f"{SAVED} WHERE chat_id = ? ORDER BY saved_edit_id", chat_id)))

    def pair(self, saved_edit_id: SavedEditId, approval_id: ApprovalId | None) -> None:
        self._sql.change(
            "UPDATE saved_edits SET paired_with = ? WHERE saved_edit_id = ?",
            approval_id,
            saved_edit_id,
            missing=f"no saved edit {saved_edit_id}",
        )

    def keep_result(self, saved_edit_id: SavedEditId, result: str) -> None:
        self._sql.run("UPDATE saved_edits SET result = ? WHERE saved_edit_id = ?", result, saved_edit_id)

    def remove(self, saved_edit_id: SavedEditId) -> None:
        self._sql.change(
            "DELETE FROM saved_edits WHERE saved_edit_id = ?", saved_edit_id, missing=f"no saved edit {saved_edit_id}"
        )


def _wait(row: Row) -> ServerWait:
    account_id, chat_id, method, until = row
    whose = None if chat_id == WHOLE_ACCOUNT else ChatId(chat_id)
    return ServerWait(AccountId(account_id), whose, method, from_micros(until))


def _hold(row: Row) -> Hold:
    scope, target, reason, since = row
    return Hold(HoldScope(scope), target, reason, from_micros(since))


def _saved_edit(row: Row) -> SavedEdit:
    saved_edit_id, chat_id, base, mine, position, paired_with, created_at, result = row
    return SavedEdit(
        saved_edit_id=SavedEditId(saved_edit_id),
        chat_id=ChatId(chat_id),
        base=base,
        mine=mine,
        position=position,
        paired_with=None if paired_with is None else ApprovalId(paired_with),
        created_at=from_micros(created_at),
        result=result,
    )
