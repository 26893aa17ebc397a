"""Why an account is not connected, or a request was not carried out, in words."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.domain.notes.reasons import AnyReason

CONNECTIONS: dict[AnyReason, object] = {
    ConnectionReason.CONNECTION_LOST: QT_TRANSLATE_NOOP("Reasons", "The connection to Telegram was lost. {why}"),
    ConnectionReason.UNFORESEEN: QT_TRANSLATE_NOOP(
        "Reasons",
        "Unexpected error ({words}); trying again. Details are in the log.",
    ),
    ConnectionReason.NOT_CONNECTED: QT_TRANSLATE_NOOP("Reasons", "This account is not connected. {why}"),
    ConnectionReason.NO_WAY: QT_TRANSLATE_NOOP("Reasons", "There is no connection to Telegram."),
    ConnectionReason.NO_ANSWER_IN_TIME: QT_TRANSLATE_NOOP("Reasons", "Telegram did not answer in time."),
    ConnectionReason.CONNECTION_REFUSED: QT_TRANSLATE_NOOP("Reasons", "Telegram refused the connection: {words}."),
    ConnectionReason.TELEGRAM_TROUBLE: QT_TRANSLATE_NOOP("Reasons", "Telegram has a problem ({words}). {why}"),
    ConnectionReason.SESSION_REFUSED: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram does not accept this session any more. {why}",
    ),
    ConnectionReason.ACCOUNT_MOVED: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram has moved this account to other servers. {why}",
    ),
    ConnectionReason.WAIT_REQUIRED: QT_TRANSLATE_NOOP("Reasons", "Telegram asks to wait %n s."),
    ConnectionReason.WAIT_LEFT: QT_TRANSLATE_NOOP("Reasons", "Telegram asks to wait %n s more."),
    ConnectionReason.SLOW_MODE: QT_TRANSLATE_NOOP("Reasons", "Slow mode: this chat asks to wait %n s."),
    ConnectionReason.NOTHING_SENT: QT_TRANSLATE_NOOP("Reasons", "Nothing was sent."),
    ConnectionReason.NOTHING_DONE: QT_TRANSLATE_NOOP("Reasons", "Nothing was done."),
    ConnectionReason.PERHAPS_SENT: QT_TRANSLATE_NOOP("Reasons", "It may have been sent."),
    ConnectionReason.PERHAPS_DONE: QT_TRANSLATE_NOOP("Reasons", "It may have been carried out."),
    ConnectionReason.ACCOUNT_FROZEN: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram has frozen this account: it can read, but not write. To appeal, write to @SpamBot in Telegram.",
    ),
    ConnectionReason.ACCOUNT_CLOSED: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram has closed this account; logging in again does not help. Ask Telegram about it.",
    ),
    ConnectionReason.PASSWORD_MISSING: QT_TRANSLATE_NOOP(
        "Reasons",
        "The login of this account was not finished: its password is missing. Log in again.",
    ),
    ConnectionReason.SESSION_ENDED: QT_TRANSLATE_NOOP(
        "Reasons",
        "Ended from another device, or by Telegram. Log in again.",
    ),
    ConnectionReason.SESSION_BUSY: QT_TRANSLATE_NOOP(
        "Reasons",
        "The session file can't be used: {words}. Is another Chimein running?",
    ),
    ConnectionReason.SESSION_UNUSABLE: QT_TRANSLATE_NOOP(
        "Reasons",
        "The session file can't be used: {words}. Check the permissions of the data folder, and its disk.",
    ),
    ConnectionReason.SESSION_DAMAGED: QT_TRANSLATE_NOOP("Reasons", "The session file is damaged. Log in again."),
    ConnectionReason.NO_SESSION: QT_TRANSLATE_NOOP(
        "Reasons",
        "This account is not logged in here. Log it in from the Agents pane.",
    ),
    ConnectionReason.SANDBOX_SESSION: QT_TRANSLATE_NOOP(
        "Reasons",
        "This login was made in the sandbox and is not valid on Telegram. Log the account in again.",
    ),
    ConnectionReason.NO_APPLICATION: QT_TRANSLATE_NOOP(
        "Reasons",
        "Enter Telegram's API ID and hash (from my.telegram.org) in Preferences, then start it.",
    ),
    ConnectionReason.SECOND_AGENT: QT_TRANSLATE_NOOP(
        "Reasons",
        "This account is already in use here by {words}. Log in with another one, or stop {words}"
        " first and then start this agent.",
    ),
    ConnectionReason.LOGGED_OUT_HERE: QT_TRANSLATE_NOOP("Reasons", "You logged it out."),
    ConnectionReason.LOGGED_OUT_UNTOLD: QT_TRANSLATE_NOOP(
        "Reasons",
        "Logged out here, but Telegram could not be told. End “Chimein” in Telegram under Settings, Devices.",
    ),
    ConnectionReason.SESSION_LEFT: QT_TRANSLATE_NOOP(
        "Reasons",
        "The session file could not be removed. Check the permissions of the data folder, then log out again.",
    ),
    ConnectionReason.LEAVING: QT_TRANSLATE_NOOP(
        "Reasons",
        "It is logged out as soon as Telegram has answered what is being sent, in 10 s at the latest.",
    ),
    ConnectionReason.PROXY_NOT_READ: QT_TRANSLATE_NOOP(
        "Reasons",
        "The saved proxy has not been read yet. The account connects after that.",
    ),
    ConnectionReason.PROXY_LOCKED_AWAY: QT_TRANSLATE_NOOP(
        "Reasons",
        "The saved proxy can't be read, and the account does not connect without knowing it."
        " Unlock the keychain or fix the file of secrets, or set the proxy again.",
    ),
    ConnectionReason.PROXY_DAMAGED: QT_TRANSLATE_NOOP(
        "Reasons",
        "The saved proxy of this account is damaged. Set it again, or remove it.",
    ),
    ConnectionReason.PROXY_SILENT: QT_TRANSLATE_NOOP("Reasons", "The proxy {words} does not answer in time."),
    ConnectionReason.PROXY_UNREACHABLE: QT_TRANSLATE_NOOP(
        "Reasons",
        "The proxy {words} can't be reached. Check its address, or whether it is running.",
    ),
    ConnectionReason.PROXY_CLOSED: QT_TRANSLATE_NOOP("Reasons", "The proxy {words} has closed the connection."),
    ConnectionReason.PROXY_HUNG_UP: QT_TRANSLATE_NOOP(
        "Reasons",
        "The proxy {words} closed the connection at once. Is its secret right?",
    ),
    ConnectionReason.PROXY_LOGIN_REFUSED: QT_TRANSLATE_NOOP(
        "Reasons",
        "The proxy {words} does not accept the username and password. Check them.",
    ),
    ConnectionReason.PROXY_LOGIN_UNSENDABLE: QT_TRANSLATE_NOOP(
        "Reasons",
        "The proxy {words} can't use this username or password.",
    ),
    ConnectionReason.PROXY_FORBIDS: QT_TRANSLATE_NOOP(
        "Reasons",
        "The proxy {words} does not allow connections to Telegram.",
    ),
    ConnectionReason.PROXY_NO_WAY_ON: QT_TRANSLATE_NOOP(
        "Reasons",
        "The proxy {words} can't reach Telegram from where it is.",
    ),
    ConnectionReason.PROXY_OTHER_KIND: QT_TRANSLATE_NOOP(
        "Reasons",
        "{words} is not a proxy of this kind. Check its kind and port.",
    ),
    ConnectionReason.PROXY_REFUSED: QT_TRANSLATE_NOOP(
        "Reasons",
        "The proxy {words} refused the connection (answer {n}).",
    ),
    ConnectionReason.FILE_GONE: QT_TRANSLATE_NOOP(
        "Reasons",
        "Its file {words} is gone. Its chats and its login stay: put the file back, or a new one with its number.",
    ),
    ConnectionReason.FILE_MISSING: QT_TRANSLATE_NOOP(
        "Reasons",
        "File missing: {words} was not there at the start. Its chats and its login stay: put the file"
        " back, or a new one with its number.",
    ),
    ConnectionReason.FILE_BROKEN: QT_TRANSLATE_NOOP("Reasons", "Its file can't be used. {why}"),
    ConnectionReason.FILE_BROKEN_AT: QT_TRANSLATE_NOOP("Reasons", "Its file can't be used. Line {n}: {why}"),
    ConnectionReason.NAMES_EXCHANGED: QT_TRANSLATE_NOOP(
        "Reasons",
        "“{words}” and another agent have exchanged their names or their numbers. Name one of them"
        " differently, save, and then give it the name it is to have.",
    ),
    ConnectionReason.IDENTITY_UNCLEAR: QT_TRANSLATE_NOOP(
        "Reasons",
        "The number is “{words}”’s, and the name “{more}” is that of an earlier agent with an account"
        " of its own, so it is unclear whose messages this persona would answer. Write another name"
        " into the file, or another number.",
    ),
    ConnectionReason.FILE_STANDS_IN: QT_TRANSLATE_NOOP(
        "Reasons",
        "Its own file {words} can't be used, and {more} names the same agent. Fix one of them, or remove it.",
    ),
    ConnectionReason.NAME_TAKEN: QT_TRANSLATE_NOOP(
        "Reasons",
        "The name “{words}” is still another agent’s, whose own file could not be used. Fix that first.",
    ),
    ConnectionReason.BEING_RENAMED: QT_TRANSLATE_NOOP("Reasons", "It is being renamed."),
    ConnectionReason.NOT_SEEN_YET: QT_TRANSLATE_NOOP("Reasons", "Its file has not been read yet."),
}
"""Marked for translation here and translated when they are shown."""
