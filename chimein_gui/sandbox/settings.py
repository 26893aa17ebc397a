"""What an owner has decided about chats: unsent drafts, notifications, which chats stay on top."""

from chimein_gui.sandbox.peers import peer_of
from chimein_gui.sandbox.post import PostOffice
from chimein_gui.sandbox.tl import TLObject, types

_NO_SETTINGS = types.PeerNotifySettings


class ChatSettings:
    """Keeps them in the owners' threads; other sessions of an owner are told of every change."""

    def __init__(self, post: PostOffice) -> None:
        self._post = post

    # -- drafts -------------------------------------------------------------------------------------------------------

    def save_draft(self, owner_id: int, peer_id: int, draft: TLObject | None) -> bool:
        """Set what an owner has begun to write, None for nothing; tells whether that is news."""
        thread = self._post.box(owner_id).thread(peer_id)
        if draft is None and thread.draft is None:
            return False
        thread.draft = draft
        self._post.rows.thread(owner_id, peer_id, thread)
        self._post.tell(owner_id, self.draft_update(owner_id, peer_id), peer_id)
        return True

    def drafts(self, owner_id: int) -> list[int]:
        """Return the chats in which an owner has begun to write."""
        return [peer_id for peer_id, thread in self._post.box(owner_id).threads.items() if thread.draft is not None]

    def draft_update(self, owner_id: int, peer_id: int) -> TLObject:
        """Return the update that tells how a draft stands."""
        draft = self._post.box(owner_id).thread(peer_id).draft
        return types.UpdateDraftMessage(peer_of(peer_id), draft or types.DraftMessageEmpty(self._post.now()))

    # -- notifications ------------------------------------------------------------------------------------------------

    def set_notify(self, owner_id: int, peer_id: int, settings: TLObject) -> None:
        """Set the PeerNotifySettings of a chat."""
        thread = self._post.box(owner_id).thread(peer_id)
        thread.notify = settings
        self._post.rows.thread(owner_id, peer_id, thread)
        update = types.UpdateNotifySettings(types.NotifyPeer(peer_of(peer_id)), settings)
        self._post.tell(owner_id, update, peer_id)

    def set_notify_default(self, owner_id: int, scope: TLObject, settings: TLObject) -> None:
        """Set the PeerNotifySettings of all users, groups or channels; `scope` is NotifyUsers and so on."""
        self._post.box(owner_id).notify_defaults[type(scope).__name__] = settings
        self._post.rows.notify_default(owner_id, type(scope).__name__, settings)
        self._post.tell(owner_id, types.UpdateNotifySettings(scope, settings))

    def notify(self, owner_id: int, peer_id: int) -> TLObject:
        """Return the PeerNotifySettings of a chat; empty where they follow the defaults."""
        known = self._post.box(owner_id).threads.get(peer_id)
        return _NO_SETTINGS() if known is None or known.notify is None else known.notify

    def notify_default(self, owner_id: int, scope: TLObject) -> TLObject:
        """Return the PeerNotifySettings of all users, groups or channels."""
        return self._post.box(owner_id).notify_defaults.get(type(scope).__name__) or _NO_SETTINGS()

    def reset_notify(self, owner_id: int) -> None:
        """Let all chats notify as Telegram presumes."""
        box = self._post.box(owner_id)
        for peer_id, thread in box.threads.items():
            if thread.notify is not None:
                thread.notify = None
                self._post.rows.thread(owner_id, peer_id, thread)
        for scope in box.notify_defaults:
            self._post.rows.notify_default(owner_id, scope, _NO_SETTINGS())
        box.notify_defaults.clear()

    # -- chats on top -------------------------------------------------------------------------------------------------

    def pinned_chats(self, owner_id: int) -> list[int]:
        """Return the chats an owner keeps on top, topmost first."""
        threads = self._post.box(owner_id).threads
        return sorted((peer for peer, thread in threads.items() if thread.pin_rank), key=lambda p: threads[p].pin_rank)

    def pin_chat(self, owner_id: int, peer_id: int, *, pinned: bool) -> None:
        """Keep a chat on top, above the others there, or not any more."""
        others = [other_id for other_id in self.pinned_chats(owner_id) if other_id != peer_id]
        self._rank(owner_id, [peer_id, *others] if pinned else others, peer_id)
        peer = types.DialogPeer(peer_of(peer_id))
        self._post.tell(owner_id, types.UpdateDialogPinned(peer, pinned or None), peer_id)

    def order_pinned(self, owner_id: int, order: list[int]) -> None:
        """Put the chats on top into an order; those it does not name go to its end."""
        rest = [peer_id for peer_id in self.pinned_chats(owner_id) if peer_id not in order]
        self._rank(owner_id, [*order, *rest])
        peers = [types.DialogPeer(peer_of(peer_id)) for peer_id in self.pinned_chats(owner_id)]
        self._post.tell(owner_id, types.UpdatePinnedDialogs(order=peers), *order)

    def _rank(self, owner_id: int, order: list[int], *dropped: int) -> None:
        box = self._post.box(owner_id)
        ranks = {peer_id: rank for rank, peer_id in enumerate(order, 1)}
        for peer_id in dict.fromkeys((*order, *dropped)):
            thread = box.thread(peer_id)
            thread.pin_rank = ranks.get(peer_id, 0)
            self._post.rows.thread(owner_id, peer_id, thread)
