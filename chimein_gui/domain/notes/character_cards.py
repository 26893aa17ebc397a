"""Why a character card was not taken or written: by name."""

from chimein_gui.domain.notes.reasons import AnyReason


class CardReason(AnyReason):
    """Why a character card was not taken or written."""

    TOO_LARGE = "card too large"
    """`number` is how many MB there may be."""
    NO_FILE = "card no file"
    """`words` is the system's."""
    NO_CARD = "no card"
    PICTURE_WITHOUT_CARD = "picture without card"
    LOREBOOK = "lorebook"
    CHAT = "chat"
    CUT_OFF = "card cut off"
    CHECKSUM = "card checksum"
    """`words` is the name of the PNG's part."""
    TOO_MANY_PARTS = "card too many parts"
    NOT_BASE64 = "card not base64"
    NOT_UTF8 = "card not utf-8"
    NOT_JSON = "card not json"
    TOO_DEEP = "card too deep"
    ARCHIVE_BROKEN = "card archive broken"
    ARCHIVE_PATH = "card archive path"
    """`words` is the name of the part that leads out of the archive."""
    UNPACKED_TOO_LARGE = "card unpacked too large"
    """`number` is how many MB there may be."""
    TEXT_TOO_LONG = "card text too long"
    """`number` is how many characters there may be."""
    NOT_WRITTEN = "card not written"
    """`words` is the file, `more` is what the system says."""
    NO_ORIGINAL = "card no original"
