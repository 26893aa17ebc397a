"""Converts a persona's Markdown into text and formatting.

Only what Telegram can show counts as a mark; everything else arrives character for character. The blocks are read
here and not by the library, which trims and joins lines and extends a quote or an open fence over the lines below it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from chimein_gui.domain.messages import TextEntity, utf16_length

_MARKS = re.compile(r"[*_~`|\[>]")
_FENCE = re.compile(r"(?P<indent>[ \t]*)(?P<marks>`{3,}|~{3,})[ \t]*(?P<language>[A-Za-z0-9_+#.-]{0,32})[ \t\r]*")
_QUOTE = re.compile(r" {0,3}>(?: (?P<text>.*)|\s*)")
_KINDS = {"strong": "bold", "em": "italic", "s": "strike", "link": "text_url", "spoiler": "spoiler"}


def formatted(text: str) -> tuple[str, tuple[TextEntity, ...]]:
    """Convert Markdown into the text and formatting of a message.

    Bold, italic, strikethrough, spoilers, code, code blocks, quotes and http(s)/tg links; a mark inside a word, behind
    a backslash, or without its partner is text.

    Args:
        text: Anything.

    Returns:
        The text without its marks, blank only if `text` is, and its formatting in UTF-16 units, in the order of the
        text. No entity reaches into the blanks at the ends of the text, which Telegram drops.
    """
    if not _MARKS.search(text):
        return text, ()
    writer = _Writer()
    _write_blocks(writer, text.split("\n"), in_quote=False)
    return writer.text(), writer.tidy()


class _Writer:
    """Collects the text and its entities."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._units = 0
        self._entities: list[TextEntity] = []
        self._open: dict[str, _Open] = {}

    def write(self, piece: str) -> None:
        self._pieces.append(piece)
        self._units += utf16_length(piece)

    def open(self, kind: str, argument: str = "") -> None:
        """Begin formatting; nested formatting of the same kind counts once."""
        self._open.setdefault(kind, _Open(self._units, argument)).depth += 1

    def close(self, kind: str) -> None:
        self._open[kind].depth -= 1
        if not self._open[kind].depth:
            self._mark(kind, self._open.pop(kind))

    def code(self, piece: str) -> None:
        """Write code. Telegram combines it with nothing, so bold and the like stop before it and continue after it.

        In a link or a spoiler the code formatting is dropped, or the address or the spoiler would be lost.
        """
        if not self._open.keys().isdisjoint({"text_url", "spoiler"}):
            self.write(piece)
            return
        around = [kind for kind in self._open if kind != "blockquote"]
        for kind in around:
            self._mark(kind, self._open[kind])
        self.open("code")
        self.write(piece)
        self.close("code")
        for kind in around:
            self._open[kind].start = self._units

    def text(self) -> str:
        """Return the text."""
        return "".join(self._pieces)

    def tidy(self) -> tuple[TextEntity, ...]:
        """Return the entities in order, without the blanks that Telegram drops at both ends of the text."""
        text = self.text()
        first, last = self._units - utf16_length(text.lstrip()), utf16_length(text.rstrip())
        found: list[TextEntity] = []
        for one in self._entities:
            start, end = max(one.offset, first), min(one.offset + one.length, last)
            if start < end:
                found.append(replace(one, offset=start, length=end - start))
        return tuple(sorted(found, key=lambda one: (one.offset, -one.length, one.kind)))

    def _mark(self, kind: str, opened: "_Open") -> None:
        self._entities.append(TextEntity(kind, opened.start, self._units - opened.start, opened.argument))


@dataclass(slots=True)
class _Open:
    """Open formatting: its start, and how often it is nested in itself."""

    start: int
    argument: str
    depth: int = 0


@dataclass(frozen=True, slots=True)
class _Block:
    """A block of lines: ``pre`` and ``blockquote`` without their marks, other text unchanged."""

    kind: str
    lines: list[str]
    language: str = ""


def _write_blocks(writer: _Writer, lines: list[str], *, in_quote: bool) -> None:
    for number, block in enumerate(_blocks(lines, in_quote=in_quote)):
        if number:
            writer.write("\n")
        if block.kind == "text":
            _write_paragraphs(writer, block.lines)
            continue
        writer.open(block.kind, block.language)
        if block.kind == "pre":
            writer.write("\n".join(block.lines))
        else:
            _write_blocks(writer, block.lines, in_quote=True)
        writer.close(block.kind)


def _blocks(lines: list[str], *, in_quote: bool) -> Iterator[_Block]:
    """Split lines into code blocks, quotes and text; Telegram has no quote inside a quote."""
    plain: list[str] = []
    unclosed: dict[str, int] = {}
    index = 0
    while index < len(lines):
        block, end = _code_block(lines, index, unclosed)
        if block is None and end == index and not in_quote:
            block, end = _quote(lines, index)
        end = max(end, index + 1)
        if block is None or not any(map(str.strip, block.lines)):
            plain += lines[index:end]
        else:
            if plain:
                yield _Block("text", plain)
            yield block
            plain = []
        index = end
    if plain:
        yield _Block("text", plain)


def _code_block(lines: list[str], index: int, unclosed: dict[str, int]) -> tuple[_Block | None, int]:
    """Return the code block that begins here and the index after it, or None and `index`.

    `unclosed` holds for each mark the length from which no line below closes it, so that many open fences need only one
    search.
    """
    opening = _FENCE.fullmatch(lines[index])
    if opening is None or len(opening["marks"]) >= unclosed.get(opening["marks"][0], len(opening["marks"]) + 1):
        return None, index
    marks = opening["marks"]
    for end in range(index + 1, len(lines)):
        closing = _FENCE.fullmatch(lines[end])
        if closing is not None and closing["marks"].startswith(marks) and not closing["language"]:
            content = [_outdented(line, opening["indent"]) for line in lines[index + 1 : end]]
            return _Block("pre", content, opening["language"]), end + 1
    unclosed[marks[0]] = len(marks)
    return None, index


def _outdented(line: str, indent: str) -> str:
    """Remove up to the fence's own indentation from a line."""
    shared = 0
    while shared < min(len(line), len(indent)) and line[shared] in " \t":
        shared += 1
    return line[shared:]


def _quote(lines: list[str], index: int) -> tuple[_Block | None, int]:
    """Return the quote that begins here and the index after it, or None and `index`.

    A blank must follow the sign, because ``>:(`` is a face. Lines below without a sign are not part of the quote.
    """
    content: list[str] = []
    while index < len(lines) and (quoted := _QUOTE.fullmatch(lines[index])):
        content.append(quoted["text"] or "")
        index += 1
    return (_Block("blockquote", content) if content else None), index


def _write_paragraphs(writer: _Writer, lines: list[str]) -> None:
    """Write lines; marks are read paragraph by paragraph, so none reaches over a blank line."""
    for number, (filled, group) in enumerate(groupby(lines, lambda line: bool(line.strip()))):
        if number:
            writer.write("\n")
        paragraph = "\n".join(group)
        if filled and _MARKS.search(paragraph):
            _write_inline(writer, paragraph)
        else:
            writer.write(paragraph)


def _write_inline(writer: _Writer, paragraph: str) -> None:
    from chimein_gui.engine.text.markdown_inline import inline_tokens  # late: not before the first paint

    for token in inline_tokens(paragraph):
        name, _, edge = token.type.rpartition("_")
        if token.type == "code_inline":
            writer.code(token.content)
        elif edge == "open":
            writer.open(_KINDS[name], str(token.attrGet("href") or ""))
        elif edge == "close":
            writer.close(_KINDS[name])
        else:
            writer.write(token.content)
