"""Checks a key as it is typed, before any service is asked."""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication

API_HASH_LENGTH = 32
MOST_API_ID_DIGITS = 10
LEAST_MODEL_KEY = 20

_KEY_LETTERS = re.compile(r"[A-Za-z0-9._\-]+")

translate = QCoreApplication.translate


def model_key_problem(text: str) -> str:
    """Return why a Gemini API key looks wrong; empty if it does not, or nothing is typed."""
    key = text.strip()
    if not key:
        return ""
    if not _KEY_LETTERS.fullmatch(key):
        return translate("KeyInputs", "A key has only letters, digits, dots, dashes and underscores, without spaces.")
    if len(key) < LEAST_MODEL_KEY:
        count = len(key)
        return translate("KeyInputs", "This key looks too short: %n character(s).", "", count)
    return ""


def api_id_problem(text: str) -> str:
    """Return why an api_id is wrong; empty if it is not, or nothing is typed."""
    number = text.strip()
    if not number:
        return ""
    if not (number.isascii() and number.isdecimal()):
        return translate("KeyInputs", "An API ID has only digits.")
    if len(number) > MOST_API_ID_DIGITS or not int(number):
        return translate("KeyInputs", "An API ID has at most %n digit(s) and is not 0.", "", MOST_API_ID_DIGITS)
    return ""


def api_hash_problem(text: str) -> str:
    """Return why an api_hash is wrong; empty if it is not, or nothing is typed."""
    given = text.strip()
    if not given:
        return ""
    if not re.fullmatch(r"[0-9A-Fa-f]+", given):
        return translate("KeyInputs", "An API hash has only the digits 0 to 9 and the letters a to f.")
    if len(given) != API_HASH_LENGTH:
        words = translate("KeyInputs", "An API hash has {all} hexadecimal characters; this one has {n}.")
        return words.format(all=API_HASH_LENGTH, n=len(given))
    return ""


def postgres_problem(text: str) -> str:
    """Return why a connection string of PostgreSQL is wrong; empty if it is not, or nothing is typed."""
    given = text.strip()
    if not given or re.fullmatch(r"postgres(ql)?://[!-~]+", given):
        return ""
    return translate("KeyInputs", "It looks like postgresql://user:password@host/database, without spaces.")


def application_problem(api_id: str, api_hash: str) -> str:
    """Return why the pair is wrong or incomplete; empty if it is not, or nothing is typed."""
    wrong = api_id_problem(api_id) or api_hash_problem(api_hash)
    if wrong or bool(api_id.strip()) is bool(api_hash.strip()):
        return wrong
    return translate("KeyInputs", "Both are needed: the API ID and the API hash.")
