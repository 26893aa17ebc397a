"""The base class of panes, their description as data, and the context that they get.

Panes do not know each other: they send requests for everything outside of themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from PySide6.QtCore import QByteArray, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.ui.requests import Requests
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.window import WindowModels

Model = TypeVar("Model")
Part = TypeVar("Part", bound=QWidget)

ALSO = "also"
"""Name of a property of actions and menus: further search words for the palette, separated by blanks."""


class Area(StrEnum):
    """The dock area of a pane in the default layout."""

    CENTER = "center"
    RIGHT = "right"
    BOTTOM = "bottom"


class Group(StrEnum):
    """What a pane is for. The rail has a button for each pane of `WORK`, and one menu button for each other group."""

    WORK = "work"
    INSPECT = "inspect"
    TOOLS = "tools"


class EmptyStateText(NamedTuple):
    """What empty panes show while there is no agent.

    Attributes:
        title: One line, marked for translation in the context ``EmptyStateText``.
        lines: Instructions, one step a line; marked as well.
        actions: Labels of buttons with their callbacks; at most two.
    """

    title: str
    lines: tuple[str, ...]
    actions: tuple[tuple[str, Callable[[], None]], ...] = ()


class PaneContext:
    """What panes are given when they are made.

    Attributes:
        theme: Colours and fonts.
        requests: Carries requests to other parts of the window.
        empty_state: What to show while there is no agent.
        is_sandbox: Partners are simulated, and the operator may speak for them.
    """

    def __init__(
        self,
        make_models: Callable[[], WindowModels],
        theme: Theme,
        requests: Requests,
        empty_state: EmptyStateText,
        *,
        is_sandbox: bool,
    ) -> None:
        self._make_models, self.theme, self.requests = make_models, theme, requests
        self.empty_state, self.is_sandbox = empty_state, is_sandbox
        self._shared: dict[Callable[[PaneContext], QWidget], QWidget] = {}

    @cached_property
    def models(self) -> WindowModels:
        """The view models that several panes or the shell use; created on first access, after the first paint."""
        return self._make_models()

    def own(self, make: Callable[[WindowModels], Model]) -> Model:
        """Return the pane's own models, which `make` creates once per window from the shared ones or a `Feed`."""
        return self.models.own(make)

    def shared(self, make: Callable[[PaneContext], Part]) -> Part:
        """Return a widget that several panes share; there is one per window. The pane that shows it reparents it."""
        if make not in self._shared:
            self._shared[make] = make(self)
        return cast("Part", self._shared[make])


class InSight(NamedTuple):
    """What toasts leave in sight.

    Attributes:
        buttons: Never covered, such as buttons that decide.
        drafts: Covered only if there is no other place for a toast.
    """

    buttons: tuple[QWidget, ...] = ()
    drafts: tuple[QWidget, ...] = ()


class Pane(QWidget):
    """Base of all panes.

    Attributes:
        subtitle_changed: Emits a short text for the title bar, such as "2 waiting".
        sight_changed: Another tab came before it, or it came out; nothing else tells of that.
        parts: Returns its parts in the order of reading, through which Tab leads.
        entries: Returns what F6 leads to, one after another: a part, and the widget in it that gets the focus.
    """

    subtitle_changed = Signal(str)
    sight_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.shows_draft: Callable[[Approval], bool] = lambda _approval: False
        self.parts: Callable[[], tuple[QWidget, ...]] = lambda: (self,)
        self.entries: Callable[[], tuple[tuple[QWidget, QWidget], ...]] = lambda: ((self, self.focus_widget()),)

    def fill(self) -> None:
        """Create the contents that the first paint does not need.

        Called once, before there is an engine or any input.
        """

    def open(self, request: object) -> None:
        """Handle a request of a type in `PaneSpec.opens`; the shell has raised the pane before."""

    def focus_widget(self) -> QWidget:
        """Return the widget that gets the focus when the pane is entered with F6."""
        return self

    def on_hidden(self) -> None:
        """Release what the pane holds, such as automatic sends of an open draft: the operator has closed it."""

    def offers(self) -> QMenu | None:
        """Return a menu of the actions on what is open here, for the palette, which deletes it; None if there are none.

        The menu's accessible name says what they act on. An action's property `ALSO` holds further search words.
        """
        return None

    def keep_in_sight(self) -> InSight:
        """Return the widgets that toasts must not cover while they are visible."""
        return InSight()

    def save_layout(self) -> QByteArray:
        """Return the pane's own layout, such as splitter positions; empty if it has none."""
        return QByteArray()

    def restore_layout(self, state: QByteArray) -> None:
        """Restore what `save_layout` returned."""

    def save_place(self) -> str:
        """Return what is open and the scroll position, for the next start; empty if there is nothing to restore.

        This is not part of named layouts.
        """
        return ""

    def restore_place(self, place: str) -> None:
        """Restore what `save_place` returned. `fill` was called; there may be no engine yet."""


class PaneSpec(NamedTuple):
    """One pane as data; the shell makes docks, rail buttons and menu entries from it.

    Attributes:
        pane_id: Stable id; layouts are stored under it.
        title: Marked for translation in the context ``Panes``.
        icon: Name of an icon.
        area: Dock area in the default layout.
        shortcut: Key sequence that shows it.
        factory: Creates the pane.
        on_demand: Hidden until it is requested, and then maximized.
        models: Creates the pane's models right after the first paint; `PaneContext.own` returns them.
        opens: The requests for which the pane is raised; its `open` gets them.
        group: The rail button that shows it.
        badge: Calls back with the number of waiting items, now and on every change; the pane itself need not exist.
        oldest: Calls back with the age of the oldest item in words, and whether that is a warning; empty words: none.
    """

    pane_id: str
    title: object
    icon: str
    area: Area
    shortcut: str
    factory: Callable[[PaneContext], Pane]
    on_demand: bool = False
    models: Callable[[WindowModels], object] | None = None
    opens: tuple[type, ...] = ()
    group: Group = Group.WORK
    badge: Callable[[PaneContext, Callable[[int], None]], None] | None = None
    oldest: Callable[[PaneContext, Callable[[str, bool], None]], None] | None = None
