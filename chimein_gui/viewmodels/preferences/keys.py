"""Keys as the window shows them: where each is stored, its last four characters, and the result of a test."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.events import SecretsChanged
from chimein_gui.viewmodels.words.errors import error_words
from chimein_gui.viewmodels.words.notes import note_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.engine.ports import SecretPlace, Spawn, StoredSecret
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.accounts import KeyCheckService, KeysService, KeyVerdictLike

_log = logging.getLogger(__name__)

SHOWN_END = 4
LEAST_HIDDEN = 8
"""Fewest characters that stay hidden; of a shorter secret nothing is shown."""


class KeysApi(Protocol):
    """What this model asks of the engine."""

    @property
    def key_check(self) -> KeyCheckService:
        """Tests keys of the model provider."""
        ...

    @property
    def keys(self) -> KeysService:
        """Stored secrets."""
        ...


class Key(StrEnum):
    """The stored keys."""

    MODEL = "model"
    APPLICATION = "application"
    POSTGRES = "postgres"


NAMES = {
    Key.MODEL: ("gemini-api-key",),
    Key.APPLICATION: ("telegram-api-id", "telegram-api-hash"),
    Key.POSTGRES: ("memory-postgres",),
}
"""The names of each key's parts in the secret store."""


class KeyState(StrEnum):
    """The state of a key."""

    NOT_SET = "not set"
    STORED = "stored"
    CHECKING = "checking"
    WORKS = "works"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class KeyRow:
    """One key.

    Attributes:
        state: Its state.
        end: Its last characters; empty where it is not set, or too short to show any.
        place: Where it is stored; None where it is not set.
        words: The result of the last test, in words; empty before one.
        refusal: Why it could not be stored or deleted; empty otherwise.
        busy: A test or a change is in progress.
    """

    state: KeyState = KeyState.NOT_SET
    end: str = ""
    place: SecretPlace | None = None
    words: str = ""
    refusal: str = ""
    busy: bool = False


class KeysModel(QObject):
    """The state of the keys; it holds no secret, only the last characters.

    Attributes:
        changed: A row or the place changed.
        kept: A key was stored; carries which.
        tried: A key that is not stored was tested; carries whether it works, and the result in words.
    """

    changed = Signal()
    kept = Signal(str)
    tried = Signal(bool, str)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._keys: KeysService | None = None
        self._check: KeyCheckService | None = None
        self._spawn: Spawn | None = None
        self._rows = {key: KeyRow() for key in Key}
        self._trying = False
        self._models = 0
        """Counts changes of the model that keys are tested with."""
        bridge.batch_ready.connect(self._receive)

    def attach(self, api: KeysApi, spawn: Spawn) -> None:
        """Read which keys are stored."""
        self._keys, self._check, self._spawn = api.keys, api.key_check, spawn
        self.refresh()

    def detach(self) -> None:
        self._keys = self._check = self._spawn = None

    @property
    def usable(self) -> bool:
        """Whether this run stores keys."""
        return self._keys is not None

    @property
    def trying(self) -> bool:
        """Whether a key that is not stored is being tested."""
        return self._trying

    def row(self, key: Key) -> KeyRow:
        return self._rows[key]

    def place_words(self) -> str:
        """Return the place for new keys in words, with a warning unless it is a keychain; empty without an engine."""
        return note_sentence(self._keys.place_note() if self._keys is not None else None)

    def is_safe(self) -> bool:
        """Tell whether all stored keys, and the place for new ones, are in a keychain or the environment."""
        from chimein_gui.engine.ports import SecretPlace

        unsafe = {SecretPlace.FILE, SecretPlace.SESSION}
        place = self._keys.place() if self._keys is not None else SecretPlace.KEYCHAIN
        return place not in unsafe and all(row.place not in unsafe for row in self._rows.values())

    def refresh(self) -> None:
        """Read the stored keys again; the result of a test stays if the key is the same."""
        for key in Key:
            stored = [self._stored(name) for name in NAMES[key]]
            before, whole = self._rows[key], [one for one in stored if one is not None]
            if len(whole) < len(stored):
                self._rows[key] = KeyRow(refusal=before.refusal, busy=before.busy)
                continue
            # A connection string ends with anything, such as a password.
            end, place = "" if key is Key.POSTGRES else end_of(whole[-1].value), whole[-1].place
            same = (end, place) == (before.end, before.place) and before.state is not KeyState.NOT_SET
            state = before.state if same else KeyState.STORED
            words = before.words if same else ""
            self._rows[key] = KeyRow(state, end, place, words, before.refusal, before.busy)
        self.changed.emit()

    # --- commands -------------------------------------------------------------------------------------------------

    def test(self) -> None:
        """Test the stored model key."""
        check = self._check
        if check is None or self._rows[Key.MODEL].busy:
            return

        async def test() -> None:
            verdict = await self._verdict(check, None)
            state = KeyState.WORKS if verdict[0] else KeyState.REFUSED
            self._bridge.deliver(lambda: self._judge(models, state, verdict[1]))

        models = self._models
        self._set(Key.MODEL, state=KeyState.CHECKING, words="", busy=True, refusal="")
        self._run(test(), "check the model key")

    def try_out(self, key: str) -> None:
        """Test a model key before it is stored; `tried` reports the result."""
        check = self._check
        if check is None or self._trying:
            return

        async def try_out() -> None:
            ok, words = await self._verdict(check, key.strip())
            self._bridge.deliver(lambda: self._tried(ok, words))

        self._trying = True
        self.changed.emit()
        self._run(try_out(), "try a model key")

    def keep(self, key: Key, *values: str) -> None:
        """Store all parts of a key; `kept` reports success."""
        keys = self._keys
        if keys is None:
            return

        async def keep() -> None:
            await keys.put_all(dict(zip(NAMES[key], values, strict=True)))

        self._do(key, keep(), lambda: self.kept.emit(key.value))

    def remove(self, key: Key) -> None:
        """Delete a key."""
        keys = self._keys
        if keys is None:
            return

        async def remove() -> None:
            for name in NAMES[key]:
                await keys.drop(name)

        self._do(key, remove(), lambda: None)

    def forget_refusal(self, key: Key) -> None:
        """Clear a refusal: the operator has changed the input."""
        if self._rows[key].refusal:
            self._set(key, refusal="")

    def forget_verdict(self) -> None:
        """Clear the test result: another model answers from now on."""
        self._models += 1
        if self._rows[Key.MODEL].state in {KeyState.WORKS, KeyState.REFUSED}:
            self._set(Key.MODEL, state=KeyState.STORED, words="")

    # --- inside ---------------------------------------------------------------------------------------------------

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        if SecretsChanged in map(type, events):
            self.refresh()

    def _stored(self, name: str) -> StoredSecret | None:
        return self._keys.stored(name) if self._keys is not None else None

    def _do(self, key: Key, command: Coroutine[Any, Any, None], then: Callable[[], None]) -> None:
        async def job() -> None:
            reason = ""
            try:
                await command
            except (ChimeinError, OSError) as error:
                reason = error_words(error)
            self._bridge.deliver(lambda: self._done(key, reason, then))

        self._set(key, busy=True, refusal="")
        self._run(job(), f"change the {key} key")

    def _done(self, key: Key, reason: str, then: Callable[[], None]) -> None:
        self._set(key, busy=False, refusal=reason)
        self.refresh()
        if not reason:
            then()

    async def _verdict(self, check: KeyCheckService, key: str | None) -> tuple[bool, str]:
        try:
            verdict: KeyVerdictLike = await check.check(key)
        except ChimeinError as error:
            return False, error_words(error)
        except Exception:  # noqa: BLE001 - `busy` must end; the error's message could hold the key
            _log.error("The model key could not be checked")
            return False, self.tr("The key could not be checked.")
        return verdict.ok, note_sentence(verdict.note)

    def _tried(self, ok: bool, words: str) -> None:
        self._trying = False
        self.changed.emit()
        self.tried.emit(ok, words)

    def _judge(self, models: int, state: KeyState, words: str) -> None:
        if models != self._models:
            state, words = KeyState.STORED, ""
        self._set(Key.MODEL, state=state, words=words, busy=False)

    def _set(self, key: Key, **changes: Any) -> None:  # noqa: ANN401 - fields of KeyRow
        self._rows[key] = replace(self._rows[key], **changes)
        self.changed.emit()

    def _run(self, job: Coroutine[Any, Any, None], name: str) -> None:
        if self._spawn is None:
            job.close()
        else:
            self._spawn(job, name=name)


def end_of(secret: str) -> str:
    """Return the last characters of a secret; empty if it is too short to show any."""
    return secret[-SHOWN_END:] if len(secret) >= SHOWN_END + LEAST_HIDDEN else ""
