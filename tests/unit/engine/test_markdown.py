"""Markdown becomes text and formatting; what is no mark arrives as it was written."""

from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chimein_gui.domain.messages import TextEntity, utf16_length
from chimein_gui.engine.text.markdown import formatted
from tests.support.steps import steps

MARKS = "*_~`|[]>()\\"


def covered(text: str, entity: TextEntity) -> str:
    raw = text.encode("utf-16-le", "surrogatepass")
    return raw[entity.offset * 2 : (entity.offset + entity.length) * 2].decode("utf-16-le", "surrogatepass")


def shown(markdown: str) -> tuple[str, list[tuple[str, str, str]]]:
    text, entities = formatted(markdown)
    return text, [(one.kind, covered(text, one), one.argument) for one in entities]


@pytest.mark.parametrize(
    ("markdown", "text", "kind", "inside", "argument"),
    [
        ("so **very** nice", "so very nice", "bold", "very", ""),
        ("so *very* nice", "so very nice", "italic", "very", ""),
        ("so ~~very~~ nice", "so very nice", "strike", "very", ""),
        ("so ||very|| nice", "so very nice", "spoiler", "very", ""),
        ("so `very` nice", "so very nice", "code", "very", ""),
        ("`` a`b ``", "a`b", "code", "a`b", ""),
        ("```one line```", "one line", "code", "one line", ""),
        ("```no language\na\n```", "no language\na\n", "code", "no language\na", ""),
        ("see [here](https://x.org/a_(b)?c=*d*)", "see here", "text_url", "here", "https://x.org/a_(b)?c=*d*"),
        ('[a](<tg://user?id=5> "title")', "a", "text_url", "a", "tg://user?id=5"),
        ("a\n```py\n x = '*1*'\n\ny\n```\nb", "a\n x = '*1*'\n\ny\nb", "pre", " x = '*1*'\n\ny", "py"),
        ("```\na\n```py\nb\n```", "a\n```py\nb", "pre", "a\n```py\nb", ""),
        ("~~~~\n```\n~~~~", "```", "pre", "```", ""),
        ("- a\n  ```c++\n  b\n    c\n  ```", "- a\nb\n  c", "pre", "b\n  c", "c++"),
        ("> yours\n>\n> and more\nmine", "yours\n\nand more\nmine", "blockquote", "yours\n\nand more", ""),
        ("> > deep", "> deep", "blockquote", "> deep", ""),
        ("这是**重点**内容", "这是重点内容", "bold", "重点", ""),
        ("**강조(x)**는", "강조(x)는", "bold", "강조(x)", ""),
        ("**a **b** c**", "a b c", "bold", "a b c", ""),
        ("*a\nb*", "a\nb", "italic", "a\nb", ""),
        ("```\n  a\n\n```\n", "  a\n\n", "pre", "a", ""),
    ],
)
def test_each_mark_becomes_one_entity(markdown, text, kind, inside, argument):
    assert shown(markdown) == (text, [(kind, inside, argument)])


@pytest.mark.parametrize(
    ("markdown", "text", "entities"),
    [
        ("***a***", "a", [("bold", "a", ""), ("italic", "a", "")]),
        ("**a _b_**", "a b", [("bold", "a b", ""), ("italic", "b", "")]),
        ("> a `b` c", "a b c", [("blockquote", "a b c", ""), ("code", "b", "")]),
        ("**[a](tg://x)**", "a", [("bold", "a", ""), ("text_url", "a", "tg://x")]),
        ("**a `b` c**", "a b c", [("bold", "a ", ""), ("code", "b", ""), ("bold", " c", "")]),
        ("**`b`**", "b", [("code", "b", "")]),
        ("||a `b`||", "a b", [("spoiler", "a b", "")]),
        ("||a **b**||", "a b", [("spoiler", "a b", ""), ("bold", "b", "")]),
        (
            "> ```\n> **a**\n> ```\n> *b*",
            "**a**\nb",
            [("blockquote", "**a**\nb", ""), ("pre", "**a**", ""), ("italic", "b", "")],
        ),
    ],
)
def test_marks_inside_marks(markdown, text, entities):
    assert shown(markdown) == (text, entities)


@pytest.mark.parametrize(
    "text",
    [
        "my__init__func and __init__ and a_b_c",
        "2*3*4, x**2 + y**2, a ~~ b, 5* and 4*",
        "char* a, char* b; f(*args, **kwargs)",
        "(*) a*, or *a (*",
        "文_件_名 and हिन्दी*अ*",
        "- a\n* b\n+ c\n1. d\n\n\n   e\n# f\n---\n***",
        "<b>a</b> &amp; <https://x.org>",
        "| a || b |\na || b",
        "|||a||| ||b|||",
        "https://x.org/_a_/b and https://x.org/*c",
        "¯\\_(ツ)_/¯ and \\*a\\*",
        ">:( and >.<\n>_>",
        "> \n>",
        "```\nopen",
        "```\n\n```",
        "` ` and ** ** and |||| and ****",
        "[a](javascript:alert) [a](/b) [a]() [](http://x) [ ](http://x) [1]",
        "![a](http://x.org/y.png)",
        "*a\n\nb* and _c",
        "~one~ ~~~two~~~ ****three****",
        "a\r\n\tb\x00\r\n",
    ],
)
def test_what_is_no_mark_arrives_as_it_was_written(text):
    assert formatted(text) == (text, ())


@given(st.text(st.characters(exclude_characters="*_~`|[>")))
def test_text_without_marks_is_untouched(text):
    assert formatted(text) == (text, ())


WORDS = st.text("aé漢😀1", min_size=1, max_size=4)
WRAPS = {
    "bold": "**{}**",
    "italic": "*{}*",
    "strike": "~~{}~~",
    "spoiler": "||{}||",
    "code": "`{}`",
    "text_url": "[{}](https://x.org/a)",
    "": "{}",
}


@given(
    st.lists(st.tuples(WORDS, st.sampled_from(sorted(WRAPS)), st.sampled_from([" ", "\n", "\n\n", " - "])), min_size=1)
)
def test_marks_go_and_what_they_say_stays(words):
    markdown, text, entities = "", "", []
    for word, kind, gap in words:
        if kind:
            address = "https://x.org/a" if kind == "text_url" else ""
            entities.append(TextEntity(kind, utf16_length(text), utf16_length(word), address))
        markdown += WRAPS[kind].format(word) + gap
        text += word + gap
    assert formatted(markdown) == (text, tuple(entities))


LINES = st.lists(
    st.sampled_from([*MARKS, *"é漢😀 ", "\n", "\n", "**", "||", "~~", "```", "\n```\n", "\n> ", "](http://x)"])
)
WILD = LINES.map("".join) | st.text(st.sampled_from(MARKS + "a \n")) | st.text()


@given(WILD)
@example("[**](http://x)")
@example("`*a`*")
def test_entities_lie_inside_the_text_in_order_and_nested(markdown):
    text, entities = formatted(markdown)
    starts = {0}
    for char in text:
        starts.add(max(starts) + utf16_length(char))
    first = utf16_length(text) - utf16_length(text.lstrip())
    last = utf16_length(text.rstrip())
    for one in entities:
        assert one.length > 0
        assert {one.offset, one.offset + one.length} <= starts
        assert first <= one.offset
        assert one.offset + one.length <= last
    for one, other in combinations(entities, 2):
        assert one.offset <= other.offset
        assert other.offset >= one.offset + one.length or other.offset + other.length <= one.offset + one.length
        if other.offset < one.offset + one.length:
            assert one.kind != other.kind
            assert one.kind == "blockquote" or not {"code", "pre"} & {one.kind, other.kind}


@given(LINES.map("".join))
def test_nothing_but_marks_is_ever_lost(markdown):
    """Letters of this alphabet are in no address and no language: each must arrive, in its place."""
    text, _ = formatted(markdown)
    assert [char for char in text if char in "é漢😀"] == [char for char in markdown if char in "é漢😀"]
    rest = iter(markdown)
    assert all(char in rest for char in text)


@given(WILD)
def test_a_text_is_blank_only_if_it_was(markdown):
    assert bool(formatted(markdown)[0].strip()) == bool(markdown.strip())


@pytest.mark.parametrize(
    "piece",
    [
        *("*", "*a ", "**a", "*a*", "*_a_* ", "_a ", "~~a ", "||a ", " ||a", "`", "``a`", "\\"),
        *("[", "[a](", "[a](http://x)", "[*", "> ", "> a\n", ">\n", "```\n", "```a\n", "http://", "http://."),
    ],
)
def test_hostile_texts_take_work_in_proportion(piece):
    """A search within a search would take four times the steps on twice the length."""
    short, long = [piece * (length // len(piece)) for length in (2_000, 4_000)]
    assert formatted(long)[0]
    assert steps(formatted, long) < 2.2 * steps(formatted, short)


def test_deep_nesting_keeps_every_letter():
    text, entities = formatted("*a _b " * 2_000 + "c_ d* " * 2_000)
    assert text.replace("*", "").replace("_", "") == "a b " * 2_000 + "c d " * 2_000
    assert {one.kind for one in entities} == {"italic"}
