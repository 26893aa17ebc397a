"""What came of trying a key, and where secrets are kept: in words."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.domain.notes.keys import KeyReason
from chimein_gui.domain.notes.reasons import AnyReason

_TRIED: dict[AnyReason, object] = {
    KeyReason.KEY_WORKS: QT_TRANSLATE_NOOP("Reasons", "The key works with %n model(s)."),
    KeyReason.DEFAULT_NOT_AMONG_THEM: QT_TRANSLATE_NOOP(
        "Reasons",
        "{why} “{words}”, which answers for agents that name no model, is not among them: choose another one.",
    ),
    KeyReason.NO_WRITING_MODEL: QT_TRANSLATE_NOOP(
        "Reasons", "The key works, but it can't be used with any model that writes text."
    ),
    KeyReason.KEY_MISSING: QT_TRANSLATE_NOOP(
        "Reasons", "There is no key, or it has characters that no key has. Copy it from aistudio.google.com/apikey."
    ),
    KeyReason.KEY_NOT_VALID: QT_TRANSLATE_NOOP(
        "Reasons", "Gemini does not know this key. Copy it again from aistudio.google.com/apikey."
    ),
    KeyReason.KEY_REFUSED: QT_TRANSLATE_NOOP("Reasons", "Gemini refuses this key."),
    KeyReason.KEY_RESTRICTED: QT_TRANSLATE_NOOP(
        "Reasons",
        "The key is restricted, and not for this use. Allow it the Gemini API, without an address or app of its own.",
    ),
    KeyReason.API_SWITCHED_OFF: QT_TRANSLATE_NOOP(
        "Reasons", "The Gemini API is switched off in the key's Google Cloud project. Switch it on there."
    ),
    KeyReason.REGION_NOT_SERVED: QT_TRANSLATE_NOOP(
        "Reasons", "Google does not offer Gemini in this country. The key may work elsewhere."
    ),
    KeyReason.QUOTA_USED_UP: QT_TRANSLATE_NOOP(
        "Reasons", "The key works, but its quota is used up for now. Wait, or check its plan and billing."
    ),
    KeyReason.GEMINI_SILENT: QT_TRANSLATE_NOOP(
        "Reasons", "The key could not be checked: Gemini did not answer in time. Try again in a moment."
    ),
    KeyReason.GEMINI_UNREACHABLE: QT_TRANSLATE_NOOP(
        "Reasons", "The key could not be checked: Gemini can't be reached. Check the network connection."
    ),
    KeyReason.GEMINI_LATER: QT_TRANSLATE_NOOP(
        "Reasons", "The key could not be checked: Gemini can't answer now (HTTP {n}). Try again later."
    ),
    KeyReason.GEMINI_REFUSES: QT_TRANSLATE_NOOP("Reasons", "Gemini refused the check (HTTP {n})."),
    KeyReason.OTHER_ANSWERED: QT_TRANSLATE_NOOP(
        "Reasons", "What answered was not Gemini. Is there a login page between this computer and the network?"
    ),
    KeyReason.GOOGLE_SAYS: QT_TRANSLATE_NOOP("Reasons", "{why} Google says: {words}"),
    KeyReason.NOT_TRIED_HERE: QT_TRANSLATE_NOOP("Reasons", "Keys can't be tested here."),
}

_PLACES: dict[AnyReason, object] = {
    KeyReason.IN_KEYCHAIN: QT_TRANSLATE_NOOP("Reasons", "Secrets are kept in the system's keychain."),
    KeyReason.IN_DESKTOP_KEYRING: QT_TRANSLATE_NOOP(
        "Reasons", "Secrets are kept in the keyring of your desktop (Secret Service)."
    ),
    KeyReason.IN_MACOS_KEYCHAIN: QT_TRANSLATE_NOOP("Reasons", "Secrets are kept in the macOS keychain."),
    KeyReason.IN_WINDOWS_MANAGER: QT_TRANSLATE_NOOP("Reasons", "Secrets are kept in the Windows Credential Manager."),
    KeyReason.IN_NAMED_KEYCHAIN: QT_TRANSLATE_NOOP("Reasons", "Secrets are kept in {words}."),
    KeyReason.IN_FILE: QT_TRANSLATE_NOOP(
        "Reasons", "{why} Secrets are kept in the file {words}, unencrypted: only you can read it."
    ),
    KeyReason.IN_MEMORY: QT_TRANSLATE_NOOP(
        "Reasons", "{why} Secrets are kept until Chimein ends, and have to be entered again."
    ),
    KeyReason.SECRETS_FILE_UNREADABLE: QT_TRANSLATE_NOOP(
        "Reasons", "{why} {words} can't be read. Fix it, or remove it and start Chimein again."
    ),
    KeyReason.SECRETS_FILE_UNWRITTEN: QT_TRANSLATE_NOOP("Reasons", "{why} {words} can't be written: {more}."),
    KeyReason.NO_KEYCHAIN: QT_TRANSLATE_NOOP("Reasons", "No system keychain found."),
    KeyReason.KEYCHAIN_SILENT: QT_TRANSLATE_NOOP("Reasons", "The keychain did not answer within {words} s."),
    KeyReason.KEYCHAIN_LOCKED: QT_TRANSLATE_NOOP("Reasons", "The keychain is locked, and was not opened."),
    KeyReason.KEYCHAIN_FORGOT: QT_TRANSLATE_NOOP("Reasons", "The keychain did not keep the secret."),
    KeyReason.KEYCHAIN_FAILED: QT_TRANSLATE_NOOP("Reasons", "The keychain failed ({words})."),
}

KEYS: dict[AnyReason, object] = {**_TRIED, **_PLACES}
"""Marked for translation here and translated when they are shown."""
