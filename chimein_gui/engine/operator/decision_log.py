"""The decision log for the window: pages, totals, and export of filtered decisions.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

import asyncio
import csv
import io
import json
import os
import secrets
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

from chimein_gui.domain.approvals import Verdict
from chimein_gui.domain.plans.decision_log import DecisionKind, DecisionTotals, LogPage, with_agents
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.ports import DecisionRecord

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from datetime import datetime
    from pathlib import Path

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId, GraphId, MessageId
    from chimein_gui.domain.plans.decision_log import DecisionFilter, DecisionShare, LoggedDecision, LogPosition
    from chimein_gui.engine.ports import Store, Transaction

    InThread = Callable[..., Awaitable[Any]]

PAGE = 50
EXPORT_PAGE = 500
MOST_CHATS = 20
"""Most chats of an agent whose figures are returned."""

REGENERATE = "Regenerate"

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A cell that begins with one of these is run as a formula by spreadsheets."""

COLUMNS = (
    *("at", "agent", "chat", "decision", "by", "cause", "words", "draft", "text", "version"),
    *("rule_set_by", "rule_since", "rule_until", "message_id"),
)


class DecisionLog:
    """Reads the log; every read is short, however long the log is."""

    def __init__(self, store: Store, in_thread: InThread = asyncio.to_thread) -> None:
        """`in_thread` runs functions that may wait for the disk."""
        self._store = store
        self._in_thread = in_thread

    async def page(self, wanted: DecisionFilter, after: LogPosition | None = None, *, limit: int = PAGE) -> LogPage:
        """Return the next decisions of a filter, newest first; fewer than `limit` only at the end of the log."""
        rows: list[LoggedDecision] = []
        while True:
            page = await self._store.read(partial(_page, wanted=wanted, after=after, limit=limit - len(rows)))
            rows += page.rows
            after = page.rest
            if after is None or len(rows) >= limit:
                return LogPage(tuple(rows), after)

    async def of_message(self, chat_id: ChatId, message_id: MessageId) -> LoggedDecision | None:
        """Return the decision by which a message of a chat was sent; None for one that no plan wrote."""
        return await self._store.read(lambda tx: tx.decisions.of_message(chat_id, message_id))

    async def totals(self, wanted: DecisionFilter) -> DecisionTotals:
        """Count the decisions of a filter."""
        if not wanted.text:
            return await self._store.read(lambda tx: tx.decisions.totals(wanted))
        count = dict.fromkeys(DecisionKind, 0)
        async for rows in self._pages(wanted):
            for one in rows:
                count[one.kind] += 1
        return DecisionTotals(
            count[DecisionKind.APPROVED],
            count[DecisionKind.EDITED],
            count[DecisionKind.REJECTED] + count[DecisionKind.PLAN_REJECTED],
            count[DecisionKind.BY_RULE],
        )

    async def shares(self, wanted: DecisionFilter) -> tuple[DecisionShare, ...]:
        """Count for each agent and its busiest chats; only agent, chat and time of the filter are used."""
        return with_agents(await self._store.read(lambda tx: tx.decisions.shares(wanted)), MOST_CHATS)

    async def export(
        self, wanted: DecisionFilter, path: Path, progress: Callable[[int], None] = lambda _count: None
    ) -> int:
        """Write the decisions of a filter into a file in UTF-8, as JSON if its name ends in that, otherwise as CSV.

        Args:
            wanted: The filter.
            path: The file; an existing one is replaced once the new one is complete.
            progress: Called with the number of decisions written so far.

        Returns:
            How many decisions were written.

        Raises:
            OSError: The file could not be written; an existing one is unchanged.
        """
        beside = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
        form = _as_json if path.suffix.lower() == ".json" else _as_csv
        count = 0
        try:
            file = await self._in_thread(_begin, beside, form)
            try:
                async for rows in self._pages(wanted):
                    await self._in_thread(_append, file, form, rows, count == 0)
                    count += len(rows)
                    progress(count)
                await self._in_thread(_end, file, form)
            finally:
                await self._in_thread(file.close)
            await self._in_thread(os.replace, beside, path)
        except BaseException:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
            raise
        return count

    async def _pages(self, wanted: DecisionFilter) -> AsyncIterator[tuple[LoggedDecision, ...]]:
        after: LogPosition | None = None
        while True:
            page = await self.page(wanted, after, limit=EXPORT_PAGE)
            if page.rows:
                yield page.rows
            after = page.rest
            if after is None:
                return


def _page(tx: Transaction, *, wanted: DecisionFilter, after: LogPosition | None, limit: int) -> LogPage:
    return tx.decisions.page(wanted, after, limit)


def log_regenerate(tx: Transaction, graph_id: GraphId, instruction: str, now: datetime) -> list[EngineEvent]:
    """Log that the operator asked for another version, on the first waiting card of the plan."""
    for card in tx.approvals.of_graph(graph_id):
        if card.task_status in (TaskStatus.AWAITING_DECISION, TaskStatus.APPROVED):
            record = DecisionRecord(
                f"regenerate {secrets.token_hex(16)}",
                card.approval_id,
                card.version,
                REGENERATE,
                instruction,
                Verdict.ACCEPTED,
                now,
            )
            tx.decisions.add(record)
            break
    return []


def _values(one: LoggedDecision) -> dict[str, str | int]:
    rule = one.rule
    since = rule.since if rule is not None else None
    until = rule.until if rule is not None else None
    return {
        "at": one.at.isoformat(),
        "agent": one.agent_name,
        "chat": one.chat_title,
        "decision": one.kind.value,
        "by": one.by,
        "cause": one.cause.value if one.cause is not None else "",
        "words": one.words,
        "draft": one.draft,
        "text": one.text,
        "version": one.version,
        "rule_set_by": rule.source.value if rule is not None else "",
        "rule_since": since.isoformat() if since is not None else "",
        "rule_until": until.isoformat() if until is not None else "",
        "message_id": one.message_id or "",
    }


def _as_json(one: LoggedDecision) -> str:
    return json.dumps(_values(one), ensure_ascii=False)


def _as_csv(one: LoggedDecision) -> str:
    out = io.StringIO()
    csv.writer(out).writerow(_defused(value) for value in _values(one).values())
    return out.getvalue()


def _defused(value: str | int) -> str | int:
    """Put an apostrophe in front of a formula, so that a spreadsheet takes the cell as text."""
    if isinstance(value, str) and value.lstrip(" ").startswith(FORMULA_SIGNS):
        return f"'{value}"
    return value


def _begin(path: Path, form: object) -> TextIO:
    path.touch(0o600, exist_ok=False)  # private messages: readable by the owner only
    file = path.open("r+", encoding="utf-8", errors="replace", newline="")
    file.write("[\n" if form is _as_json else ",".join(COLUMNS) + "\r\n")
    return file


def _append(file: TextIO, form: object, rows: tuple[LoggedDecision, ...], first: bool) -> None:  # noqa: FBT001
    if form is _as_csv:
        file.writelines(map(_as_csv, rows))
        return
    lines = ",\n".join(map(_as_json, rows))
    file.write(lines if first else f",\n{lines}")


def _end(file: TextIO, form: object) -> None:
    if form is _as_json:
        file.write("\n]\n")
    file.flush()
    os.fsync(file.fileno())
