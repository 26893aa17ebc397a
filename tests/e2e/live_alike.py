"""A live run whose Telegram and Gemini are the sandbox's: same composition, other addresses.

Nobody is logged in, nothing is kept, there is no keychain; what an operator enters is kept in the state directory.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import partial

from chimein_gui import app
from chimein_gui.adapters.gemini.key_check import GeminiKeyChecker
from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.adapters.telegram.backend import TelegramBackend, sandbox_backend
from chimein_gui.adapters.telegram.transport.key_exchange import SandboxTrust
from chimein_gui.directories import Directories
from chimein_gui.engine.accounts.proxies import proxy_of
from chimein_gui.engine.ports.secrets import MODEL_KEY
from chimein_gui.program import RunMode
from chimein_gui.sandbox.console import LocalConsole
from chimein_gui.sandbox.seeds.rehearsal import REHEARSAL_SEED
from chimein_gui.sandbox.server import SandboxServer
from chimein_gui.secret_sources import live_secrets

API_ID, API_HASH = "20914377", "0123456789abcdef0123456789abcdef"
MODEL = "key-of-the-operator-7Qf2-and-so-on-for-a-while"
APPLICATION = {"CHIMEIN_TELEGRAM_API_ID": API_ID, "CHIMEIN_TELEGRAM_API_HASH": API_HASH}


@dataclass
class Outdoors:
    """What the run takes for the world.

    Attributes:
        environment: Where keys may come from, apart from what is entered.
    """

    environment: Mapping[str, str] = field(default_factory=dict)
    _server: SandboxServer | None = None

    @property
    def kind(self) -> RunMode:
        """A live run in this world."""
        return RunMode("live", self._compose, is_sandbox=False)

    @property
    def server(self) -> SandboxServer:
        """The other end."""
        assert self._server is not None
        return self._server

    @property
    def console(self) -> LocalConsole:
        """Speaks for everybody in it."""
        return self.server.console

    def account_of(self, phone: str) -> int:
        """Return whose number that is."""
        return next(user.user_id for user in self.server.accounts() if f"+{user.phone}" == phone)

    def sessions_of(self, phone: str) -> int:
        """Return how many log-ins the account of a number has at the server."""
        keys = self.server._around.world.keys
        return sum(1 for one in keys.records_of(self.account_of(phone)) if one.logged_in_at)

    async def _compose(self, directories: Directories, stack: AsyncExitStack) -> app.Backends:
        server = self._server = await SandboxServer.start(state_dir=directories.state / "world", seed=REHEARSAL_SEED)
        stack.push_async_callback(server.aclose)
        trust = SandboxTrust(server.telegram_public_key)
        stack.callback(trust.withdraw)
        at = server.addresses
        backend = sandbox_backend(trust, (at.dc_id, at.host, at.telegram_port))
        secrets = live_secrets(directories, self.environment)
        way_of = partial(proxy_of, secrets)

        def backends() -> TelegramBackend | None:
            known = secrets.application()
            return None if known is None else replace(backend, api_id=known[0], api_hash=known[1])

        return app.Backends(
            app._gateways(directories, backends, proxy_of=way_of),
            GeminiModel(lambda: secrets.value(MODEL_KEY), base_url=at.model_base_url),
            secrets=secrets,
            key_checker=GeminiKeyChecker(at.model_base_url),
            sign_ins=app._sign_ins(directories, backends, way_of),
        )
