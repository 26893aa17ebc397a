"""Which handler answers which call."""

from chimein_gui.sandbox.rpc import account, auth, contacts, dialogs, history, messages, updates, users
from chimein_gui.sandbox.rpc import help as help_
from chimein_gui.sandbox.rpc.call import Call, Caller, Handlers, RpcFault, Surroundings
from chimein_gui.sandbox.tl import TLObject, functions, serialize, types
from chimein_gui.sandbox.world import World

_WRAPPERS = (
    functions.InvokeWithLayerRequest,
    functions.InitConnectionRequest,
    functions.InvokeAfterMsgRequest,
)
_HANDLERS: Handlers = {
    **account.HANDLERS,
    **auth.HANDLERS,
    **contacts.HANDLERS,
    **dialogs.HANDLERS,
    **help_.HANDLERS,
    **history.HANDLERS,
    **messages.HANDLERS,
    **updates.HANDLERS,
    **users.HANDLERS,
}


class Dispatcher:
    """Executes calls against the world."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around

    @property
    def world(self) -> World:
        """The world calls are about."""
        return self._around.world

    def execute(self, caller: Caller, request: TLObject) -> bytes:
        """Execute a call.

        Returns:
            The serialised result or RpcError.
        """
        query, wants_updates = _unwrap(request)
        handler = _HANDLERS.get(type(query))
        if handler is None:
            return bytes(types.RpcError(400, "METHOD_INVALID"))
        if wants_updates:
            self._subscribe(caller)
        try:
            return serialize(handler(Call(self._around, caller), query))
        except RpcFault as fault:
            return bytes(types.RpcError(fault.code, fault.message))

    def _subscribe(self, caller: Caller) -> None:
        """Any call of a logged-in key makes its connection hear of updates, as on live Telegram."""
        user_id = self.world.keys.owner(caller.key_id)
        if user_id is not None:
            self._around.hub.attach(user_id, caller)


def _unwrap(request: TLObject) -> tuple[TLObject, bool]:
    wants_updates = True
    while True:
        if isinstance(request, functions.InvokeWithoutUpdatesRequest):
            wants_updates = False
        elif not isinstance(request, _WRAPPERS):
            return request, wants_updates
        request = request.query
