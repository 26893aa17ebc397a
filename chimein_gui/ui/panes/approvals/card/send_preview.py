"""A preview of what will be sent, painted like messages in the transcript."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.replies.splitting import split
from chimein_gui.domain.tasks import LedgerState, TaskKind
from chimein_gui.ui.messages.bubble import Bubble, BubblePainter
from chimein_gui.ui.messages.setting import Setting
from chimein_gui.ui.panes.approvals.card.action_words import action_effect
from chimein_gui.ui.widgets.text import foreign_text, text_block
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import follow_layout, is_turned, mirror
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.approvals.card_words import card_text, is_message
from chimein_gui.viewmodels.core.numbers import short_words
from chimein_gui.viewmodels.transcript.rows import planned_row

if TYPE_CHECKING:
    from chimein_gui.domain.cards import CardDetails
    from chimein_gui.domain.ids import ApprovalId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.transcript.rows import TranscriptRow

PAD, GAP = 14, 10
MOST_WIDTHS = 4
"""Most cached widths: layouts ask alternately for the height at the current and at the preferred width."""

NO_STATUS = IconLabel("hand", "")
FAINT = 0.55


@dataclass(frozen=True, slots=True)
class Shown:
    """One item of the preview.

    Attributes:
        row: A message; None for another action.
        words: What the action does.
        beside: Text beside it: when it is sent, and who decides.
        token: Colour of that text.
        faint: It is a later step of the plan.
    """

    row: TranscriptRow | None
    words: str = ""
    beside: str = ""
    token: str = "text2"
    faint: bool = False


class SendPreview(QWidget):
    """Messages at the trailing edge, as in the chat; other actions in words.

    Attributes:
        steps: The further messages of the plan that are shown: approval ids with versions.
    """

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._painter = BubblePainter(context.theme, context.models.pictures)
        self._setting = Setting()
        self._shown: tuple[Shown, ...] = ()
        self.steps: tuple[tuple[ApprovalId, int], ...] = ()
        self._laid_out: dict[int, tuple[list[tuple[Shown, Bubble | None, float]], float]] = {}
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._theme.changed.connect(self._forget)
        self._theme.fonts_changed.connect(self._forget)
        context.models.pictures.changed.connect(lambda _key: self._forget())

    def show_card(
        self, approval: Approval, details: CardDetails | None, status_words: IconLabel, text: str | None = None
    ) -> None:
        """Show a card's message and what follows it.

        Args:
            approval: The card.
            details: The details of its plan; None while they are unknown.
            status_words: When it is sent, or why it is not.
            text: Shown instead of the card's text, for an edit or another version.
        """
        card = approval if text is None else replace(approval, text=text)
        shown = [*self._own(card, details, status_words), *self._later(card, details)]
        if details is not None:
            identity = self._context.models.agents.identity_of(card.agent_id)
            self._setting = Setting(is_group=details.chat.info.kind is not ChatKind.DM, identity=identity)
        if tuple(shown) != self._shown:
            self._shown = tuple(shown)
            self.setAccessibleName(self._spoken(card))
            self._forget()

    def show_drafts(self, drafts: tuple[Approval, ...]) -> None:
        """Show the drafts of another version."""
        self.steps = ()
        self._shown = tuple(shown for draft in drafts for shown in self._own(draft, None))
        self.setAccessibleName("; ".join(foreign_text.body(card_text(draft, foreign_text.name)) for draft in drafts))
        self._forget()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._lay_out(width)[1])

    def sizeHint(self) -> QSize:
        return QSize(400, self.heightForWidth(max(self.width(), 280)))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 48)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.setBrush(self._theme.color("chat"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        mirrored = self.isRightToLeft()
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # each text has its own direction
        for shown, bubble, top in self._lay_out(self.width())[0]:
            painter.setOpacity(FAINT if shown.faint else 1.0)
            if bubble is None:
                painter.save()
                follow_layout(painter, self)
                self._paint_action(painter, shown, top)
                painter.restore()
                continue
            left = self.width() - PAD - bubble.width
            # A bubble handles right-to-left layouts itself: its text must not be mirrored.
            self._painter.paint(painter, bubble, QPointF(PAD if mirrored else left, top), mirrored=mirrored)
            painter.setOpacity(1.0)
            painter.save()
            follow_layout(painter, self)
            self._paint_beside(painter, shown, QRectF(PAD, top, left - PAD - 10, bubble.height))
            painter.restore()
        painter.end()

    def _own(self, card: Approval, details: CardDetails | None, status_words: IconLabel = NO_STATUS) -> list[Shown]:
        if not is_message(card):
            return [Shown(None, action_effect(card, foreign_text.name))]
        row = planned_row(card, details.target if details is not None else None, self._context.models.clock)
        if card.kind in (TaskKind.STICKER, TaskKind.FILE):
            return [Shown(row, beside=status_words.word, token=status_words.token)]
        parts = split(row.message.text, row.message.entities) or ()
        if len(parts) <= 1:
            return [Shown(row, beside=status_words.word, token=status_words.token)]
        states = {part.index: part.state for part in card.parts}
        return [
            Shown(
                replace(
                    row,
                    message=replace(row.message, text=part.text, entities=part.entities),
                    reply_to=row.reply_to if place == 0 else None,
                ),
                beside=self._part_words(place, len(parts), states.get(place)),
            )
            for place, part in enumerate(parts)
        ]

    def _part_words(self, place: int, parts: int, state: LedgerState | None) -> str:
        words = self.tr("Part {n} of {all}").format(n=place + 1, all=parts)
        description = (
            {
                LedgerState.SENT: self.tr("sent"),
                LedgerState.UNKNOWN: self.tr("perhaps sent"),
                LedgerState.FAILED: self.tr("failed"),
            }.get(state)
            if state is not None
            else None
        )
        return f"{words}, {description}" if description else words

    def _later(self, card: Approval, details: CardDetails | None) -> list[Shown]:
        self.steps = ()
        if details is None:
            return []
        later: list[Shown] = []
        wait_s = 0.0
        begun = False
        for step in details.steps:
            if step.approval_id == card.approval_id:
                begun = True
            elif begun and step.kind is TaskKind.WAIT:
                wait_s += step.wait_s or 0.0
            elif begun and step.approval_id is not None:
                one = self._context.models.approvals.find(step.approval_id)
                if one is not None and is_message(one):
                    words = self.tr("asks separately")
                    if wait_s:
                        words = self.tr("{n} s later, asks separately").format(n=short_words(wait_s))
                    later += [replace(shown, beside=words, token="text2", faint=True) for shown in self._own(one, None)]
                    self.steps = (*self.steps, (one.approval_id, one.version))
        return later

    def _forget(self) -> None:
        self._laid_out.clear()
        self.updateGeometry()
        self.update()

    def _lay_out(self, width: int) -> tuple[list[tuple[Shown, Bubble | None, float]], float]:
        known = self._laid_out.get(width)
        if known is not None:
            return known
        placed: list[tuple[Shown, Bubble | None, float]] = []
        y = float(PAD)
        for shown in self._shown:
            bubble = None
            if shown.row is not None:
                bubble = self._painter.measure(shown.row, width - 2 * PAD, self._setting)
                height = bubble.height
            else:
                height = max(24.0, self._action_block(shown, width).height)
            placed.append((shown, bubble, y))
            y += height + GAP
        whole = y - GAP + PAD
        if len(self._laid_out) >= MOST_WIDTHS:
            self._laid_out.clear()
        self._laid_out[width] = placed, whole
        return placed, whole

    def _action_block(self, shown: Shown, width: int) -> text_block.TextBlock:
        room = max(80.0, width - 2 * PAD - 30)
        return text_block.lay_out(foreign_text.body(shown.words), self._theme.font(Face.BODY), room)

    def _paint_action(self, painter: QPainter, shown: Shown, top: float) -> None:
        painter.save()
        icons.draw(painter, "alert", self._theme.color("danger"), QRectF(PAD + 2, top + 2, 18, 18))
        block = self._action_block(shown, self.width())
        place = QRectF(PAD + 30, top + 1, max(80.0, self.width() - 2 * PAD - 30), block.height)
        if is_turned(painter):
            mirror(painter, place)
        text_block.draw(painter, block, place.topLeft(), self._theme.color("text1"))
        painter.restore()

    def _paint_beside(self, painter: QPainter, shown: Shown, room: QRectF) -> None:
        if not shown.beside or room.width() < 40:
            return
        theme = self._theme
        face = Face.SMALL if shown.faint else Face.SMALL_STRONG
        width = min(room.width(), theme.metrics(face).horizontalAdvance(shown.beside) + 2)
        color = theme.color(shown.token)
        place = QPointF(room.right() - width, room.bottom() - 12)
        marks.draw_line(painter, theme.font(face), color, place, shown.beside, width)

    def _spoken(self, card: Approval) -> str:
        later = [shown.beside for shown in self._shown if shown.faint]
        return ", ".join((foreign_text.body(card_text(card, foreign_text.name)), *later))
