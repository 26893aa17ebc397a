"""account.* about privacy: who may see or do what."""

from chimein_gui.sandbox.privacy import NEW_CHATS
from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.tl import TLObject, functions, types

_INPUT_KEY, _INPUT_VALUE = "InputPrivacyKey", "InputPrivacyValue"


def _get(call: Call, request: TLObject) -> TLObject:
    return _rules(call, _topic(request.key))


def _set(call: Call, request: TLObject) -> TLObject:
    topic = _topic(request.key)
    rules = tuple(_stored(call, rule) for rule in request.rules)
    if not rules:
        raise RpcFault(400, "PRIVACY_VALUE_INVALID")
    call.world.directory.set_rules(call.user_id, topic, rules)
    key = getattr(types, f"PrivacyKey{topic}")()
    call.world.post.tell(call.user_id, types.UpdatePrivacy(key, list(rules)))
    return _rules(call, topic)


def _topic(key: TLObject) -> str:
    return type(key).__name__.removeprefix(_INPUT_KEY)


def _rules(call: Call, topic: str) -> TLObject:
    rules = call.world.directory.rules(call.user_id, topic)
    people = [user_id for rule in rules for user_id in getattr(rule, "users", ())]
    return types.account.PrivacyRules(list(rules), [], call.views.users(call.user_id, people))


def _stored(call: Call, rule: TLObject) -> TLObject:
    """Turn a rule as given into the one that is kept: people by id instead of by hash."""
    kind = getattr(types, "PrivacyValue" + type(rule).__name__.removeprefix(_INPUT_VALUE))
    if hasattr(rule, "users"):
        return kind([call.peer_id(user, "USER_ID_INVALID") for user in rule.users])
    if hasattr(rule, "chats"):
        return kind(list(rule.chats))
    return kind()


def _get_global(call: Call, _request: TLObject) -> TLObject:
    return call.world.directory.setting(call.user_id, NEW_CHATS) or types.GlobalPrivacySettings()


def _set_global(call: Call, request: TLObject) -> TLObject:
    call.world.directory.set_rules(call.user_id, NEW_CHATS, (request.settings,))
    return request.settings


HANDLERS: Handlers = {
    functions.account.GetPrivacyRequest: _get,
    functions.account.SetPrivacyRequest: _set,
    functions.account.GetGlobalPrivacySettingsRequest: _get_global,
    functions.account.SetGlobalPrivacySettingsRequest: _set_global,
}
