"""A long text becomes several messages, cut where a reader would pause."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chimein_gui.domain.messages import MAX_MESSAGE_UNITS, TextEntity, utf16_length
from chimein_gui.domain.replies import splitting
from chimein_gui.domain.replies.splitting import Part, split
from tests.support.steps import steps


def texts(text: str, limit: int) -> list[str]:
    return [part.text for part in split(text, (), limit)]


def test_what_fits_is_one_part():
    assert split("a" * MAX_MESSAGE_UNITS) == (Part("a" * MAX_MESSAGE_UNITS),)
    assert [len(part.text) for part in split("a" * (MAX_MESSAGE_UNITS + 1))] == [MAX_MESSAGE_UNITS, 1]


@pytest.mark.parametrize("text", ["", " \n\t ", "\u3000"])
def test_a_blank_text_has_no_parts(text):
    assert split(text) == ()


@pytest.mark.parametrize(
    ("text", "limit", "parts"),
    [
        ("One. Two\nThree.\n\nFour five. Six\nseven", 24, ["One. Two\nThree.", "Four five. Six\nseven"]),
        ("One. Two\nThree. Four five", 16, ["One. Two", "Three. Four five"]),
        ("One two. Three four! Five", 12, ["One two.", "Three four!", "Five"]),
        ("He said “No!” and left", 16, ["He said “No!”", "and left"]),
        ("他说：“好！”我走了。你呢", 9, ["他说：“好！”", "我走了。你呢"]),  # noqa: RUF001 - they are meant
        ("Pay 3.14 now", 8, ["Pay 3.14", "now"]),
        ("one two three", 8, ["one two", "three"]),
        ("one two\u00a0three", 11, ["one", "two\u00a0three"]),
        ("abcdef", 4, ["abcd", "ef"]),
        ("a\r\nb\r\n\r\nc d", 8, ["a\r\nb", "c d"]),
        ("  a b  \n \n  c d  ", 4, ["a b", "c d"]),
        ("abcd\n\nefgh", 4, ["abcd", "efgh"]),
    ],
)
def test_where_a_text_is_cut(text, limit, parts):
    assert texts(text, limit) == parts


def test_a_character_that_is_longer_than_a_part_is_cut_after_all():
    assert texts("e" + "\u0301" * 5, 4) == ["e" + "\u0301" * 3, "\u0301" * 2]


def test_a_limit_without_room_for_an_emoji_is_refused():
    assert texts("😀😀", 2) == ["😀", "😀"]
    with pytest.raises(ValueError, match="room for one"):
        split("😀", (), 1)


def test_entities_are_cut_and_count_from_their_part():
    entities = (TextEntity("bold", 0, 8), TextEntity("text_url", 3, 4, "http://x"), TextEntity("italic", 9, 2))
    assert split("😀 one\n\ntwo", entities, 7) == (
        Part("😀 one", (TextEntity("bold", 0, 6), TextEntity("text_url", 3, 3, "http://x"))),
        Part("two", (TextEntity("italic", 1, 2),)),
    )


def test_a_code_block_is_cut_only_if_it_is_too_long():
    text, code = "Look:\na\n\nb", TextEntity("pre", 6, 4, "py")
    assert split(text, (), 9) == (Part("Look:\na"), Part("b"))
    assert split(text, (code,), 9) == (Part("Look:"), Part("a\n\nb", (TextEntity("pre", 0, 4, "py"),)))
    assert split(text, (code,), 5) == (Part("Look:"), Part("a\n\nb", (TextEntity("pre", 0, 4, "py"),)))


def test_code_counts_last_where_a_paragraph_ends():
    assert texts("a\n\nb\nc\n\nd e", 8) == ["a\n\nb\nc", "d e"]
    code = TextEntity("pre", 5, 6)
    assert [part.text for part in split("a\n\nb\nc\n\nd e", (code,), 8)] == ["a", "b\nc\n\nd e"]
    whole = TextEntity("pre", 0, 11)
    assert [part.text for part in split("a b\n\nc\nd e", (whole,), 8)] == ["a b", "c\nd e"]


def test_a_long_code_block_goes_on_as_code():
    code = "x = 1\n\ny = 2. 0\nz = 3"
    whole = (TextEntity("pre", 0, len(code), "py"),)
    assert split(code, whole, 10) == tuple(
        Part(text, (TextEntity("pre", 0, len(text), "py"),)) for text in ("x = 1", "y = 2. 0", "z = 3")
    )


CLUSTERS = ["a", "é", "漢", "😀", "👨‍👩‍👧", "🇩🇪", "e\u0301", "👍🏽", "❤️", "1️⃣", "क्षि", "\u1112\u1161\u11ab"]
PIECES = [*CLUSTERS, ".", "!”", "。", " ", "\n", "\n\n", "\r\n", "\u00a0", "word"]
LIMITS = st.integers(8, 40)


@st.composite
def formatted_texts(draw):
    """A text, some entities that begin and end at characters, and a limit."""
    text = "".join(draw(st.lists(st.sampled_from(PIECES), max_size=60)))
    ends = [utf16_length(text[:index]) for index in range(len(text) + 1)]
    found = []
    for kind in draw(st.lists(st.sampled_from(["bold", "pre", "text_url"]), unique=True)):
        first, last = sorted((draw(st.sampled_from(ends)), draw(st.sampled_from(ends))))
        if first < last:
            found.append(TextEntity(kind, first, last - first, "x"))
    return text, tuple(found), draw(LIMITS)


def looks(text: str, entities: tuple[TextEntity, ...]) -> list[tuple[str, frozenset[tuple[str, str]]]]:
    """Every character that is no blank, with the formatting over it."""
    found, units = [], 0
    for char in text:
        over = {(one.kind, one.argument) for one in entities if one.offset <= units < one.offset + one.length}
        units += utf16_length(char)
        if not char.isspace():
            found.append((char, frozenset(over)))
    return found


@given(formatted_texts())
def test_all_that_is_no_blank_arrives_in_order_and_looks_the_same(case):
    text, entities, limit = case
    parts = split(text, entities, limit)
    assert [look for part in parts for look in looks(part.text, part.entities)] == looks(text, entities)


@given(formatted_texts())
def test_parts_can_be_sent_as_they_are(case):
    for part in split(*case):
        assert part.text
        assert part.text == part.text.strip()
        assert utf16_length(part.text) <= case[2]
        for one in part.entities:
            assert one.offset >= 0 < one.length
            assert one.offset + one.length <= utf16_length(part.text)


@given(st.text(), st.integers(2, 10))
def test_any_text_can_be_cut(text, limit):
    parts = split(text, (), limit)
    assert "".join("".join(part.text.split()) for part in parts) == "".join(text.split())
    assert all(part.text.strip() and utf16_length(part.text) <= limit for part in parts)


@given(st.lists(st.sampled_from(CLUSTERS), min_size=1), LIMITS)
def test_characters_stay_whole_wherever_the_limit_falls(clusters, limit):
    ends, whole = set(), 0
    for cluster in clusters:
        whole += len(cluster)
        ends.add(whole)
    cut = 0
    for part in split("".join(clusters), (), limit):
        cut += len(part.text)
        assert cut in ends


@pytest.mark.parametrize("piece", ["a", ".", "\n", " a", "🇩🇪", "\u0301", "\u200d", ".”", "\n a"])
def test_hostile_texts_take_work_in_proportion(piece):
    short, long = ["x" + piece * (length // len(piece)) + "x" for length in (20_000, 40_000)]
    assert split(long)
    assert steps(split, long) < 2.3 * steps(split, short)


def test_many_code_blocks_cost_no_more():
    def blocks(count):
        return split("ab\n" * count, tuple(TextEntity("pre", index * 3, 2) for index in range(count)))

    assert sum(len(part.entities) for part in blocks(3_000)) == 3_000
    assert steps(blocks, 4_000) < 2.2 * steps(blocks, 2_000)


PATTERNS = {name: getattr(splitting, name) for name in ("_LINE_END", "_SENTENCE_END", "_WORD_END")}


class CountedReach:
    """A pattern that notes how much text it is shown."""

    def __init__(self, pattern):
        self._pattern = pattern
        self.shown = 0

    def finditer(self, text, start, end):
        self.shown += min(end, len(text)) - start
        return self._pattern.finditer(text, start, end)


@pytest.mark.parametrize("text", ["x", "one two. ", "🇩", "x" * 30 + "\n" + " " * 300, "`", "e\u0301"])
def test_twice_the_text_is_twice_the_work(monkeypatch, text):
    """Each part looks for its end in itself alone; searching the whole rest froze the editor after a paste."""

    def work(length):
        counted = {name: CountedReach(pattern) for name, pattern in PATTERNS.items()}
        with monkeypatch.context() as patch:
            for name, pattern in counted.items():
                patch.setattr(splitting, name, pattern)
            split((text * length)[:length])
        return sum(pattern.shown for pattern in counted.values())

    assert 0 < work(80_000) <= 2.2 * work(40_000)
