"""The index in the head of the Memory pane: vectors are missing, refused, being made, and stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.memory.embedding import Embedding
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.sandbox_api import FaultKind, FaultRule
from chimein_gui.tour.driver import PERSONA, looks, still
from chimein_gui.ui.panes.memory.index_status import IndexStatus
from chimein_gui.ui.panes.memory.pane import MemoryPane
from chimein_gui.viewmodels.memory.index_status import IndexState
from chimein_gui.viewmodels.preferences.catalogue import SETTINGS

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

EMBEDDING = next(setting for setting in SETTINGS if setting.name == "memory_embedding")
METHOD = "batchEmbedContents"
TEXTS = ("The ferry leaves at nine.", "The lantern hangs in the window.", "Plums, never pears.")


async def play_memory_index(tour: Tour, program: Program) -> None:
    """Find memories by meaning while the model fails, refuses and never answers; nothing is put right again."""
    window, sandbox = program.window, program.running.sandbox
    assert sandbox is not None
    window.show_pane("memory")
    pane = window.pane("memory")
    assert isinstance(pane, MemoryPane)
    pane.tabs.show_page(0)
    index = pane.findChild(IndexStatus)
    assert isinstance(index, IndexStatus)
    async with tour.step("the model can't make vectors: memories are found by their words meanwhile"):
        await hand.until("the files", lambda: index.model.state is IndexState.UP_TO_DATE)
        fault = await sandbox.inject(FaultRule(FaultKind.MODEL_ERROR, METHOD, code=403, times=0))
        window.models.preferences_model.change(EMBEDDING, Embedding.GEMINI.value)
        await _show(tour, program, pane, index, IndexState.BROKEN)
        await sandbox.remove_fault(fault)
    async with tour.step("a text that the model refuses stays without a vector"):
        index.job.click()
        await hand.until("all vectors", lambda: index.model.state is IndexState.UP_TO_DATE)
        fault = await sandbox.inject(FaultRule(FaultKind.MODEL_ERROR, METHOD, code=400, times=0))
        await _add(program, TEXTS[0])
        await _show(tour, program, pane, index, IndexState.INCOMPLETE)
        await sandbox.remove_fault(fault)
    async with tour.step("vectors are made, and the operator stops that"):
        index.job.click()
        await hand.until("all vectors", lambda: index.model.state is IndexState.UP_TO_DATE)
        await sandbox.inject(FaultRule(FaultKind.MODEL_HANG, METHOD, times=0))
        for text in TEXTS[1:]:
            await _add(program, text)
        await _show(tour, program, pane, index, IndexState.EMBEDDING)
        index.job.click()
        await _show(tour, program, pane, index, IndexState.STOPPED)


async def _show(tour: Tour, program: Program, pane: MemoryPane, index: IndexStatus, state: IndexState) -> None:
    await hand.until(f"the state {state.value}", lambda: index.model.state is state)
    for look in looks(tour, program, stays=True):
        await still(pane)
        tour.picture(program.window, f"memory-index-{state.name.lower()}-{look}")


async def _add(program: Program, text: str) -> None:
    await program.running.engine.memory_editor.add(MemoryFile(MemoryKind.REMEMBERED, PERSONA), text)
