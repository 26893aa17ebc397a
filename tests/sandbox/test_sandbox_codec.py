"""The port's values as JSON: there and back unchanged, and clear words about everything else."""

import json
from dataclasses import is_dataclass

import pytest

from chimein_gui import sandbox_api as port
from chimein_gui.sandbox_api import from_json, to_json

RULE = port.FaultRule(port.FaultKind.RPC_ERROR, "messages.sendMessage", 7_000_000_001, 400, "PEER_FLOOD", 1.5, 3, 0.25)
SCENARIO = port.Scenario("busy-friday", "Busy Friday ⟦🌿⟧", "Everybody writes at once.", 40)
PROBLEM = port.SceneProblem(port.SceneFault.NOBODY, "x.yaml", 4, ("Eve",))
PROGRESS = port.ScenarioProgress("busy-friday", 3, paused=True, finished=False, problem=PROBLEM)
OFFER = port.FaultOffer("x", "X", "Says X.", RULE, needs_account=True)
STRUCK = port.Incident(RULE, "messages.sendMessage", "Nora", is_push=True, set_aside="x")
VALUES = [
    port.SandboxPartner(7_000_005_001, "Marta"),
    port.SandboxAccount(7_000_000_001, "Nora"),
    port.SandboxGroup(-12, "Allotments", (1, 2, 3)),
    port.SandboxGroup(-1_000_000_000_012, "Allotments", (1, 2, 3), -12),
    port.SandboxDelivery(4, 7, 'a "text"\n', 1_700_000_000, -12, "photo"),
    port.SandboxLoginCode("+9996622001", "01234", "sms", 1_700_000_000),
    RULE,
    port.ActiveFault(2, RULE, 5),
    OFFER,
    STRUCK,
    PROBLEM,
    SCENARIO,
    PROGRESS,
    port.RehearsalState(9, (port.ActiveFault(1, RULE),), (STRUCK,), port.DuplicateMode.SAME, PROGRESS, 2.5, 42),
    port.RehearsalState(),
    port.Cast((port.SandboxAccount(1, "A"),), (port.SandboxPartner(2, "B"),), (), (SCENARIO,), (OFFER,)),
]


def test_every_record_of_the_port_is_tried():
    records = {one for one in vars(port).values() if isinstance(one, type) and is_dataclass(one)}
    assert {type(value) for value in VALUES} == records


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_there_and_back(value):
    assert from_json(type(value), json.loads(json.dumps(to_json(value)))) == value


@pytest.mark.parametrize(
    ("kind", "data", "words"),
    [
        (port.FaultRule, [], "FaultRule is to be an object"),
        (port.FaultRule, {}, "FaultRule lacks 'kind'"),
        (port.FaultRule, {"kind": "nonsense"}, "FaultRule.kind is 'nonsense', and not one of flood_wait"),
        (port.FaultRule, {"kind": 7}, "FaultRule.kind is 7"),
        (port.FaultRule, {"kind": "kick", "colour": 1}, "FaultRule has no 'colour'"),
        (port.FaultRule, {"kind": "kick", "times": True}, "FaultRule.times is to be int, not True"),
        (port.FaultRule, {"kind": "kick", "times": 1.0}, "FaultRule.times is to be int"),
        (port.FaultRule, {"kind": "kick", "seconds": "5"}, "FaultRule.seconds is to be float, not '5'"),
        (port.FaultRule, {"kind": "kick", "method": None}, "FaultRule.method is to be str, not None"),
        (port.SandboxGroup, {"peer_id": -1, "title": "", "member_ids": "abc"}, "member_ids is to be a list"),
        (port.SandboxGroup, {"peer_id": -1, "title": "", "member_ids": [1, "x"]}, r"member_ids\[1\] is to be int"),
        (port.RehearsalState, {"scenario": 3}, "scenario is to be an object"),
    ],
)
def test_anything_else_is_refused_with_words(kind, data, words):
    with pytest.raises(ValueError, match=words):
        from_json(kind, data)


def test_nothing_else_is_sent():
    with pytest.raises(TypeError, match="set does not cross"):
        to_json({1})
