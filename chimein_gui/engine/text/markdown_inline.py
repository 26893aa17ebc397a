"""Inline marks of a paragraph, parsed by markdown-it with the few rules that chats need.

Import it late, as `text.markdown` does, so that the library is not loaded before the first paint.
"""

import re
import unicodedata
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline, backtick, link
from markdown_it.rules_inline.emphasis import tokenize as emphasis
from markdown_it.rules_inline.strikethrough import tokenize as strikethrough
from markdown_it.token import Token

SPOILER_OPEN, SPOILER_CLOSE = "spoiler_open", "spoiler_close"

_ADDRESS = re.compile(r"(?:https?://|tg://)\S+", re.IGNORECASE)
_LITERAL = re.compile(
    r"""(?:
        (?:https?|tg)://[^\s*`|<>\[\]]*[^\s*`|<>\[\]_~.,;:!?)'"]  # an address as such: its underscores are no marks
        | [^*_~`|\[\]\\]
    )+""",
    re.VERBOSE | re.IGNORECASE,
)
_ESCAPED = re.compile(r"\\[*_~`|\[\]\\]")
_EMPTY_LABEL = re.compile(r"\[\s*\]")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
"""Thai, Lao, Burmese, Khmer: written without blanks between words, as the wide scripts are."""
_OPENING, _CLOSING = "([{", ")]}"
_EMOJI_STYLE = "\ufe0f"
_LONGEST_RUN = {"*": 3, "~": 2, "_": 1, "|": 2}
"""Longer runs are text, such as ``__init__`` or the stars of a password."""


def inline_tokens(paragraph: str) -> list[Token]:
    """Return the tokens of a paragraph. Their contents lack only the marks; blanks are unchanged."""
    parser = _parser()
    # Not `parseInline`: it would replace line ends and NULs first.
    return parser.inline.parse(paragraph, parser, {}, [])


class _ChatMarkdown(MarkdownIt):
    """A parser that keeps links as they were written and allows only the schemes of chats."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        return _ADDRESS.fullmatch(url) is not None

    def normalizeLink(self, url: str) -> str:  # noqa: N802 - the library's name
        return url


@cache
def _parser() -> MarkdownIt:
    parser = _ChatMarkdown("zero")
    rules = parser.inline.ruler
    rules.at("text", _literal)
    rules.at("escape", _escape)
    rules.at("backticks", _code)
    rules.at("strikethrough", _strikethrough)
    rules.at("emphasis", _emphasis)
    rules.at("link", _link)
    rules.before("link", "spoiler", _spoiler)
    return parser.enable(["escape", "backticks", "strikethrough", "emphasis", "link"])


def _literal(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - a rule's signature
    """Take everything up to the next mark, addresses whole."""
    found = _LITERAL.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.append_pending(found.group())
    state.pos = found.end()
    return True


def _escape(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - a rule's signature
    """Take a mark after a backslash as text; the backslash stays, because emoticons such as the shrug need it."""
    found = _ESCAPED.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.append_pending(found.group())
    state.pos = found.end()
    return True


def _code(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - a rule's signature
    """Read code as the library does, but keep its line ends, and keep blank code as it was written."""
    start, before = state.pos, len(state.tokens)
    if not backtick(state, silent):
        return False
    if len(state.tokens) > before:
        token = state.tokens[-1]
        width = len(token.markup)
        content = state.src[start + width : state.pos - width]
        if not content.strip():
            token.type, content = "text", state.src[start : state.pos]
        elif content.startswith(" ") and content.endswith(" "):
            content = content[1:-1]
        token.content = content
    return True


def _emphasis(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - a rule's signature
    first = len(state.delimiters)
    start = state.pos
    return emphasis(state, silent) and _judge(state, start, first)


def _strikethrough(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - a rule's signature
    first = len(state.delimiters)
    start = state.pos
    return strikethrough(state, silent) and _judge(state, start, first)


def _judge(state: StateInline, start: int, first: int) -> bool:
    """Decide anew whether a run of marks opens or closes: inside a word it does neither, whatever the mark."""
    opens, closes = _sides(state, start, state.pos)
    for delimiter in state.delimiters[first:]:
        delimiter.open, delimiter.close = opens, closes
    return True


def _sides(state: StateInline, start: int, end: int) -> tuple[bool, bool]:
    """Say whether the marks from `start` to `end` can open, and whether they can close."""
    mark = state.src[start]
    before = state.src[start - 1] if start else " "
    after = state.src[end] if end < state.posMax else " "
    if end - start > _LONGEST_RUN[mark] or mark in (before, after):
        return False, False
    opens = not (after.isspace() or after in _CLOSING or _in_word(before, mark))
    closes = not (before.isspace() or before in _OPENING or _in_word(after, mark))
    return opens, closes


def _in_word(char: str, mark: str) -> bool:
    """Say whether a mark beside this character is inside a word."""
    if not char.isalnum() and (unicodedata.category(char) not in {"Mn", "Mc"} or char == _EMOJI_STYLE):
        return False
    if mark == "_":
        return True
    return unicodedata.east_asian_width(char) not in {"W", "F"} and _UNSPACED.match(char) is None


def _link(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - a rule's signature
    """Read a link. A picture, a link without words and a link without an address stay as they were written."""
    start = state.pos
    if state.src[start] != "[" or _EMPTY_LABEL.match(state.src, start) or state.src.endswith("!", 0, start):
        return False
    if not link(state, True) or state.src[start : state.pos - 1].rstrip().endswith("]("):  # noqa: FBT003 - silent
        state.pos = start
        return False
    if silent:
        return True
    state.pos = start
    return link(state, silent)


def _spoiler(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - a rule's signature
    start, end = state.pos, state.posMax
    if silent or not state.src.startswith("||", start, end):
        return False
    opens, _ = _sides(state, start, start + 2)
    closing = _end_of_spoiler(state, start + 2) if opens else -1
    if closing < 0:
        return False
    state.push(SPOILER_OPEN, "", 1)
    state.pos, state.posMax = start + 2, closing
    state.md.inline.tokenize(state)
    state.push(SPOILER_CLOSE, "", -1)
    state.pos, state.posMax = closing + 2, end
    return True


def _end_of_spoiler(state: StateInline, start: int) -> int:
    """Return the position of the closing marks, or -1; a failed search is made once for each end of the range."""
    end = state.posMax
    vain: dict[int, int] = state.env.setdefault("vain", {})
    if start >= vain.get(end, end):
        return -1
    found = state.src.find("||", start + 1, end)
    while found >= 0:
        _, closes = _sides(state, found, found + 2)
        if closes:
            return found
        found = state.src.find("||", found + 1, end)
    vain[end] = start
    return -1
