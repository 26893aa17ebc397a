"""The tour: the product in the sandbox, played without a person and photographed (README).

It drives the real window, and believes only the partner's mailbox on the server.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui.directories import Directories
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.program import SANDBOX, Script, run
from chimein_gui.resource_files import resource_path
from chimein_gui.tour.acts.agents.files import play_agent_files
from chimein_gui.tour.acts.agents.logins import play_logins, write_agent
from chimein_gui.tour.acts.agents.media import play_media
from chimein_gui.tour.acts.agents.media_states import copy_agents, play_media_states, play_no_media
from chimein_gui.tour.acts.agents.memory import play_memory
from chimein_gui.tour.acts.agents.memory_index import play_memory_index
from chimein_gui.tour.acts.agents.memory_review import play_memory_review
from chimein_gui.tour.acts.agents.person import play_person
from chimein_gui.tour.acts.card_states import play_card_states
from chimein_gui.tour.acts.conversations import play_conversations
from chimein_gui.tour.acts.costs import play_costs, play_no_costs
from chimein_gui.tour.acts.decisions import play_decisions
from chimein_gui.tour.acts.first_start.character_cards import play_character_cards
from chimein_gui.tour.acts.first_start.first_run import FIRST_RUN, play_first_run
from chimein_gui.tour.acts.main_job import play_main_job
from chimein_gui.tour.acts.plans import play_plans
from chimein_gui.tour.acts.preferences import play_preferences
from chimein_gui.tour.acts.prompt import play_prompt
from chimein_gui.tour.acts.rehearsal import play_rehearsal
from chimein_gui.tour.acts.shell_states import play_shell_states
from chimein_gui.tour.acts.showcase import play_showcase
from chimein_gui.tour.acts.tools.caps import play_caps
from chimein_gui.tour.acts.tools.log import play_log, play_log_troubles
from chimein_gui.tour.acts.tools.page_states import play_page_states
from chimein_gui.tour.acts.tools.retrieval import play_retrieval
from chimein_gui.tour.acts.tools.trace_pages import play_trace_pages
from chimein_gui.tour.acts.tools.trace_reasons import play_trace_reasons
from chimein_gui.tour.acts.tools.trace_search import play_trace_search
from chimein_gui.tour.acts.tools.traces import play_no_traces, play_traces
from chimein_gui.tour.acts.transcript import play_transcript
from chimein_gui.tour.acts.troubles import break_files, play_troubles
from chimein_gui.tour.acts.under_hold import play_under_hold
from chimein_gui.tour.acts.wide_card import play_high_contrast, play_wide_card
from chimein_gui.tour.driver import SIZES
from chimein_gui.tour.phone import play_phone
from chimein_gui.tour.report import Tour
from chimein_gui.tour.sheets import write_sheets
from chimein_gui.tour.vocabulary import learn
from chimein_gui.ui.shell.appearance.language import language_of

if TYPE_CHECKING:
    from chimein_gui.program import Program, RunMode

EXIT_STEP_FAILED = 1
EXIT_MISUSED = 2

Act = Callable[[Tour, "Program"], Awaitable[None]]

ACTS: tuple[Act, ...] = (
    play_main_job,
    play_conversations,
    play_transcript,
    play_wide_card,
    play_high_contrast,
    play_card_states,
    play_under_hold,
    play_shell_states,
    play_preferences,
    play_decisions,
    play_costs,
    play_caps,
    play_plans,
    play_prompt,
    play_retrieval,
    play_traces,
    play_log,
    play_media,
    play_memory,
    play_memory_review,
    play_person,
    play_rehearsal,
    play_memory_index,
)
"""Played in one sandbox, one after the other."""

BROKEN_FILES: tuple[Act, ...] = (play_agent_files, play_troubles)
LOGINS: tuple[Act, ...] = (play_logins, play_phone)
UNDESCRIBED: tuple[Act, ...] = (play_media_states,)
TRACES: tuple[Act, ...] = (play_trace_pages, play_page_states, play_trace_search, play_trace_reasons, play_log_troubles)
SHOWCASE: tuple[Act, ...] = (play_showcase,)
NOBODY: tuple[Act, ...] = (play_first_run, play_no_media, play_no_traces, play_no_costs, play_character_cards)
ALONE = (*BROKEN_FILES, *LOGINS, *UNDESCRIBED, *TRACES, *SHOWCASE, *NOBODY)
"""Each group of these is played in a sandbox of its own."""

NEEDED: Mapping[Act, tuple[Act, ...]] = {
    **dict.fromkeys(ACTS[1:], (play_main_job,)),
    play_phone: (play_logins,),
    play_log_troubles: (play_trace_reasons,),
}
"""What an act is played after: without it there is nothing to look at."""

QUICK = Preferences(debounce_s=0.2, undo_s=0.6, typing_base_s=0.3, typing_s_per_60=0.2)
"""The same rules, shorter waits."""

UNHURRIED = Preferences(debounce_s=0.2, undo_s=0.6, typing_base_s=0.3, typing_s_per_60=0.2, countdown_s=90)
"""For a picture in which something counts down, on a slow machine too."""


def run_tour(folder: Path, *, one_look: bool = False, acts: Sequence[str] = ()) -> int:
    """Play the tour and leave pictures and tour.json in `folder`.

    Args:
        folder: Made if it is not there.
        one_look: Picture the main panes in every colour and size, all else in one: half the time.
        acts: Names of those that are wanted, each with what it needs; every one if there is none.

    Returns:
        0 if every step succeeded, 2 if there is no such act.
    """
    names = {name_of(act): act for act in (*ACTS, *ALONE)}
    if unknown := [name for name in acts if name not in names]:
        print(f"The tour has no act {', '.join(unknown)}. Its acts: {', '.join(names)}", file=sys.stderr)
        return EXIT_MISUSED
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        print(f"The pictures cannot be written to {folder}: {error}", file=sys.stderr)
        return EXIT_STEP_FAILED
    wanted = {names[name] for name in acts} or set(names.values())
    tour = Tour(folder, one_look, wanted.union(*(NEEDED.get(act, ()) for act in wanted)))
    learn(language_of("system"))

    with tempfile.TemporaryDirectory(prefix="chimein-tour-") as state:
        code = _play_all(tour, Path(state))
    write_sheets(tour.folder, tour.pictures)
    tour.write()
    done = sum(1 for step in tour.steps if step["ok"])
    print(f"{done} of {len(tour.steps)} steps, {len(tour.pictures)} pictures in {folder}")
    return code


def name_of(act: Act) -> str:
    """Return how an act is called on the command line: "trace-reasons" for play_trace_reasons."""
    return act.__name__.removeprefix("play_").replace("_", "-")


def _play_all(tour: Tour, state: Path) -> int:
    """Play one run after the other, until one fails."""
    broken, waiting, undescribed = state / "broken", state / "waiting", state / "undescribed"
    break_files(broken)
    write_agent(waiting)
    copy_agents(undescribed)
    copied = Path(shutil.copytree(resource_path("samples"), state / "samples"))  # a site is denied in its files
    bare, alone = Directories((undescribed,), state / "fifth"), Directories((state / "nobody",), state / "fourth")
    runs = (
        partial(_play, tour, SANDBOX, _with_samples(state / "first"), ACTS),
        partial(_play, tour, SANDBOX, _with_samples(state / "second", broken), BROKEN_FILES),
        partial(_play, tour, SANDBOX, _with_samples(state / "third", waiting), LOGINS),
        partial(_play, tour, SANDBOX, bare, UNDESCRIBED),
        partial(_play, tour, SANDBOX, Directories((copied,), state / "sixth"), TRACES),
        partial(_play, tour, SANDBOX, _with_samples(state / "showcase"), SHOWCASE, UNHURRIED),
        partial(_play, tour, FIRST_RUN, alone, NOBODY),
    )
    code = 0
    for play in runs:
        code = play() or code
        if tour.failed:
            break
    return code


def _with_samples(state: Path, *config: Path) -> Directories:
    """Return the directories of a run that has our samples, and what else is named."""
    return Directories((resource_path("samples"), *config), state)


def _play(
    tour: Tour, mode: RunMode, where: Directories, acts: tuple[Act, ...], preferences: Preferences = QUICK
) -> int:
    """Play the wanted ones of these acts in a run of their own; without any there is none."""
    wanted = tuple(act for act in acts if act in tour.acts)
    return run(mode, where, _script(tour, wanted), preferences) if wanted else 0


def _script(tour: Tour, acts: tuple[Act, ...]) -> Script:
    """Return what plays acts and tells whether all went well."""

    async def script(program: Program) -> int:
        try:
            for act in acts:
                program.window.resize(*SIZES[""])  # a small screen begins with panes that lie over each other
                program.window.set_dark(False)
                await act(tour, program)
        except Exception:  # noqa: BLE001 - the report names the step; the exit code says the rest
            traceback.print_exc()
        return EXIT_STEP_FAILED if tour.failed else 0

    return script
