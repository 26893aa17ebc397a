"""The handler of each request type, and the dispatcher that runs it."""

import logging

from chimein_gui.sandbox.faults.outcomes import Outcome, outcome_of
from chimein_gui.sandbox.faults.repeated_sends import random_ids
from chimein_gui.sandbox.rpc.call import Call, Caller, Handlers, Surroundings
from chimein_gui.sandbox.rpc.chats import channel_updates, dialogs, history, messages, updates
from chimein_gui.sandbox.rpc.login import auth
from chimein_gui.sandbox.rpc.login import help as help_
from chimein_gui.sandbox.rpc.media import upload
from chimein_gui.sandbox.rpc.peers import channels, chat_members, chats, contacts
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.wire.tl import TLObject, functions, serialize, types
from chimein_gui.sandbox.world.world import World

_log = logging.getLogger(__name__)

_WRAPPERS = (
    functions.InvokeWithLayerRequest,
    functions.InitConnectionRequest,
    functions.InvokeAfterMsgRequest,
    functions.InvokeAfterMsgsRequest,
)
_HANDLERS: Handlers = {
    **auth.HANDLERS,
    **channel_updates.HANDLERS,
    **channels.HANDLERS,
    **chat_members.HANDLERS,
    **chats.HANDLERS,
    **contacts.HANDLERS,
    **dialogs.HANDLERS,
    **help_.HANDLERS,
    **history.HANDLERS,
    **messages.HANDLERS,
    **upload.HANDLERS,
    **updates.HANDLERS,
}


class Dispatcher:
    """Executes calls on the world."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around

    @property
    def world(self) -> World:
        """The world of the calls."""
        return self._around.world

    def execute(self, caller: Caller, request: TLObject) -> Outcome:
        """Execute a call unless a fault in force prevents it.

        Returns:
            The serialised result or RpcError, and how it reaches the client.
        """
        query, wants_updates = self._unwrap(caller, request)
        account_id = self.world.keys.owner(caller.key_id) or 0
        fault = self._around.faults.call_fault(type(query), account_id)
        return outcome_of(fault, lambda: self._run(caller, account_id, query, wants_updates=wants_updates))

    def _run(self, caller: Caller, account_id: int, query: TLObject, *, wants_updates: bool) -> bytes:
        handler = _HANDLERS.get(type(query))
        if handler is None:
            return bytes(types.RpcError(400, "METHOD_INVALID"))
        if wants_updates:
            self._subscribe(caller)
        names = random_ids(query) if account_id else ()
        repeats = self._around.repeats
        if names and (first_answer := repeats.answer(account_id, names)) is not None:
            return first_answer
        try:
            body = serialize(handler(Call(self._around, caller), query))
        except RpcFault as fault:
            return bytes(types.RpcError(fault.code, fault.message))
        except Exception:  # noqa: BLE001 - after any error the other calls of the packet are still answered
            _log.exception("%s could not be answered", type(query).__name__)
            return bytes(types.RpcError(500, "INTERNAL"))
        if names:
            repeats.remember(account_id, names, body)
        return body

    def _subscribe(self, caller: Caller) -> None:
        """Subscribe the connection of a logged-in key to updates; any call does so, as on live Telegram."""
        user_id = self.world.keys.owner(caller.key_id)
        if user_id is not None:
            self._around.hub.attach(user_id, caller)

    def _unwrap(self, caller: Caller, request: TLObject) -> tuple[TLObject, bool]:
        """Return the call without its wrappers, and whether its connection wants updates."""
        wants_updates = True
        while True:
            if isinstance(request, functions.InvokeWithoutUpdatesRequest):
                wants_updates = False
            elif not isinstance(request, _WRAPPERS):
                return request, wants_updates
            elif isinstance(request, functions.InitConnectionRequest):
                self.world.keys.introduce(caller.key_id, self.world.now())
            request = request.query
