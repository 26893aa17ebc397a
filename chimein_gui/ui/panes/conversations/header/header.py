"""The header of the open chat: partner, agent, trust level, and the actions of the chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy

from chimein_gui.domain.chats import Chat, ChatKind
from chimein_gui.engine.policy.trust import trust_now
from chimein_gui.ui.panes.conversations.chats.looks import chat_label
from chimein_gui.ui.panes.conversations.chats.trust_menu import open_trust_menu
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.controls.icon_button import IconButton, MenuButton
from chimein_gui.ui.widgets.controls.overflow import Entry, Overflow, offer_first
from chimein_gui.ui.widgets.surfaces.menus import open_below
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout, leading_edge, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.panes.conversations import make_conversations
from chimein_gui.viewmodels.words.trust import trust_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPainter, QResizeEvent

    from chimein_gui.ui.pane import PaneContext

translate = QCoreApplication.translate

IDENTITY_FROM = 650
"""Width in px below which "as Nora Vale" is left out; the composer still shows the agent."""

BARE = 199
"""Width in px of avatar, margins, gaps, and of the two buttons with words when their words are hidden."""

NAME_LEFT, NAME_GAP = 62, 12
"""Px before a name, and at each side of what stands behind it."""

TITLE_FROM, TITLE_LEAST = 150, 72
"""Width of a name in px below which buttons lose their words, and below which they are hidden."""

WITHOUT_WORDS = 2
"""Index of the first form in which no button has words."""


class ChatHeader(Surface):
    """Names are painted; screen readers get them as one sentence. The rest are buttons.

    Attributes:
        search_pressed: Search in this chat.
        steps_toggled: Show or hide what plans did between the messages.
    """

    search_pressed = Signal()
    steps_toggled = Signal(bool)

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme, "pane", bottom_line="line")
        self._context, self._theme = context, context.theme
        self._chat: Chat | None = None
        self._look: tuple[object, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.trust = MenuButton(self._theme, "", icon="shield")
        self.take_over = ActionButton(self._theme, self.tr("Take over"), icon="hand-grabbing")
        self.take_over.setAccessibleName(self.tr("Take over"))
        self.take_over.setToolTip(self.tr("The agent pauses in this chat, and you write"))
        self.steps = IconButton(self._theme, "layers", self.tr("Hidden steps"), stays=True)
        self.search = IconButton(self._theme, "search", self.tr("Search in this chat"))
        self.more = IconButton(self._theme, "dots", self.tr("More about this chat"), opens=True)
        self._row = QHBoxLayout(self)
        set_rtl_margins(self._row, 16, 0, 6, 0)
        self._row.setSpacing(2)
        self._row.addStretch(1)
        for button in self._buttons():
            self._row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
            button.hide()
        self._row.insertSpacing(2, 6)
        self._row.insertSpacing(4, 4)
        self._wire()

    def _buttons(self) -> tuple[ActionButton, ...]:
        return self.trust, self.take_over, self.steps, self.search, self.more

    def _wire(self) -> None:
        self.trust.clicked.connect(self._offer_trust)
        self.take_over.clicked.connect(self._take_over)
        self.steps.toggled.connect(self.steps_toggled)
        self.search.clicked.connect(self.search_pressed)
        self.more.clicked.connect(self._offer_more)
        self._context.models.clock.ticked.connect(self._tick)
        self._context.models.holds.changed.connect(self._tick)
        self._theme.fonts_changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        title, small = (self._theme.metrics(face).height() for face in (Face.TITLE, Face.SMALL))
        return QSize(300, max(56, round(title + small + 18)))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def set_chat(self, chat: Chat | None) -> None:
        """Show a chat; None if no chat is open."""
        self._chat = chat
        if chat is not None:
            agent = self._context.models.chats.agent(chat.agent_id)
            self.setAccessibleName(
                self.tr("{who}, as {agent}, trust {trust}").format(
                    who=foreign_text.name(chat.info.title),
                    agent=foreign_text.name(agent.spec.name) if agent else "",
                    trust=trust_word(trust_now(chat, self._context.models.clock.now())),
                )
            )
        for button in self._buttons():
            if button in (self.trust, self.more) or chat is None:
                button.setVisible(chat is not None)
        self._tick()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tick()

    def _tick(self) -> None:
        """Update the remaining time of a limited trust level and of a takeover; called each second."""
        chat = self._chat
        if chat is None:
            return
        label = chat_label(self._context.models, chat, short=False)
        words = self.tr("Take over")
        form = self._fit(chat, label.word, words)
        has_room = form < WITHOUT_WORDS
        self.trust.set_look(label.word if has_room else "", icon=label.icon)
        self.trust.setAccessibleName(self.tr("Trust: {level}. Change").format(level=label.word))
        self.trust.setToolTip("" if has_room else label.word)
        self.take_over.set_look(words if form == 0 else "", icon="hand-grabbing")
        self.take_over.setVisible(not self._is_taken_over(chat))  # the bar below has the button that ends it
        self._repaint(chat)

    def _repaint(self, chat: Chat) -> None:
        """Repaint if the painted contents have changed, which most updates of a chat do not do."""
        agent = self._context.models.chats.agent(chat.agent_id)
        who = (agent.spec.name, agent.identity) if agent is not None else None
        look = (chat.info, self._sub_line(chat), who, self.trust.text(), self.take_over.text())
        if look != self._look:
            self._look = look
            self.update()

    def _fit(self, chat: Chat, *words: str) -> int:
        """Move buttons that do not fit beside the chat's name into "…"; return the form of the buttons."""
        title = round(self._theme.metrics(Face.TITLE).horizontalAdvance(foreign_text.name(chat.info.title)))
        trust, take_over = (round(self._theme.metrics(Face.STRONG).horizontalAdvance(one)) + 7 for one in words)
        side = self.more.sizeHint().width()
        name = min(title, TITLE_FROM)
        forms = [[name, trust, take_over], [name, trust, 0], [name, 0, 0], [min(title, TITLE_LEAST), 0, 0]]
        overflow = Overflow(gap=0, more=side, always_more=True)
        fit = overflow.fit(self.width() - BARE, [[*widths, side, side] for widths in forms])
        for place, button in enumerate((self.search, self.steps), 3):
            if button.hasFocus() and place not in fit.shown:
                self.more.setFocus()
            button.setVisible(place in fit.shown)
        return fit.form

    def _is_taken_over(self, chat: Chat) -> bool:
        until = chat.takeover_until
        return until is not None and until > self._context.models.clock.now()

    def _take_over(self) -> None:
        if self._chat is not None:
            self._context.own(make_conversations).commands.take_over(self._chat.chat_id)

    def _offer_trust(self) -> None:
        if self._chat is not None:
            models, below = self._context.models, self.trust.mapToGlobal(self.trust.rect().bottomLeft())
            commands = models.own(make_conversations).commands
            open_trust_menu(self._chat, commands, self, below, round(models.preferences.countdown_s))

    def _offer_more(self) -> None:
        if self._chat is not None:
            from chimein_gui.ui.panes.conversations.chats.menu import make_chat_menu

            menu = make_chat_menu(self._context, self._chat, self)
            offer_first(menu, self._behind())
            open_below(menu, self.more)

    def _behind(self) -> Iterator[Entry]:
        if self.search.isHidden():
            yield Entry(self.search.accessibleName(), self.search.click)
        if self.steps.isHidden():
            yield Entry(self.steps.accessibleName(), self.steps.click, is_checked=self.steps.isChecked())

    def paint_contents(self, painter: QPainter) -> None:
        follow_layout(painter, self)
        if self._chat is not None:
            self._paint_chat(painter, self._chat)

    def _paint_chat(self, painter: QPainter, chat: Chat) -> None:
        theme, middle = self._theme, self.height() / 2
        title = foreign_text.name(chat.info.title)
        circle = QRectF(16, middle - 18, 36, 36)
        marks.draw_circle(painter, theme, circle, chat.info.title, group=chat.info.kind is not ChatKind.DM)
        right = self._paint_identity(painter, chat)
        left, width = float(NAME_LEFT), right - NAME_LEFT - NAME_GAP
        sub, token = self._sub_line(chat)
        height, small = theme.metrics(Face.TITLE).height(), theme.metrics(Face.SMALL).height()
        top = middle - (small + 1) / 2 if sub else middle
        marks.draw_line(painter, theme.font(Face.TITLE), theme.color("text1"), QPointF(left, top), title, width)
        if sub:
            below = QPointF(left, top + height / 2 + small / 2 + 1)
            marks.draw_line(painter, theme.font(Face.SMALL), theme.color(token), below, sub, width)

    def _sub_line(self, chat: Chat) -> tuple[str, str]:
        models = self._context.models
        if models.chats.is_typing(chat.chat_id):
            return self.tr("typing…"), "accent_text"
        if not chat.may_write:
            return self.tr("This account can't write here"), "danger"
        if chat.info.kind is not ChatKind.DM:
            group = models.send_as_partner.group(chat.info.peer_id)
            number = len(group.member_ids) if group is not None else 0
            return (translate("ChatHeader", "Group, %n member(s)", "", number) if number else self.tr("Group")), "text3"
        if chat.info.username:
            return "@" + foreign_text.name(chat.info.username), "text3"
        return "", "text3"

    def _paint_identity(self, painter: QPainter, chat: Chat) -> float:
        """Paint "as [N] Nora Vale" beside the buttons; return its left edge."""
        theme, middle = self._theme, self.height() / 2
        agent = self._context.models.chats.agent(chat.agent_id)
        right = leading_edge(self.trust) - float(NAME_GAP)
        if agent is None or self.width() < IDENTITY_FROM:
            return right
        name, font = foreign_text.name(agent.spec.name), theme.font(Face.STRONG)
        word = self.tr("as")
        word_width = theme.metrics(Face.SMALL).horizontalAdvance(word)
        title = theme.metrics(Face.TITLE).horizontalAdvance(foreign_text.name(chat.info.title))
        # The agent's name is elided first, because the partner's name matters more.
        room = right - NAME_LEFT - min(title, 200.0) - NAME_GAP - word_width - 8 - 20 - 7
        width = min(theme.metrics(Face.STRONG).horizontalAdvance(name), room)
        if width < 24:
            return right
        marks.draw_line(painter, font, theme.color("text1"), QPointF(right - width, middle), name, width + 1)
        right -= width + 7 + 20
        marks.draw_square(painter, theme, QRectF(right, middle - 10, 20, 20), agent.spec.name, agent.identity)
        right -= word_width + 8
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(right, middle), word)
        return right
