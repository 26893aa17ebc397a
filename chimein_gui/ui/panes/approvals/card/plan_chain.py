"""The plan as a chain of boxes: this message, a wait, further steps, and the typing that the partner will see."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.numbers import short_words

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.cards import CardDetails, CardStep
    from chimein_gui.domain.ids import TaskId
    from chimein_gui.ui.pane import PaneContext

NODE, ARROW, PAD, ICON, GAP = 44, 22, 10, 16, 8

_ICONS = {
    TaskKind.SEND: "send",
    TaskKind.STICKER: "sticker",
    TaskKind.FILE: "file",
    TaskKind.WAIT: "hourglass",
    TaskKind.BLOCK: "block",
    TaskKind.UNBLOCK: "person",
    TaskKind.CLEAR_CONVERSATION: "trash",
    TaskKind.SHUTDOWN: "power",
}
_TOKENS = {
    TaskStatus.AWAITING_DECISION: "attention",
    TaskStatus.APPROVED: "accent_text",
    TaskStatus.DONE: "ok",
    TaskStatus.FAILED: "danger",
    TaskStatus.UNKNOWN: "attention",
}


@dataclass(frozen=True, slots=True)
class Node:
    """One step of the chain.

    Attributes:
        icon: Name of an icon.
        title: What it is.
        state: Its state in words.
        token: Colour of the state.
        here: It is the card itself.
        quiet: Drawn without a frame, for what only the partner sees, such as typing.
        task_id: The step; None for what is none, such as typing.
    """

    icon: str
    title: str
    state: str
    token: str = "text2"
    here: bool = False
    quiet: bool = False
    task_id: TaskId | None = None


class PlanChain(QWidget):
    """Nodes in reading order, on as many lines as needed.

    Attributes:
        chosen: A step was clicked; carries its id.
    """

    chosen = Signal(object)

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._nodes: tuple[Node, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMouseTracking(True)
        self._theme.changed.connect(self.update)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The shown nodes."""
        return self._nodes

    def show_card(self, approval: Approval, details: CardDetails, status_words: str) -> None:
        """Show the plan of a card."""
        nodes: list[Node] = []
        for step in details.steps:
            here = step.approval_id == approval.approval_id
            if step.typing_s >= 1 and step.kind in (TaskKind.SEND, TaskKind.STICKER) and not _is_over(step):
                seconds = self.tr("{n} s").format(n=round(step.typing_s))
                nodes.append(Node("keyboard", self.tr("typing"), seconds, quiet=True))
            node = self._node(step, here=here, status_words=status_words if here else "")
            nodes.append(replace(node, task_id=step.task_id))
        nodes += [Node("memory", self.tr("remembers"), foreign_text.line(text, 60)) for text in details.remembers]
        if tuple(nodes) != self._nodes:
            self._nodes = tuple(nodes)
            self.setAccessibleName(", ".join(f"{node.title}: {node.state}" for node in nodes))
            self.updateGeometry()
            self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        boxes = self._boxes(width)
        return round(boxes[-1].bottom()) + 1 if boxes else self._node_height()

    def sizeHint(self) -> QSize:
        return QSize(400, self.heightForWidth(max(self.width(), 280)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self._node_height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        for place, (node, box) in enumerate(zip(self._nodes, self._boxes(self.width()), strict=True)):
            self._paint_node(painter, node, box)
            if place + 1 < len(self._nodes):
                arrow = QRectF(box.right() + 5, box.center().y() - 6, 12, 12)
                icons.draw(painter, "arrow-right", self._theme.color("text3"), arrow)
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self._step_at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        task_id = self._step_at(event.position())
        if task_id is not None and event.button() is Qt.MouseButton.LeftButton:
            self.chosen.emit(task_id)

    def _step_at(self, at: QPointF) -> TaskId | None:
        if self.isRightToLeft():
            at = QPointF(self.width() - at.x(), at.y())
        both = zip(self._nodes, self._boxes(self.width()), strict=True)
        return next((node.task_id for node, box in both if box.contains(at)), None)

    def _node(self, step: CardStep, *, here: bool, status_words: str) -> Node:
        if step.kind is TaskKind.WAIT:
            words = self.tr("{n} s").format(n=short_words(step.wait_s or 0))
            if step.status in (TaskStatus.DONE, TaskStatus.SKIPPED):
                words = self.tr("over")
            return Node(_ICONS[step.kind], self.tr("wait"), words, "text2")
        title = {
            TaskKind.SEND: self.tr("this text") if here else self.tr("text"),
            TaskKind.STICKER: foreign_text.line(step.sticker.name if step.sticker else "", 24) or self.tr("sticker"),
            TaskKind.FILE: self.tr("file"),
            TaskKind.BLOCK: self.tr("block"),
            TaskKind.UNBLOCK: self.tr("unblock"),
            TaskKind.CLEAR_CONVERSATION: self.tr("clear"),
            TaskKind.SHUTDOWN: self.tr("stop"),
            TaskKind.RECEIVED: self.tr("message"),
        }[step.kind]
        state = (
            status_words
            or {
                TaskStatus.PENDING: self.tr("later"),
                TaskStatus.READY: self.tr("next"),
                TaskStatus.WAITING: self.tr("waits"),
                TaskStatus.RUNNING: self.tr("under way"),
                TaskStatus.AWAITING_OPERATOR: self.tr("asks you"),
                TaskStatus.AWAITING_DECISION: self.tr("asks you"),
                TaskStatus.SENDING: self.tr("being sent"),
                TaskStatus.APPROVED: self.tr("approved"),
                TaskStatus.DONE: self.tr("done"),
                TaskStatus.SKIPPED: self.tr("rejected"),
                TaskStatus.CANCELLED: self.tr("cancelled"),
                TaskStatus.FAILED: self.tr("failed"),
                TaskStatus.UNKNOWN: self.tr("unknown"),
                TaskStatus.OBSERVED: self.tr("observed"),
                TaskStatus.PARKED: self.tr("not chosen"),
            }[step.status]
        )
        return Node(_ICONS.get(step.kind, "send"), title, state, _TOKENS.get(step.status, "text2"), here)

    def _node_height(self) -> int:
        return max(NODE, round(2 * self._theme.metrics(Face.SMALL).height() + 12))

    def _width(self, node: Node, most: float) -> float:
        words = max(
            self._theme.metrics(Face.SMALL_STRONG).horizontalAdvance(node.title),
            self._theme.metrics(Face.SMALL).horizontalAdvance(node.state),
        )
        return min(most, words + ICON + GAP + 2 * PAD + 2)

    def _boxes(self, width: int) -> list[QRectF]:
        x = y = 0.0
        boxes, high = [], self._node_height()
        for node in self._nodes:
            wide = self._width(node, min(220.0, float(width)))
            if x and x + wide > width:
                x, y = 0.0, y + high + 8
            boxes.append(QRectF(x, y, wide, high))
            x += wide + ARROW
        return boxes

    def _paint_node(self, painter: QPainter, node: Node, box: QRectF) -> None:
        theme = self._theme
        if not node.quiet:
            painter.setPen(QPen(theme.color("attention_line" if node.here else "line"), 1))
            painter.setBrush(theme.color("draft" if node.here else "card"))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        icon = QRectF(box.left() + PAD, box.center().y() - ICON / 2, ICON, ICON)
        icons.draw(painter, node.icon, theme.color("attention" if node.here else "text2"), icon)
        left, room = icon.right() + GAP, box.right() - PAD - icon.right() - GAP + 2
        line = theme.metrics(Face.SMALL).height() / 2
        upper, lower = QPointF(left, box.center().y() - line), QPointF(left, box.center().y() + line)
        marks.draw_line(painter, theme.font(Face.SMALL_STRONG), theme.color("text1"), upper, node.title, room)
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color(node.token), lower, node.state, room)


def _is_over(step: CardStep) -> bool:
    return step.status not in (TaskStatus.AWAITING_DECISION, TaskStatus.APPROVED)
