"""Plans as they are for the writer: each is written once and looked at many times, by its number or as the current one.

Only `SqliteGraphRows` writes plans. It tells of new ones; what is changed in an old one is rare, and forgets them all.
"""

from dataclasses import replace

from chimein_gui.domain.ids import ChatId, GraphId
from chimein_gui.engine.ports import GraphRow, GraphStanding

MOST_GRAPHS = 2048
"""More are not kept at a time."""


class KeptGraphs:
    """The plans that were read or written so far."""

    __slots__ = ("_current", "_graphs", "_variants")

    def __init__(self) -> None:
        """Begin with nothing."""
        self._graphs: dict[GraphId, GraphRow] = {}
        self._current: dict[ChatId, GraphId | None] = {}
        self._variants: dict[GraphId, tuple[GraphRow, ...]] = {}

    def clear(self) -> None:
        """Forget everything: what was written was taken back, or somebody else wrote."""
        self._graphs.clear()
        self._current.clear()
        self._variants.clear()

    def get(self, graph_id: GraphId) -> GraphRow | None:
        """Return a plan as it is now, if it is known."""
        return self._graphs.get(graph_id)

    def keep(self, graph: GraphRow) -> GraphRow:
        """Take note of a plan as it was read just now."""
        self._make_room()
        self._graphs[graph.graph_id] = graph
        return graph

    def current_of(self, chat_id: ChatId) -> tuple[bool, GraphRow | None]:
        """Tell whether it is known which plan is a chat's current one, and return it; None if it has none."""
        graph_id = self._current.get(chat_id)
        if graph_id is None:
            return chat_id in self._current, None
        return True, self._graphs[graph_id]

    def keep_current(self, chat_id: ChatId, graph: GraphRow | None) -> None:
        """Take note of which plan is a chat's current one, or that it has none."""
        self._make_room()
        if graph is not None:
            self._graphs[graph.graph_id] = graph
        self._current[chat_id] = None if graph is None else graph.graph_id

    def variants_of(self, graph_id: GraphId) -> tuple[GraphRow, ...] | None:
        """Return the variants of a plan, oldest first; None if they are not all known."""
        return self._variants.get(graph_id)

    def keep_variants(self, graph_id: GraphId, variants: tuple[GraphRow, ...]) -> None:
        """Take note of all variants of a plan, oldest first."""
        self._make_room()
        self._variants[graph_id] = variants

    def ended(self, graph: GraphRow) -> None:
        """The current plan of a chat was made a past one."""
        self._graphs[graph.graph_id] = replace(graph, standing=GraphStanding.PAST)
        self._current[graph.chat_id] = None
        if graph.variant_of is not None:
            self._variants.pop(graph.variant_of, None)

    def added(self, graph: GraphRow) -> None:
        """A plan was stored: it has no variants yet, and may be one."""
        self.keep(graph)
        self._variants[graph.graph_id] = ()
        if graph.variant_of is not None:
            self._variants.pop(graph.variant_of, None)
        if graph.standing is GraphStanding.CURRENT:
            self._current[graph.chat_id] = graph.graph_id

    def _make_room(self) -> None:
        if max(len(self._graphs), len(self._current), len(self._variants)) >= MOST_GRAPHS:
            self.clear()
