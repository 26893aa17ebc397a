"""The parts of a prompt as rows, each with its tokens, so that they add up to what the provider counted."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, Qt

from chimein_gui.domain.memory.choice import RecallStatus
from chimein_gui.domain.prompt.left_out import LeftOutKind
from chimein_gui.domain.prompt.marks import section_mark
from chimein_gui.domain.prompt.memories import RELEVANT
from chimein_gui.domain.prompt.reading import last_block, read_sections
from chimein_gui.domain.retrieval.turns import read_page
from chimein_gui.domain.text.tokens import tokens_of
from chimein_gui.viewmodels.core.numbers import count_words, decimal_words
from chimein_gui.viewmodels.core.roles import Index, ItemRole
from chimein_gui.viewmodels.core.sanitize import spoken

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.memory.choice import RecallFact
    from chimein_gui.domain.prompt.left_out import LeftOut
    from chimein_gui.domain.prompt.sent import PromptView, TokenCounts

translate = QCoreApplication.translate

_FOLDERS = {"agents", "prompts"}

ANCHOR, NOTE = "Reply anchor", "Operator's note"
"""Titles of sections that a prompt has only if there is a reason."""


class RowKind(StrEnum):
    """What a row is."""

    SECTION = "section"
    ENTRY = "entry"
    """A memory in the section above; its tokens are those of the section."""
    CONTENTS = "contents"
    PAGE = "page"
    """A web page in the contents above; its tokens are those of the contents."""
    TOOLS = "tools"
    OVERHEAD = "overhead"
    TOTAL = "total"
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class PartRow:
    """One row of the list.

    Attributes:
        kind: What it is.
        title: Its title; that of a section as in its mark.
        tokens: Its tokens, counted or estimated.
        share: Its part of the total, from 0 to 1; None for a row that has none.
        number: Of a section, from 1; otherwise 0.
        source: File of a section, or what the row is made of, in words.
        lines: First and last line in that file; zeros if it is not a part of a file.
        text: What was sent, with its mark.
        reason: Why it was left out, in words.
        filled: Where values of variables stand in the text: their first characters, and those behind them.
        part_of: Number of the section that an entry stands in, from 1; place of the turn of a page; otherwise 0.
        figure: How well an entry fits, or how long a page is, in words; otherwise empty.
        note: What is known about the use of an entry, in words; or empty.
    """

    kind: RowKind
    title: str
    tokens: int = 0
    share: float | None = None
    number: int = 0
    source: str = ""
    lines: tuple[int, int] = (0, 0)
    text: str = ""
    reason: str = ""
    filled: tuple[tuple[int, int], ...] = ()
    part_of: int = 0
    figure: str = ""
    note: str = ""


_SENT = frozenset({RowKind.SECTION, RowKind.CONTENTS, RowKind.TOOLS})


@dataclass(frozen=True, slots=True)
class PromptParts:
    """A prompt in parts.

    Attributes:
        rows: All rows, in the order of the list.
        total: Tokens of the whole.
        is_exact: The provider counted the total.
        is_counted: It counted each part, too.
    """

    rows: tuple[PartRow, ...] = ()
    total: int = 0
    is_exact: bool = False
    is_counted: bool = False

    @property
    def sent(self) -> tuple[PartRow, ...]:
        """Return the rows of what was sent."""
        return tuple(row for row in self.rows if row.kind in _SENT)

    @property
    def in_bar(self) -> tuple[PartRow, ...]:
        """Return the rows that make the whole, which the bar shows: what the provider added, too."""
        return tuple(row for row in self.rows if row.kind in _SENT or (row.kind is RowKind.OVERHEAD and row.tokens > 0))


def parts_of(view: PromptView, counts: TokenCounts | None = None, *, scales: bool = True) -> PromptParts:
    """Return a prompt in parts, in the order in which the model reads them, so that they add up to the whole.

    Args:
        view: The prompt.
        counts: What the provider counted of it; without them, the parts are estimated.
        scales: Estimates are scaled to what was billed. Only the estimates themselves can be compared between prompts.
    """
    stable, last = _sections(view)
    sent = [*stable, *_tools(view), _contents(view), *last]
    if counts is not None:
        sent = [replace(row, tokens=number) for row, number in zip(sent, counts.parts, strict=True)]
    call = view.sent.call if view.sent is not None else None
    parts = sum(row.tokens for row in sent)
    total = counts.total if counts is not None else parts
    billed = call.usage.prompt_tokens if call is not None and not call.estimated else 0
    total = billed or total
    is_exact = billed > 0 or counts is not None
    if counts is not None:
        sent.append(_overhead(total - parts))
    elif is_exact and scales:
        scaled = _scaled([row.tokens for row in sent], total)
        sent = [replace(row, tokens=number) for row, number in zip(sent, scaled, strict=True)]
    shared = [replace(row, share=row.tokens / total if total > 0 else None) for row in sent]
    words = _count_words(is_exact=is_exact, is_counted=counts is not None)
    whole = PartRow(RowKind.TOTAL, translate("PromptParts", "Total"), total, source=words)
    rows = [row for part in shared for row in (part, *_entries(view, part), *_pages(view, part))]
    return PromptParts((*rows, whole, *_left_out(view)), total, is_exact, counts is not None)


def _overhead(tokens: int) -> PartRow:
    """Return the row of what no part accounts for, so that all of them are the provider's number."""
    title, source = translate("PromptParts", "Overhead"), translate("PromptParts", "Added by the provider")
    return PartRow(RowKind.OVERHEAD, title, tokens, source=source)


def _scaled(estimates: list[int], total: int) -> list[int]:
    """Return estimates in the same proportion that add up to a total: ends are rounded, not the parts."""
    whole = sum(estimates)
    ends = [round(total * end / whole) if whole else 0 for end in itertools.accumulate(estimates)]
    return [end - begin for begin, end in itertools.pairwise((0, *ends))]


def _count_words(*, is_exact: bool, is_counted: bool) -> str:
    if is_exact and not is_counted:
        return translate("PromptParts", "Counted; the parts are estimated")
    if is_exact:
        return translate("PromptParts", "Counted by the provider")
    return translate("PromptParts", "Estimated")


def _sections(view: PromptView) -> tuple[list[PartRow], list[PartRow]]:
    """Return the sections of the system instruction, and those of the last block."""
    sources = list(view.outline.sections)
    rows = []
    stable = read_sections(view.text.instruction)
    last = [one for turn in view.text.turns for one in read_sections(last_block(*turn) or "")]
    for number, one in enumerate((*stable, *last), start=1):
        text = f"{section_mark(one.title)}\n{one.text}" if one.title else one.text
        above = len(text) - len(one.text)
        known = sources.pop(0) if sources and sources[0].title == one.title else None
        rows.append(
            PartRow(
                RowKind.SECTION,
                one.title,
                tokens_of((text,)),
                number=number,
                source=known.source if known is not None else "",
                lines=(known.first_line, known.last_line) if known is not None else (0, 0),
                text=text,
                filled=tuple((first + above, behind + above) for first, behind in known.filled) if known else (),
            )
        )
    return rows[: len(stable)], rows[len(stable) :]


def _entries(view: PromptView, part: PartRow) -> list[PartRow]:
    """Return the memories in the section of those that fit, best first."""
    if part.kind is not RowKind.SECTION or part.title != RELEVANT:
        return []
    used = translate("PromptParts", "probably used")
    return [
        PartRow(
            RowKind.ENTRY,
            one.text,
            source=one.path,
            lines=(one.first_line, one.last_line),
            part_of=part.number,
            figure=_fit_words(one),
            note=used if one.is_used else "",
        )
        for one in view.outline.recalled
        if one.status is RecallStatus.IN_PROMPT
    ]


def _pages(view: PromptView, part: PartRow) -> list[PartRow]:
    """Return the web pages in the contents, in their order."""
    if part.kind is not RowKind.CONTENTS:
        return []
    found = [(place, read_page(turn.role, turn.parts)) for place, turn in enumerate(view.text.turns)]
    return [_page(place, *page) for place, page in found if page is not None]


def _page(place: int, address: str, text: str) -> PartRow:
    number = len(text)
    figure = translate("PromptParts", "%Ln character(s)", "", number)
    source = translate("PromptParts", "Web page that was looked up")
    return PartRow(RowKind.PAGE, address, source=source, text=text, part_of=place, figure=figure)


def _fit_words(one: RecallFact) -> str:
    return translate("PromptParts", "{n} %").format(n=decimal_words(100 * one.score, 0))


def _why_not_recalled(one: RecallFact) -> str:
    if one.status is RecallStatus.BELOW:
        words = translate("PromptParts", "Memory below the best 5 (no. {rank}, {fit})")
    elif one.status is RecallStatus.NO_ROOM:
        words = translate("PromptParts", "Memory, no room (no. {rank}, {fit})")
    else:
        words = translate("PromptParts", "Memory, too weak (no. {rank}, {fit})")
    return words.format(rank=one.rank, fit=_fit_words(one))


def _tools(view: PromptView) -> list[PartRow]:
    number = len(view.text.tools)
    if not number:
        return []
    text = "\n".join(view.text.tools)
    count = translate("PromptParts", "%n function(s)", "", number)
    return [PartRow(RowKind.TOOLS, translate("PromptParts", "Tools"), tokens_of((text,)), source=count, text=text)]


def _contents(view: PromptView) -> PartRow:
    turns = [turn for turn in view.text.turns if last_block(*turn) is None]
    parts = [part for turn in turns for part in turn.parts]
    own = sum(turn.role == "model" for turn in turns)
    number = len(turns)
    words = translate("PromptParts", "%n turn(s)", "", number)
    if own:
        words = translate("PromptParts", "{turns}, {own} by the agent").format(turns=words, own=own)
    title = translate("PromptParts", "Contents")
    return PartRow(RowKind.CONTENTS, title, tokens_of(parts), source=words, text="\n".join(parts))


def _left_out(view: PromptView) -> list[PartRow]:
    """Return what could have been in it, with the reasons."""
    found = [_why_left_out(one) for one in view.outline.left_out]
    titles = {one.title for one in view.outline.sections}
    if ANCHOR not in titles:
        found.append((ANCHOR, translate("PromptParts", "The target replies to no stored message")))
    if NOTE not in titles:
        found.append((NOTE, translate("PromptParts", "You have not left one")))
    if not view.text.tools:
        found.append((translate("PromptParts", "Tools"), translate("PromptParts", "Not offered in this call")))
    found += [(one.text, _why_not_recalled(one)) for one in view.outline.recalled if _is_left_out(one)]
    return [PartRow(RowKind.LEFT_OUT, title, reason=reason) for title, reason in found]


def _is_left_out(one: RecallFact) -> bool:
    return one.status is not RecallStatus.IN_PROMPT


def _why_left_out(one: LeftOut) -> tuple[str, str]:
    """Return the title and the reason of something that the builder left out."""
    number = one.number
    if one.kind is LeftOutKind.ROLE:
        return f"Role: {one.name}", translate("PromptParts", "No more web pages are looked up in this call")
    if one.kind in _MEMORIES:
        return _why_memory_is_left_out(one)
    if one.kind is LeftOutKind.PIN_GONE:
        words = translate("PromptParts", "%n message(s): deleted, or not stored", "", number)
        return translate("PromptParts", "Pinned in"), words
    if one.kind is LeftOutKind.PIN_UNUSED:
        words = translate("PromptParts", "%n message(s): a fixed history takes none", "", number)
        return translate("PromptParts", "Pinned in"), words
    if one.kind is LeftOutKind.PINNED_OUT:
        return translate("PromptParts", "Pinned out"), translate("PromptParts", "%n message(s), by you", "", number)
    if one.kind is LeftOutKind.OVER_LIMIT:
        words = translate("PromptParts", "%n message(s) over the limit of a prompt", "", number)
    elif one.kind is LeftOutKind.OLDER:
        words = translate("PromptParts", "All before the newest %n: the history holds no more", "", number)
    else:
        words = translate("PromptParts", "%n message(s) of other conversations", "", number)
    return translate("PromptParts", "Messages"), words


_MEMORIES = (LeftOutKind.MEMORY_OVER_LIMIT, LeftOutKind.MEMORY_UNREADABLE)


def _why_memory_is_left_out(one: LeftOut) -> tuple[str, str]:
    number = one.number
    if one.kind is LeftOutKind.MEMORY_OVER_LIMIT:
        return one.name, translate("PromptParts", "%n line(s) or entries over the limit of a prompt", "", number)
    words = translate("PromptParts", "{path} can't be read").format(path=one.name)
    return translate("PromptParts", "Memory"), words


def share_words(share: float | None) -> str:
    """Return a part of the total in percent."""
    return "" if share is None else translate("PromptParts", "{n} %").format(n=decimal_words(100 * share, 1))


def figure_words(row: PartRow) -> str:
    """Return what stands at the end of a row: its tokens, or how well a memory fits, which is no share of tokens."""
    if row.kind is RowKind.ENTRY:
        return translate("PromptParts", "fits {n}").format(n=row.figure)
    return row.figure or count_words(row.tokens)


def source_words(row: PartRow) -> str:
    """Return the file of a section with its lines, or what a row is made of, or why it was left out."""
    if row.reason:
        return row.reason
    (first, last), file = row.lines, _file_of(row.source)
    if not first:
        return file or translate("PromptParts", "Written by Chimein")
    if first == last:
        return translate("PromptParts", "{file}, line {n}").format(file=file, n=first)
    return translate("PromptParts", "{file}, lines {first}–{last}").format(file=file, first=first, last=last)


def _file_of(source: str) -> str:
    """Return where a file stands in its configuration directory; which directory that is seldom matters."""
    path = PurePath(source)
    is_own = path.match("agents/*/prompts/*")
    if not is_own and path.parent.name not in _FOLDERS:
        return source
    return path.relative_to(path.parents[3 if is_own else 1]).as_posix()


def has_file(row: PartRow) -> bool:
    """Return whether a part came from a file."""
    return row.kind in {RowKind.SECTION, RowKind.ENTRY} and bool(row.source)


def sentence_of(row: PartRow, figure: str) -> str:
    """Return a row as one sentence, for screen readers; `figure` is what stands beside its tokens."""
    source = spoken(source_words(row))
    if row.kind is RowKind.LEFT_OUT:
        return translate("PromptParts", "{title}, left out: {reason}").format(title=spoken(row.title), reason=source)
    if row.kind is RowKind.ENTRY:
        fits = translate("PromptParts", "Memory that fits by {figure}: {text}").format(
            figure=row.figure, text=spoken(row.title)
        )
        return ", ".join(filter(None, (fits, row.note, source)))
    if row.kind is RowKind.PAGE:
        return ", ".join((source, spoken(row.title), row.figure))
    number = row.tokens
    tokens = translate("PromptParts", "%n token(s)", "", number)
    said = (spoken(row.title), tokens, figure, source)
    return ", ".join(words for words in said if words)


class PartsModel(QAbstractListModel):
    """The rows; `ItemRole` is the `PartRow`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.parts = PromptParts()
        self._figure_of: Callable[[PartRow], str] | None = None

    def show_figures(self, figure_of: Callable[[PartRow], str] | None) -> None:
        """Show another figure beside the tokens of each part; None shows its share again."""
        self._figure_of = figure_of
        if self.rowCount():
            self.dataChanged.emit(self.index(0), self.index(self.rowCount() - 1))

    def figure_of(self, row: PartRow) -> str:
        """Return the figure beside the tokens of a part."""
        if self._figure_of is not None:
            return self._figure_of(row)
        if row.kind is RowKind.ENTRY:
            return row.note
        return share_words(row.share) if row.kind is not RowKind.TOTAL else ""

    def show_parts(self, parts: PromptParts) -> None:
        """Show other rows."""
        if parts == self.parts:
            return
        same = [row.title for row in parts.rows] == [row.title for row in self.parts.rows]
        if same:
            self.parts = parts
            self.dataChanged.emit(self.index(0), self.index(self.rowCount() - 1))
            return
        self.beginResetModel()
        self.parts = parts
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.parts.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self.parts.rows):
            return None
        row = self.parts.rows[index.row()]
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return sentence_of(row, self.figure_of(row))
        return row if role == ItemRole else None
