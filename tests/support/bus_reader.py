"""What another process gets of windows over the accessibility bus, asked line by line; for the system's Python.

python3 bus_reader.py: each line of stdin is a JSON list, the name of a call and its arguments. Each line of stdout is
its answer: ["ok", result], ["gone", words] if the node went meanwhile, or ["error", words]. Nodes are told by numbers,
which stay the same while the reader runs.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import gi  # type: ignore[import-not-found,import-untyped,unused-ignore]

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: E402

KINDS = ("object:", "window:", "focus:")
ANSWER_MS = 60_000
"""What a press leads to may take longer than the second that is usual, on a busy machine."""

MOST_CHILDREN = 300
"""Of one node: long lists are read as far as that."""

ROWS = ("list item", "table cell", "tree item")
_ISOLATES = dict.fromkeys(range(0x2066, 0x206A))


def _plain(name: str | None) -> str:
    """A name without the marks around foreign names."""
    return (name or "").translate(_ISOLATES)


class Reader:
    """Answers calls, and keeps what it hears meanwhile."""

    def __init__(self) -> None:
        self._nodes: list[Any] = []
        self._heard: list[dict[str, Any]] = []
        self._listener = Atspi.EventListener.new(self._hear)
        for kind in KINDS:
            self._listener.register(kind)

    def apps(self) -> list[str]:
        """The names of all programs on the bus."""
        desktop = Atspi.get_desktop(0)
        return [self._name(desktop.get_child_at_index(number)) for number in range(desktop.get_child_count())]

    def tree(self, app: str, everything: bool) -> list[dict[str, Any]]:
        """All nodes of a program in the order of the tree; by default only what says that it is shown."""
        desktop = Atspi.get_desktop(0)
        ours = [desktop.get_child_at_index(number) for number in range(desktop.get_child_count())]
        told: list[dict[str, Any]] = []
        for one in ours:
            if one is not None and self._name(one) == app:
                one.set_cache_mask(Atspi.Cache.NONE)
                self._walk(one, -1, 0, told, everything)
        return told

    def below(self, node: int) -> list[dict[str, Any]]:
        """All nodes below one that are shown, in the order of the tree."""
        told: list[dict[str, Any]] = []
        self._walk(self._nodes[node], -1, 0, told, False)
        return told[1:]

    def search(self, app: str, roles: list[str], beginning: str) -> list[dict[str, Any]]:
        """What is shown of some roles and whose name begins so, the program's last window first; of lists all rows.

        The program looks for them itself, so this is quick where a walk over all nodes is not.
        """
        told = []
        for window in reversed(self._windows(app)):
            for node in self._matching(window, roles):
                try:
                    if _plain(node.get_name()).startswith(beginning) and self._shown(node):
                        told.append(self._told(node, -1, 0))
                except GLib.GError:
                    continue  # gone meanwhile
        return told

    def _windows(self, app: str) -> list[Any]:
        desktop = Atspi.get_desktop(0)
        ours = [desktop.get_child_at_index(number) for number in range(desktop.get_child_count())]
        found = []
        for one in ours:
            if one is not None and self._name(one) == app:
                one.set_cache_mask(Atspi.Cache.NONE)
                found += [one.get_child_at_index(number) for number in range(one.get_child_count())]
        return [window for window in found if window is not None]

    @staticmethod
    def _matching(window: Any, roles: list[str]) -> list[Any]:
        every, some = Atspi.CollectionMatchType.ALL, Atspi.CollectionMatchType.ANY
        numbers = [getattr(Atspi.Role, role.upper().replace(" ", "_")) for role in roles]
        rule = Atspi.MatchRule.new(Atspi.StateSet.new([]), every, {}, every, numbers, some, [], every, False)
        try:
            found = window.get_matches(rule, Atspi.CollectionSortOrder.CANONICAL, 0, True)
            return [node for node in found if node is not None]
        except GLib.GError:
            return []

    @staticmethod
    def _shown(node: Any) -> bool:
        """A row that is scrolled away is not shown; it can be chosen all the same if its list is."""
        above = node.get_parent() if node.get_role_name() in ROWS else None
        asked = node if above is None else above
        return bool(asked.get_state_set().contains(Atspi.StateType.SHOWING))

    def wait(self, most_ms: int) -> int:
        """Wait for the next event, or as long as this. Returns how many were heard so far."""
        before, context = len(self._heard), GLib.MainContext.default()
        over: list[bool] = []

        def end() -> bool:
            over.append(True)
            return False

        timer = GLib.timeout_add(most_ms, end)
        while not over and len(self._heard) == before:
            context.iteration(True)
        if not over:
            GLib.source_remove(timer)
        return len(self._heard)

    def _walk(self, node: Any, parent: int, depth: int, told: list[dict[str, Any]], everything: bool) -> None:
        try:
            one = self._told(node, parent, depth)
            children = min(node.get_child_count(), MOST_CHILDREN)
        except GLib.GError:
            return  # gone meanwhile
        if not everything and depth > 0 and "showing" not in one["states"]:
            return
        told.append(one)
        for number in range(children):
            try:
                child = node.get_child_at_index(number)
            except GLib.GError:
                continue
            if child is not None:
                self._walk(child, one["id"], depth + 1, told, everything)

    def _told(self, node: Any, parent: int, depth: int) -> dict[str, Any]:
        return {
            "id": self._number(node),
            "parent": parent,
            "depth": depth,
            "role": node.get_role_name(),
            "name": node.get_name(),
            "description": node.get_description(),
            "states": sorted(state.value_nick for state in node.get_state_set().get_states()),
        }

    def _number(self, node: Any) -> int:
        for number, known in enumerate(self._nodes):
            if known == node:
                return number
        self._nodes.append(node)
        return len(self._nodes) - 1

    @staticmethod
    def _name(node: Any) -> str:
        try:
            return "" if node is None else str(node.get_name())
        except GLib.GError:
            return ""

    def look(self, node: int) -> dict[str, Any]:
        """One node as it is now."""
        return self._told(self._nodes[node], -1, 0)

    def children(self, node: int) -> list[dict[str, Any]]:
        """The children of a node, shown or not."""
        one, told = self._nodes[node], []
        for number in range(one.get_child_count()):
            try:
                child = one.get_child_at_index(number)
                if child is not None:  # a row may go while the others are asked
                    told.append(self._told(child, node, 0))
            except GLib.GError:
                continue
        return told

    def actions(self, node: int) -> list[str]:
        """The names of what can be done with a node."""
        interface = self._nodes[node].get_action_iface()
        if interface is None:
            return []
        return [Atspi.Action.get_action_name(interface, number) for number in range(interface.get_n_actions())]

    def act(self, node: int, name: str) -> bool:
        """Carry one of a node's actions out."""
        return bool(self._nodes[node].get_action_iface().do_action(self.actions(node).index(name)))

    def text(self, node: int) -> str | None:
        """What its text interface says; none without one."""
        interface = self._nodes[node].get_text_iface()
        return None if interface is None else str(Atspi.Text.get_text(interface, 0, interface.get_character_count()))

    def write(self, node: int, text: str) -> bool:
        """Put a text in place of what stands in a field."""
        return bool(self._nodes[node].get_editable_text_iface().set_text_contents(text))

    def value(self, node: int) -> float:
        """The value of a spin box or slider."""
        return float(self._nodes[node].get_value_iface().get_current_value())

    def set_value(self, node: int, value: float) -> bool:
        """Set the value of a spin box or slider."""
        return bool(self._nodes[node].get_value_iface().set_current_value(value))

    def select(self, node: int, child: int) -> bool:
        """Select a child by its number."""
        return bool(self._nodes[node].get_selection_iface().select_child(child))

    def selected(self, node: int) -> list[str]:
        """The names of the children that are selected."""
        interface = self._nodes[node].get_selection_iface()
        chosen = [interface.get_selected_child(number) for number in range(interface.get_n_selected_children())]
        return [self._name(one) for one in chosen]

    def focus(self, node: int) -> bool:
        """Give a node the keyboard focus."""
        return bool(self._nodes[node].get_component_iface().grab_focus())

    def place(self, node: int) -> list[int]:
        """Left, top, width and height on the screen in pixels."""
        rect = self._nodes[node].get_component_iface().get_extents(Atspi.CoordType.SCREEN)
        return [rect.x, rect.y, rect.width, rect.height]

    def relations(self, node: int) -> dict[str, list[str]]:
        """The names of what a node stands in a relation to, by the kind of relation."""
        told: dict[str, list[str]] = {}
        for relation in self._nodes[node].get_relation_set():
            kind = relation.get_relation_type().value_nick
            targets = [relation.get_target(number) for number in range(relation.get_n_targets())]
            told[kind] = [self._name(one) for one in targets]
        return told

    def heard(self, kind: str) -> list[dict[str, Any]]:
        """All events so far whose kind begins so, oldest first."""
        return [event for event in self._heard if event["kind"].startswith(kind)]

    def forget(self) -> None:
        """Forget what was heard so far."""
        self._heard.clear()

    def _hear(self, event: Any) -> None:
        told = {"kind": event.type, "detail": event.detail1, "at": time.monotonic()}
        data = event.any_data
        told["data"] = data if isinstance(data, str) else self._name(data) if isinstance(data, Atspi.Accessible) else ""
        try:
            told |= {"role": event.source.get_role_name(), "name": event.source.get_name()}
        except GLib.GError:
            told |= {"role": "", "name": ""}
        self._heard.append(told)

    def answer(self, line: str) -> str:
        """Carry one call out."""
        name, *arguments = json.loads(line)
        try:
            return json.dumps(["ok", getattr(self, name)(*arguments)])
        except GLib.GError as error:
            return json.dumps(["gone", str(error)])
        except Exception as error:  # noqa: BLE001 - whoever asked is told
            return json.dumps(["error", f"{type(error).__name__}: {error}"])


def main() -> None:
    Atspi.init()
    Atspi.set_timeout(ANSWER_MS, ANSWER_MS)
    reader = Reader()
    loop = GLib.MainLoop()

    def asked(_channel: object, _condition: object) -> bool:
        line = sys.stdin.readline()
        if not line:
            loop.quit()
            return False
        sys.stdout.write(reader.answer(line) + "\n")
        sys.stdout.flush()
        return True

    GLib.io_add_watch(0, GLib.PRIORITY_LOW, GLib.IO_IN | GLib.IO_HUP, asked)
    loop.run()


main()
