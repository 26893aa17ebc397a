"""The data of a new world."""

from dataclasses import dataclass

_DAY_MINUTES = 24 * 60
_NORA_ID = 7_000_000_001
_MARTA_ID = 7_000_005_001


@dataclass(frozen=True, slots=True)
class SeedUser:
    """A user to create.

    Attributes:
        phone: With or without a plus; from the +999 66 test range, empty for none.
        about: Their profile text.
        password: Password of two-step verification, which a log-in needs; empty for none.
        password_hint: The hint for the password.
    """

    user_id: int
    first_name: str
    last_name: str = ""
    phone: str = ""
    username: str = ""
    about: str = ""
    is_bot: bool = False
    password: str = ""
    password_hint: str = ""


@dataclass(frozen=True, slots=True)
class SeedGroup:
    """A basic group to create.

    Attributes:
        peer_id: Marked, negative.
        member_ids: The first one is the creator.
        minutes_ago: Age in minutes when the world is created.
    """

    peer_id: int
    title: str
    member_ids: tuple[int, ...]
    about: str = ""
    minutes_ago: int = 90 * _DAY_MINUTES


@dataclass(frozen=True, slots=True)
class SeedLine:
    """A past message.

    Attributes:
        to_id: A user, or a group's marked id.
        minutes_ago: Age in minutes when the world is created.
        label: Name for `reply_to`; empty for none.
        reply_to: Label of an earlier message; empty for none.
        first_text: The text before an edit; empty if it was not edited.
        media: Name of a file or sticker in the sandbox's library, with the text as caption; empty for a text alone.
        album: Messages with the same name form one album; empty for none.
        written_by: The original author of a forwarded message; 0 if it is not forwarded.
        reactions: (user id, emoji).
    """

    from_id: int
    to_id: int
    text: str
    minutes_ago: int
    label: str = ""
    reply_to: str = ""
    first_text: str = ""
    media: str = ""
    album: str = ""
    written_by: int = 0
    reactions: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class WorldSeed:
    """The initial content of a world.

    Attributes:
        accounts: Users that the product logs in as.
        partners: Users that the sandbox plays.
        contacts: Pairs of users who have each other as contacts.
        history: Messages, oldest first within each chat.
        groups: Groups of these users.
        unread: (reader, chat, number of the newest messages they have not read); everything else is read.
        blocked: (user, whom they have blocked).
        muted: (user, muted chat).
    """

    accounts: tuple[SeedUser, ...]
    partners: tuple[SeedUser, ...]
    contacts: tuple[tuple[int, int], ...] = ()
    history: tuple[SeedLine, ...] = ()
    groups: tuple[SeedGroup, ...] = ()
    unread: tuple[tuple[int, int, int], ...] = ()
    blocked: tuple[tuple[int, int], ...] = ()
    muted: tuple[tuple[int, int], ...] = ()


DEFAULT_SEED = WorldSeed(
    accounts=(SeedUser(_NORA_ID, "Nora", "Vale", "+9996621001", "nora_vale_box"),),
    partners=(SeedUser(_MARTA_ID, "Marta", "Oliveira", "+9996625001", "marta_oliveira_box"),),
    contacts=((_NORA_ID, _MARTA_ID),),
    history=(
        SeedLine(_MARTA_ID, _NORA_ID, "Hey Nora! Are you still coming to the lake on Saturday?", 4 * _DAY_MINUTES + 30),
        SeedLine(_NORA_ID, _MARTA_ID, "Of course. I bring the coffee, you bring the cake.", 4 * _DAY_MINUTES + 22),
        SeedLine(_MARTA_ID, _NORA_ID, "Deal 🍰 The one with plums.", 4 * _DAY_MINUTES + 20),
        SeedLine(_MARTA_ID, _NORA_ID, "That was such a good day, thank you!", 2 * _DAY_MINUTES + 90),
        SeedLine(_NORA_ID, _MARTA_ID, "It was. Next time we rent the little boat.", 2 * _DAY_MINUTES + 70),
    ),
)
"""One account, one partner, a few past messages."""
