"""The board of faults: rules that make sense, who is struck, how often, with what chance, and what people are told."""

import asyncio
from dataclasses import replace

import pytest

from chimein_gui.sandbox.faults.board import FaultBoard
from chimein_gui.sandbox.faults.change_counter import ChangeCounter
from chimein_gui.sandbox.faults.checks import check
from chimein_gui.sandbox.faults.families import FAMILIES, NEED_ACCOUNT, Family
from chimein_gui.sandbox.faults.injector import read_offers
from chimein_gui.sandbox.faults.methods import method_name, telegram_methods
from chimein_gui.sandbox.wire.tl import functions
from chimein_gui.sandbox_api import ActiveFault, FaultKind, FaultRule, Incident, SandboxRefusedError
from chimein_gui.viewmodels.rehearsal.incident_words import incident_words
from chimein_gui.viewmodels.rehearsal.words import sandbox_words

SEND, READ = functions.messages.SendMessageRequest, functions.messages.ReadHistoryRequest
NORA, OTHER = 1, 2
NAMES = {NORA: "Nora Vale", OTHER: "Otto Lind"}


class Stopwatch:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def _board(elapsed=None) -> FaultBoard:
    board = FaultBoard(ChangeCounter(), NAMES.__getitem__)
    board.elapsed = elapsed or Stopwatch()
    return board


def _error(**parts) -> FaultRule:
    return FaultRule(FaultKind.RPC_ERROR, message="PEER_FLOOD", **parts)


def test_the_next_call_and_no_other():
    board = _board()
    rule = _error()
    board.put(rule)
    assert board.call_fault(READ, NORA) == rule
    assert board.call_fault(READ, NORA) is None
    assert board.active() == ()


def test_only_the_method_and_the_account():
    board = _board()
    rule = _error(method="messages.sendMessage", account_id=NORA)
    board.put(rule)
    assert board.call_fault(READ, NORA) is None
    assert board.call_fault(SEND, OTHER) is None
    assert board.call_fault(SEND, 0) is None
    assert board.call_fault(SEND, NORA) == rule


def test_hits_are_counted_until_the_last():
    board = _board()
    first = board.put(_error(times=2))
    for_ever = board.put(_error(times=0, method="messages.sendMessage"))
    board.call_fault(SEND, NORA)
    assert [(one.fault_id, one.hits) for one in board.active()] == [(first, 1), (for_ever, 0)]
    board.call_fault(SEND, NORA)
    for _ in range(5):
        board.call_fault(SEND, NORA)
    assert [(one.fault_id, one.hits) for one in board.active()] == [(for_ever, 5)]


def test_the_oldest_rule_strikes():
    board = _board()
    old, new = _error(), FaultRule(FaultKind.SLOW, seconds=1)
    board.put(old)
    board.put(new)
    assert [board.call_fault(SEND, NORA) for _ in range(3)] == [old, new, None]


def _drawn(board: FaultBoard, calls: int = 200) -> list[bool]:
    return [board.call_fault(SEND, NORA) is not None for _ in range(calls)]


def test_chance_is_the_same_again_with_the_same_seed():
    one, other = _board(), _board()
    for board in (one, other):
        board.set_seed(7)
        board.put(_error(times=0, probability=0.3))
    first = _drawn(one)
    assert first == _drawn(other)
    assert 30 <= sum(first) <= 90
    one.set_seed(7)
    assert _drawn(one) == first
    one.set_seed(8)
    assert _drawn(one) != first


def test_a_flood_wait_counts_down_for_its_method_and_account():
    elapsed = Stopwatch()
    board = _board(elapsed)
    rule = FaultRule(FaultKind.FLOOD_WAIT, "messages.sendMessage", seconds=30)
    board.put(rule)
    assert board.call_fault(SEND, NORA) == rule
    assert board.active() == ()
    elapsed.now += 10.5
    assert board.call_fault(SEND, NORA) == replace(rule, seconds=20)
    assert board.call_fault(SEND, OTHER) is None
    assert board.call_fault(READ, NORA) is None
    elapsed.now += 19.5
    assert board.call_fault(SEND, NORA) is None
    assert board.call_fault(SEND, NORA) is None


def test_a_flood_wait_for_ever_strikes_afresh_when_its_time_is_over():
    elapsed = Stopwatch()
    board = _board(elapsed)
    rule = FaultRule(FaultKind.FLOOD_WAIT, seconds=5, times=0)
    board.put(rule)
    board.call_fault(SEND, NORA)
    board.call_fault(SEND, NORA)
    board.call_fault(SEND, OTHER)
    assert board.active()[0].hits == 2
    elapsed.now += 5
    assert board.call_fault(SEND, NORA) == rule
    assert board.active()[0].hits == 3


@pytest.mark.parametrize("end", [lambda board, fault_id: board.remove(fault_id), lambda board, _: board.clear()])
def test_taking_a_rule_back_ends_the_wait_it_brought(end):
    board = _board()
    fault_id = board.put(FaultRule(FaultKind.FLOOD_WAIT, seconds=5))
    board.call_fault(SEND, NORA)
    end(board, fault_id)
    assert board.call_fault(SEND, NORA) is None


def test_removing():
    board = _board()
    kept, taken = board.put(_error(times=0)), board.put(FaultRule(FaultKind.MODEL_HANG))
    board.remove(taken)
    board.remove(taken)
    assert board.model_fault("generateContent") is None
    assert board.active() == (ActiveFault(kept, _error(times=0)),)
    for unheard_of in (0, -1, 99):
        with pytest.raises(LookupError, match="no fault"):
            board.remove(unheard_of)
    board.clear()
    assert board.active() == ()


def test_each_asker_gets_its_own_kinds():
    board = _board()
    push, late, model = (
        FaultRule(FaultKind.LOSE_UPDATES),
        FaultRule(FaultKind.DIFFERENCE_TOO_LONG, account_id=NORA),
        FaultRule(FaultKind.MODEL_ERROR, "countTokens", code=503),
    )
    for rule in (push, late, model):
        board.put(rule)
    assert board.call_fault(SEND, NORA) is None
    assert board.difference_fault(OTHER) is None
    assert board.model_fault("generateContent") is None
    assert board.push_fault(OTHER) == push
    assert board.difference_fault(NORA) == late
    assert board.model_fault("countTokens") == model


def test_people_are_told_what_struck():
    board = _board()
    board.put(FaultRule(FaultKind.FLOOD_WAIT, seconds=30))
    board.put(_error())
    board.put(FaultRule(FaultKind.LOSE_UPDATES))
    board.call_fault(SEND, NORA)
    board.call_fault(READ, 0)
    board.push_fault(OTHER)
    assert [incident_words(one) for one in board.recent] == [
        "An update to Otto Lind was lost",
        "messages.readHistory of somebody not logged in got PEER_FLOOD",
        "messages.sendMessage of Nora Vale got FLOOD_WAIT_30",
    ]
    board.put(_error(times=0))
    for _ in range(60):
        board.call_fault(READ, NORA)
    assert len(board.recent) == 50


async def test_every_change_raises_the_revision_and_wakes_who_waits():
    board = _board()
    counter = board.changes
    changes = [
        lambda: board.put(_error(times=0)),
        lambda: board.call_fault(SEND, NORA),
        lambda: board.set_seed(3),
        lambda: board.remove(1),
        board.clear,
        lambda: board.tell(Incident(set_aside="so")),
    ]
    for change in changes:
        before = counter.revision
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(counter.above(before))
            await asyncio.sleep(0)
            assert not waiting.done()
            change()
        assert counter.revision > before
    await counter.above(-1)


FLOOD = FaultKind.FLOOD_WAIT


def test_methods_are_called_as_telegram_calls_them():
    assert method_name(functions.messages.SendMessageRequest) == "messages.sendMessage"
    assert method_name(functions.help.GetConfigRequest) == "help.getConfig"
    assert method_name(functions.InvokeWithLayerRequest) == "invokeWithLayer"
    assert {"messages.sendMessage", "updates.getDifference", "upload.getFile"} <= telegram_methods()
    assert not any("." not in name for name in telegram_methods())


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (FaultRule(FLOOD, seconds=30, probability=0), "The chance must be above 0 and at most 1, not 0"),
        (FaultRule(FLOOD, seconds=30, times=-1), "with 0 until it is removed"),
        (FaultRule(FLOOD), "Seconds of flood_wait must be 1 to 86400, not 0"),
        (FaultRule(FLOOD, seconds=1.5), "whole seconds"),
        (FaultRule(FaultKind.SLOW), "Seconds of slow"),
        (FaultRule(FaultKind.SLOW, seconds=float("inf")), "Seconds must be a number"),
        (FaultRule(FaultKind.RESTART, seconds=601), "Seconds of restart"),
        (FaultRule(FLOOD, "messages.sendMesage", seconds=3), "Do you mean “messages.sendMessage”"),
        (FaultRule(FaultKind.MODEL_HANG, "messages.sendMessage"), "There is no call"),
        (FaultRule(FaultKind.MODEL_HANG, "generatecontent"), "Do you mean “generateContent”"),
        (FaultRule(FaultKind.LOSE_UPDATES, "messages.sendMessage"), "has no call"),
        (FaultRule(FaultKind.RPC_ERROR, code=200, message="X"), "300 to 599, not 200"),
        (FaultRule(FaultKind.RPC_ERROR, message="peer flood"), "looks like PEER_FLOOD"),
        (FaultRule(FaultKind.MODEL_ERROR, code=302), "400 to 599, not 302"),
        (FaultRule(FaultKind.MODEL_ERROR, code=503, account_id=7), "have no account"),
        (FaultRule(FaultKind.MODEL_ODD_END, message="no idea"), "looks like OTHER"),
        *((FaultRule(kind), "affects one account") for kind in sorted(NEED_ACCOUNT)),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused_with_words(rule, words):
    with pytest.raises(SandboxRefusedError) as caught:
        check(rule)
    assert words in sandbox_words(caught.value, "")


@pytest.mark.parametrize("offer", read_offers(), ids=lambda offer: offer.name)
def test_what_is_offered_makes_sense(offer):
    if offer.needs_account:
        with pytest.raises(SandboxRefusedError, match="needs account"):
            check(offer.rule)
    else:
        check(offer.rule)
    assert offer.summary.endswith(".")
    assert incident_words(Incident(offer.rule, account="It")).startswith("It")


def test_every_kind_has_a_place_and_is_on_offer():
    assert set(FAMILIES) == set(FaultKind)
    offers = read_offers()
    assert {offer.rule.kind for offer in offers} == set(FaultKind)
    assert len({offer.name for offer in offers}) == len({offer.title for offer in offers}) == len(offers)
    assert {kind for kind, family in FAMILIES.items() if family is Family.MODEL} == {
        kind for kind in FaultKind if kind.startswith("model_")
    }
