"""Restores a world from its directory, or creates it from a seed."""

import os
from pathlib import Path

from chimein_gui.sandbox.auth_keys.key_ring import KeyRing
from chimein_gui.sandbox.auth_keys.key_rows import KeyRows
from chimein_gui.sandbox.persistence import NullJournal, SqliteJournal
from chimein_gui.sandbox.seeds.seed import WorldSeed
from chimein_gui.sandbox.seeds.sowing import FindMedia, sow
from chimein_gui.sandbox.timekeeping import Clock
from chimein_gui.sandbox.world.records import StoredMessage
from chimein_gui.sandbox.world.world import World

_SECRET_SIZE = 32


def found_world(state_dir: Path | None, seed: WorldSeed, now: Clock, find_media: FindMedia) -> World:
    """Return the world of a directory, with what the seed adds to it; without a directory, a new one in memory.

    Args:
        state_dir: The directory, or None.
        seed: The initial people, groups and messages.
        now: The clock of the world.
        find_media: Finds the files that the seed's messages name.
    """
    fresh_secret = os.urandom(_SECRET_SIZE)
    if state_dir is None:
        nowhere = NullJournal()
        world = World(nowhere, KeyRing(fresh_secret, KeyRows(nowhere)), now)
    else:
        journal = SqliteJournal(state_dir)
        keys = KeyRing(journal.secret(fresh_secret), KeyRows(journal))
        world = World(journal, keys, now)
        _restore(world)
    sow(world, seed, find_media)
    world.journal.commit()
    world.take_happenings()
    return world


def _restore(world: World) -> None:
    """Read everything from the journal; people and groups first, because messages need them."""
    _restore_people(world)
    for group in world.groups.rows.stored_groups():
        world.groups.restore(group)
    post = world.post
    for message in post.rows.stored_messages():
        post.restore(message)
        _restore_last_sent(world, message)
    for owner_id, entry in post.rows.stored_log():
        post.restore_log(owner_id, entry)
    for owner_id, peer_id, inbox, outbox in post.rows.stored_reads():
        post.box(owner_id).mark_read(peer_id, inbox, outbox)
    for owner_id, peer_id, settings in post.rows.stored_notify():
        post.box(owner_id).thread(peer_id).notify = settings
    for reaction in world.groups.rows.stored_reactions():
        world.reactions.restore(*reaction)


def _restore_people(world: World) -> None:
    directory = world.directory
    for user in directory.rows.stored_users():
        world.restore_user(user)
    for user_id, contact_id in directory.rows.stored_contacts():
        directory.restore_contact(user_id, contact_id)
    for user_id, blocked_id, moment in directory.rows.stored_blocked():
        directory.restore_blocked(user_id, blocked_id, moment)


def _restore_last_sent(world: World, message: StoredMessage) -> None:
    """Set when each member last wrote, for the slow mode."""
    is_own = message.outgoing or message.owner_id < 0
    group = world.groups.find(message.peer_id) if is_own and message.action is None else None
    if group is not None:
        group.people[message.sender_id].last_sent_at = message.sent_at
