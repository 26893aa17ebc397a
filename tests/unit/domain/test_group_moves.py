"""One chat with two peers: what the ids of its messages mean."""

from hypothesis import given
from hypothesis import strategies as st

from chimein_gui.domain.accounts.group_moves import RAISED_BY, GroupMove, GroupMoves, KnownGroups, Span
from chimein_gui.domain.ids import AccountId, MessageId, PeerId

ME, OTHER = AccountId(7_000_000_001), AccountId(7_000_000_002)
GROUP, SUPERGROUP, ELSEWHERE = PeerId(-77), PeerId(-1_000_000_000_042), PeerId(-1_000_000_000_043)
MOVE = GroupMove(ME, GROUP, SUPERGROUP)


def moved() -> GroupMoves:
    return GroupMoves(ME, KnownGroups(moves=(MOVE,)))


def span(peer_id: PeerId, above: int, below: int) -> Span:
    return Span(peer_id, MessageId(above), MessageId(below))


def spans(moves: GroupMoves, peer_id: PeerId, above: int = 0, below: int = 0) -> list[Span]:
    return list(moves.spans(peer_id, above_id=MessageId(above), below_id=MessageId(below)))


def test_a_move_is_news_once() -> None:
    moves = GroupMoves(ME)
    assert moves.is_new(SUPERGROUP)
    assert moves.note(GROUP, SUPERGROUP) == MOVE
    assert moves.note(GROUP, SUPERGROUP) is None
    assert not moves.is_new(SUPERGROUP)
    assert (moves.chat_of(SUPERGROUP), moves.peer_of(GROUP)) == (GROUP, SUPERGROUP)


def test_a_supergroup_with_a_chat_of_its_own_keeps_it() -> None:
    for moves in (GroupMoves(ME, KnownGroups(apart=frozenset({(ME, SUPERGROUP)}))), GroupMoves(ME)):
        moves.stands_alone(SUPERGROUP)
        assert not moves.is_new(SUPERGROUP)
        assert moves.note(GROUP, SUPERGROUP) is None
        assert (moves.chat_of(SUPERGROUP), moves.peer_of(GROUP)) == (SUPERGROUP, GROUP)
        assert moves.raised(SUPERGROUP, 5) == 5


def test_a_group_that_moved_stands_not_alone() -> None:
    moves = moved()
    moves.stands_alone(SUPERGROUP)
    assert moves.chat_of(SUPERGROUP) == GROUP


def test_moves_of_other_accounts_say_nothing() -> None:
    known = KnownGroups(moves=(MOVE,), apart=frozenset({(ME, ELSEWHERE)}))
    moves = GroupMoves(OTHER, known)
    assert moves.is_new(SUPERGROUP)
    assert moves.is_new(ELSEWHERE)
    assert moves.peer_of(GROUP) == GROUP


def test_people_and_basic_groups_are_never_new() -> None:
    assert not GroupMoves(ME).is_new(PeerId(5))
    assert not GroupMoves(ME).is_new(GROUP)


def test_the_ids_of_the_supergroup_follow_all_of_the_group() -> None:
    moves = moved()
    assert moves.raised(SUPERGROUP, 1) == RAISED_BY + 1 > 2**31
    assert moves.raised(GROUP, 2**31 - 1) == 2**31 - 1
    assert moves.raised(SUPERGROUP, 0) == 0


@given(st.sampled_from([GROUP, SUPERGROUP, ELSEWHERE, PeerId(5)]), st.integers(1, 2**31 - 1))
def test_every_message_is_found_where_it_came_from(peer_id: PeerId, raw_id: int) -> None:
    moves = moved()
    assert moves.place_of(moves.chat_of(peer_id), moves.raised(peer_id, raw_id)) == (peer_id, raw_id)


@given(st.integers(0, 9), st.integers(0, 9), st.booleans(), st.booleans())
def test_a_history_holds_what_lies_between(above: int, below: int, high_above: bool, high_below: bool) -> None:
    moves = moved()
    above_id = above + RAISED_BY * high_above
    below_id = below + RAISED_BY * high_below if below else 0
    there = [(GROUP, raw_id) for raw_id in range(1, 9)] + [(SUPERGROUP, raw_id) for raw_id in range(1, 9)]
    wanted = [place for place in there if (our := moves.raised(*place)) > above_id and (not below_id or our < below_id)]
    got = [
        (part.peer_id, raw_id)
        for part in reversed(spans(moves, GROUP, above_id, below_id))
        for raw_id in range(1, 9)
        if raw_id > part.above_id and (not part.below_id or raw_id < part.below_id)
    ]
    assert got == wanted


def test_a_chat_with_one_peer_is_read_as_it_is() -> None:
    assert spans(moved(), ELSEWHERE, 3, 9) == [span(ELSEWHERE, 3, 9)]


def test_messages_are_sorted_by_where_they_lie() -> None:
    ids = [MessageId(5), MessageId(RAISED_BY + 5), MessageId(6)]
    assert moved().by_place(GROUP, ids) == {GROUP: (5, 6), SUPERGROUP: (5,)}
