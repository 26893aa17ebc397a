"""What came of trying a key, and where secrets are kept: by name."""

from chimein_gui.domain.notes.reasons import AnyReason


class KeyReason(AnyReason):
    """What is so, and what to do."""

    # Of a key that was tried.
    KEY_WORKS = "key works"
    """With `number` models."""
    DEFAULT_NOT_AMONG_THEM = "default not among them"
    """The cause is that the key works; `words` is the model that answers for agents that name none."""
    NO_WRITING_MODEL = "no writing model"
    KEY_MISSING = "key missing"
    KEY_NOT_VALID = "key not valid"
    KEY_REFUSED = "key refused"
    KEY_RESTRICTED = "key restricted"
    API_SWITCHED_OFF = "api switched off"
    REGION_NOT_SERVED = "region not served"
    QUOTA_USED_UP = "quota used up"
    GEMINI_SILENT = "gemini silent"
    GEMINI_UNREACHABLE = "gemini unreachable"
    GEMINI_LATER = "gemini later"
    """`number` is the HTTP status."""
    GEMINI_REFUSES = "gemini refuses"
    """`number` is the HTTP status."""
    OTHER_ANSWERED = "other answered"
    GOOGLE_SAYS = "google says"
    """`words` are Google's; the cause is what they mean."""
    NOT_TRIED_HERE = "not tried here"

    # Where secrets are kept.
    IN_KEYCHAIN = "in keychain"
    IN_DESKTOP_KEYRING = "in desktop keyring"
    IN_MACOS_KEYCHAIN = "in macos keychain"
    IN_WINDOWS_MANAGER = "in windows manager"
    IN_NAMED_KEYCHAIN = "in named keychain"
    """`words` is its name."""
    IN_FILE = "in file"
    """`words` is its path, the cause why they are in no keychain."""
    IN_MEMORY = "in memory"
    """The cause is why they are nowhere else."""
    SECRETS_FILE_UNREADABLE = "secrets file unreadable"
    """`words` is its path; the cause is what is wrong with the keychain."""
    SECRETS_FILE_UNWRITTEN = "secrets file unwritten"
    """`words` is its path, `more` the system's words; the cause is what is wrong with the keychain."""

    # What is wrong with the keychain.
    NO_KEYCHAIN = "no keychain"
    KEYCHAIN_SILENT = "keychain silent"
    """For `words` seconds."""
    KEYCHAIN_LOCKED = "keychain locked"
    KEYCHAIN_FORGOT = "keychain forgot"
    KEYCHAIN_FAILED = "keychain failed"
    """`words` is the name of the error."""
