"""Performs a scene's actions in the world: people write, edit, react, read and type."""

from collections.abc import Callable

from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.scenes.fields import SceneError
from chimein_gui.sandbox.scenes.script import Answers, Delete, Edit, React, Read, Say, Scene, Type, Wait
from chimein_gui.sandbox.scenes.stage import WrittenDown
from chimein_gui.sandbox.seeds.made_up_accounts import company_in
from chimein_gui.sandbox.views.update_hub import Hub
from chimein_gui.sandbox.wire.tl import types
from chimein_gui.sandbox.world.records import Draft, StoredMessage
from chimein_gui.sandbox.world.world import World
from chimein_gui.sandbox_api import SceneFault

ROLES = ("a persona", "a friend", "another friend")
"""Roles in a cast without a name: the operator's own persona, and those who write to it in its language."""

Act = Say | Edit | Delete | React | Read | Type

FindMedia = Callable[[str], MediaRef]
"""Returns a file of the sandbox's library by its name; raises LookupError if there is none."""


class LineError(LookupError):
    """A line of a scene can't be played.

    Attributes:
        fault: Why, by name.
        said: What belongs to it.
    """

    def __init__(self, fault: SceneFault, *said: str) -> None:
        """Create the error with what belongs to the fault."""
        super().__init__(fault, *said)
        self.fault, self.said = fault, said


class Actors:
    """Maps the cast to users, labels to messages, and keeps the accounts' answers.

    Raises:
        SceneError: Someone of the cast does not exist in the world.
    """

    def __init__(self, scene: Scene, world: World, hub: Hub, find_media: FindMedia, written: WrittenDown) -> None:
        self._world = world
        self._hub = hub
        self._find_media = find_media
        self._written = written
        self._peers = _peers_of(scene, world)
        self._names = {peer_id: name for name, peer_id in self._peers.items()}
        self._said: dict[str, StoredMessage] = {}
        self._answers: dict[tuple[int, int], StoredMessage] = {}

    def peer_id(self, name: str) -> int:
        """Return the marked id of someone in the cast; of a migrated group, that of its supergroup."""
        return self._world.groups.present(self._peers[name])

    def name_of(self, peer_id: int) -> str:
        """Return the short name of someone in the cast; empty for anybody else."""
        return self._names.get(peer_id, "")

    def remember(self, label: str, message: StoredMessage) -> None:
        """Store a message under a label, for later lines; an empty label stores nothing."""
        if label:
            self._said[label] = message

    # -- what the accounts answer -------------------------------------------------------------------------------------

    def hear(self, message: StoredMessage) -> None:
        """Store an account's message as an answer; `message` is the writer's own copy."""
        self._answers[message.sender_id, message.peer_id] = message

    def answer(self, wait: Wait) -> StoredMessage | None:
        """Return the newest message of someone in a chat since the scene's last line there; None if there is none."""
        return self._answers.get((self.peer_id(wait.who), self.peer_id(wait.chat)))

    def _ask(self, who: int, to: int) -> None:
        """Drop earlier answers in a chat, because a new line has been said there."""
        if to > 0:
            self._answers.pop((to, who), None)
            return
        for writer, chat in [key for key in self._answers if key[1] == to and key[0] != who]:
            del self._answers[writer, chat]

    # -- what people do -----------------------------------------------------------------------------------------------

    def do(self, act: Act, label: str) -> None:
        """Perform an action and push it to connected clients.

        Raises:
            LineError: The message or file it refers to does not exist, or someone is not in the group.
        """
        if isinstance(act, Say):
            message = self._say(act)
            self.remember(label, message)
            self._write_down(message, act.answers)
        elif isinstance(act, Edit):
            message = self._present(act.message)
            self._world.edit(message.owner_id, message.message_id, act.text, ())
            self._write_down(message, act.answers)
        elif isinstance(act, Delete):
            message = self._present(act.message)
            self._world.delete(message.owner_id, [message.message_id], revoke=True)
        elif isinstance(act, React):
            self._react(act)
        elif isinstance(act, Read):
            self._world.read(self.peer_id(act.who), self.peer_id(act.chat), 0)
        else:
            self._world.typing(self.peer_id(act.who), self.peer_id(act.to), types.SendMessageTypingAction())
        self._hub.settle()

    def _say(self, act: Say) -> StoredMessage:
        who, to = self.peer_id(act.who), self.peer_id(act.to)
        parent = self._labelled(act.reply_to) if act.reply_to else None
        draft = Draft(
            text=act.text,
            reply_to_id=self._world.post.copy_id(parent.uid, who) if parent else 0,
            media=self._media(act.media) if act.media else None,
            reply_to_peer_id=parent.peer_id if parent and parent.peer_id < 0 else 0,
        )
        self._ask(who, to)
        try:
            return self._world.send(who, to, draft)
        except LookupError:
            raise LineError(SceneFault.NOT_A_MEMBER, act.who, act.to) from None

    def _media(self, name: str) -> MediaRef:
        try:
            return self._find_media(name)
        except LookupError:
            raise LineError(SceneFault.NO_MEDIA, name) from None

    def _write_down(self, message: StoredMessage, answers: Answers) -> None:
        """Give the model the answers to a message, by persona.

        Raises:
            LineError: The message is in a group and the answer names nobody.
        """
        for name, variants in answers:
            persona_id = self.peer_id(name) if name else message.peer_id
            if persona_id not in self._world.users:
                raise LineError(SceneFault.ANSWER_OF_NOBODY)
            copy_id = self._world.post.copy_id(message.uid, persona_id)
            self._written.tell(self._world.users[persona_id].name, message.sender_id, copy_id, variants)

    def _react(self, act: React) -> None:
        who = self._peers[act.who]
        message = self._labelled(act.message)
        copy = self._world.live(who, message.peer_id, self._world.post.copy_id(message.uid, who))
        if copy is None:
            raise LineError(SceneFault.NOT_RECEIVED, act.who, act.message)
        self._world.reactions.give(copy, (types.ReactionEmoji(act.emoji),))

    def _labelled(self, label: str) -> StoredMessage:
        message = self._said.get(label)
        if message is None:
            raise LineError(SceneFault.NOT_SAID, label)
        return message

    def _present(self, label: str) -> StoredMessage:
        """Return the writer's own copy of the message with a label.

        Raises:
            LineError: It does not exist or has been deleted.
        """
        message = self._labelled(label)
        if self._world.box(message.owner_id).live(message.message_id) is None:
            raise LineError(SceneFault.GONE, label)
        return message


def _peers_of(scene: Scene, world: World) -> dict[str, int]:
    known = {group.title: group.peer_id for group in world.groups.all()}
    known |= {user.name: user.user_id for user in reversed(world.users.values())}
    company = company_in(world)
    roles = dict(zip(ROLES, (company.account_id, *company.friend_ids), strict=False))
    known |= {role: user_id for role, user_id in roles.items() if user_id in world.users}
    peers = {}
    for name, (full_name, line) in scene.cast.items():
        if full_name not in known:
            raise SceneError(scene.path, line, SceneFault.NOBODY, full_name)
        peers[name] = known[full_name]
    return peers
