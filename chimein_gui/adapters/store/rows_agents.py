"""Agents in the database."""

import json
import unicodedata
from dataclasses import asdict

from chimein_gui.adapters.store.sql import Sql
from chimein_gui.adapters.store.values import Row
from chimein_gui.domain.agents import Agent, AgentSpec
from chimein_gui.domain.ids import AccountId, AgentId

COLUMNS = "agent_id, spec, account_id, identity"


class SqliteAgentRows:
    """Implements `engine.ports.AgentRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def all(self) -> tuple[Agent, ...]:
        """Return all agents, oldest first; health is not stored and reads STOPPED."""
        return tuple(map(_agent, self._sql.all(f"SELECT {COLUMNS} FROM agents ORDER BY agent_id")))

    def upsert(self, spec: AgentSpec) -> Agent:
        """Insert or update by casefolded name; a new one gets the next free identity."""
        key = _name_key(spec.name)
        stored = json.dumps(asdict(spec))
        known = self._sql.one("SELECT agent_id FROM agents WHERE name_key = ?", key)
        if known is None:
            agent_id = self._sql.insert(
                "INSERT INTO agents (name_key, name, identity, spec) VALUES (?, ?, ?, ?)",
                key,
                spec.name,
                self._free_identity(),
                stored,
            )
        else:
            agent_id = known[0]
            self._sql.run("UPDATE agents SET name = ?, spec = ? WHERE agent_id = ?", spec.name, stored, agent_id)
        return self._get(AgentId(agent_id))

    def bind_account(self, agent_id: AgentId, account_id: AccountId) -> Agent:
        """Remember the account an agent is logged in with; its chats come along, whichever agent had it before."""
        self._sql.run(
            "UPDATE agents SET account_id = NULL WHERE account_id = ? AND agent_id <> ?", account_id, agent_id
        )
        self._sql.change(
            "UPDATE agents SET account_id = ? WHERE agent_id = ?",
            account_id,
            agent_id,
            missing=f"no agent {agent_id}",
        )
        self._sql.run(
            "UPDATE chats SET agent_id = ? WHERE account_id = ? AND agent_id <> ?", agent_id, account_id, agent_id
        )
        return self._get(agent_id)

    def _get(self, agent_id: AgentId) -> Agent:
        row = self._sql.one(f"SELECT {COLUMNS} FROM agents WHERE agent_id = ?", agent_id)
        if row is None:
            raise LookupError(f"no agent {agent_id}")
        return _agent(row)

    def _free_identity(self) -> int:
        used = {identity for (identity,) in self._sql.all("SELECT identity FROM agents")}
        return next(index for index in range(len(used) + 1) if index not in used)


def _name_key(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _agent(row: Row) -> Agent:
    agent_id, spec, account_id, identity = row
    return Agent(
        agent_id=AgentId(agent_id),
        spec=_spec(json.loads(spec)),
        account_id=None if account_id is None else AccountId(account_id),
        identity=identity,
    )


def _spec(stored: dict[str, str | list[str]]) -> AgentSpec:
    """Rebuild the spec; fields that came later have their defaults, fields that went are left out."""
    known = {name: stored[name] for name in AgentSpec.__slots__ if name in stored}
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in known.items()}
    return AgentSpec(**fields)  # type: ignore[arg-type]  # JSON written from an AgentSpec
