"""Checks the result of a tour."""

import json
from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QImage

REHEARSAL = ("scenario-picker", "rehearsal", "rehearsal-faults", "rehearsal-in-force")
"""States of the Rehearsal pane."""

MEMORY = (
    *("memory", "memory-edit", "memory-merge", "memory-search", "memory-nothing-fits", "memory-empty"),
    *("memory-unreadable", "memory-history", "memory-conflict", "memory-index-broken", "memory-index-incomplete"),
    *("memory-index-embedding", "memory-index-stopped", "memory-review-empty", "memory-review", "memory-review-stale"),
    *("memory-review-decided", "person", "person-forget", "preferences-models"),
)
"""States of the Memory pane, of the page about a person, and of what sets how memories are found."""

MEDIA = (
    *("media", "media-list", "media-needs-a-look", "media-nothing-fits", "media-empty", "media-import"),
    *("media-imported", "media-waiting", "media-estimate", "media-describing", "media-cancelled", "media-described"),
    *("media-retry-later", "media-unsupported", "media-saving", "media-not-saved", "media-saved"),
    *("media-triage", "media-triage-edit", "media-triage-done", "media-description"),
)
"""States of the Media pane, and of what asks and tells beside it."""

TRACES = (
    *("traces", "trace-decision", "trace-send", "trace-exported", "traces-waiting", "traces-problems"),
    *("traces-what-if", "traces-none", "traces-empty", "trace-retrieval", "trace-retrieval-refused"),
    *("trace-injection", "trace-tab-reply", "trace-tab-pages", "trace-tab-request"),
    *("trace-tab-usage", "trace-tab-step", "trace-failed", "trace-failed-step", "prompt-pages", "agent-files-hosts"),
    *("retrieval-running", "trace-page-robots", "trace-page-timeout", "trace-page-too-large", "trace-page-cached"),
    *("trace-page-rtl", "trace-page-cjk", "trace-page-loop", "traces-slow", "trace-rejected", "trace-export-failed"),
    *("trace-source", "trace-denied", "trace-denied-undone", "trace-without-pages", "trace-gone"),
    *("traces-found", "traces-filtered", "traces-span", "traces-kept", "traces-strip", "traces-strip-search"),
    *("reason-asks", "reason-postponed", "reason-no-page", "reason-pages", "reason-begun-anew", "trace-what-if-failed"),
    *("reason-retrying", "reason-failed", "reason-model-wait", "reason-key"),
    *("reason-not-sent", "reason-server-wait", "reason-unknown", "reason-offline"),
    *("log", "log-warnings", "log-none", "log-last", "log-part", "log-following", "log-exported"),
    *("preferences-limits",),
    *("log-key-rejected", "log-session-revoked", "log-flood-wait", "log-plan-failed"),
)
"""States of the Traces pane and of the Log pane, and of what web pages and retention show elsewhere."""

COSTS = (
    *("costs", "costs-cap", "costs-asks", "costs-no-price", "costs-raised", "costs-prices", "costs-empty"),
    *("costs-week", "costs-month"),
    *("costs-tokens", "costs-today", "costs-cap-changed", "costs-exported", "costs-price-own"),
    *("cap-marked", "cap-paused", "trace-capped"),
)
"""States of the Costs pane, and of a chat with a cap."""


IN_OWN_SANDBOXES = (
    *("agent-files-hosts", "media-waiting", "media-estimate", "media-describing", "media-cancelled"),
    *("media-described", "media-retry-later", "media-unsupported", "media-not-saved", "media-saving", "media-saved"),
    *("media-imported", "media-description", "media-empty", "traces-empty", "costs-empty"),
    *("trace-source", "trace-denied", "trace-denied-undone", "trace-without-pages", "retrieval-running"),
    *("trace-page-robots", "trace-page-timeout", "trace-page-too-large", "trace-page-rtl"),
    *("trace-page-cjk", "trace-page-loop", "traces-slow", "trace-rejected", "trace-gone"),
    *("traces-found", "traces-filtered", "traces-span", "traces-kept", "traces-strip", "traces-strip-search"),
    *("reason-asks", "reason-postponed", "reason-no-page", "reason-pages", "reason-begun-anew", "trace-what-if-failed"),
    *("reason-retrying", "reason-failed", "reason-model-wait", "reason-key"),
    *("reason-not-sent", "reason-server-wait", "reason-unknown", "reason-offline"),
    *("log-last", "log-part", "log-following"),
    *("log-key-rejected", "log-session-revoked", "log-flood-wait", "log-plan-failed"),
)
"""What is pictured by acts that have a sandbox of their own, so that halves of the tour can be played by themselves."""


def check_tour(folder: Path, *, one_look: bool = False) -> None:
    """Check that every step succeeded, that no picture is empty, and that every state has its pictures."""
    check_together(folder, one_look=one_look)
    check_apart(folder, one_look=one_look)


def check_together(folder: Path, *, one_look: bool = False) -> None:
    """Check the half that is played in one sandbox, from the main job on."""
    _check(folder, lambda name: name not in IN_OWN_SANDBOXES, one_look=one_look)
    report = json.loads((folder / "tour.json").read_text(encoding="utf-8"))
    assert len([text for text in report["mailbox"] if "Portela do Homem" in text]) == 1
    for pane in ("agents", "conversations", "approvals"):
        for look in ("light", "dark", "light-1280x720", "dark-1280x720"):
            assert (folder / f"{pane}-{look}.png").exists()


def check_apart(folder: Path, *, one_look: bool = False) -> None:
    """Check the half whose acts have sandboxes of their own."""
    _check(folder, lambda name: name in IN_OWN_SANDBOXES, one_look=one_look)


def _check(folder: Path, is_of_half: Callable[[str], bool], *, one_look: bool) -> None:
    report = json.loads((folder / "tour.json").read_text(encoding="utf-8"))
    assert report["steps"]
    assert all(set(step) >= {"name", "ok", "ms"} for step in report["steps"])
    assert [step for step in report["steps"] if not step["ok"]] == []
    pictures = sorted(folder.glob("*.png"))
    for name in filter(is_of_half, (*REHEARSAL, *MEMORY, *MEDIA, *TRACES, *COSTS)):
        for look in ("light",) if one_look else ("light", "dark", "light-1280x720", "dark-1280x720"):
            assert (folder / f"{name}-{look}.png") in pictures
    sheets = sorted((folder / "sheets").glob("*.png"))
    assert len(sheets) == -(-len(pictures) // 9)
    for picture in (*pictures, *sheets):
        image = QImage(str(picture))
        colours = {
            image.pixel(x, y)
            for x in range(0, image.width(), max(1, image.width() // 60))
            for y in range(0, image.height(), max(1, image.height() // 60))
        }
        assert len(colours) > 5, f"{picture.name} is empty"
