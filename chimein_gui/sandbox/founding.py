"""How a world comes to be: read back from its directory, or made from a seed."""

import os
from pathlib import Path

from chimein_gui.sandbox.keys import KeyRing
from chimein_gui.sandbox.persistence import NullJournal, SqliteJournal
from chimein_gui.sandbox.records import User
from chimein_gui.sandbox.seed import SeedUser, WorldSeed
from chimein_gui.sandbox.timekeeping import Clock
from chimein_gui.sandbox.world import Draft, World

_SECRET_SIZE = 32
_MINUTE_S = 60


def found_world(state_dir: Path | None, seed: WorldSeed, now: Clock) -> World:
    """Return the world of a directory, with whoever the seed adds to it; without a directory a fresh one in memory."""
    fresh_secret = os.urandom(_SECRET_SIZE)
    if state_dir is None:
        world = World(NullJournal(), KeyRing(fresh_secret, {}), now)
    else:
        journal = SqliteJournal(state_dir)
        keys = KeyRing(journal.secret(fresh_secret), journal.stored_generations())
        world = World(journal, keys, now)
        _restore(world, journal)
    _sow(world, seed)
    world.journal.commit()
    world.happenings.clear()
    return world


def _restore(world: World, journal: SqliteJournal) -> None:
    for user in journal.stored_users():
        world.restore_user(user)
    world.contacts.update(journal.stored_contacts())
    for message in journal.stored_messages():
        world.restore_message(message)
    for owner_id, entry in journal.stored_log():
        world.box(owner_id).log.append(entry)
    for owner_id, peer_id, inbox, outbox in journal.stored_reads():
        thread = world.box(owner_id).thread(peer_id)
        thread.read_inbox, thread.read_outbox = inbox, outbox


def _sow(world: World, seed: WorldSeed) -> None:
    """Add what the seed names and the world lacks; a past is only told to a world without one."""
    is_fresh = not world.users
    for people, is_partner in ((seed.accounts, False), (seed.partners, True)):
        for person in people:
            if person.user_id not in world.users:
                world.add_user(_user(person, is_partner=is_partner))
    for one, other in seed.contacts:
        for pair in ((one, other), (other, one)):
            if pair not in world.contacts:
                world.add_contact(*pair)
    if is_fresh:
        _tell_past(world, seed)


def _tell_past(world: World, seed: WorldSeed) -> None:
    for line in seed.history:
        sent_at = world.now() - line.minutes_ago * _MINUTE_S
        world.send(line.from_id, line.to_id, Draft(line.text), sent_at=sent_at)
    for line in seed.history:
        world.read(line.to_id, line.from_id, 0)


def _user(person: SeedUser, *, is_partner: bool) -> User:
    phone = person.phone.removeprefix("+")
    return User(person.user_id, person.first_name, person.last_name, phone, person.username, is_partner=is_partner)
