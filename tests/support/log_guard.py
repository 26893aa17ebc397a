"""Fails a test for unexpected log records from WARNING up, and for expected ones that do not come.

A record of what Telegram or the model's service did (`FROM_OUTSIDE`) fails no test: there the test itself plays the
outside. It can be demanded like any other.
"""

import logging
import re
from dataclasses import dataclass, field

from chimein_gui.reporting.log_lines import FROM_OUTSIDE


@dataclass
class ExpectedLogs:
    r"""The `expected_logs` fixture: `expected_logs(r"gave up on chat \d+")` allows, and requires, such a record.

    The pattern is searched in `LEVEL logger: message`, so that `"ERROR chimein_gui.engine"` makes it stricter.
    """

    patterns: list[re.Pattern[str]] = field(default_factory=list)
    unexpected: list[str] = field(default_factory=list)
    from_outside: list[str] = field(default_factory=list)
    seen: set[re.Pattern[str]] = field(default_factory=set)

    def __call__(self, pattern: str) -> None:
        """Expect at least one record that matches, before or after this call."""
        self.patterns.append(re.compile(pattern))

    def verdict(self) -> list[str]:
        """Return the unexpected records and the expectations that were not met."""
        wrong = []
        for line in self.unexpected:
            matching = [pattern for pattern in self.patterns if pattern.search(line)]
            self.seen.update(matching)
            if not matching:
                wrong.append(f"unexpected log record: {line}")
        self.seen.update(one for one in self.patterns for line in self.from_outside if one.search(line))
        unmet = [pattern.pattern for pattern in self.patterns if pattern not in self.seen]
        return wrong + [f"expected log record never came: {pattern}" for pattern in unmet]


class LogWatch(logging.Handler):
    """Collects records from WARNING up."""

    def __init__(self, logs: ExpectedLogs):
        super().__init__(logging.WARNING)
        self._logs = logs

    def emit(self, record: logging.LogRecord) -> None:
        """Store one line for each record; it is formatted now, because arguments may change."""
        line = f"{record.levelname} {record.name}: {record.getMessage()}"
        if record.exc_info and record.exc_info[1] is not None:
            line += f" ({record.exc_info[1]!r})"
        is_from_outside = getattr(record, next(iter(FROM_OUTSIDE)), False)
        (self._logs.from_outside if is_from_outside else self._logs.unexpected).append(line)
