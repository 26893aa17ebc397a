"""Lines between bubbles: days, the start of unread messages, service messages, and hidden steps of plans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPointF, QRectF

from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.transcript.message_words import message_words, service_words
from chimein_gui.viewmodels.transcript.words import step_icon, step_words

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from chimein_gui.domain.messages import Message
    from chimein_gui.viewmodels.transcript.rows import StepRow, TranscriptRow

_LINE = 34.0
SERVICE_NAME = 24
"""Most characters of a name in a service message."""

_AIR = 14.0
_LEAST_RULE = 24.0

translate = QCoreApplication.translate


def _line_height(theme: Theme) -> float:
    return max(_LINE, theme.metrics(Face.META).height() + 19)


def above_height(theme: Theme, row: TranscriptRow) -> float:
    """Return the height of the lines above a bubble, px."""
    return _line_height(theme) * (bool(row.day) + bool(row.unread))


def service_height(theme: Theme) -> float:
    """Return the height of a service message, px."""
    return theme.metrics(Face.SMALL).height() + 10


def step_height(theme: Theme) -> float:
    """Return the height of a hidden step, px."""
    return theme.metrics(Face.SMALL).height() + 18


def paint_above(painter: QPainter, theme: Theme, rect: QRectF, row: TranscriptRow) -> None:
    """Paint the day and the start of unread messages; `rect` is the row without its margins."""
    y, line_height = rect.top() + 3, _line_height(theme)
    if row.day:
        _between_rules(painter, theme, rect, y + line_height / 2, _Line(row.day, Face.META, "text3"))
        y += line_height
    if row.unread:
        # Without a number: messages that arrive while the chat is open are below the line too, read or not.
        line = _Line(translate("TranscriptLines", "Unread messages"), Face.META_STRONG, "accent_text", "accent")
        _between_rules(painter, theme, rect, y + line_height / 2, line)


def paint_service(painter: QPainter, theme: Theme, rect: QRectF, row: TranscriptRow) -> None:
    """Paint a service message."""
    top = rect.top() + above_height(theme, row)
    middle = top + (rect.bottom() - top) / 2
    _between_rules(painter, theme, rect, middle, _Line(short_service_words(row.message), Face.SMALL, "text3"))


def short_service_words(message: Message) -> str:
    """Return a service message as one sentence, with long names cut."""
    if message.deleted or message.text:
        return foreign_text.line(message_words(message))
    return service_words(message, lambda name: foreign_text.isolated(foreign_text.short(name, SERVICE_NAME)))


def paint_step(painter: QPainter, theme: Theme, rect: QRectF, row: StepRow) -> None:
    """Paint a hidden step of a plan: icon, verb in the past tense and object, between two hairlines."""
    verb, thing = step_words(row.step)
    words = f"{verb}  {foreign_text.line(thing)}".strip()
    token = "danger" if step_icon(row.step) == "warning" else "text3"
    line = _Line(words, Face.SMALL, token, icon=step_icon(row.step))
    _between_rules(painter, theme, rect, rect.center().y(), line)


@dataclass(frozen=True, slots=True)
class _Line:
    """Text between two hairlines."""

    words: str
    face: Face
    token: str
    rule: str = "line_strong"
    icon: str = ""


def _between_rules(painter: QPainter, theme: Theme, rect: QRectF, middle: float, line: _Line) -> None:
    words, face, token, rule, icon = line.words, line.face, line.token, line.rule, line.icon
    metrics = theme.metrics(face)
    lead = 20.0 if icon else 0.0
    room = rect.width() - 2 * (_AIR + _LEAST_RULE) - lead
    shown = elided(metrics, words, room)
    width = min(metrics.horizontalAdvance(shown), room) + lead
    left = rect.center().x() - width / 2
    painter.save()
    painter.setPen(theme.color(rule))
    painter.drawLine(QPointF(rect.left(), middle), QPointF(left - _AIR, middle))
    painter.drawLine(QPointF(left + width + _AIR, middle), QPointF(rect.right(), middle))
    if icon:
        icons.draw(painter, icon, theme.color(token), QRectF(left, middle - 7, 14, 14))
    marks.draw_line(painter, theme.font(face), theme.color(token), QPointF(left + lead, middle), shown)
    painter.restore()
