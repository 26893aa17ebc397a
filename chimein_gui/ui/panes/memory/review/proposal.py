"""The right side of the Review tab: one proposed memory with all that is needed to decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QLayout, QScrollArea, QVBoxLayout, QWidget

from chimein_gui.domain.memory.entries import MemoryFile
from chimein_gui.domain.memory.likeness import merged
from chimein_gui.ui.panes.memory.review.evidence import bubbles_of
from chimein_gui.ui.panes.memory.review.rows import chips_of
from chimein_gui.ui.requests import ShowMessage
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import Choice
from chimein_gui.ui.widgets.controls.message_editor import MessageEditor
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Card, Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.text.word_diff import WordDiff
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import follow_layout, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.numbers import decimal_words
from chimein_gui.viewmodels.memory.review_words import (
    confidence_words,
    file_words,
    origin_words,
    readers_words,
    seen_words,
    size_words,
    stale_words,
)

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from chimein_gui.domain.memory.proposals import ProposalDetails, ProposalId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.theme.theme import Theme

MOST_TYPED = 2_000


class ProposalView(QWidget):
    """Text, file, evidence, the nearest entry, and who would read it.

    Attributes:
        submitted: The text shall be accepted as it stands: Ctrl+Enter.
        left: Escape was pressed in the text.
        merge_pressed: The suggestion shall replace the nearest entry.
        keep_pressed: Both shall stand.
    """

    submitted = Signal()
    left = Signal()
    merge_pressed = Signal()
    keep_pressed = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self.item: ProposalDetails | None = None
        self._typed: dict[ProposalId, str] = {}
        theme = context.theme
        self._place = PlainLabel(theme, "", Face.META_STRONG, "text2")
        self.file = Choice(theme, self.tr("File"))
        self.editor = MessageEditor(theme, lines=(2, 6), most=MOST_TYPED)
        self.editor.field.setAccessibleName(self.tr("Text of the proposed memory"))
        self._size = ElidedLabel(theme, "", Face.SMALL, "text2")
        self._origin = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.stale = InlineMessage(theme, BOX, is_alert=True)
        self._evidence, self._nearest, self._readers = Card(theme), Card(theme), Card(theme)
        self.merge = ActionButton(theme, self.tr("Merge"), key="M", kind=Kind.PRIMARY)
        self.keep = ActionButton(theme, self.tr("Keep both"), key="B")
        self.before, self.after = WordDiff(theme), WordDiff(theme)
        self.open_chat = ActionButton(theme, self.tr("Open in chat"), icon="external", kind=Kind.QUIET)
        self._chat, self._bubbles = StateChip(theme), QVBoxLayout()
        self._bubbles.setSpacing(8)
        self._build()
        self.editor.changed.connect(self._count)
        self.editor.changed.connect(self._show_merged)
        self.editor.submitted.connect(self.submitted)
        self.editor.cancelled.connect(self.left)
        self.merge.clicked.connect(self.merge_pressed)
        self.keep.clicked.connect(self.keep_pressed)
        self.open_chat.clicked.connect(self._open_chat)
        self.file.currentIndexChanged.connect(lambda _place: self._show_readers())

    def _build(self) -> None:
        theme = self._theme
        inside = QWidget()
        column = QVBoxLayout(inside)
        set_rtl_margins(column, 20, 12, 20, 12)
        column.setSpacing(10)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(PlainLabel(theme, self.tr("Proposed memory"), Face.STRONG))
        head.addWidget(self._place)
        head.addStretch(1)
        head.addWidget(PlainLabel(theme, self.tr("file"), Face.SMALL, "text2"))
        self.file.setMinimumWidth(190)
        head.addWidget(self.file)
        column.addLayout(head)
        column.addWidget(self.editor)
        figures = QHBoxLayout()
        figures.addWidget(self._size, 1)
        figures.addWidget(self._origin)
        column.addLayout(figures)
        column.addWidget(self.stale)
        for card in (self._evidence, self._nearest, self._readers):
            box = QVBoxLayout(card)
            set_rtl_margins(box, 12, 10, 12, 12)
            box.setSpacing(8)
            column.addWidget(card)
        column.addStretch(1)
        self._fill_evidence()
        self._fill_nearest()
        area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        for ground in (inside, area.viewport()):
            ground.setAutoFillBackground(False)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(area)

    def _fill_evidence(self) -> None:
        """Make the head of the evidence; the messages come with each proposal."""
        box = self._evidence.layout()
        assert isinstance(box, QVBoxLayout)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(PlainLabel(self._theme, self.tr("Where it comes from"), Face.STRONG))
        head.addWidget(self._chat)
        head.addStretch(1)
        head.addWidget(self.open_chat)
        box.addLayout(head)
        box.addLayout(self._bubbles)

    def _fill_nearest(self) -> None:
        """Make the card of the nearest entry; its texts come with each proposal."""
        theme, box = self._theme, self._nearest.layout()
        assert isinstance(box, QVBoxLayout)
        head = QHBoxLayout()
        head.addWidget(PlainLabel(theme, self.tr("Very close to what is already remembered"), Face.STRONG), 1)
        self._score = StateChip(theme)
        head.addWidget(self._score)
        box.addLayout(head)
        self._entry = ElidedLabel(theme, "", Face.SMALL, "text2")
        suggestion = PlainLabel(theme, self.tr("Merged suggestion"), Face.SMALL, "accent_text")
        pair = QHBoxLayout()
        pair.setSpacing(8)
        pair.addWidget(_framed(theme, "raised", "line", self._entry, self.before), 1)
        pair.addWidget(_Arrow(theme))
        pair.addWidget(_framed(theme, "card", "accent", suggestion, self.after), 1)
        box.addLayout(pair)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.merge)
        buttons.addWidget(self.keep)
        buttons.addStretch(1)
        box.addLayout(buttons)

    # --- contents -------------------------------------------------------------------------------------------------

    def show_item(self, item: ProposalDetails, number: int, count: int) -> None:
        """Show a proposal; what is typed for one stays until it is decided, also while another one is shown."""
        self._place.setText(self.tr("{number} of {count}").format(number=number, count=count))
        is_same = self.item is not None and self.item.proposal.proposal_id == item.proposal.proposal_id
        if is_same and self.item == item:
            return
        if not is_same and self.item is not None and self.text:
            self._typed[self.item.proposal.proposal_id] = self.text
        self.item = item
        if not is_same:
            self.editor.set_text(self._typed.pop(item.proposal.proposal_id, item.proposal.text))
            person, chat = foreign_text.name(item.proposal.person_name), foreign_text.name(item.chat_title)
            self.file.set_entries([(file_words(one, person, chat), one) for one in item.files])
            self.file.setCurrentIndex(0 if item.files else -1)
        self._origin.setText(origin_words(item.proposal, self._context.models.clock))
        why = stale_words(item.proposal)
        self.stale.say(IconLabel("refresh", why, "attention") if why else None)
        self._show_evidence(item)
        self._show_nearest(item)
        self._show_readers()
        self._count()

    @property
    def text(self) -> str:
        """The operator's text; empty if it is the model's."""
        text = self.editor.text().strip()
        return "" if self.item is None or text == self.item.proposal.text else text

    @property
    def merged_text(self) -> str:
        """What the nearest entry becomes by *Merge*: it says both, also with what the operator has typed."""
        item = self.item
        if item is None or item.nearest is None:
            return ""
        return merged(item.nearest.entry.text, self.text) if self.text else item.merged

    @property
    def chosen_file(self) -> MemoryFile | None:
        """The file into which it shall be written."""
        file = self.file.currentData()
        return file if isinstance(file, MemoryFile) else None

    def _show_evidence(self, item: ProposalDetails) -> None:
        self._chat.say(IconLabel("chats", foreign_text.name(item.chat_title), "text2"))
        _clear(self._bubbles)
        agents = self._context.models.agents
        own = next((one.spec.name for one in agents.items() if one.agent_id == item.proposal.agent_id), "")
        for bubble in bubbles_of(self._context, item, own):
            self._bubbles.addWidget(bubble)
        if not item.messages:
            gone = PlainLabel(self._theme, self.tr("Its messages are not there any more."), Face.BODY, "text2")
            self._bubbles.addWidget(gone)
        said = self.tr("said by {person}").format(person=foreign_text.name(item.proposal.person_name))
        facts = [IconLabel("person", said, "ok")]
        sure = confidence_words(item.proposal)
        if sure:
            facts.insert(0, IconLabel("info", sure, "text2"))
        seen = seen_words(item)
        if seen:
            facts.append(IconLabel("group", seen, "text2"))
        facts += [chip for chip in chips_of(item) if chip.token == "danger"]
        row = QHBoxLayout()
        row.setSpacing(6)
        for fact in facts:
            row.addWidget(_chip(self._context, fact))
        row.addStretch(1)
        self._bubbles.addLayout(row)

    def _show_nearest(self, item: ProposalDetails) -> None:
        entry = item.nearest
        self._nearest.setVisible(entry is not None)
        if entry is None:
            return
        words = self.tr("{score} by meaning") if item.is_by_meaning else self.tr("{score} by words")
        score = words.format(score=decimal_words(item.score, 2))
        self._score.say(IconLabel("layers", score, "attention"))
        day = f" · {self._context.models.clock.day(entry.entry.at)}" if entry.entry.at is not None else ""
        self._entry.setText(self.tr("Entry {number}").format(number=item.nearest_number) + day)
        self.before.compare(entry.entry.text, entry.entry.text)
        self._show_merged()
        self.merge.setText(self.tr("Merge into entry {number}").format(number=item.nearest_number))

    def _show_merged(self) -> None:
        if self.item is not None and self.item.nearest is not None:
            self.after.compare(self.item.nearest.entry.text, self.merged_text)

    def _show_readers(self) -> None:
        box, item = self._readers.layout(), self.item
        assert isinstance(box, QVBoxLayout)
        _clear(box)
        file = self.chosen_file
        self._readers.setVisible(file is not None)
        if item is None or file is None:
            return
        theme = self._theme
        box.addWidget(PlainLabel(theme, self.tr("It would be used in"), Face.STRONG))
        person = foreign_text.name(item.proposal.person_name)
        for reader in readers_words(item, file.kind, person):
            row = QHBoxLayout()
            row.setSpacing(8)
            row.addWidget(ElidedLabel(theme, foreign_text.line(reader.chat), Face.BODY))
            chips = []
            if reader.is_next:
                chips.append(IconLabel("quotes", self.tr("in the next prompt"), "accent_text"))
            if reader.members:
                chips.append(IconLabel("group", reader.members, "text2"))
            if reader.warning:
                chips.append(IconLabel("warning", foreign_text.line(reader.warning), "attention"))
            for chip in chips:
                made = _chip(self._context, chip)
                made.setMinimumWidth(made.sizeHint().width())
                row.addWidget(made)
            row.addStretch(1)
            box.addLayout(row)

    def _count(self) -> None:
        self._size.setText(size_words(self.editor.text()))

    def _open_chat(self) -> None:
        if self.item is not None and self.item.proposal.evidence:
            first = self.item.proposal.evidence[0].message_id
            self._context.requests.send(ShowMessage(self.item.proposal.chat_id, first))


class _Arrow(QWidget):
    """An arrow in reading direction."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedSize(16, 16)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        follow_layout(painter, self)
        icons.draw(painter, "arrow-right", self._theme.color("text2"), QRectF(1, 1, 14, 14))
        painter.end()


def _framed(theme: Theme, ground: str, frame: str, head: QWidget, text: QWidget) -> Surface:
    """Return a box with a head and a text."""
    made = Surface(theme, ground, frame=frame, radius=6)
    column = QVBoxLayout(made)
    set_rtl_margins(column, 12, 8, 12, 10)
    column.setSpacing(2)
    column.addWidget(head)
    column.addWidget(text)
    column.addStretch(1)
    return made


def _chip(context: PaneContext, icon_label: IconLabel) -> StateChip:
    chip = StateChip(context.theme)
    chip.say(icon_label)
    return chip


def _clear(box: QLayout) -> None:
    """Remove what a card shows."""
    while (item := box.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if inner is not None:
            _clear(inner)
            inner.deleteLater()
        elif widget is not None:
            widget.hide()
            widget.deleteLater()
