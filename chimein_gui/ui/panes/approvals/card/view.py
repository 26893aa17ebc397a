"""The wide card: header, changes, conversation, preview, further steps, buttons."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from chimein_gui.ui.panes.approvals.actions.action_bar import ActionBar
from chimein_gui.ui.panes.approvals.actions.plan_row import PlanRow
from chimein_gui.ui.panes.approvals.card.body_cover import BodyCover
from chimein_gui.ui.panes.approvals.card.changed_block import ChangedBlock
from chimein_gui.ui.panes.approvals.card.header import CardHeader
from chimein_gui.ui.panes.approvals.card.kept_block import KeptBlock
from chimein_gui.ui.panes.approvals.card.last_messages import LastMessages, shown_rows
from chimein_gui.ui.panes.approvals.card.making_line import MakingLine
from chimein_gui.ui.panes.approvals.card.plan_chain import PlanChain
from chimein_gui.ui.panes.approvals.card.section import Section
from chimein_gui.ui.panes.approvals.card.send_preview import SendPreview
from chimein_gui.ui.panes.approvals.card.variants_row import VariantsRow
from chimein_gui.ui.panes.approvals.card.why_panel import WhyPanel
from chimein_gui.ui.panes.approvals.card.words import preview_title
from chimein_gui.ui.panes.approvals.merge.view import MergeView
from chimein_gui.ui.panes.approvals.versions.view import VersionsView
from chimein_gui.ui.requests import ShowPlan
from chimein_gui.ui.widgets.controls.spoken_role import speak_as_place
from chimein_gui.ui.widgets.rows.in_view import is_bare
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.viewmodels.approvals.available_actions import other_version_words, state_of
from chimein_gui.viewmodels.approvals.store import waits_for_operator
from chimein_gui.viewmodels.drafts.open_editor import EditorPlace
from chimein_gui.viewmodels.words.notes import note_beside_status

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.cards import CardDetails, Variant
    from chimein_gui.domain.ids import TaskId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts

STRIPE, SIDE = 6, 22


class CardView(QWidget):
    """Shows the open card; header, stripe and buttons never move.

    Attributes:
        scrolled: The visible part of the card may have changed.
        ticked: The checkbox for changes was ticked or cleared.
        show_wanted: Show the conversation.
    """

    scrolled = Signal()
    ticked = Signal(bool)
    show_wanted = Signal()
    _opened = Signal()

    def __init__(self, context: PaneContext, keys: SingleKeyShortcuts) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._approval: Approval | None = None
        self._typed: str | None = None
        self._keeps_preview = False
        self._shows_actions = True
        self._shown_change: tuple[object, object] | None = None
        self.header = CardHeader(context)
        self.changed = ChangedBlock(context)
        self.kept = KeptBlock(context)
        self.merge = MergeView(context)
        self.making = MakingLine(context)
        self.variants = VariantsRow(context)
        self.versions = VersionsView(context)
        self.preview = SendPreview(context)
        self.chain = PlanChain(context)
        self.why = WhyPanel(context)
        self.bar = ActionBar(self._theme, keys, compact=False)
        self.notice = InlineMessage(self._theme)
        self._messages = LastMessages(context)
        self.body = QScrollArea()
        self._build(keys)
        self._wire()

    @property
    def approval(self) -> Approval | None:
        """The shown card; None for none."""
        return self._approval

    def place_for_editor(self) -> QVBoxLayout:
        """Return the layout for the draft editor, between the body and the buttons."""
        return self._editor_place

    def take_why(self, why: WhyPanel | None) -> None:
        """Show the panel with the reasons at the end of the body; None: it is shown beside the card."""
        self._why_section.setVisible(why is not None)
        if why is not None:
            self._why_section.add(why)

    def show_actions(self, *, shown: bool) -> None:
        """Show the buttons, or hide them while the draft editor shows its own."""
        self._shows_actions = shown
        _show_plan(self.plan, self._approval if self._shows_actions else None, self.variants)
        self._foot.setVisible(shown and not self._cover.is_shown)

    def show_card(self, approval: Approval | None, *, looked_away: bool = False) -> None:
        """Show a card in its current state, with the details that are loaded."""
        same = self._approval and approval and self._approval.approval_id == approval.approval_id
        self._approval = approval
        self._cover.show_card(approval)
        if approval is None:
            self.kept.show_card(None)
            return
        if not same:
            self._typed = None
            self.body.verticalScrollBar().setValue(0)
        models = self._context.models
        details = models.card.details if models.card.approval == approval else None
        # Nothing is fetched while the selection still moves; it is fetched with the card's details, a moment later.
        known = details is not None or self.merge.edit is not None
        self.kept.show_card(approval if known else None)
        waits = waits_for_operator(approval)
        change = (approval.approval_id, approval.changed_at if approval.is_stale else None) if waits else None
        kept = self._keeps_preview or change != self._shown_change
        self._keeps_preview, self._shown_change = waits and kept, change
        self.making.show_card(approval)
        self.why.show_card(approval, details, models.card.problem)
        self._say_note(approval)
        self._show_variants(approval, details)
        self._show_conversation(approval)
        self._show_status()
        self._show_actions(approval, looked_away=looked_away)
        who = self.tr("{agent} to {who}").format(
            agent=foreign_text.name(approval.agent_name), who=foreign_text.name(approval.chat_title)
        )
        self.setAccessibleName(self.tr("Planned message, {who}").format(who=who))
        _describe(self)
        self.update()
        if not same:
            self._opened.emit()

    def show_typed(self, text: str | None) -> None:
        """Preview the typed text instead of the draft; None: nothing is being typed."""
        if text != self._typed:
            self._typed = text
            self.variants.setVisible(text is None and self.variants.has_any)
            if self._approval is not None:
                self._show_status()
                self._show_conversation(self._approval)
                _describe(self)

    def tick_time(self) -> None:
        """Update countdowns and elapsed times; called each second."""
        if self._approval is not None and self.isVisible():
            self._show_status()
            self.making.tick()

    def is_all_in_view(self) -> bool:
        """Tell whether the details are loaded and the end of the preview is visible."""
        if not is_bare(self.body) or self._context.models.card.details is None or self.variants.current is not None:
            return False  # details are missing, or another version is previewed
        if self._approval is not None and self._typed not in (None, self._approval.text):
            return False  # the preview shows what is being typed
        viewport = self.body.viewport()
        preview = self.preview.mapTo(viewport, self.preview.rect().bottomLeft()).y()
        top = self.preview.mapTo(viewport, self.preview.rect().topLeft()).y()
        return preview <= viewport.height() and (top >= 0 or self.preview.height() > viewport.height())

    def bring_into_view(self) -> None:
        """Scroll to the preview of the draft."""
        self._cover.leave()
        self.variants.show_draft()
        self.body.ensureWidgetVisible(self.preview, 0, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        path = QPainterPath()
        path.addRoundedRect(frame, 10, 10)
        painter.fillPath(path, self._theme.color("card"))
        if self._approval is not None:
            identity = self._context.models.agents.identity_of(self._approval.agent_id)
            painter.setClipPath(path)
            left = self.width() - STRIPE if self.isRightToLeft() else 0
            painter.fillRect(QRectF(left, 0, STRIPE, self.height()), self._theme.identity(identity))
            painter.setClipping(False)
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.drawPath(path)
        if self._foot.isVisible():
            painter.drawLine(STRIPE, self._foot.y(), self.width() - 1, self._foot.y())
        painter.end()
        self.scrolled.emit()  # it may have come out from behind another tab, of which nothing else tells

    # --- parts ----------------------------------------------------------------------------------------------------

    def _build(self, keys: SingleKeyShortcuts) -> None:
        inside = QWidget()
        self._column = column = QVBoxLayout(inside)
        column.setContentsMargins(SIDE, 0, SIDE, 16)
        column.setSpacing(0)
        self._conversation = Section(self._theme, self.tr("Last messages"), link=self.tr("Show in chat"))
        self._conversation.add(self._messages)
        self._sent = Section(self._theme, self.tr("Will be sent"))
        self._sent.add(self.variants)
        self._sent.add(self.preview)
        self._plan = Section(self._theme, self.tr("What follows"), link=self.tr("Show in the plan"))
        self._plan.add(self.chain)
        self.plan = PlanRow(self._context, self.preview, keys, self.is_all_in_view)
        self._plan.add(self.plan)
        self._why_section = Section(self._theme, self.tr("Why"))
        for section in (self._conversation, self._sent, self._plan, self._why_section):
            column.addWidget(section)
        column.addStretch(1)
        self.body.setWidget(inside)
        self.body.setWidgetResizable(True)
        self.body.setFrameShape(QFrame.Shape.NoFrame)
        self.body.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # setWidget() has enabled the automatic background, so disable it afterwards.
        for ground in (inside, self.body.viewport()):
            ground.setAutoFillBackground(False)
        self.body.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        speak_as_place(self.body)
        self.body.setAccessibleName(self.tr("The card"))
        keys.watch(self.body)
        keys.watch(self.changed.tick)
        self._assemble()

    def _assemble(self) -> None:
        """Lay out the parts from top to bottom."""
        self._editor_place = QVBoxLayout()
        self._editor_place.setContentsMargins(0, 0, 0, 0)
        self._foot = QWidget()
        foot = QVBoxLayout(self._foot)
        set_rtl_margins(foot, SIDE, 12, SIDE - 2, 13)
        foot.setSpacing(8)
        foot.addWidget(self.notice)
        foot.addWidget(self.bar)
        whole = QVBoxLayout(self)
        set_rtl_margins(whole, STRIPE, 1, 1, 1)
        whole.setSpacing(0)
        for part in (self.header, self.changed, self.kept, self.making):
            whole.addWidget(part)
        for cover in (self.merge, self.versions):
            whole.addWidget(cover, 1)
        whole.addWidget(self.body, 1)
        whole.addLayout(self._editor_place)
        whole.addWidget(self._foot)
        self._cover = BodyCover(self._context, self.body, self.kept, self.variants, self.merge, self.versions)
        self._chain_focus()

    def _chain_focus(self) -> None:
        """Set the tab order: checkbox, versions, body, buttons."""
        first = next(iter(self.bar.buttons.values()))
        chain = [self.changed.tick, *self.variants.stations(), self.body, first]
        for one, other in pairwise(chain):
            QWidget.setTabOrder(one, other)

    def show_versions(self) -> None:
        """Show the versions side by side, unless the operator is typing."""
        if self._typed is None:
            self._cover.show_versions()

    def _follow_cover(self) -> None:
        self._foot.setVisible(self._shows_actions and not self._cover.is_shown)
        self.scrolled.emit()

    def _wire(self) -> None:
        self.kept.refreshed.connect(self.merge.refresh)
        self._cover.changed.connect(self._follow_cover)
        self.scrolled.connect(self.plan.look)
        self.merge.discard_wanted.connect(self.kept.discard)
        self.variants.rebuilt.connect(self._chain_focus)
        self.changed.ticked.connect(self.ticked)
        self.changed.show_wanted.connect(self.show_wanted)
        self._conversation.link_pressed.connect(self.show_wanted)
        context = self._context
        self._plan.link_pressed.connect(lambda: _show_step(context, self._approval))
        self.chain.chosen.connect(lambda task_id: _show_step(context, self._approval, task_id))
        self.variants.looked_at.connect(lambda _variant: self._look_at_variant())
        regenerations = self._context.models.regenerations
        self.variants.chosen.connect(lambda variant: _execute(regenerations.choose, self._approval, variant))
        self.variants.compared.connect(self.show_versions)
        self.variants.discarded.connect(lambda variant: _execute(regenerations.discard, self._approval, variant))
        send_status = self._context.models.approvals.send_status
        send_status.stepped.connect(self.header.step)
        send_status.words_changed.connect(self.tick_time)
        self.body.verticalScrollBar().valueChanged.connect(lambda _value: self.scrolled.emit())
        self.body.verticalScrollBar().rangeChanged.connect(lambda _low, _high: self._take_range())
        # Queued: behind the layout. If this card is as high as the one before, the range stays the same.
        self._opened.connect(self._take_range, Qt.ConnectionType.QueuedConnection)
        self.body.verticalScrollBar().actionTriggered.connect(lambda _action: self._let_scroll())

    def _take_range(self) -> None:
        """Keep the preview of a card that waits visible when the height of the body changes."""
        if self._keeps_preview:
            _scroll_to(self.body, self.preview, self.variants)
        self.scrolled.emit()

    def _let_scroll(self) -> None:
        """The operator has scrolled: do not scroll to the preview any more."""
        self._keeps_preview = False

    def _look_at_variant(self) -> None:
        if self._approval is not None:
            details = self._context.models.card.details
            self._show_variants(self._approval, details)
            self._show_status()
            self._show_actions(self._approval)
            self._keeps_preview = True
            self._column.activate()
            _scroll_to(self.body, self.preview, self.variants)
            self.scrolled.emit()

    def _show_actions(self, approval: Approval, *, looked_away: bool = False) -> None:
        beside = self.variants.current is not None
        state = state_of(approval, self._context.models, looked_away=looked_away, other_version=beside)
        self.bar.show_actions(approval, state)

    def _show_variants(self, approval: Approval, details: CardDetails | None) -> None:
        variants = details.variants if details is not None else ()
        # While the operator types, the typed text stays visible.
        self.variants.show_variants(variants, approval, known=details is not None and self._typed is None)
        if details is not None:
            self._cover.refresh_versions()

    def _show_conversation(self, approval: Approval) -> None:
        models, is_typed = self._context.models, self._typed is not None
        loaded = models.card.details
        self._conversation.setVisible(loaded is not None and bool(loaded.messages))
        details = loaded if models.card.approval == approval else None
        changes = models.card.changes() if details is not None else ()
        rows = shown_rows(details, only_answered=is_typed) if details is not None else []
        read = models.actions.is_acknowledged(approval)
        self.changed.show_card(approval, changes, read=read, shown_below={one.key for one in rows})
        if details is not None:
            stale = waits_for_operator(approval) and approval.is_stale
            marked = {one.message.key: one for one in changes if stale}
            self._messages.show_details(details, marked, only_answered=is_typed)

    def _show_status(self) -> None:
        approval, models = self._approval, self._context.models
        if approval is None:
            return
        details = models.card.details if models.card.approval == approval else None
        label = IconLabel("pencil", self.tr("You are editing"), "info") if self._typed is not None else None
        if label is None and models.regenerations.making_of(approval.graph_id) and waits_for_operator(approval):
            label = IconLabel("refresh", self.tr("Planning again"), "info")
        self.header.show_card(approval, details, label)
        status_words = models.approvals.status_words_of(approval)
        variant = self.variants.current
        if variant is not None:
            self.preview.show_drafts(variant.drafts)
            self._sent.title.setText(self.tr("Will be sent if you use this version"))
        else:
            beside = IconLabel("hand", "") if self._typed is not None else self.header.status_words
            self.preview.show_card(approval, details, beside, self._typed)
            self._sent.title.setText(preview_title(approval, typed=self._typed is not None))
        self._plan.setVisible(details is not None and len(details.steps) + len(details.remembers) > 0)
        if details is not None:
            self.chain.show_card(approval, details, status_words)
        _show_plan(self.plan, self._approval if self._shows_actions else None, self.variants)

    def _say_note(self, approval: Approval) -> None:
        models = self._context.models
        note = models.actions.explanation_of(approval.approval_id)
        note = note or models.open_editor.words(approval.approval_id, EditorPlace.APPROVALS)
        note = note or models.regenerations.note_of(approval.graph_id)
        note = note or note_beside_status(approval, held=models.approvals.send_status.is_held(approval))
        self.notice.say(IconLabel("info", note, "info") if note else None)


def _scroll_to(body: QScrollArea, preview: SendPreview, variants: VariantsRow) -> None:
    body.ensureWidgetVisible(preview, 0, 8)
    if variants.current is not None:
        body.ensureWidgetVisible(variants, 0, 8)  # its buttons, whatever the length of the text


def _show_plan(plan: PlanRow, approval: Approval | None, variants: VariantsRow) -> None:
    """Show the buttons for the whole plan; approval is disabled while another version is previewed."""
    plan.show_card(approval, other_version_words() if variants.current is not None else "")
    plan.look()


def _execute(do: Callable[[Approval, Variant], None], approval: Approval | None, variant: Variant) -> None:
    if approval is not None:
        do(approval, variant)


def _show_step(context: PaneContext, card: Approval | None, task_id: TaskId | None = None) -> None:
    """Show a step of the card's plan in the Plans pane; None for the card's own."""
    if card is not None:
        context.requests.send(ShowPlan(card.chat_id, task_id or card.task_id, card.graph_id))


def _describe(card: CardView) -> None:
    """Describe the body for a screen reader that comes to it by what is needed to decide: recipient, text, reasons."""
    parts = card.header.accessibleName(), card.preview.accessibleName(), card.why.reasons
    words = ". ".join(part for part in parts if part)
    if words != card.body.accessibleDescription():
        card.body.setAccessibleDescription(words)
