"""What else belongs to a plan that ends: its versions, and what it would remember."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.engine.ports import GraphStanding, MemoryState

if TYPE_CHECKING:
    from chimein_gui.domain.ids import GraphId
    from chimein_gui.engine.ports import Transaction


def retire_variants(tx: Transaction, graph_id: GraphId) -> None:
    """End the variants of a plan: their drafts are cancelled already, and what they would remember is forgotten."""
    for variant in tx.tasks.variants_of(graph_id):
        if variant.standing is GraphStanding.VARIANT:
            tx.tasks.save_graph(replace(variant, standing=GraphStanding.PAST))
            move_memories(tx, variant.graph_id, MemoryState.PARKED, MemoryState.UNDONE)


def move_memories(tx: Transaction, graph_id: GraphId, old: MemoryState, new: MemoryState) -> None:
    """Take all memories of a plan from one state to another; the others stay."""
    index = 0
    while (effect := tx.effects.memory(graph_id, index)) is not None:
        if effect.state is old:
            tx.effects.set_memory(graph_id, index, new)
        index += 1
