"""Agents in the database."""

import json
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from chimein_gui.adapters.store.rows.values import SAME_ROWS, Row
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.agents import Agent, AgentSpec, PictureChoice
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.ids import AccountId, AgentId
from chimein_gui.domain.input.names import folded

SELECT = """
SELECT g.agent_id, g.spec, g.account_id, g.identity, g.trust_confirmed,
    (SELECT limited FROM accounts WHERE account_id = g.account_id)
FROM agents g
"""


class SqliteAgentRows:
    """Implements `engine.ports.AgentRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def all(self) -> tuple[Agent, ...]:
        return self._sql.made(_agent, f"{SELECT} ORDER BY g.agent_id")

    def upsert(self, spec: AgentSpec) -> Agent:
        """Insert or update by casefolded name; a new agent gets the next free identity.

        A changed trust level is no longer confirmed.
        """
        key = folded(spec.name)
        known = self._sql.one("SELECT agent_id FROM agents WHERE name_key = ?", key)
        if known is not None:
            return self.rename(AgentId(known[0]), spec)
        agent_id = self._sql.insert(
            "INSERT INTO agents (name_key, name, identity, spec, trust) VALUES (?, ?, ?, ?, ?)",
            key,
            spec.name,
            self._free_identity(),
            json.dumps(asdict(spec)),
            _trust(spec),
        )
        return self._get(AgentId(agent_id))

    def rename(self, agent_id: AgentId, spec: AgentSpec) -> Agent:
        self._sql.change(
            "UPDATE agents SET name_key = ?, name = ?, spec = ?, trust = ?,"
            " trust_confirmed = trust_confirmed AND trust = ? WHERE agent_id = ?",
            folded(spec.name),
            spec.name,
            json.dumps(asdict(spec)),
            _trust(spec),
            _trust(spec),
            agent_id,
            missing=f"no agent {agent_id}",
        )
        return self._get(agent_id)

    def bind_account(self, agent_id: AgentId, account_id: AccountId) -> Agent:
        """Store the account an agent is logged in with; its chats move to this agent."""
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

    def confirm_trust(self, agent_id: AgentId, *, confirmed: bool) -> Agent:
        self._sql.change(
            "UPDATE agents SET trust_confirmed = ? WHERE agent_id = ?",
            confirmed,
            agent_id,
            missing=f"no agent {agent_id}",
        )
        return self._get(agent_id)

    def owner_of(self, account_id: AccountId) -> Agent | None:
        return self._sql.first(_agent, f"{SELECT} WHERE g.account_id = ?", account_id)

    def keep_card(self, agent_id: AgentId, name: str) -> None:
        self._sql.change(
            "UPDATE agents SET card = ? WHERE agent_id = ?", name, agent_id, missing=f"no agent {agent_id}"
        )

    def card_of(self, agent_id: AgentId) -> str:
        found = self._sql.one("SELECT card FROM agents WHERE agent_id = ?", agent_id)
        return found[0] if found is not None else ""

    def _get(self, agent_id: AgentId) -> Agent:
        found = self._sql.first(_agent, f"{SELECT} WHERE g.agent_id = ?", agent_id)
        if found is None:
            raise NotFoundError(f"no agent {agent_id}")
        return found

    def _free_identity(self) -> int:
        used = {identity for (identity,) in self._sql.all("SELECT identity FROM agents")}
        return next(index for index in range(len(used) + 1) if index not in used)


def _trust(spec: AgentSpec) -> str:
    return spec.trust.value if spec.trust is not None else ""


@lru_cache(SAME_ROWS)
def _agent(row: Row) -> Agent:
    agent_id, spec, account_id, identity, trust_confirmed, limited = row
    return Agent(
        agent_id=AgentId(agent_id),
        spec=_spec(json.loads(spec)),
        account_id=None if account_id is None else AccountId(account_id),
        identity=identity,
        limited=limited or "",
        trust_confirmed=bool(trust_confirmed),
    )


def _spec(stored: dict[str, Any]) -> AgentSpec:
    """Rebuild the spec; missing fields get their defaults, unknown ones are dropped."""
    known = {name: _tupled(stored[name]) for name in AgentSpec.__slots__ if name in stored}
    if known.get("trust") is not None:
        known["trust"] = TrustLevel(known["trust"])
    if "pictures" in known:
        known["pictures"] = PictureChoice(known["pictures"])
    return AgentSpec(**known)


def _tupled(value: object) -> Any:  # noqa: ANN401 - JSON
    """Convert JSON lists back to tuples, nested ones included."""
    return tuple(map(_tupled, value)) if isinstance(value, list) else value
