"""What is wrong with the model that embeds memories, or with the database that has their index: by name."""

from chimein_gui.domain.notes.reasons import AnyReason


class EmbedderReason(AnyReason):
    """Why memories can't be embedded, and what to do."""

    NO_DIRECTORY = "no directory"
    """The operator has named none."""
    EXTRA_MISSING = "extra missing"
    """`words` is the name of the missing library."""
    MODEL_FILE_MISSING = "model file missing"
    """`words` is its path."""
    MODEL_UNREADABLE = "model unreadable"
    """`words` is the path, `more` the library's words."""
    MODEL_OUTPUT_ODD = "model output odd"
    """It has no output that can be used; `words` is the path."""
    MODEL_FAILED = "local model failed"
    """While it embedded; `words` is the library's."""
    NO_EMBEDDER = "no embedder"
    """This run has none of that kind."""
    VECTORS_ODD = "vectors odd"
    """Too few of them, of several lengths, or not numbers."""

    # PostgreSQL.
    POSTGRES_EXTRA_MISSING = "postgres extra missing"
    """`words` is the name of the missing library."""
    POSTGRES_ADDRESS_ODD = "postgres address odd"
    """The connection string is none; it is not repeated, because it may hold a password."""
    POSTGRES_UNREACHABLE = "postgres unreachable"
    """`words` is what the library says."""
    POSTGRES_NO_VECTOR = "postgres no vector"
    """The server does not have the extension, or this user may not add it."""
    POSTGRES_FAILED = "postgres failed"
    """`words` is what the server says, `more` its code."""
