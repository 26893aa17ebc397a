"""Accounts' health, events and rate-limited requests in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.agents import AccountEvent, Health


def method_words(method: str) -> str:
    """Return what a gateway method does, as part of a sentence: "sending texts". An unknown method keeps its name."""
    words = {
        "": translate("Accounts", "connecting"),
        "send_text": translate("Accounts", "sending texts"),
        "send_sticker": translate("Accounts", "sending stickers"),
        "edit_text": translate("Accounts", "editing messages"),
        "delete_messages": translate("Accounts", "deleting messages"),
        "clear_conversation": translate("Accounts", "clearing chats"),
        "block": translate("Accounts", "blocking"),
        "unblock": translate("Accounts", "unblocking"),
        "dialogs": translate("Accounts", "listing chats"),
        "history": translate("Accounts", "reading history"),
        "find_sticker": translate("Accounts", "looking up stickers"),
        "find_file": translate("Accounts", "fetching files"),
        "blocked": translate("Accounts", "listing who is blocked"),
        "is_blocked": translate("Accounts", "listing who is blocked"),
        "muted_until": translate("Accounts", "checking what is muted"),
        "is_frozen": translate("Accounts", "checking whether it is frozen"),
        "mark_read": translate("Accounts", "marking as read"),
        "show_typing": translate("Accounts", "showing typing"),
    }
    return words.get(method, method)


def health_words(health: Health) -> str:
    """Return the label of an account's health."""
    return {
        Health.STOPPED: translate("Accounts", "Stopped"),
        Health.CONNECTING: translate("Accounts", "Connecting"),
        Health.ONLINE: translate("Accounts", "Online"),
        Health.WAITING: translate("Accounts", "Waits"),
        Health.LOGGED_OUT: translate("Accounts", "Logged out"),
        Health.REVOKED: translate("Accounts", "Session ended"),
        Health.BANNED: translate("Accounts", "Closed by Telegram"),
        Health.FROZEN: translate("Accounts", "Frozen by Telegram"),
        Health.PROXY_TROUBLE: translate("Accounts", "Proxy problem"),
        Health.FAULTY_FILE: translate("Accounts", "File has errors"),
    }[health]


def event_words(event: AccountEvent | None) -> str:
    """Return the label of the last event on an account's connection; empty without one."""
    words = {
        AccountEvent.CONNECTING: translate("Accounts", "Connecting"),
        AccountEvent.CONNECTED: translate("Accounts", "Connected"),
        AccountEvent.HEARD: translate("Accounts", "Last update from Telegram"),
        AccountEvent.LOST: translate("Accounts", "Connection lost"),
        AccountEvent.REFUSED_BY_PROXY: translate("Accounts", "Refused by the proxy"),
        AccountEvent.STOPPED: translate("Accounts", "Stopped"),
        AccountEvent.LOGGED_OUT: translate("Accounts", "Logged out"),
        AccountEvent.LOGGED_OUT_HERE: translate("Accounts", "You logged out"),
        AccountEvent.REVOKED: translate("Accounts", "Logged out from another device"),
        AccountEvent.FROZEN: translate("Accounts", "Frozen by Telegram"),
        AccountEvent.BANNED: translate("Accounts", "Closed by Telegram"),
        AccountEvent.WAIT_OVER: translate("Accounts", "Telegram rate limit ended"),
    }
    return "" if event is None else words[event]


translate = QCoreApplication.translate
