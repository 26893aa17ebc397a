from datetime import timedelta

from chimein_gui.engine.sandbox_port import SandboxPartner
from tests.fakes.console import NOON, FakeSandbox, run_now


def test_the_newest_fault_stands_first_and_an_empty_cause_clears_it(room):
    room.attach()
    room.console.put_fault("key", "The key does not work.", "Check it.")
    room.console.put_fault("disk", "Disk full.", "Make room.")
    room.settle()
    faults = room.models.faults
    assert [fault.key for fault in faults.faults] == ["disk", "key"]
    room.console.put_fault("disk", "")
    room.settle()
    faults.dismiss("key")
    assert faults.faults == ()


def test_times_in_words(room):
    clock = room.models.clock
    assert clock.clock(NOON) == "14:30"
    assert clock.stamp(NOON - timedelta(days=1)) == "Thu"
    assert clock.stamp(NOON - timedelta(days=39)) == "12 Oct"
    assert clock.day(NOON) == "Today"
    assert clock.day(NOON - timedelta(days=3)) == "Tuesday, 17 November"
    assert clock.day(NOON - timedelta(days=365)).endswith("2025")
    assert [clock.age(NOON - timedelta(seconds=s)) for s in (40, 61, 7300, 90000)] == ["40 s", "1 min", "2 h", "1 d"]
    assert [clock.left(NOON + timedelta(seconds=s)) for s in (-4, 2.2, 47, 161, 3700)] == [
        "0 s",
        "3 s",
        "0:47",
        "2:41",
        "1:01:40",
    ]


def test_the_voice_of_a_partner(room):
    sandbox = FakeSandbox(SandboxPartner(7, "Marta"))
    room.models.attach(room.console, run_now, sandbox)
    room.settle()
    voice, spoken, failed = room.models.voice, list[str](), list[str]()
    voice.spoken.connect(spoken.append)
    voice.failed.connect(failed.append)
    assert voice.partner(7).name == "Marta"
    voice.speak(7, 2**40, "hi")
    room.settle()

    async def nobody(*_args):
        raise LookupError("No such partner")

    sandbox.speak = nobody  # type: ignore[method-assign]
    voice.speak(8, 2**40, "hi")
    room.settle()
    assert (sandbox.said, spoken, failed) == ([(7, 2**40, "hi")], ["hi"], ["No such partner"])
