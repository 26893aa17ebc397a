"""The operator's preferences: changes apply at once, one after the other, and are undone in reverse order."""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.events import PreferencesChanged
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.viewmodels.preferences.appearance import DEFAULTS, AppearanceModel, Look
from chimein_gui.viewmodels.preferences.catalogue import Page, Setting, settings_of
from chimein_gui.viewmodels.words.errors import error_words, is_answer

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from chimein_gui.domain.costs import Price
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.accounts import PreferenceService

    Command = tuple[str, Callable[[PreferenceService], Coroutine[Any, Any, object]]]

MOST_UNDONE = 50
DIRECTORIES = "config_dirs"
"""The only preference that applies from the next start on."""


class PreferencesApi(Protocol):
    """What this model asks of the engine."""

    @property
    def preferences_service(self) -> PreferenceService:
        """Changes the preferences."""
        ...


class PreferencesModel(QObject):
    """The values, refused changes, and undo.

    Attributes:
        changed: Values, refusals or what can be undone changed.
        taken: A change was made; carries the name.
    """

    changed = Signal()
    taken = Signal(str)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.current = Preferences()
        self.appearance = AppearanceModel(self)
        self.next_directories: tuple[str, ...] = ()
        """The config directories of the next start; empty unless they were changed in this run."""
        self._directories: tuple[str, ...] = ()
        self._bridge = bridge
        self._service: PreferenceService | None = None
        self._spawn: Spawn | None = None
        self._waiting: deque[Command] = deque()
        self._works = False
        self._refusals: dict[str, str] = {}
        self._done: deque[tuple[str, str]] = deque(maxlen=MOST_UNDONE)
        """The changes, newest last: name and, for a choice of the appearance, the option before."""
        self.appearance.changed.connect(self.changed)
        bridge.batch_ready.connect(self._receive)

    def attach(self, api: PreferencesApi, spawn: Spawn) -> None:
        """Read the active values; the bridge must be attached before."""
        self._service, self._spawn = api.preferences_service, spawn
        self.current = self._service.current()
        self._directories = self.current.config_dirs
        self.changed.emit()

    def detach(self) -> None:
        """Drop changes that have not begun."""
        self._service = self._spawn = None
        self._waiting.clear()

    @property
    def usable(self) -> bool:
        """Whether values can be changed."""
        return self._service is not None

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to undo."""
        return bool(self._done)

    def refusal(self, name: str) -> str:
        """Return why the last change of a value was refused, in words; empty if it was not."""
        return self._refusals.get(name, "")

    def is_default(self, name: str) -> bool:
        return bool(getattr(self.current, name) == getattr(Preferences(), name))

    # --- commands -------------------------------------------------------------------------------------------------

    def change(self, setting: Setting, shown: float | str) -> None:
        """Change a value, given in its own unit."""
        value = setting.stored(shown)
        if value != getattr(self.current, setting.name) or self.refusal(setting.name):
            self._ask(setting.name, lambda service: service.change(**{setting.name: value}))

    def reset(self, name: str) -> None:
        """Reset a value to its default."""
        self._ask(name, lambda service: service.reset(name))

    def is_page_default(self, page: Page) -> bool:
        """Tell whether all values of a page are the defaults."""
        looks = page is not Page.LOOK or all(self.appearance.choice(look) == DEFAULTS[look] for look in Look)
        return looks and all(self.is_default(setting.name) for setting in settings_of(page))

    def reset_page(self, page: Page) -> Callable[[], None]:
        """Reset all values of a page; returns a function that restores them."""
        values = {one.name: getattr(self.current, one.name) for one in settings_of(page)}
        values = {name: value for name, value in values.items() if not self.is_default(name)}
        looks = {look: self.appearance.choice(look) for look in Look if page is Page.LOOK}
        for name in values:
            self.reset(name)
        for look in looks:
            self.choose_look(look, DEFAULTS[look])

        def put_back() -> None:
            for name, value in values.items():
                self._ask(name, partial(_change, name=name, value=value))
            for look, choice in looks.items():
                self.choose_look(look, choice)

        return put_back

    def set_directories(self, paths: tuple[str, ...]) -> None:
        """Use other config directories from the next start on; an earlier one wins."""
        self._ask(DIRECTORIES, partial(_change, name=DIRECTORIES, value=paths))

    def set_prices(self, prices: tuple[Price, ...]) -> None:
        """Set the operator's own prices of models; the built-in list stays behind them."""
        self._ask("prices", partial(_change, name="prices", value=prices))

    def choose_look(self, look: Look, choice: str) -> None:
        """Change a choice of the appearance; it can be undone."""
        before = self.appearance.choice(look)
        self.appearance.choose(look, choice)
        if self.appearance.choice(look) != before:
            self._done.append((look.value, before))
            self.changed.emit()

    def undo(self) -> None:
        """Undo the newest change."""
        if not self._done:
            return
        name, before = self._done[-1]
        if name in set(Look):
            self._done.pop()
            self.appearance.choose(Look(name), before)
            self.changed.emit()
        else:
            self._ask(name, lambda service: service.undo(), is_undo=True)

    # --- inside ---------------------------------------------------------------------------------------------------

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        for event in events:
            if isinstance(event, PreferencesChanged):
                self.current = event.preferences
                self.changed.emit()

    def _ask(
        self,
        name: str,
        call: Callable[[PreferenceService], Coroutine[Any, Any, object]],
        *,
        is_undo: bool = False,
    ) -> None:
        if self._service is None or self._spawn is None:
            return
        self._refusals.pop(name, None)
        self._waiting.append((f"undo {name}" if is_undo else name, call))
        if not self._works:
            self._works = True
            self._spawn(self._work(self._service), name="change preferences")

    async def _work(self, service: PreferenceService) -> None:
        """Make the requested changes in their order: an undo applies to the change before it."""
        try:
            while self._waiting:
                name, call = self._waiting.popleft()
                try:
                    await call(service)
                except Exception as error:
                    self._settle(service, name, error_words(error))
                    if not is_answer(error):
                        raise
                else:
                    self._settle(service, name, "")
        finally:
            self._works = False

    def _settle(self, service: PreferenceService, name: str, reason: str) -> None:
        current = service.current()

        def take() -> None:
            if service is not self._service:
                return
            self.current = current
            changed = current.config_dirs != self._directories
            self.next_directories = current.config_dirs if changed else ()
            plain = name.removeprefix("undo ")
            if reason:
                self._refusals[plain] = reason
            elif plain != name:
                if self._done:
                    self._done.pop()
            else:
                self._done.append((plain, ""))
                self.taken.emit(plain)
            self.changed.emit()

        self._bridge.deliver(take)


async def _change(service: PreferenceService, *, name: str, value: object) -> None:
    await service.change(**{name: value})
