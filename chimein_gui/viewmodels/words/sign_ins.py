"""Problems of a log-in, and what changed with it, in words."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.domain.accounts.sign_in import SignInTrouble
from chimein_gui.domain.notes.reasons import AnyReason
from chimein_gui.domain.notes.sign_ins import SignInReason

SIGN_IN_TROUBLES: dict[AnyReason, object] = {
    SignInTrouble.WRONG_CODE: QT_TRANSLATE_NOOP("Reasons", "Wrong code. Check it, or request a new one."),
    SignInTrouble.EXPIRED_CODE: QT_TRANSLATE_NOOP("Reasons", "This code is no longer valid. Request a new one."),
    SignInTrouble.WRONG_PASSWORD: QT_TRANSLATE_NOOP(
        "Reasons",
        "Wrong password. It is case-sensitive. Try again.",
    ),
    SignInTrouble.WAIT: QT_TRANSLATE_NOOP("Reasons", "Telegram asks to wait before the next try."),
    SignInTrouble.BANNED: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram has closed the account with this number. It can’t be logged in. Use another number,"
        " or write to Telegram.",
    ),
    SignInTrouble.NOT_REGISTERED: QT_TRANSLATE_NOOP(
        "Reasons",
        "There is no Telegram account with this number. Check it, or create the account in the Telegram app first.",
    ),
    SignInTrouble.BAD_NUMBER: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram does not accept this phone number. Enter it in international format, starting with +.",
    ),
    SignInTrouble.BAD_APPLICATION: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram does not know this API ID and hash as a pair. Copy both again from my.telegram.org.",
    ),
    SignInTrouble.NO_NETWORK: QT_TRANSLATE_NOOP(
        "Reasons", "Telegram can’t be reached. Check the network, then try again."
    ),
    SignInTrouble.PROXY: QT_TRANSLATE_NOOP(
        "Reasons",
        "The account’s proxy does not let the connection through. Check its address and password"
        " under Agents, Proxy, then try again.",
    ),
    SignInTrouble.TIME_OUT: QT_TRANSLATE_NOOP("Reasons", "Telegram did not answer in time. Try again."),
    SignInTrouble.QR_EXPIRED: QT_TRANSLATE_NOOP(
        "Reasons",
        "Nobody has scanned the QR code. Show a new one when you have the phone ready.",
    ),
    SignInTrouble.OTHER_ACCOUNT_HERE: QT_TRANSLATE_NOOP(
        "Reasons",
        "This account already belongs to another agent here. Use another account, or log that agent out first.",
    ),
    SignInTrouble.DISK: QT_TRANSLATE_NOOP(
        "Reasons",
        "The account is logged in, but its session could not be saved. Free some disk space or"
        " check the permissions of the data folder, then try again.",
    ),
    SignInTrouble.NO_PLACE: QT_TRANSLATE_NOOP(
        "Reasons",
        "The session file of this login can’t be written. Free some disk space or check the"
        " permissions of the data folder, then try again.",
    ),
    SignInTrouble.REFUSED: QT_TRANSLATE_NOOP("Reasons", "Telegram refused this. Try again later, or another way."),
}
"""Marked for translation here and translated when they are shown."""

SIGN_INS: dict[AnyReason, object] = {
    SignInReason.PROXY_TELLS: QT_TRANSLATE_NOOP("Reasons", "{why} Set it under Agents, Proxy, then try again."),
    SignInReason.LATE_NETWORK: QT_TRANSLATE_NOOP(
        "Reasons",
        "The connection was lost. What you typed is still here: send it again.",
    ),
    SignInReason.CODE_LENGTH: QT_TRANSLATE_NOOP("Reasons", "The code has {words} characters; this one has {n}."),
    SignInReason.OTHER_AGENTS: QT_TRANSLATE_NOOP(
        "Reasons",
        "This account already belongs to {words} here, so it was logged out again at once. Use another"
        " account, or log {words} out first.",
    ),
    SignInReason.NO_NUMBER: QT_TRANSLATE_NOOP(
        "Reasons",
        "Enter the number in international format: + and the country code, then the rest, 7 to 15 digits in all.",
    ),
    SignInReason.WAIT_IS_OVER: QT_TRANSLATE_NOOP(
        "Reasons",
        "The rate limit has ended. Show a new QR code when you have the phone ready.",
    ),
    SignInReason.NEW_PROXY: QT_TRANSLATE_NOOP(
        "Reasons",
        "The agent’s proxy was changed, so its login starts over. Try again.",
    ),
    SignInReason.RENAMED: QT_TRANSLATE_NOOP(
        "Reasons",
        "The agent is called {words} now, so its login starts over. Try again.",
    ),
    SignInReason.NEW_CHATS: QT_TRANSLATE_NOOP(
        "Reasons",
        "This is not the same account as before, so its chats start over. What the old one wrote"
        " and received stays stored. {why}",
    ),
    SignInReason.OTHER_NUMBER: QT_TRANSLATE_NOOP(
        "Reasons",
        "The account has another number than the agent’s file says. The file was not changed.",
    ),
    SignInReason.NUMBER_CHANGED: QT_TRANSLATE_NOOP("Reasons", "The number in {words} was changed."),
    SignInReason.NUMBER_KEPT: QT_TRANSLATE_NOOP("Reasons", "The agent’s file keeps the old number."),
    SignInReason.NUMBER_NOT_CHANGED: QT_TRANSLATE_NOOP(
        "Reasons",
        "The number in {words} could not be changed, so change it there yourself. {why}",
    ),
    SignInReason.API_ID_DIGITS: QT_TRANSLATE_NOOP(
        "Reasons",
        "The API ID has digits only. You find it on my.telegram.org under “API development tools”.",
    ),
    SignInReason.API_HASH_DIGITS: QT_TRANSLATE_NOOP(
        "Reasons",
        "The API hash has 32 characters, 0 to 9 and a to f. You find it on my.telegram.org below the API ID.",
    ),
    SignInReason.WENT_WRONG: QT_TRANSLATE_NOOP(
        "Reasons",
        "Something went wrong ({words}). Try again, or cancel and start over.",
    ),
    SignInReason.CODES_TOO_OFTEN: QT_TRANSLATE_NOOP(
        "Reasons",
        "A code was asked for too often with this number. Try again later, or use the QR code.",
    ),
    SignInReason.LOG_INS_TOO_OFTEN: QT_TRANSLATE_NOOP(
        "Reasons",
        "Too many logins were tried with this account. Try again in some hours.",
    ),
    SignInReason.PASSWORD_FIRST: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram asks for this account's password first; log in by QR code.",
    ),
    SignInReason.NO_OTHER_WAY: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram has no other way to send this code. Wait for it, or use the QR code.",
    ),
    SignInReason.CODE_NOT_SENT: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram could not send a code. Try again in a moment, or use the QR code.",
    ),
    SignInReason.PASSWORD_NOT_TAKEN: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram didn't accept the password this time. Enter it again.",
    ),
    SignInReason.PASSWORD_CHANGED: QT_TRANSLATE_NOOP(
        "Reasons", "The password was changed just now. Enter the new one."
    ),
    SignInReason.NO_CODE_HERE: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram doesn't allow this application to log in with a code. Use the QR code.",
    ),
    SignInReason.NO_CODE_FOR_NUMBER: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram sends no code to this number through other applications. Use the QR code.",
    ),
    SignInReason.MAIL_FIRST: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram asks for an e-mail address for this account first. Set one in the Telegram app, or use the QR code.",
    ),
    SignInReason.UNKNOWN_QUESTION: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram asks for something that this version of Chimein does not know. Use the QR code.",
    ),
    SignInReason.TELEGRAMS_TROUBLE: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram has a problem right now. Try again in a moment.",
    ),
    SignInReason.OTHER_REFUSAL: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram refused ({words}). Try again later, or another way.",
    ),
    SignInReason.BEGIN_ANEW: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram no longer knows this login. Go back and start over.",
    ),
    SignInReason.NOBODY_YET: QT_TRANSLATE_NOOP("Reasons", "Nobody is logged in yet."),
    SignInReason.NO_PASSWORD_NOW: QT_TRANSLATE_NOOP(
        "Reasons",
        "This account has no password any more. Log in again.",
    ),
}
"""Marked for translation here and translated when they are shown."""
