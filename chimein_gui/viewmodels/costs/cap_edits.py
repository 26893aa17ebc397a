"""Changes of caps that can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Signal

from chimein_gui.viewmodels.core.commands import CommandRunner
from chimein_gui.viewmodels.engine_api.costs import CostsApi

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from chimein_gui.domain.spending.caps import CapDay, CapKey
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.costs import CostModel


class CapEdit(NamedTuple):
    """A change of a cap.

    Attributes:
        key: What the cap is for.
        before: The cap in US dollars before; None for none.
        now: The cap now; None for none.
        is_undo: An earlier change was taken back.
    """

    key: CapKey
    before: float | None
    now: float | None
    is_undo: bool = False


class CapEdits(CommandRunner[CostsApi]):
    """Sets caps, and takes the changes of this run back in reverse order.

    Attributes:
        done: A cap was changed, or a change was taken back; carries the `CapEdit`. The caps show it already.
    """

    done = Signal(object)
    _undo: tuple[tuple[CapKey, float | None], ...] = ()

    def __init__(self, bridge: EngineBridge, costs: CostModel, parent: QObject | None = None) -> None:
        """`costs` shows the caps."""
        super().__init__(bridge, parent)
        self._costs = costs

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._undo)

    def set_cap(self, key: CapKey, usd: float | None) -> None:
        """Set a cap in US dollars a day, or remove it."""
        if self._api is not None:
            self._send(self._set(self._api, key, usd, keeps=True), f"set cap {key}")

    def undo(self) -> None:
        """Take the last change back."""
        if self._undo and self._api is not None:
            *rest, (key, before) = self._undo
            self._undo = tuple(rest)
            self._send(self._set(self._api, key, before, keeps=False), f"set cap {key}")

    async def _set(self, api: CostsApi, key: CapKey, usd: float | None, *, keeps: bool) -> None:
        edit = CapEdit(key, await api.caps.set_cap(key, usd), usd, is_undo=not keeps)
        caps: tuple[CapDay, ...] | None = None
        try:
            caps = await api.caps.standings()  # what is told about the cap is in sight elsewhere, too
        finally:
            self._bridge.deliver(lambda: self._note(edit, caps))

    def _note(self, edit: CapEdit, caps: tuple[CapDay, ...] | None) -> None:
        if not edit.is_undo:
            self._undo = (*self._undo, (edit.key, edit.before))
        if caps is not None:
            self._costs.put_caps(caps)
        self.done.emit(edit)
