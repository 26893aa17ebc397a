"""The program's keys, as the operator handles them: where each is, another one, and whether it works.

See docs/behaviour.md, "Keys and proxies".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.engine.ports import KeyVerdict
from chimein_gui.engine.ports.secrets import MODEL_KEY

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from chimein_gui.engine.ports import KeyChecker, SecretPlace, StoredSecret
    from chimein_gui.engine.settings.secrets import SecretCache


_NOT_AMONG_THEM = "“{model}”, which answers for agents that name no model, is not among them: choose another one."


class Keys:
    """What Preferences and the first run ask of the program's secrets. A change takes effect at once."""

    def __init__(
        self,
        secrets: SecretCache,
        checker: KeyChecker | None,
        key_works: Callable[[], Awaitable[None]],
        model: Callable[[], str] = lambda: "",
    ) -> None:
        """Wire the services.

        Args:
            secrets: Where they are known.
            checker: Without it no key can be tried.
            key_works: Awaited when the model's key in use was tried and is good: it may have been refused before.
            model: Names the model that answers where an agent's file names none.
        """
        self._secrets = secrets
        self._checker = checker
        self._key_works = key_works
        self._model = model

    def stored(self, name: str) -> StoredSecret | None:
        """Return a secret and where it is kept, or None; show no more of it than its end."""
        return self._secrets.stored(name)

    def missing(self) -> tuple[str, ...]:
        """Return the names of what the program needs and does not have."""
        return self._secrets.missing()

    def place(self) -> SecretPlace:
        """Tell where a new secret would go."""
        return self._secrets.place()

    def place_words(self) -> str:
        """Name that place for people, with a warning where it is not a keychain."""
        return self._secrets.place_words()

    async def put(self, name: str, value: str) -> SecretPlace:
        """Keep a secret and use it from now on.

        Raises:
            SecretError: Its words say what to do.
        """
        return await self._secrets.put(name, value)

    async def put_all(self, values: Mapping[str, str]) -> None:
        """Keep secrets that belong together, all of them or none.

        Raises:
            SecretError: Its words say what to do.
        """
        await self._secrets.put_all(values)

    async def drop(self, name: str) -> None:
        """Forget a secret; one from the environment stays.

        Raises:
            SecretError: It could not be removed.
        """
        await self._secrets.drop(name)

    async def check_model_key(self, key: str | None = None) -> KeyVerdict:
        """Try a key of the model, or the one in use; nothing is kept by it.

        If the one in use works, plans that it stopped are made: what was wrong may have been mended at Google's end.
        """
        self._secrets.hide(key or "")
        if self._checker is None:
            return KeyVerdict(ok=False, words="Keys can't be tried here.")
        in_use = self._secrets.value(MODEL_KEY)
        verdict = await self._checker.check(in_use if key is None else key)
        if verdict.ok and key in (None, in_use):
            await self._key_works()
        model = self._model()
        # A tuned model is in a list of its own.
        if verdict.ok and verdict.names and model and "/" not in model and model not in verdict.names:
            return replace(verdict, words=f"{verdict.words} {_NOT_AMONG_THEM.format(model=model)}")
        return verdict
