"""The faults that people can pick by name, as data (FACTS, sandbox server and google-genai)."""

from chimein_gui.engine.sandbox_port import FaultKind, FaultOffer, FaultRule
from chimein_gui.sandbox.faults.families import NEED_ACCOUNT

_SEND = "messages.sendMessage"
_NOTIFY = "account.getNotifySettings"
_GENERATE = "generateContent"


def _offer(name: str, title: str, summary: str, rule: FaultRule) -> FaultOffer:
    return FaultOffer(name, title, summary, rule, needs_account=rule.kind in NEED_ACCOUNT)


def _refusal(message: str, *, code: int = 400, method: str = _SEND, times: int = 1) -> FaultRule:
    return FaultRule(FaultKind.RPC_ERROR, method, code=code, message=message, times=times)


def _model_error(code: int, message: str, seconds: float = 0.0) -> FaultRule:
    return FaultRule(FaultKind.MODEL_ERROR, _GENERATE, code=code, message=message, seconds=seconds)


_SENDING = (
    _offer(
        "flood-wait",
        "Flood wait of 30 s on sending",
        "The next send is refused, and so is every further one for 30 seconds.",
        FaultRule(FaultKind.FLOOD_WAIT, _SEND, seconds=30),
    ),
    _offer(
        "flood-wait-long",
        "Flood wait of an hour on sending",
        "The next send is refused, and so is every further one for an hour.",
        FaultRule(FaultKind.FLOOD_WAIT, _SEND, seconds=3_600),
    ),
    _offer(
        "peer-flood",
        "Account limited: PEER_FLOOD",
        "Telegram has limited the account for writing to too many strangers; every send is refused.",
        FaultRule(FaultKind.RPC_ERROR, _SEND, code=400, message="PEER_FLOOD", times=0),
    ),
    _offer(
        "slow-mode",
        "Slow mode in a group",
        "The next send is refused because the chat allows only one message in 30 seconds.",
        _refusal("SLOWMODE_WAIT_30", code=420),
    ),
    _offer(
        "write-forbidden",
        "Writing not allowed",
        "The next send is refused: the chat does not let the account write.",
        _refusal("CHAT_WRITE_FORBIDDEN", code=403),
    ),
    _offer(
        "blocked",
        "Blocked by the partner",
        "The next send is refused: the partner has blocked the account.",
        _refusal("USER_IS_BLOCKED"),
    ),
    _offer(
        "server-error",
        "Telegram has an error of its own",
        "The next send fails with 500; nobody knows why, and it is not sent.",
        _refusal("INTERNAL", code=500),
    ),
)
_CONNECTION = (
    _offer(
        "drop-before-send",
        "Connection lost before the send",
        "The next send does not arrive: the connection breaks first.",
        FaultRule(FaultKind.DROP_BEFORE, _SEND),
    ),
    _offer(
        "drop-after-send",
        "Connection lost after the send",
        "The next send arrives, but the connection breaks before Telegram says so.",
        FaultRule(FaultKind.DROP_AFTER, _SEND),
    ),
    _offer(
        "no-answer",
        "A send that is never answered",
        "The next send arrives, and Telegram never says so.",
        FaultRule(FaultKind.NO_ANSWER, _SEND),
    ),
    _offer(
        "slow",
        "Telegram is slow",
        "Every call is answered 5 seconds late, until it is taken back.",
        FaultRule(FaultKind.SLOW, seconds=5, times=0),
    ),
    _offer(
        "flaky",
        "A bad line",
        "One call in twenty loses the connection, until it is taken back.",
        FaultRule(FaultKind.DROP_AFTER, times=0, probability=0.05),
    ),
    _offer(
        "kick",
        "Connections cut",
        "The account's connections break at once.",
        FaultRule(FaultKind.KICK),
    ),
    _offer(
        "restart",
        "Server restarts",
        "Telegram goes away and comes back after 5 seconds.",
        FaultRule(FaultKind.RESTART, seconds=5),
    ),
)
_ACCOUNT = (
    _offer(
        "logged-out",
        "Logged out elsewhere",
        "Somebody ended all of the account's sessions on another device.",
        FaultRule(FaultKind.REVOKE),
    ),
    _offer(
        "key-unknown",
        "Key unknown",
        "Telegram no longer knows the account's keys at all.",
        FaultRule(FaultKind.FORGET_KEY),
    ),
    _offer(
        "banned",
        "Account banned",
        "Every call is answered by USER_DEACTIVATED_BAN: Telegram has closed the account.",
        FaultRule(FaultKind.RPC_ERROR, code=401, message="USER_DEACTIVATED_BAN", times=0),
    ),
    _offer(
        "frozen",
        "Account frozen",
        "Telegram lets the account read, and refuses all that it writes, until it is taken back.",
        FaultRule(FaultKind.FROZEN, times=0),
    ),
    _offer(
        "collectible-names",
        "Bought user names",
        "The account's user name becomes one of two that it has bought; where it connects next, it is told.",
        FaultRule(FaultKind.COLLECTIBLE_NAMES),
    ),
)
_LOOK_UPS = (
    _offer(
        "slow-mute-look-up",
        "Slow to say what is muted",
        "Telegram says 5 seconds late whether a chat is muted, until it is taken back.",
        FaultRule(FaultKind.SLOW, _NOTIFY, seconds=5, times=0),
    ),
    _offer(
        "no-mute-look-up",
        "Does not say what is muted",
        "Telegram fails whenever it is asked whether a chat is muted, until it is taken back.",
        _refusal("INTERNAL", code=500, method=_NOTIFY, times=0),
    ),
    _offer(
        "no-block-list",
        "The block list can't be read",
        "Whom the account has blocked can't be looked up, until it is taken back.",
        _refusal("INTERNAL", code=500, method="contacts.getBlocked", times=0),
    ),
    _offer(
        "slow-block-list",
        "The block list comes late",
        "Whom the account has blocked is told 4 seconds late, until it is taken back.",
        FaultRule(FaultKind.SLOW, "contacts.getBlocked", seconds=4, times=0),
    ),
    _offer(
        "stale-address",
        "A chat's address is no longer valid",
        "The next send is refused: the address the account has of the chat is an old one.",
        _refusal("PEER_ID_INVALID"),
    ),
)
_UPDATES = (
    _offer(
        "lost-update",
        "Lost update",
        "The next push to an account does not arrive; it has to notice the gap.",
        FaultRule(FaultKind.LOSE_UPDATES),
    ),
    _offer(
        "duplicate-update",
        "Update sent twice",
        "The next push to an account arrives twice.",
        FaultRule(FaultKind.DUPLICATE_UPDATES),
    ),
    _offer(
        "reordered-updates",
        "Updates out of order",
        "The next push to an account arrives after the one that follows it.",
        FaultRule(FaultKind.REORDER_UPDATES),
    ),
    _offer(
        "missed-too-much",
        "Missed too much",
        "The next time the account catches up it is told that it missed too much to be told.",
        FaultRule(FaultKind.DIFFERENCE_TOO_LONG),
    ),
    _offer(
        "later-layer",
        "A message of a later version",
        "The next message that comes to the account holds an object of a later version, which it can't read.",
        FaultRule(FaultKind.LATER_LAYER),
    ),
    _offer(
        "short-updates",
        "Short updates",
        "Texts of direct chats and small groups come in Telegram's short form, which names nobody, until it is taken"
        " back.",
        FaultRule(FaultKind.SHORT_UPDATES, times=0),
    ),
    _offer(
        "bare-updates",
        "Updates without names",
        "Updates come without the people and groups they speak of, until it is taken back.",
        FaultRule(FaultKind.BARE_UPDATES, times=0),
    ),
    _offer(
        "unmarked-mentions",
        "Mentions that are not marked",
        "Telegram does not mark messages of groups that name or answer the account, until it is taken back.",
        FaultRule(FaultKind.UNMARKED_MENTIONS, times=0),
    ),
    _offer(
        "short-history",
        "History with three messages",
        "A chat's history ends after its three newest messages, until it is taken back: answers to older ones point"
        " beyond what is stored.",
        FaultRule(FaultKind.SHORT_HISTORY, times=0),
    ),
)
_MODEL = (
    _offer(
        "model-overloaded",
        "Model overloaded (503)",
        "The next reply is refused because the model has too much to do.",
        _model_error(503, "The model is overloaded. Please try again later."),
    ),
    _offer(
        "model-quota",
        "Model asks to wait (429, 20 s)",
        "The next reply is refused because the quota is used up; it asks to wait 20 seconds.",
        _model_error(429, "You exceeded your current quota.", seconds=20),
    ),
    _offer(
        "model-bad-request",
        "Bad key (400)",
        "Every call is refused because the key is not valid, until it is taken back.",
        FaultRule(FaultKind.MODEL_ERROR, code=400, message="API key not valid. Please pass a valid API key.", times=0),
    ),
    _offer(
        "model-forbidden",
        "Key without permission (403)",
        "Every call is refused because the key may not use the model, until it is taken back.",
        FaultRule(FaultKind.MODEL_ERROR, code=403, message="The caller does not have permission", times=0),
    ),
    _offer(
        "model-broken",
        "Model has an error of its own (500)",
        "The next reply fails; nobody knows why.",
        _model_error(500, "An internal error has occurred."),
    ),
    _offer(
        "model-blocked",
        "Prompt blocked",
        "The next prompt is blocked; there is no reply.",
        FaultRule(FaultKind.MODEL_BLOCKED, _GENERATE),
    ),
    _offer(
        "model-safety",
        "Reply held back for safety",
        "The next reply ends for reasons of safety, without a word.",
        FaultRule(FaultKind.MODEL_SAFETY, _GENERATE),
    ),
    _offer(
        "model-empty",
        "Empty answer",
        "The next reply is empty.",
        FaultRule(FaultKind.MODEL_EMPTY, _GENERATE),
    ),
    _offer(
        "model-max-tokens",
        "Out of tokens (MAX_TOKENS)",
        "The model thinks until its tokens are used up; there is no text.",
        FaultRule(FaultKind.MODEL_MAX_TOKENS, _GENERATE),
    ),
    _offer(
        "model-cut-off",
        "Reply too long (MAX_TOKENS)",
        "The next reply ends in the middle of its last line, because the tokens are used up.",
        FaultRule(FaultKind.MODEL_CUT_OFF, _GENERATE),
    ),
    _offer(
        "model-other",
        "Ended for no given reason (OTHER)",
        "The next reply ends with the finish reason OTHER, without a word.",
        FaultRule(FaultKind.MODEL_ODD_END, _GENERATE, message="OTHER"),
    ),
    _offer(
        "model-malformed",
        "Malformed reply (MALFORMED_RESPONSE)",
        "The next reply ends with the finish reason MALFORMED_RESPONSE, without a word.",
        FaultRule(FaultKind.MODEL_ODD_END, _GENERATE, message="MALFORMED_RESPONSE"),
    ),
    _offer(
        "model-new-reason",
        "Unknown finish reason",
        "The next reply ends with a finish reason that does not exist yet, without a word.",
        FaultRule(FaultKind.MODEL_ODD_END, _GENERATE, message="NOT_KNOWN_YET"),
    ),
    _offer(
        "model-no-candidates",
        "No candidates",
        "The next answer holds no reply at all.",
        FaultRule(FaultKind.MODEL_NO_CANDIDATES, _GENERATE),
    ),
    _offer(
        "model-thoughts",
        "Thoughts only",
        "The next reply holds thoughts and no text.",
        FaultRule(FaultKind.MODEL_THOUGHTS, _GENERATE),
    ),
    _offer(
        "model-slow",
        "Model is slow",
        "The next reply takes 20 seconds longer.",
        FaultRule(FaultKind.MODEL_SLOW, _GENERATE, seconds=20),
    ),
    _offer(
        "model-hangs",
        "Model hangs",
        "The next reply never comes.",
        FaultRule(FaultKind.MODEL_HANG, _GENERATE),
    ),
    _offer(
        "model-drops",
        "Reply cut off",
        "The connection breaks in the middle of the next reply.",
        FaultRule(FaultKind.MODEL_DROP, _GENERATE),
    ),
    _offer(
        "model-bad-json",
        "Bad JSON",
        "The next reply arrives, but what arrives is broken.",
        FaultRule(FaultKind.MODEL_BAD_JSON, _GENERATE),
    ),
)
OFFERS: tuple[FaultOffer, ...] = (*_SENDING, *_CONNECTION, *_ACCOUNT, *_LOOK_UPS, *_UPDATES, *_MODEL)
"""In the order in which the window shows them."""
