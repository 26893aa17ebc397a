"""Adds a seed to a world: only what is missing is added, and no message twice."""

from collections.abc import Callable

from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.seeds.seed import SeedGroup, SeedLine, SeedUser, WorldSeed
from chimein_gui.sandbox.wire.tl import TLObject, types
from chimein_gui.sandbox.world.records import Draft, StoredMessage, User
from chimein_gui.sandbox.world.world import World

FindMedia = Callable[[str], MediaRef]
"""Returns one of the sandbox's own files by its name; raises LookupError if there is none."""

_MINUTE_S = 60
_FOR_EVER = 2**31 - 1


def sow(world: World, seed: WorldSeed, find_media: FindMedia) -> None:
    """Add what is in the seed and not in the world.

    A chat's past messages are added if someone in it is new; chats of people who all existed before are not changed.

    Raises:
        LookupError: The seed names a file, a person or an earlier message that does not exist.
    """
    newcomers = _welcome(world, seed)
    lines = [line for line in seed.history if _is_news(line, newcomers)]
    _tell(world, lines, find_media)
    _mark_read(world, lines, seed)
    for who, whom in seed.blocked:
        if {who, whom} & newcomers:
            world.directory.block(who, whom, world.now())
    for who, chat in seed.muted:
        if {who, chat} & newcomers:
            world.settings.set_notify(who, chat, types.PeerNotifySettings(mute_until=_FOR_EVER))


def _is_news(line: SeedLine, newcomers: set[int]) -> bool:
    return line.to_id in newcomers or (line.to_id > 0 and line.from_id in newcomers)


def _welcome(world: World, seed: WorldSeed) -> set[int]:
    """Create users, contacts and groups that are missing; return the marked ids of the new ones."""
    new_users = [
        (person, is_partner)
        for people, is_partner in ((seed.accounts, False), (seed.partners, True))
        for person in people
        if person.user_id not in world.users
    ]
    for person, is_partner in new_users:
        world.add_user(_user(person, is_partner=is_partner))
    newcomers = {person.user_id for person, _ in new_users}
    for one, other in seed.contacts:
        for pair in ((one, other), (other, one)):
            # existing users may have removed someone from their contacts
            if newcomers & {one, other} and not world.directory.is_contact(*pair):
                world.add_contact(*pair)
    for group in seed.groups:
        if world.groups.find(group.peer_id) is None:
            _found(world, group)
            newcomers.add(group.peer_id)
        else:
            _join(world, group, newcomers)
    return newcomers


def _found(world: World, seed: SeedGroup) -> None:
    creator, *others = seed.member_ids
    created_at = world.now() - seed.minutes_ago * _MINUTE_S
    group = world.groups.create(creator, seed.title, others, group_id=-seed.peer_id, created_at=created_at)
    if seed.about:
        world.groups.describe(group, seed.about)


def _join(world: World, seed: SeedGroup, newcomers: set[int]) -> None:
    """Add new people to an existing group; those who left or were kicked stay out."""
    group = world.groups.get(seed.peer_id)
    for user_id in seed.member_ids:
        if user_id in newcomers and user_id not in group.people:
            world.groups.add(group, group.creator_id, user_id)


def _tell(world: World, lines: list[SeedLine], find_media: FindMedia) -> None:
    """Send the messages in the order of time, so that ids in a box ascend with it."""
    said: dict[str, StoredMessage] = {}
    albums: dict[str, int] = {}
    for line in sorted(lines, key=lambda line: -line.minutes_ago):
        parent = said[line.reply_to] if line.reply_to else None
        if line.album and line.album not in albums:
            albums[line.album] = world.post.next_album_id()
        sent_at = world.now() - line.minutes_ago * _MINUTE_S
        draft = Draft(
            line.first_text or line.text,
            reply_to_id=world.post.copy_id(parent.uid, line.from_id) if parent else 0,
            media=find_media(line.media) if line.media else None,
            grouped_id=albums.get(line.album, 0),
            forward=_forward(line, sent_at) if line.written_by else None,
        )
        message = world.send(line.from_id, line.to_id, draft, sent_at=sent_at)
        if line.label:
            said[line.label] = message
        if line.first_text:
            world.edit(line.from_id, message.message_id, line.text, ())
        for who, emoji in line.reactions:
            copy = world.box(who).live(world.post.copy_id(message.uid, who))
            assert copy is not None  # it was delivered just now
            world.reactions.give(copy, (types.ReactionEmoji(emoji),))


def _forward(line: SeedLine, sent_at: int) -> TLObject:
    return types.MessageFwdHeader(date=sent_at - _MINUTE_S, from_id=types.PeerUser(line.written_by))


def _mark_read(world: World, lines: list[SeedLine], seed: WorldSeed) -> None:
    """Mark everything as read but what the seed leaves unread."""
    unread = {(reader, chat): count for reader, chat, count in seed.unread}
    readers = {(line.to_id, line.from_id): None for line in lines if line.to_id > 0}
    groups = {line.to_id: None for line in lines if line.to_id < 0}
    readers |= {(member, group): None for group in groups for member in world.groups.get(group).member_ids}
    for reader, chat in readers:
        ids = world.box(reader).thread(chat).ids
        up_to = len(ids) - unread.get((reader, chat), 0)
        if up_to > 0:
            world.read(reader, chat, ids[up_to - 1])


def _user(person: SeedUser, *, is_partner: bool) -> User:
    return User(
        person.user_id,
        person.first_name,
        person.last_name,
        person.phone.removeprefix("+"),
        person.username,
        is_partner=is_partner,
        about=person.about,
        is_bot=person.is_bot,
    )
