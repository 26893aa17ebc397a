"""What accounts do and wait for, in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.agents import AccountEvent, Health


def verb_words(method: str) -> str:
    """Say what a verb of the gateway does, as part of a sentence: "sending texts"."""
    words = {
        "": _tr("connecting"),
        "send_text": _tr("sending texts"),
        "send_sticker": _tr("sending stickers"),
        "edit_text": _tr("editing messages"),
        "delete_messages": _tr("deleting messages"),
        "clear_conversation": _tr("clearing chats"),
        "block": _tr("blocking"),
        "unblock": _tr("unblocking"),
        "dialogs": _tr("listing chats"),
        "history": _tr("reading history"),
        "find_sticker": _tr("looking up stickers"),
        "find_file": _tr("fetching files"),
        "blocked": _tr("listing who is blocked"),
        "is_blocked": _tr("listing who is blocked"),
        "muted_until": _tr("looking up what is muted"),
        "is_frozen": _tr("looking up whether it is frozen"),
        "mark_read": _tr("marking as read"),
        "show_typing": _tr("showing typing"),
    }
    return words.get(method, method)


def health_words(health: Health) -> str:
    """Say how an account is doing."""
    return {
        Health.STOPPED: _tr("Stopped"),
        Health.CONNECTING: _tr("Connecting"),
        Health.ONLINE: _tr("Online"),
        Health.WAITING: _tr("Waits"),
        Health.LOGGED_OUT: _tr("Logged out"),
        Health.REVOKED: _tr("Session ended"),
        Health.BANNED: _tr("Closed by Telegram"),
        Health.FROZEN: _tr("Frozen by Telegram"),
        Health.PROXY_TROUBLE: _tr("Proxy trouble"),
        Health.FAULTY_FILE: _tr("File has errors"),
    }[health]


def event_words(event: AccountEvent | None) -> str:
    """Say what happened last on an account's connection."""
    words = {
        AccountEvent.CONNECTING: _tr("Connecting"),
        AccountEvent.CONNECTED: _tr("Connected"),
        AccountEvent.HEARD: _tr("Heard from Telegram"),
        AccountEvent.LOST: _tr("Connection lost"),
        AccountEvent.REFUSED_BY_PROXY: _tr("Not let through by the proxy"),
        AccountEvent.STOPPED: _tr("Stopped"),
        AccountEvent.LOGGED_OUT: _tr("Logged out"),
        AccountEvent.LOGGED_OUT_HERE: _tr("You logged it out"),
        AccountEvent.REVOKED: _tr("Ended from another device"),
        AccountEvent.FROZEN: _tr("Frozen by Telegram"),
        AccountEvent.BANNED: _tr("Closed by Telegram"),
        AccountEvent.WAIT_OVER: _tr("Telegram’s wait is over"),
    }
    return "" if event is None else words[event]


def _tr(text: str) -> str:
    return QCoreApplication.translate("Accounts", text)
