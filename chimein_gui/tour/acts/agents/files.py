"""The Agent files pane: a file with problems, and a prompt with its preview. Nothing is written."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.agent_files.sources import SourceKind
from chimein_gui.tour.driver import looks, still
from chimein_gui.ui.panes.sources.pane import SourcesPane
from chimein_gui.ui.requests import ClosePane, OpenAgentSource

if TYPE_CHECKING:
    from PySide6.QtWidgets import QScrollBar

    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

FIELD, PROMPT = "Agent Timezone", "Person"
HOSTS = {"Allowed Hosts": "ferries.example\nharbour.example", "Denied Hosts": "gossip.example"}
"""Which hosts a persona that may look things up is let look up, and which not."""


async def play_agent_files(tour: Tour, program: Program) -> None:
    """Look at both, with the first broken file of the run."""
    window = program.window
    pane = window.pane("sources")
    assert isinstance(pane, SourcesPane)
    async with tour.step("a file with problems is shown as a form and as Markdown, with repairs"):
        problems = await hand.until("the broken files", lambda: window.models.agents.problems)
        path = next(one.path for one in problems if "Zo" in one.path)
        window.requests.send(OpenAgentSource(path))
        await _opened(pane, path)
        await hand.until("its problems", lambda: pane.model.document is not None and pane.model.document.rows)
        await hand.until("the fixed part of its prompts", lambda: pane.model.fixed.part.tokens)
        pane.file.form.focus_field(FIELD)
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"agent-files-{look}")
            bar = pane.file.form.verticalScrollBar()
            await hand.until("the end of the form", partial(_is_at_end, bar))
            await still(pane)
            tour.picture(window, f"agent-files-end-{look}")
            bar.setValue(0)
    async with tour.step("which hosts an agent may look up is a list of its file"):
        document, form = pane.model.document, pane.file.form
        assert document is not None
        filled = {"Role Prompt": f"{document.value('Role Prompt')}\nRetrieve", **HOSTS}
        for heading, value in filled.items():
            assert document.set_value(heading, value, is_typed=False)
        *_others, last = HOSTS
        form.focus_field(last)
        for look in looks(tour, program):
            form.ensureWidgetVisible(form.rows[last])
            await still(pane)
            tour.picture(window, f"agent-files-hosts-{look}")
        for _heading in filled:
            document.undo()
        await hand.until("that nothing is changed", lambda: not document.is_edited)
    async with tour.step("a prompt is shown with its users and a preview"):
        files = [row.file for row in pane.model.files.items()]
        prompt = next(one for one in files if one.kind is SourceKind.PROMPT and one.name == PROMPT)
        window.requests.send(OpenAgentSource(prompt.path))
        await hand.until("the preview", pane.file.prompt.preview.toPlainText)
        for look in looks(tour, program):
            await still(pane)
            tour.picture(window, f"agent-files-prompt-{look}")
        window.requests.send(ClosePane("sources"))


async def _opened(pane: SourcesPane, path: str) -> None:
    """Wait until a file is open.

    Raises:
        NotSeenError: It is not; the text contains which one is open instead, and the pane's problem.
    """
    model = pane.model
    try:
        await hand.until(f"the file {path}", lambda: model.document is not None and model.document.file.path == path)
    except hand.NotSeenError as error:
        shown = model.document.file.path if model.document is not None else "no file"
        raise hand.NotSeenError(f"{error}; open is {shown}; problem: {model.problem or 'none'}") from error


def _is_at_end(bar: QScrollBar) -> bool:
    """Scroll to the end; it is there only once the texts above have found their height."""
    was_at_end = bar.value() == bar.maximum()
    bar.setValue(bar.maximum())
    return was_at_end
