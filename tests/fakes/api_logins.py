"""Log-ins for tests of the window: calls are recorded, and a test sets the states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.accounts.sign_in import LoginState, LoginStep
from chimein_gui.domain.events import LoginChanged
from chimein_gui.domain.ids import AgentId, Revision

if TYPE_CHECKING:
    from tests.fakes.engine_api import FakeEngineApi


class FakeLogins:
    """Implements `viewmodels.engine_api.logins.LoginsService`."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self.available = True
        self.fail: Exception | None = None
        self.calls: list[tuple[object, ...]] = []

    def put(self, state: LoginState) -> None:
        """Publish a state."""
        self._api.publish(LoginChanged(state, Revision(self._api.revision + 1)))

    async def begin(self, agent_id: AgentId) -> None:
        self._note("begin", agent_id)
        if self.fail is not None:
            raise self.fail

    async def use_application(self, agent_id: AgentId, api_id: str, api_hash: str) -> None:
        self._note("use_application", agent_id, api_id, api_hash)

    async def use_qr(self, agent_id: AgentId) -> None:
        self._note("use_qr", agent_id)

    async def use_phone(self, agent_id: AgentId) -> None:
        self._note("use_phone", agent_id)

    async def send_code(self, agent_id: AgentId, phone: str) -> None:
        self._note("send_code", agent_id, phone)

    async def resend_code(self, agent_id: AgentId) -> None:
        self._note("resend_code", agent_id)

    async def enter_code(self, agent_id: AgentId, code: str) -> None:
        self._note("enter_code", agent_id, code)

    async def enter_password(self, agent_id: AgentId, password: str) -> None:
        self._note("enter_password", agent_id, password)

    async def go_back(self, agent_id: AgentId) -> None:
        self._note("go_back", agent_id)

    async def try_again(self, agent_id: AgentId) -> None:
        self._note("try_again", agent_id)

    async def cancel(self, agent_id: AgentId) -> None:
        self._note("cancel", agent_id)
        self.put(LoginState(agent_id, "", LoginStep.CLOSED))

    async def log_out(self, agent_id: AgentId) -> None:
        self._note("log_out", agent_id)

    def _note(self, method: str, agent_id: AgentId, *arguments: object) -> None:
        self.calls.append((method, *arguments))
