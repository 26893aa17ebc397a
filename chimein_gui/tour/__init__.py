"""The tour: the product in the sandbox, played without a person and photographed (README).

It drives the real window, and believes only the partner's mailbox on the server.
"""

from __future__ import annotations

import sys
import tempfile
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui.directories import Directories
from chimein_gui.domain.preferences import Preferences
from chimein_gui.program import SANDBOX, run
from chimein_gui.resource_files import resource_path
from chimein_gui.tour.conversations import play_conversations
from chimein_gui.tour.main_job import play_main_job
from chimein_gui.tour.rehearsal import play_rehearsal
from chimein_gui.tour.report import Tour
from chimein_gui.tour.sheets import write_sheets
from chimein_gui.tour.shell_states import play_shell_states
from chimein_gui.tour.transcript import play_transcript
from chimein_gui.tour.under_hold import play_under_hold
from chimein_gui.tour.wide_card import play_wide_card

if TYPE_CHECKING:
    from chimein_gui.program import Program

EXIT_STEP_FAILED = 1

QUICK = Preferences(debounce_s=0.2, undo_s=0.6, typing_base_s=0.3, typing_s_per_60=0.2)
"""The same rules, shorter waits."""


def run_tour(folder: Path) -> int:
    """Play the tour and leave pictures and tour.json in `folder`.

    Returns:
        0 if every step succeeded.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        print(f"The pictures cannot be written to {folder}: {error}", file=sys.stderr)
        return EXIT_STEP_FAILED
    tour = Tour(folder)

    async def script(program: Program) -> int:
        try:
            await play_main_job(tour, program)
            await play_conversations(tour, program)
            await play_transcript(tour, program)
            await play_wide_card(tour, program)
            await play_under_hold(tour, program)
            await play_shell_states(tour, program)
            await play_rehearsal(tour, program)
            write_sheets(tour.folder, tour.pictures)
        except Exception:  # noqa: BLE001 - the report names the step; the exit code says the rest
            traceback.print_exc()
        return EXIT_STEP_FAILED if tour.failed else 0

    with tempfile.TemporaryDirectory(prefix="chimein-tour-") as state:
        code = run(SANDBOX, Directories((resource_path("samples"),), Path(state)), script, QUICK)
    tour.write()
    done = sum(1 for step in tour.steps if step["ok"])
    print(f"{done} of {len(tour.steps)} steps, {len(tour.pictures)} pictures in {folder}")
    return code
