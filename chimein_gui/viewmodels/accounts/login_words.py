"""Texts of the log-in dialog: titles, how a code arrives, facts about the account. Pure functions."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.accounts.sign_in import CodeForm, CodeWay, LoginStep, LoginWork
from chimein_gui.domain.agents import NEEDS_LOG_IN, AccountEvent, Health
from chimein_gui.domain.chats import AUTOMATIC, TrustLevel
from chimein_gui.viewmodels.core.sanitize import spoken
from chimein_gui.viewmodels.words.notes import note_sentence
from chimein_gui.viewmodels.words.trust import trust_word

if TYPE_CHECKING:
    from chimein_gui.domain.accounts.sign_in import LoginState, SentCode
    from chimein_gui.domain.agents import Agent

STEPS = {LoginStep.APPLICATION: 1, LoginStep.QR: 1, LoginStep.PHONE: 1, LoginStep.CODE: 2, LoginStep.PASSWORD: 3}
"""Number of filled marks, of three, by step."""

_LONGEST = 60
"""Characters of a number or an address."""

_SHORT_NEWS = 140
"""Most characters of the note at which the name is shown too."""

_ENDS_WITH = 3
"""Last digits of a number that are shown: enough to tell accounts apart, too few to reveal the number."""

translate = QCoreApplication.translate


def ltr(number: str) -> str:
    """Return a telephone number or address that reads left to right in any text."""
    shown = spoken(number, _LONGEST)
    return f"\u2066{shown}\u2069" if shown else ""


def can_log_in(agent: Agent) -> bool:
    """Tell whether an agent needs to log in: it never did, or its session is no longer valid."""
    never = agent.account_id is None and agent.health is Health.STOPPED
    return never or agent.health in NEEDS_LOG_IN or agent.health is Health.BANNED


def can_log_out(agent: Agent) -> bool:
    """Tell whether an agent is logged in, so that it can log out."""
    return agent.account_id is not None and agent.health not in NEEDS_LOG_IN


def can_start(agent: Agent) -> bool:
    """Tell whether starting may replace a log-in: another agent had the session, or its file is there again."""
    return agent.health is Health.LOGGED_OUT and agent.last_event is not AccountEvent.LOGGED_OUT_HERE


def log_in_word(agent: Agent) -> str:
    """Return the label of the log-in command."""
    return translate("Login", "Log in again") if agent.account_id is not None else translate("Login", "Log in")


def work_words(work: LoginWork | None) -> str:
    """Return what is being done; empty when the operator has to act."""
    if work is None:
        return ""
    return {
        LoginWork.SAVING: translate("Login", "Saving…"),
        LoginWork.CONNECTING: translate("Login", "Connecting…"),
        LoginWork.ASKING_FOR_CODE: translate("Login", "Asking Telegram for a code…"),
        LoginWork.CHECKING_CODE: translate("Login", "Checking the code…"),
        LoginWork.CHECKING_PASSWORD: translate("Login", "Checking the password…"),
        LoginWork.SAVING_SESSION: translate("Login", "Saving the session…"),
        LoginWork.LOGGING_IN: translate("Login", "Logging in…"),
    }[work]


def title_of(state: LoginState) -> str:
    """Return the dialog's title for a step."""
    name = f"\u2068{spoken(state.name, 64)}\u2069"
    match state.step:
        case LoginStep.CODE:
            return translate("Login", "Enter the code")
        case LoginStep.PASSWORD:
            return translate("Login", "Two-step password")
        case LoginStep.WAIT:
            return translate("Login", "Telegram rate limit")
        case LoginStep.DONE:
            return translate("Login", "{name} is logged in").format(name=name)
        case _:
            return translate("Login", "Log in as {name}").format(name=name)


def subtitle_of(state: LoginState, agent: Agent | None) -> str:
    """Return the line below the title."""
    fixed = {
        LoginStep.APPLICATION: translate("Login", "Telegram API keys"),
        LoginStep.PHONE: translate("Login", "Step 1 of 3, phone number"),
        LoginStep.WAIT: translate("Login", "Telegram is not contacted until then"),
    }
    match state.step:
        case LoginStep.QR:
            file = PurePath(agent.spec.source).name if agent is not None else ""
            ends = (
                translate("Login", "phone ends in {digits}").format(digits=ltr(state.phone[-_ENDS_WITH:]))
                if state.phone
                else ""
            )
            return ", ".join(part for part in (spoken(file, 80), ends) if part)
        case LoginStep.CODE:
            return (
                translate("Login", "Step 2 of 3, {way}").format(way=way_of(state.code))
                if state.code
                else translate("Login", "Step 2 of 3")
            )
        case LoginStep.PASSWORD:
            was = (
                translate("Login", "the code was right")
                if state.code_was_sent
                else translate("Login", "the QR code was scanned")
            )
            return translate("Login", "Step 3 of 3, {way}").format(way=was)
        case LoginStep.DONE:
            return _who(state)
        case _:
            return fixed.get(state.step, "")


def way_of(code: SentCode) -> str:
    """Return how a code arrives, in words."""
    detail = spoken(code.detail, 60)
    if code.form is CodeForm.WORD:
        return translate("Login", "a word, sent by SMS")
    if code.form is CodeForm.PHRASE:
        return translate("Login", "a phrase, sent by SMS")
    return {
        CodeWay.APP: translate("Login", "sent to your Telegram app"),
        CodeWay.SMS: translate("Login", "sent by SMS"),
        CodeWay.CALL: translate("Login", "a call reads it out"),
        CodeWay.FLASH_CALL: translate("Login", "the number of the call that comes"),
        CodeWay.EMAIL: translate("Login", "sent by e-mail to {who}").format(who=ltr(detail))
        if detail
        else translate("Login", "sent by e-mail"),
        CodeWay.FRAGMENT: translate("Login", "see fragment.com"),
        CodeWay.OTHER: translate("Login", "sent by Telegram"),
    }[code.way]


def words_title(code: SentCode) -> str:
    """Return the field's label for a code made of words; empty for any other code."""
    titles = {
        CodeForm.WORD: translate("Login", "Word from the SMS"),
        CodeForm.PHRASE: translate("Login", "Phrase from the SMS"),
    }
    return titles.get(code.form, "")


def beginning_words(code: SentCode) -> str:
    """Return the hint on how a word or a phrase begins; empty where Telegram gives none."""
    detail = spoken(code.detail, 24)
    if code.form is CodeForm.SIGNS or not detail:
        return ""
    return translate("Login", "It starts with “{beginning}”.").format(beginning=f"\u2068{detail}\u2069")


def again_word(code: SentCode | None) -> str:
    """Return the label of the command that requests another code."""
    way = code.next_way if code is not None else None
    return {
        CodeWay.SMS: translate("Login", "Send it by SMS"),
        CodeWay.CALL: translate("Login", "Call me with the code"),
        CodeWay.EMAIL: translate("Login", "Send it by e-mail"),
    }.get(way, translate("Login", "Send a new code"))  # type: ignore[arg-type]


def picture_steps() -> tuple[str, str, str]:
    """Return the three steps of the log-in by QR code."""
    return (
        translate("Login", "Open Telegram on this account's phone"),
        translate("Login", "Settings, Devices, Link desktop device"),
        translate("Login", "Scan this QR code"),
    )


def facts_of(state: LoginState, agent: Agent | None) -> tuple[tuple[str, str, str], ...]:
    """Return facts about the logged-in account: icon, fact, detail; empty before the log-in is complete."""
    who = state.signed_in
    facts: list[tuple[str, str, str]] = []
    if who is None:
        return ()
    if who.chats:
        count = who.chats
        chats = translate("Login", "%n chat(s) found", "", count)
        total = who.unread
        facts.append(("chats", chats, translate("Login", "%n message(s) unread", "", total)))
    if agent is not None:
        facts.append(("shield", *_trust(agent)))
    also = note_sentence(state.note)
    has_room = len(also) <= _SHORT_NEWS
    if has_room and spoken(who.name) and spoken(who.name) != spoken(state.name):
        name = translate("Login", "Name in Telegram: {name}").format(name=f"\u2068{spoken(who.name, 64)}\u2069")
        facts.append(
            ("person", name, translate("Login", "The agent’s file says {name}").format(name=spoken(state.name, 64)))
        )
    if also:
        facts.append(("info", translate("Login", "Also changed"), also))
    return tuple(facts)


def _trust(agent: Agent) -> tuple[str, str]:
    level = agent.spec.trust or TrustLevel.REVIEW
    if level in AUTOMATIC and not agent.trust_confirmed:
        level = TrustLevel.REVIEW
    if level is TrustLevel.REVIEW:
        return trust_word(level), translate("Login", "Every message waits for you. Change it per chat.")
    return trust_word(level), translate("Login", "For all chats without a level of their own.")


def _who(state: LoginState) -> str:
    who = state.signed_in
    if who is None:
        return ""
    username = f"@{spoken(who.username, 40)}" if who.username else ""
    return ", ".join(part for part in (username, ltr(who.phone)) if part)
