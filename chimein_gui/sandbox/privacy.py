"""Who may see or do what with somebody: Telegram's privacy rules, read in Telegram's order."""

from collections.abc import Callable, Iterator

from chimein_gui.sandbox.directory import Directory
from chimein_gui.sandbox.tl import TLObject, types

PHONE, BY_PHONE, STATUS, INVITES, FORWARDS = "PhoneNumber", "AddedByPhone", "StatusTimestamp", "ChatInvite", "Forwards"
"""Topics as in the names of Telegram's InputPrivacyKey… types."""

PORTRAIT = "ProfilePhoto"
"""The topic of profile photos."""

NEW_CHATS = "new chats"
"""The setting (GlobalPrivacySettings) that says who may write for the first time."""

_ON_CONTACTS = (types.PrivacyValueAllowContacts, types.PrivacyValueDisallowContacts)
_ON_ALL = (types.PrivacyValueAllowAll, types.PrivacyValueDisallowAll)
_ALLOWING = (types.PrivacyValueAllowUsers, types.PrivacyValueAllowContacts, types.PrivacyValueAllowAll)


def allows(directory: Directory, owner_id: int, topic: str, other_id: int) -> bool:
    """Whether the owner's rules of a topic let somebody: named people first, then contacts, then everybody."""
    if owner_id == other_id:
        return True
    rules = directory.rules(owner_id, topic)
    return next(_verdicts(directory, owner_id, other_id, rules), False)


def shows_portrait(directory: Directory, owner_id: int, viewer_id: int) -> bool:
    """Whether somebody sees the owner's profile photo: nobody does whom the owner has blocked."""
    return not directory.has_blocked(owner_id, viewer_id) and allows(directory, owner_id, PORTRAIT, viewer_id)


def may_write(directory: Directory, sender_id: int, recipient_id: int, knows: Callable[[], bool]) -> bool:
    """Whether somebody may write to somebody.

    Args:
        directory: Who wants what.
        sender_id: Who writes.
        recipient_id: To whom.
        knows: Tells whether the recipient has written to the sender before; asked only where it decides.
    """
    setting = directory.setting(recipient_id, NEW_CHATS)
    if setting is None or not setting.new_noncontact_peers_require_premium or sender_id == recipient_id:
        return True
    return directory.users[sender_id].is_premium or directory.is_contact(recipient_id, sender_id) or knows()


def _verdicts(directory: Directory, owner_id: int, other_id: int, rules: tuple[TLObject, ...]) -> Iterator[bool]:
    """Give the verdict of every rule that speaks of somebody, the most particular first."""
    kinds = [rule for rule in rules if other_id in getattr(rule, "users", ())]
    if directory.is_contact(owner_id, other_id):
        kinds += [rule for rule in rules if isinstance(rule, _ON_CONTACTS)]
    kinds += [rule for rule in rules if isinstance(rule, _ON_ALL)]
    return (isinstance(rule, _ALLOWING) for rule in kinds)
