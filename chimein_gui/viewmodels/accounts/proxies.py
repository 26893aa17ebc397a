"""An account's proxy: the form as a URL, its validation, and the commands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote, urlencode

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chimein_gui.domain.accounts.proxies import ProxyKind
from chimein_gui.viewmodels.words.errors import error_words, is_answer

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from chimein_gui.domain.ids import AgentId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.accounts import ProxiesService

MOST_PORT = 65_535
SECRET_LENGTH = 32
FAKE_TLS = "ee"

_SECRET = re.compile(r"(dd)?[0-9a-f]{32}")

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class ProxyForm:
    """The fields of the proxy form, as typed.

    Attributes:
        kind: The protocol.
        host: Name or numeric address.
        port: As typed.
        username: May be empty; not used with MTProxy.
        password: May be empty; not in the repr.
        secret: MTProxy's secret; not in the repr.
    """

    kind: ProxyKind
    host: str = ""
    port: str = ""
    username: str = ""
    password: str = ""
    secret: str = ""

    def __repr__(self) -> str:
        """Keep the secrets out of logs and exceptions."""
        return f"ProxyForm({self.kind}, {self.host}:{self.port})"

    def url(self) -> str:
        """Return the form as a URL, secrets included."""
        host = self.host.strip().strip("[]")
        if self.kind is ProxyKind.MTPROXY:
            facts = {"server": host, "port": self.port.strip(), "secret": self.secret.strip()}
            return f"tg://proxy?{urlencode(facts)}"
        who = quote(self.username, safe="")
        if self.password:
            who += f":{quote(self.password, safe='')}"
        at = f"[{host}]" if ":" in host else host
        return f"{self.kind.value}://{who + '@' if who else ''}{at}:{self.port.strip()}"


def problems_of(form: ProxyForm) -> dict[str, str]:
    """Return the problems of a form by field, in words; a required field that is empty is one."""
    found = {"host": _host_problem(form.host.strip()), "port": _port_problem(form.port.strip())}
    if form.kind is ProxyKind.MTPROXY:
        found["secret"] = _secret_problem(form.secret.strip().casefold())
    elif form.password and not form.username:
        found["username"] = translate("Proxies", "A password needs a username.")
    return {field: words for field, words in found.items() if words}


def link_problem(text: str) -> str:
    """Return the problem of a pasted link that can be found without parsing it; empty if there is none."""
    link = text.strip()
    if not link:
        return translate("Proxies", "Paste a link, such as socks5://proxy.example:1080 or tg://proxy?…")
    if any(char.isspace() for char in link) or "://" not in link:
        return translate(
            "Proxies", "A link has no spaces and starts with socks5://, http://, tg:// or https://t.me/proxy."
        )
    secret = re.search(r"[?&]secret=([^&]*)", link)
    if secret is not None and secret[1].casefold().startswith(FAKE_TLS):
        return _fake_tls()
    return ""


def is_mtproxy_link(text: str) -> bool:
    """Tell whether a pasted link looks like an MTProxy link."""
    begins = r"mtproxy:|(tg://|https?://(www\.)?t(elegram)?\.me/)proxy\?"
    return re.match(begins, text.strip(), re.IGNORECASE) is not None


def _host_problem(host: str) -> str:
    if not host:
        return translate("Proxies", "Where is the proxy? A name such as proxy.example, or a numeric address.")
    if "://" in host:
        return translate("Proxies", "This is a full link. Paste it under Link.")
    return (
        translate("Proxies", "A name or address has no spaces, slashes or @.") if re.search(r"[\s/@?#]", host) else ""
    )


def _port_problem(port: str) -> str:
    if port.isascii() and port.isdecimal() and 1 <= int(port) <= MOST_PORT:
        return ""
    return translate("Proxies", "A port is a number from 1 to {most}.").format(most=MOST_PORT)


def _secret_problem(secret: str) -> str:
    if secret.startswith(FAKE_TLS) and len(secret) > SECRET_LENGTH:
        return _fake_tls()
    if _SECRET.fullmatch(secret):
        return ""
    return translate("Proxies", "A secret has 32 hexadecimal characters, or dd and 32 more.")


def _fake_tls() -> str:
    return translate(
        "Proxies",
        "This secret needs fake TLS (it begins with ee), which is not supported. Ask for one with dd.",
    )


class ProxiesApi(Protocol):
    """The part of the engine that the proxy model uses."""

    @property
    def proxies(self) -> ProxiesService:
        """The proxies of accounts."""
        ...


def make_proxies(feed: Feed) -> ProxyModel:
    """Return the model, registered with the engine."""
    model = ProxyModel(feed.bridge, feed.bridge)
    feed.register(model)
    return model


class ProxyModel(QObject):
    """Sets and clears an account's proxy; the account then reconnects, and its row shows the progress.

    Attributes:
        settled: A command ended; carries the agent's id and the error in words, empty if it succeeded.
    """

    settled = Signal(object, str)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._proxies: ProxiesService | None = None
        self._spawn: Spawn | None = None

    def attach(self, api: ProxiesApi, spawn: Spawn) -> None:
        """Keep the engine's proxies."""
        self._proxies, self._spawn = api.proxies, spawn

    def detach(self) -> None:
        self._proxies = self._spawn = None

    @property
    def usable(self) -> bool:
        """Whether this run has proxies."""
        return self._proxies is not None

    def use(self, agent_id: AgentId, text: str) -> None:
        """Connect the account through the proxy of this URL or link."""
        if self._proxies is not None:
            self._do(agent_id, self._proxies.set(agent_id, text))

    def clear(self, agent_id: AgentId) -> None:
        """Connect the account without a proxy."""
        if self._proxies is not None:
            self._do(agent_id, self._proxies.clear(agent_id))

    def _do(self, agent_id: AgentId, command: Coroutine[Any, Any, object]) -> None:
        async def job() -> None:
            reason = ""
            try:
                await command
            except Exception as error:
                reason = error_words(error)
                if not is_answer(error):
                    raise
            finally:
                self._bridge.deliver(lambda: self.settled.emit(agent_id, reason))

        if self._spawn is None:
            command.close()
        else:
            self._spawn(job(), name=f"proxy of agent {agent_id}")
