"""The table of second factors."""

from chimein_gui.sandbox.persistence.journal import Journal
from chimein_gui.sandbox.sign_in.passwords import Password

_SCHEMA = """
CREATE TABLE IF NOT EXISTS passwords (
    user_id INTEGER PRIMARY KEY, salt1 BLOB, salt2 BLOB, verifier BLOB, hint TEXT);
"""


class PasswordRows:
    """Writes and reads passwords; a removed password stays as a row without a verifier."""

    def __init__(self, journal: Journal) -> None:
        journal.prepare(_SCHEMA)
        self._journal = journal

    def put(self, user_id: int, password: Password | None) -> None:
        """Store a user's password, or its removal with None."""
        kept = password or Password(b"", b"", b"")
        row = (user_id, kept.salt1, kept.salt2, kept.verifier, kept.hint)
        self._journal.write("INSERT OR REPLACE INTO passwords VALUES (?, ?, ?, ?, ?)", row)

    def stored(self) -> dict[int, Password | None]:
        """Return the passwords of all users who ever had one; None for a removed one."""
        return {
            user_id: Password(salt1, salt2, verifier, hint) if verifier else None
            for user_id, salt1, salt2, verifier, hint in self._journal.read(
                "SELECT user_id, salt1, salt2, verifier, hint FROM passwords"
            )
        }
