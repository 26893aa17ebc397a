"""account.* about how somebody appears: names, username, status."""

import re
from dataclasses import replace

from chimein_gui.sandbox.records import User
from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.tl import TLObject, functions, types
from chimein_gui.sandbox.views import listed_names

_USERNAME = re.compile(r"[A-Za-z]\w{4,31}", re.ASCII)
_MAX_NAME = 64
_MAX_ABOUT, _MAX_ABOUT_PREMIUM = 70, 140


def _update_profile(call: Call, request: TLObject) -> TLObject:
    user = call.world.users[call.user_id]
    first_name = user.first_name if request.first_name is None else request.first_name.strip()
    last_name = user.last_name if request.last_name is None else request.last_name.strip()
    about = user.about if request.about is None else request.about
    if not first_name or len(first_name) > _MAX_NAME or len(last_name) > _MAX_NAME:
        raise RpcFault(400, "FIRSTNAME_INVALID")
    if len(about) > (_MAX_ABOUT_PREMIUM if user.is_premium else _MAX_ABOUT):
        raise RpcFault(400, "ABOUT_TOO_LONG")
    return _changed(call, replace(user, first_name=first_name, last_name=last_name, about=about))


def _check_username(call: Call, request: TLObject) -> TLObject:
    return _is_free(call, request.username)


def _update_username(call: Call, request: TLObject) -> TLObject:
    user = call.world.users[call.user_id]
    if request.username == user.username:
        raise RpcFault(400, "USERNAME_NOT_MODIFIED")
    if request.username and not _is_free(call, request.username):
        raise RpcFault(400, "USERNAME_OCCUPIED")
    return _changed(call, replace(user, username=request.username))


def _is_free(call: Call, username: str) -> bool:
    if not _USERNAME.fullmatch(username):
        raise RpcFault(400, "USERNAME_INVALID")
    holder = call.world.username(username)
    return holder is None or holder.user_id == call.user_id


def _changed(call: Call, user: User) -> TLObject:
    """Write a change down; the user's other sessions and whoever has them as a contact are told."""
    world = call.world
    world.directory.put(user)
    update = types.UpdateUserName(user.user_id, user.first_name, user.last_name, listed_names(user))
    for other_id in dict.fromkeys((user.user_id, *world.directory.known_to(user.user_id))):
        world.post.tell(other_id, update, user.user_id)
    return call.views.user(user.user_id, user.user_id)


def _update_status(call: Call, request: TLObject) -> TLObject:
    call.world.presence.say(call.user_id, is_online=not request.offline)
    return True


HANDLERS: Handlers = {
    functions.account.UpdateProfileRequest: _update_profile,
    functions.account.CheckUsernameRequest: _check_username,
    functions.account.UpdateUsernameRequest: _update_username,
    functions.account.UpdateStatusRequest: _update_status,
}
