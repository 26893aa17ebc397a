"""Which rules are accepted, how methods are called, and what is on offer."""

import pytest

from chimein_gui.sandbox.faults.catalogue import read_offers
from chimein_gui.sandbox.faults.checks import check
from chimein_gui.sandbox.faults.families import FAMILIES, NEED_ACCOUNT, Family
from chimein_gui.sandbox.faults.methods import method_name, telegram_methods
from chimein_gui.sandbox.faults.sentences import sentence
from chimein_gui.sandbox.wire.tl import functions
from chimein_gui.sandbox_api import FaultKind, FaultRule

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
        (FaultRule(FLOOD, seconds=30, probability=0), "A chance is above 0 and at most 1, not 0"),
        (FaultRule(FLOOD, seconds=30, times=-1), "0 for until it is removed"),
        (FaultRule(FLOOD), "Seconds of flood_wait are 1 to 86,400, not 0"),
        (FaultRule(FLOOD, seconds=1.5), "whole seconds"),
        (FaultRule(FaultKind.SLOW), "Seconds of slow"),
        (FaultRule(FaultKind.SLOW, seconds=float("inf")), "Seconds are a number"),
        (FaultRule(FaultKind.RESTART, seconds=601), "Seconds of restart"),
        (
            FaultRule(FLOOD, "messages.sendMesage", seconds=3),
            "Do you mean 'messages.sendMessage'",
        ),
        (FaultRule(FaultKind.MODEL_HANG, "messages.sendMessage"), "There is no method"),
        (FaultRule(FaultKind.MODEL_HANG, "generatecontent"), "Do you mean 'generateContent'"),
        (FaultRule(FaultKind.LOSE_UPDATES, "messages.sendMessage"), "about no method"),
        (FaultRule(FaultKind.RPC_ERROR, code=200, message="X"), "300 to 599, not 200"),
        (FaultRule(FaultKind.RPC_ERROR, message="peer flood"), "spelt like PEER_FLOOD"),
        (FaultRule(FaultKind.MODEL_ERROR, code=302), "400 to 599, not 302"),
        (FaultRule(FaultKind.MODEL_ERROR, code=503, account_id=7), "leave the account out"),
        (FaultRule(FaultKind.MODEL_ODD_END, message="no idea"), "spelt like OTHER"),
        *((FaultRule(kind), "is about one account") for kind in sorted(NEED_ACCOUNT)),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused_with_words(rule, words):
    with pytest.raises(ValueError, match=words):
        check(rule)


@pytest.mark.parametrize("offer", read_offers(), ids=lambda offer: offer.name)
def test_what_is_offered_makes_sense(offer):
    if offer.needs_account:
        with pytest.raises(ValueError, match="about one account"):
            check(offer.rule)
    else:
        check(offer.rule)
    assert offer.summary.endswith(".")
    assert sentence(offer.rule, "It").startswith("It")


def test_every_kind_has_a_place_and_is_on_offer():
    assert set(FAMILIES) == set(FaultKind)
    offers = read_offers()
    assert {offer.rule.kind for offer in offers} == set(FaultKind)
    assert len({offer.name for offer in offers}) == len({offer.title for offer in offers}) == len(offers)
    assert {kind for kind, family in FAMILIES.items() if family is Family.MODEL} == {
        kind for kind in FaultKind if kind.startswith("model_")
    }
