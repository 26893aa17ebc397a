"""What a filter shows is written into a file; a regenerate is in the log."""

import csv
import json
from dataclasses import replace

import pytest

from chimein_gui.domain.approvals import ApproveEdited, Reject, RejectionCause
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.plans.decision_log import DecisionFilter, DecisionKind, DecisionTotals
from chimein_gui.engine.operator import decision_log
from chimein_gui.engine.operator.decision_log import DecisionLog, log_regenerate
from tests.support.decision_room import DecisionRoom

HOSTILE = '=HYPERLINK("http://x.example","Grüße")\n"quoted", \u202eturned'


async def decided(room):
    """One of each kind, a second between them."""
    await room.written(1, out=True)
    await room.press(await room.one("Draft"), ApproveEdited(HOSTILE))
    await room.pass_time(1)
    await room.press(await room.one("-1 no"), Reject("@you too stiff", RejectionCause.WRONG_TONE))
    await room.pass_time(1)
    await room.approved("As it was")
    await room.pass_time(1)
    await room.automatic("By itself")
    return DecisionLog(room.store)


@pytest.mark.parametrize("size", [500, 1])
async def test_a_filter_is_written_as_csv_without_formulas_and_as_json(room: DecisionRoom, tmp_path, monkeypatch, size):
    monkeypatch.setattr(decision_log, "EXPORT_PAGE", size)
    log = await decided(room)
    sheet, data = tmp_path / "log.csv", tmp_path / "log.json"
    sheet.write_text("before", encoding="utf-8")
    told: list[int] = []
    assert await log.export(DecisionFilter(), sheet) == await log.export(DecisionFilter(), data, told.append) == 4
    assert (told, data.stat().st_mode & 0o777) == ([4] if size > 4 else [1, 2, 3, 4], 0o600)
    with sheet.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["decision"] for row in rows] == ["by rule", "approved", "rejected", "edited"]
    assert (rows[3]["text"], rows[2]["draft"], rows[2]["words"]) == (f"'{HOSTILE}", "'-1 no", "'@you too stiff")
    kept = json.loads(data.read_text(encoding="utf-8"))
    assert (kept[3]["text"], kept[2]["cause"], kept[0]["by"]) == (HOSTILE, "wrong tone", "auto trust")
    assert {path.name for path in tmp_path.iterdir() if path.suffix in {".csv", ".json"}} == {"log.csv", "log.json"}


async def test_a_file_that_cannot_be_written_stays_as_it_was(room: DecisionRoom, tmp_path):
    log = await decided(room)
    taken = tmp_path / "log.csv"
    taken.mkdir()
    with pytest.raises(OSError, match=r"log\.csv"):
        await log.export(DecisionFilter(), taken)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".log")] == []


async def test_figures_and_pages_of_words_look_through_the_whole_log(room: DecisionRoom):
    log = await decided(room)
    assert await log.totals(DecisionFilter()) == DecisionTotals(1, 1, 1, 1)
    assert await log.totals(DecisionFilter(text="GRÜSSE")) == DecisionTotals(edited=1)
    page = await log.page(DecisionFilter(text="stiff"))
    assert ([one.kind for one in page.rows], page.rest) == ([DecisionKind.REJECTED], None)


async def test_a_regenerate_is_logged_and_decides_nothing(room: DecisionRoom):
    card = await room.one("Draft")
    await room.do(lambda tx: log_regenerate(tx, card.graph_id, "shorter", room.clock.now()))
    page = await DecisionLog(room.store).page(DecisionFilter())
    assert [(one.kind, one.words, one.text) for one in page.rows] == [(DecisionKind.REGENERATED, "shorter", "Draft")]
    assert await room.do(lambda tx: tx.decisions.last_of(card)) is None


@pytest.mark.parametrize("by_rule", [True, False])
async def test_of_a_sent_message_the_decision_is_found_by_which_it_left(room: DecisionRoom, by_rule):
    card = await (room.automatic("Draft") if by_rule else room.approved("Draft"))
    (row,) = await room.do(lambda tx: tx.ledger.of_approval(card.approval_id))
    await room.do(lambda tx: tx.ledger.save(replace(row, message_id=MessageId(7))))
    log = DecisionLog(room.store)
    one = await log.of_message(card.chat_id, MessageId(7))
    assert one is not None
    assert (one.approval_id, one.rule is not None, one.message_id) == (card.approval_id, by_rule, 7)
    assert await log.of_message(card.chat_id, MessageId(8)) is None
