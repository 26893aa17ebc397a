"""What a pane is, as data, and what it is given. Panes know no other pane: what goes beyond one is a request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, cast

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
"""Property of an action or menu: other words, separated by blanks, by which the palette finds it."""


class Area(StrEnum):
    """Where a pane stands at first."""

    CENTER = "center"
    RIGHT = "right"
    BOTTOM = "bottom"


class Group(StrEnum):
    """What a pane is for: the rail has a button for each pane of `WORK`, and one with a menu for each other group."""

    WORK = "work"
    INSPECT = "inspect"
    TOOLS = "tools"


@dataclass(frozen=True, slots=True)
class FirstStep:
    """What to say where there is no agent yet.

    Attributes:
        title: One line, marked for translation in the context ``FirstStep``.
        lines: What to do, one step a line; marked as well.
        actions: Labels of buttons with what they do; at most two.
    """

    title: str
    lines: tuple[str, ...]
    actions: tuple[tuple[str, Callable[[], None]], ...] = field(default=())


class PaneContext:
    """Everything a pane may use.

    Attributes:
        theme: Colours and fonts.
        requests: Where to ask for what goes beyond the pane.
        first_step: What to say while there is no agent.
        is_sandbox: Partners are simulated, and the operator may speak for them.
    """

    def __init__(
        self,
        make_models: Callable[[], WindowModels],
        theme: Theme,
        requests: Requests,
        first_step: FirstStep,
        *,
        is_sandbox: bool,
    ) -> None:
        self._make_models, self.theme, self.requests = make_models, theme, requests
        self.first_step, self.is_sandbox = first_step, is_sandbox
        self._shared: dict[Callable[[PaneContext], QWidget], QWidget] = {}

    @cached_property
    def models(self) -> WindowModels:
        """The view models that several panes or the shell use; made when first asked for, after the first paint."""
        return self._make_models()

    def own(self, make: Callable[[WindowModels], Model]) -> Model:
        """Return the pane's own models, made by `make` from the shared ones or from a `Feed`; once a window."""
        return self.models.own(make)

    def shared(self, make: Callable[[PaneContext], Part]) -> Part:
        """Return a widget that panes pass from one to the other, made once a window; whoever shows it takes it in."""
        if make not in self._shared:
            self._shared[make] = make(self)
        return cast("Part", self._shared[make])


class Pane(QWidget):
    """Base of all panes.

    Attributes:
        subtitle_changed: A few words beside the title, such as "2 waiting".
    """

    subtitle_changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.shows_draft: Callable[[Approval], bool] = lambda _approval: False

    def fill(self) -> None:
        """Make what the first paint need not wait for; called once, before there is an engine or any input."""

    def open(self, request: object) -> None:
        """Show what is asked for: a request of those that `PaneSpec.opens` names; the pane has been raised before."""

    def focus_widget(self) -> QWidget:
        """Return what gets the focus when the pane is entered by F6."""
        return self

    def put_away(self) -> None:
        """The operator has closed the pane: nothing in it may go on holding anything."""

    def offers(self) -> QMenu | None:
        """Return a menu of what can be done with what is open here, for the palette, which deletes it; None for none.

        Its accessible name says with what; an action's property `ALSO` holds other words by which it may be looked for.
        """
        return None

    def keep_in_sight(self) -> QWidget | None:
        """Return what must not be covered while one works here; None where nothing matters that much."""
        return None

    def save_layout(self) -> QByteArray:
        """Return what of its layout is worth remembering."""
        return QByteArray()

    def restore_layout(self, state: QByteArray) -> None:
        """Take a remembered layout."""

    def save_place(self) -> str:
        """Return what is open in it and where one is, for the next start, which no layout holds; empty: as before."""
        return ""

    def restore_place(self, place: str) -> None:
        """Go back to where one was at the last end; the pane is filled, and the engine may not be there yet."""


@dataclass(frozen=True, slots=True)
class PaneSpec:
    """One pane as data; the shell makes docks, rail buttons and menu entries from it.

    Attributes:
        pane_id: Stable id; layouts are remembered by it.
        title: Marked for translation in the context ``Panes``.
        icon: Name of an icon.
        area: Where it stands at first.
        shortcut: Key sequence that shows it.
        factory: Makes it.
        on_demand: Not in sight until it is asked for, and then it has all the room.
        models: Makes what the pane shows, right after the first paint; `PaneContext.own` returns it.
        opens: The requests for which the pane is raised, and which its `open` then gets.
        group: Which button of the rail shows it.
        badge: Tells how many things wait in it, now and whenever that changes; the pane itself is made when it is
            first shown.
        oldest: Tells how old the oldest of them is, in words, and whether that is a warning; empty words: nothing to
            tell.
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
