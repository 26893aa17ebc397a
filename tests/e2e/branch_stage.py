"""Branches of a journey that share one program, because a start takes longer than most of them."""

from __future__ import annotations

import traceback
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui.directories import Directories
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.program import Program, live
from tests.e2e.live_alike import Outdoors
from tests.e2e.log_in_hands import Hands
from tests.e2e.log_ins import write_agent

if TYPE_CHECKING:
    import pytest

QUICK = Preferences(debounce_s=0.05, undo_s=0, typing_base_s=0, typing_s_per_60=0)
Branch = Callable[[Hands], Awaitable[None]]


@dataclass
class Stage:
    """Branches that share one program; one test plays them all, and each that fails is told by its name.

    Attributes:
        branches: In the order in which they are played; each begins and ends without a dialog.
        agents: Names and the numbers in their files.
        environment: Where keys may come from.
    """

    branches: tuple[Branch, ...]
    agents: Mapping[str, str]
    environment: Mapping[str, str]

    async def play(self, folder: Path, subtests: pytest.Subtests) -> None:
        """Play all branches, whatever becomes of those before; what failed is told once the program has ended."""
        outcomes = dict.fromkeys(
            (branch.__name__ for branch in self.branches), "The program ended before this branch was played."
        )

        async def journey(hands: Hands) -> None:
            for branch in self.branches:
                outcomes[branch.__name__] = await _outcome(branch, hands)

        try:
            await on_stage(folder, self.agents, self.environment, journey)
        finally:
            for name, told in outcomes.items():
                with subtests.test(name):
                    assert not told, told


async def _outcome(branch: Branch, hands: Hands) -> str:
    """Play a branch; returns what went wrong, as words, so that no traceback keeps a window alive."""
    told = ""
    try:
        await branch(hands)
        assert hands.dialog() is None, "a dialog is left"
        await hands.nothing_left()
    except Exception as error:  # noqa: BLE001 - the branches after it are played all the same
        told = "".join(traceback.format_exception(error))
    try:
        await hands.tidy()
    except Exception as error:  # noqa: BLE001
        told += "".join(traceback.format_exception(error))
    return told


async def on_stage(
    folder: Path, agents: Mapping[str, str], environment: Mapping[str, str], journey: Callable[[Hands], Awaitable[None]]
) -> None:
    """Run a program whose operator is the journey."""
    config, outdoors = folder / "config", Outdoors(environment)
    for name, phone in agents.items():
        write_agent(config, name, phone)

    async def script(program: Program) -> int:
        program.window.activateWindow()
        await journey(Hands(program, outdoors))
        return 0

    assert await live(outdoors.kind, Directories((config,), folder / "state"), script, QUICK) == 0
