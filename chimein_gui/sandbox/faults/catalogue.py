"""The faults that people can choose by name: `resources/sandbox/faults.toml`, in the order of the window."""

import tomllib
from typing import Any

from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.faults.families import NEED_ACCOUNT
from chimein_gui.sandbox.text_files import read_text
from chimein_gui.sandbox_api import FaultOffer, FaultRule, from_json


def read_offers() -> tuple[FaultOffer, ...]:
    """Return all faults that can be chosen.

    Raises:
        OSError: The file can't be read.
        ValueError: It is damaged.
    """
    table = tomllib.loads(read_text(resource_path("sandbox", "faults.toml")))
    return tuple(_offer(name, entry) for name, entry in table.items())


def _offer(name: str, entry: dict[str, Any]) -> FaultOffer:
    title, summary = entry.pop("title"), entry.pop("summary")
    rule = from_json(FaultRule, entry)
    return FaultOffer(name, title, summary, rule, needs_account=rule.kind in NEED_ACCOUNT)
