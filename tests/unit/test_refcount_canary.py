"""PySide6 6.12 drops a reference to None, True and False with every call that returns them, and aborts in the end."""

import sys

import pytest
from PySide6.QtCore import QObject

CALLS = 1_000
IMMORTAL = 1 << 29
"""From Python 3.12 on None is immortal, and its count a constant far above this."""


@pytest.mark.skipif(sys.getrefcount(None) > IMMORTAL, reason="None is immortal here, so nothing can be counted")
def test_void_calls_keep_the_references_of_none():
    thing = QObject()
    thing.setObjectName("warm up")
    before = sys.getrefcount(None)
    for _ in range(CALLS):
        thing.setObjectName("canary")
    assert abs(sys.getrefcount(None) - before) < CALLS // 10
