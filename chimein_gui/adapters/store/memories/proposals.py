"""Proposed memories in the database, with what was deleted and how far each chat was read."""

import json
from datetime import datetime
from typing import Any

from chimein_gui.adapters.store.rows.values import Row, from_micros, maybe_to_micros, to_micros
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.ids import AgentId, ChatId, MessageId, PeerId
from chimein_gui.domain.memory.entries import MemoryKind
from chimein_gui.domain.memory.folding import folded_hash
from chimein_gui.domain.memory.proposals import (
    Choice,
    Decision,
    Effect,
    Evidence,
    Flag,
    NewProposal,
    Proposal,
    ProposalId,
    ProposalState,
    StaleReason,
)

COLUMNS = (
    "proposal_id, agent_id, chat_id, person_id, person_name, text, evidence, flags, confidence, state, stale,"
    " created_at, model, cost_usd, version, effect, choice, decided_at, written, kind, peer, before"
)
SELECT = f"SELECT {COLUMNS} FROM memory_proposals"
OPEN = "state IN ('waiting', 'stale')"
ADD = """
INSERT INTO memory_proposals (agent_id, chat_id, person_id, person_name, text, text_hash, evidence, flags, confidence,
state, created_at, model, cost_usd) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
SAVE = """
UPDATE memory_proposals SET state = ?, stale = ?, version = ?, effect = ?, choice = ?, decided_at = ?, written = ?,
kind = ?, peer = ?, before = ? WHERE proposal_id = ?
"""
KNOWN = f"""
SELECT 1 FROM memory_proposals WHERE agent_id = ? AND person_id = ? AND text_hash = ?
AND ({OPEN} OR state = 'rejected') LIMIT 1
"""
ALL_CHATS = 0
"""Value of a peer for what is remembered for all chats; no peer has this id."""


class SqliteProposalRows:
    """Implements `engine.ports.ProposalRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, new: NewProposal) -> Proposal:
        found = new.found
        number = self._sql.insert(
            ADD,
            new.agent_id,
            new.chat_id,
            new.person_id,
            new.person_name,
            found.text,
            folded_hash(found.text),
            json.dumps([[part.message_id, part.words] for part in found.evidence]),
            " ".join(sorted(flag.value for flag in found.flags)),
            found.confidence,
            ProposalState.WAITING.value,
            to_micros(new.created_at),
            new.model,
            new.cost_usd,
        )
        return self.get(ProposalId(number))

    def get(self, proposal_id: ProposalId) -> Proposal:
        row = self._sql.one(f"{SELECT} WHERE proposal_id = ?", proposal_id)
        if row is None:
            raise NotFoundError(f"there is no proposed memory {proposal_id}")
        return _proposal(row)

    def save(self, proposal: Proposal) -> None:
        decision = proposal.decision
        kind = decision.kind if decision is not None else None
        self._sql.change(
            SAVE,
            proposal.state.value,
            proposal.stale.value if proposal.stale is not None else "",
            proposal.version,
            proposal.effect.value,
            decision.choice.value if decision is not None else "",
            maybe_to_micros(decision.at if decision is not None else None),
            decision.text if decision is not None else "",
            kind.value if kind is not None else "",
            decision.peer if decision is not None else None,
            decision.before if decision is not None else "",
            proposal.proposal_id,
            missing=f"there is no proposed memory {proposal.proposal_id}",
        )

    def open(self) -> tuple[Proposal, ...]:
        return tuple(map(_proposal, self._sql.all(f"{SELECT} WHERE {OPEN} ORDER BY created_at, proposal_id")))

    def open_of_chat(self, chat_id: ChatId) -> tuple[Proposal, ...]:
        rows = self._sql.all(f"{SELECT} WHERE {OPEN} AND chat_id = ? ORDER BY created_at, proposal_id", chat_id)
        return tuple(map(_proposal, rows))

    def open_of_person(self, agent_id: AgentId, person_id: PeerId) -> tuple[Proposal, ...]:
        statement = f"{SELECT} WHERE {OPEN} AND agent_id = ? AND person_id = ? ORDER BY created_at, proposal_id"
        return tuple(map(_proposal, self._sql.all(statement, agent_id, person_id)))

    def decided(self, since: datetime) -> tuple[Proposal, ...]:
        statement = f"{SELECT} WHERE decided_at >= ? AND NOT {OPEN} ORDER BY decided_at DESC, proposal_id DESC"
        return tuple(map(_proposal, self._sql.all(statement, to_micros(since))))

    def with_effect(self) -> tuple[Proposal, ...]:
        return tuple(map(_proposal, self._sql.all(f"{SELECT} WHERE effect <> 'none' ORDER BY decided_at, proposal_id")))

    def is_known(self, agent_id: AgentId, person_id: PeerId, text_hash: str) -> bool:
        return self._sql.one(KNOWN, agent_id, person_id, text_hash) is not None

    def forget_before(self, decided_before: datetime) -> None:
        self._sql.run(
            f"DELETE FROM memory_proposals WHERE decided_at < ? AND effect = 'none' AND NOT {OPEN}",
            to_micros(decided_before),
        )

    def set_tombstone(
        self, agent_id: AgentId, kind: MemoryKind, peer: PeerId | None, text_hash: str, at: datetime | None
    ) -> None:
        key = agent_id, kind.value, peer or ALL_CHATS, text_hash
        if at is None:
            self._sql.run(
                "DELETE FROM memory_tombstones WHERE agent_id = ? AND kind = ? AND peer = ? AND text_hash = ?", *key
            )
        else:
            self._sql.run("INSERT OR REPLACE INTO memory_tombstones VALUES (?, ?, ?, ?, ?)", *key, to_micros(at))

    def has_tombstone(self, agent_id: AgentId, kind: MemoryKind, peer: PeerId | None, text_hash: str) -> bool:
        statement = "SELECT 1 FROM memory_tombstones WHERE agent_id = ? AND kind = ? AND peer = ? AND text_hash = ?"
        return self._sql.one(statement, agent_id, kind.value, peer or ALL_CHATS, text_hash) is not None

    def set_never(self, agent_id: AgentId, person_id: PeerId, at: datetime | None) -> None:
        if at is None:
            self._sql.run("DELETE FROM memory_never WHERE agent_id = ? AND person_id = ?", agent_id, person_id)
        else:
            self._sql.run("INSERT OR REPLACE INTO memory_never VALUES (?, ?, ?)", agent_id, person_id, to_micros(at))

    def is_never(self, agent_id: AgentId, person_id: PeerId) -> bool:
        statement = "SELECT 1 FROM memory_never WHERE agent_id = ? AND person_id = ?"
        return self._sql.one(statement, agent_id, person_id) is not None

    def read_up_to(self, chat_id: ChatId) -> MessageId | None:
        row = self._sql.one("SELECT read_up_to FROM memory_reading WHERE chat_id = ?", chat_id)
        return None if row is None else MessageId(row[0])

    def set_read_up_to(self, chat_id: ChatId, message_id: MessageId, at: datetime) -> None:
        self._sql.run(
            "INSERT OR REPLACE INTO memory_reading (chat_id, read_up_to, at) VALUES (?, ?, ?)",
            chat_id,
            message_id,
            to_micros(at),
        )


def _proposal(row: Row) -> Proposal:
    number, agent_id, chat_id, person_id, name, text, evidence, flags, confidence, state, stale, *rest = row
    created_at, model, cost_usd, version, effect, *decided = rest
    return Proposal(
        proposal_id=ProposalId(number),
        agent_id=AgentId(agent_id),
        chat_id=ChatId(chat_id),
        person_id=PeerId(person_id),
        person_name=name,
        text=text,
        evidence=tuple(Evidence(MessageId(message_id), words) for message_id, words in json.loads(evidence)),
        flags=frozenset(map(Flag, flags.split())),
        confidence=confidence,
        state=ProposalState(state),
        stale=StaleReason(stale) if stale else None,
        created_at=from_micros(created_at),
        model=model,
        cost_usd=cost_usd,
        version=version,
        effect=Effect(effect),
        decision=_decision(*decided),
    )


def _decision(choice: str, decided_at: int | None, written: str, kind: str, peer: Any, before: str) -> Decision | None:  # noqa: ANN401 - a column
    if not choice or decided_at is None:
        return None
    whose = None if peer is None else PeerId(peer)
    return Decision(Choice(choice), from_micros(decided_at), written, MemoryKind(kind) if kind else None, whose, before)
