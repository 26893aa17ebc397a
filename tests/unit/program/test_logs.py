"""Logs: one line a record, whatever somebody calls himself."""

from __future__ import annotations

import json
import logging
from pathlib import Path

from chimein_gui.reporting.log_lines import FROM_OUTSIDE, About, about, about_now
from chimein_gui.reporting.logs import JsonLines, OneLine, log_file, start_logging, stop_logging
from chimein_gui.reporting.redaction import HIDDEN, Redaction
from tests.support.log_guard import ExpectedLogs


def record(text: str) -> logging.LogRecord:
    return logging.LogRecord("chimein", logging.INFO, "file", 1, "%s wrote", (text,), None)


def test_a_foreign_line_break_forges_no_record() -> None:
    line = JsonLines().format(record('Eve\n{"level": "ERROR"}'))
    assert "\n" not in line
    assert json.loads(line)["text"].startswith("Eve\n")
    assert "\n" not in OneLine().format(record("Eve\n\x1b[31merror: all is lost"))


def test_logs_go_to_a_private_directory(tmp_path: Path) -> None:
    start_logging(tmp_path / "logs")
    try:
        logging.getLogger("chimein_gui.test").info("hello %s", "Marta")
    finally:
        stop_logging()
    lines = (tmp_path / "logs" / "chimein.log").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["text"] for line in lines] == ["hello Marta"]
    assert (tmp_path / "logs").stat().st_mode & 0o077 == 0


def test_the_terminal_has_what_goes_wrong_in_the_program_and_the_file_all(
    tmp_path: Path, capsys, expected_logs: ExpectedLogs
) -> None:
    expected_logs("WARNING chimein_gui.test: the disk is full")
    start_logging(tmp_path / "logs")
    log = logging.getLogger("chimein_gui.test")
    try:
        log.warning("FloodWait 420 s", extra=FROM_OUTSIDE)
        log.warning("the disk is full")
    finally:
        stop_logging()
    text = (tmp_path / "logs" / "chimein.log").read_text(encoding="utf-8")
    assert "FloodWait" in text
    assert "disk" in text
    terminal = capsys.readouterr().err
    assert "disk" in terminal
    assert "FloodWait" not in terminal


def test_the_size_of_the_log_file_is_known_without_asking_the_file(tmp_path: Path) -> None:
    (tmp_path / "chimein.log").write_text("before\n", encoding="utf-8")
    start_logging(tmp_path)
    try:
        logging.getLogger("chimein_gui.test").info("hello %s", "Märta")
        file = log_file()
        assert file is not None
        assert file.size == (tmp_path / "chimein.log").stat().st_size > len("before\n")
        assert file.stream is not None
        file.stream.close()  # as between two files, in the thread that writes
        assert file.size > 0
        file.stream = None
        file.maxBytes = 100
        logging.getLogger("chimein_gui.test").info("in the next file")
        assert file.size == (tmp_path / "chimein.log").stat().st_size
        assert (tmp_path / "chimein.log.1").is_file()
    finally:
        stop_logging()


def test_no_secret_reaches_a_log_whoever_writes_it(tmp_path: Path, capsys, expected_logs: ExpectedLogs) -> None:
    expected_logs("ERROR chimein_gui.test: with")
    redaction = Redaction()
    redaction.hide("canary-77")
    start_logging(tmp_path / "logs", redaction.clean)
    log = logging.getLogger("chimein_gui.test")
    try:
        log.info("the key %s", "canary-77")
        try:
            raise ValueError("canary-77")
        except ValueError:
            log.exception("with %r", {"key": "canary-77"})
    finally:
        stop_logging()
    text = (tmp_path / "logs" / "chimein.log").read_text(encoding="utf-8")
    assert text.count(HIDDEN) == 4, "the traceback shows the line in which it is, too"
    assert "canary" not in text
    assert "canary" not in capsys.readouterr().err


def test_a_block_about_the_same_makes_nothing_new() -> None:
    with about(agent_id=1, chat_id=2):
        outer = about_now()
        with about(chat_id=2):
            assert about_now() is outer
            with about(graph_id=3):
                assert about_now() == About(1, 2, 3)
            assert about_now() is outer
    assert about_now() == About()
