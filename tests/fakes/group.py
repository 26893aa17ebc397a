"""A small group of people and several of our accounts; each account has its own connection."""

from __future__ import annotations

from dataclasses import dataclass

from chimein_gui.domain.accounts.group_moves import NO_GROUPS, KnownGroups
from chimein_gui.domain.agents import Agent
from chimein_gui.domain.chats import ChatInfo, ChatKind
from chimein_gui.domain.ids import AccountId, MessageId, PeerId, UserId
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.engine.ports import AccountIdentity, DialogInfo, GatewayListener, SendRequest, SentReceipt
from tests.fakes.clock import VirtualClock
from tests.fakes.telegram import FakeGateway, FakeTelegram

GROUP = PeerId(-4711)


@dataclass(frozen=True)
class Post:
    """One message of the group."""

    number: int
    sender: int
    text: str
    reply_to: MessageId | None


class FakeGroup(FakeTelegram):
    """The group; `factory` makes an agent's gateway with the account of the agent's name."""

    def __init__(self, clock: VirtualClock, accounts: dict[str, AccountId]) -> None:
        super().__init__(clock)
        self.accounts = accounts
        self.posts: list[Post] = []
        self.online: dict[AccountId, GroupGateway] = {}

    def factory(self, agent: Agent) -> FakeGateway:
        return GroupGateway(self, self.accounts[agent.spec.name])

    def says(self, text: str, by: int, reply_to: MessageId | None = None) -> Post:
        """Report a message to every connected account of ours, except the one that sent it by a request."""
        return self.post(text, by, reply_to, caller=None)

    def post(self, text: str, by: int, reply_to: MessageId | None, *, caller: AccountId | None) -> Post:
        post = Post(len(self.posts) + 1, by, text, reply_to)
        self.posts.append(post)
        for account, gateway in self.online.items():
            if account != caller and gateway.listener is not None:
                gateway.listener.message_arrived(group_info(account), self.seen_by(post, account))
        return post

    def seen_by(self, post: Post, account: AccountId) -> Message:
        return Message(
            key=MessageKey(account, GROUP, MessageId(post.number)),
            sender_id=UserId(post.sender),
            sender_name=str(post.sender),
            out=post.sender == account,
            sent_at=self.clock.now(),
            text=post.text,
            reply_to_id=post.reply_to,
        )

    def texts(self) -> list[str]:
        return [post.text for post in self.posts]


class GroupGateway(FakeGateway):
    """One account's connection."""

    def __init__(self, group: FakeGroup, account: AccountId) -> None:
        super().__init__(group)
        self._group = group
        self._account = account

    async def connect(self, listener: GatewayListener, groups: KnownGroups = NO_GROUPS) -> AccountIdentity:
        self.listener = listener
        self._group.online[self._account] = self
        return AccountIdentity(self._account, str(self._account), (), "")

    async def disconnect(self) -> None:
        await super().disconnect()
        self._group.online.pop(self._account, None)

    async def dialogs(self) -> tuple[DialogInfo, ...]:
        top = MessageId(len(self._group.posts))
        return (DialogInfo(group_info(self._account), top, MessageId(0), MessageId(0)),) if top else ()

    async def history(
        self, peer_id: PeerId, *, limit: int, above_id: MessageId = MessageId(0), below_id: MessageId = MessageId(0)
    ) -> tuple[Message, ...]:
        posts = [one for one in self._group.posts if above_id < one.number < (below_id or one.number + 1)]
        return tuple(self._group.seen_by(post, self._account) for post in posts[-limit:])

    async def send_text(self, request: SendRequest) -> SentReceipt:
        def store() -> Message:
            post = self._group.post(request.text, self._account, request.reply_to_id, caller=self._account)
            return self._group.seen_by(post, self._account)

        self._note(self._group.requests, request)
        return await self._answer(lambda: self._deliver(request.random_id, store))


def group_info(account: AccountId) -> ChatInfo:
    return ChatInfo(account, GROUP, ChatKind.GROUP, "the lake")
