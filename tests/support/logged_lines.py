"""The Log pane with a log of its own."""

import json
import logging

import pytest

from chimein_gui.reporting.log_lines import about
from chimein_gui.reporting.logs import start_logging, stop_logging
from chimein_gui.reporting.redaction import Redaction

NAME = "chimein_gui.engine.planning.planner"


@pytest.fixture
def logged(tmp_path):
    """Keep a log, with lines of an earlier run."""
    folder = tmp_path / "logs"
    folder.mkdir()
    earlier = {"at": "2020-01-01T09:00:00.000+00:00", "level": "WARNING", "from": NAME, "text": "from before"}
    (folder / "chimein.log").write_text(json.dumps(earlier) + "\nbroken\n", encoding="utf-8")
    redaction = Redaction()
    redaction.hide("canary-77")
    start_logging(folder, redaction.clean)
    for handler in logging.getLogger().handlers:
        if type(handler) is logging.StreamHandler:
            handler.setLevel(logging.CRITICAL)
    yield folder
    stop_logging()


@pytest.fixture
def log_pane(logged, desktop):
    say("first of this run")
    desktop.window.show_pane("log")
    desktop.settle()
    return desktop.window.panes["log"]


def say(text, level=logging.INFO, name=NAME, **of):
    with about(**of):
        logging.getLogger(name).log(level, text)


def more(desktop, pane):
    for _ in range(60):
        pane.model.take_new()
    desktop.settle()
