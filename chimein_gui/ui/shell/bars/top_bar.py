"""The top bar: search, connections, costs, waiting approvals, and the hold switch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolBar, QWidget

from chimein_gui.ui.shell.bars.chip import Chip
from chimein_gui.ui.shell.bars.cost_meter import CostMeter
from chimein_gui.ui.shell.bars.hold_switch import BacklogOpener, HoldSwitch
from chimein_gui.ui.shell.bars.search_field import SearchField
from chimein_gui.ui.widgets.controls.icon_button import IconButton
from chimein_gui.ui.widgets.controls.overflow import Entry, Overflow, offer_first
from chimein_gui.ui.widgets.surfaces.menus import open_below
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme

if TYPE_CHECKING:
    from chimein_gui.ui.shell.bars.attention import Attention
    from chimein_gui.viewmodels.window import WindowModels

translate = QCoreApplication.translate

_GAP = 8
_BADGE, _PLAYING, _CONNECTIONS, _COST, _AGE = range(1, 6)
"""The parts that are shortened or hidden, in this order."""

WIDE, NARROW = 64, 48
"""Width of the rail in px, with and without words; the program's icon above it is as wide."""


class _Brand(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedSize(WIDE, 48)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tile = QRectF(self.width() / 2 - 13, self.height() / 2 - 13, 26, 26)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent"))
        painter.drawRoundedRect(tile, 7, 7)
        icons.draw(painter, "brand", self._theme.color("on_accent"), tile.adjusted(4, 4, -4, -4))
        painter.end()


class _Row(QWidget):
    """The contents of the bar.

    Attributes:
        changed: A width or a text has changed.
    """

    changed = Signal()

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self.changed.emit()
        return handled


class TopBar(QToolBar):
    """A fixed bar. In a narrow window its parts are shortened or hidden in order, and the search field shrinks last.

    The order is: the sandbox badge, the sandbox's scenario and faults, connections, costs, the age of the oldest
    waiting approval. Hidden connections and costs are in the menu of "More".

    Attributes:
        queue_pressed: The operator wants to see the waiting approvals.
        agents_pressed: The operator wants to see the accounts.
        costs_pressed: The operator wants to see the costs.
        palette_pressed: The operator wants to open the command palette.
    """

    queue_pressed = Signal()
    agents_pressed = Signal()
    costs_pressed = Signal()
    palette_pressed = Signal()

    _models: WindowModels | None = None
    _attention: Attention

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._compact = theme, False
        self.setObjectName("top_bar")
        self.setWindowTitle(self.tr("Summary"))
        self.setMovable(False)
        self.setFloatable(False)
        self.toggleViewAction().setEnabled(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._brand = _Brand(theme)
        self.search = SearchField(theme, "Ctrl K")
        self.connections, self.queue = Chip(theme), Chip(theme)
        self.cost, self.hold = CostMeter(theme), HoldSwitch(theme)
        self.more = IconButton(theme, "dots", self.tr("More"), opens=True)
        self._place_of_sandbox = QHBoxLayout()
        self._place_of_sandbox.setSpacing(_GAP)
        self._sandbox: tuple[Chip, ...] = ()
        self._given_way = 0
        self._inside = _Row()
        self._build()
        self._inside.changed.connect(self._give_way)
        self.search.clicked.connect(self.palette_pressed)
        self.queue.clicked.connect(self.queue_pressed)
        self.connections.clicked.connect(self.agents_pressed)
        self.cost.clicked.connect(self.costs_pressed)
        self.more.clicked.connect(self._offer_more)
        theme.fonts_changed.connect(self._fit_height)
        self.refresh()

    def follow(self, models: WindowModels) -> None:
        """Show the values of these models from now on."""
        from chimein_gui.ui.shell.bars.attention import Attention
        from chimein_gui.viewmodels.costs import make_costs

        self._models, costs = models, models.own(make_costs)
        self._attention = Attention(models, self)
        self._attention.changed.connect(self.refresh)
        self.cost.follow(costs, models.model_choice)
        self.hold.follow(models.holds)
        BacklogOpener(self._theme, models, self.hold)
        models.agents.summary_changed.connect(self.refresh)
        models.approvals.waiting_changed.connect(self.refresh)
        models.holds.changed.connect(self.refresh)
        costs.changed.connect(self.refresh)
        models.clock.ticked.connect(self.refresh)
        self.refresh()

    def _build(self) -> None:
        inside = self._inside
        inside.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(inside)
        set_rtl_margins(row, 0, 0, 12, 0)
        row.setSpacing(_GAP)
        row.addWidget(self._brand)
        row.addWidget(self.search, 100)
        row.addLayout(self._place_of_sandbox)
        row.addStretch(1)
        for widget in (self.connections, self.cost, self.queue, self.hold):
            row.addSpacing(4)
            row.addWidget(widget)
        row.insertWidget(row.indexOf(self.queue), self.more)
        self.addWidget(inside)
        self._fit_height()

    def take_sandbox(self, badge: Chip, *others: Chip) -> None:
        """Add the chips of the sandbox."""
        self._sandbox = (badge, *others)
        for chip in self._sandbox:
            self._place_of_sandbox.addWidget(chip)

    def set_compact(self, compact: bool) -> None:
        """Hide costs and connections in a small window; the palette and the Agents pane show them."""
        self._compact = compact
        self._brand.setFixedWidth(NARROW if compact else WIDE)
        self.refresh()

    def refresh(self) -> None:
        """Update all chips."""
        self._show_facts()
        if self._models is None:
            self.queue.hide()
            return
        up, whole = self._models.agents.counts()
        if whole:
            words = self.tr("{up} of {all} connected").format(up=up, all=whole)
            self.connections.say(IconLabel("wifi" if up else "plug", words, "text2"))
        nobody = self._models.agents.loaded and not whole
        self.queue.setVisible(self._models.approvals.loaded and not nobody)
        self.hold.setVisible(not nobody or bool(self._models.holds.holds))
        waiting, since = self._models.approvals.waiting_count, self._models.approvals.waiting_since
        held = self._models.approvals.leaving.held_by(self._models.holds)
        if since is None and held:
            words = translate("TopBar", "%n approved, held", "", held)
            self.queue.say(IconLabel("hand", words, "attention"), ground="attention_soft")
            return
        if since is None:
            # The words are true whatever else waits or failed; a tick would promise more.
            icon, ink = ("approvals", "text2") if self._attention.is_anything_open() else ("ok-circle", "ok")
            self.queue.say(IconLabel(icon, self.tr("Nothing to approve"), ink))
            return
        age = self._models.clock.age(since)
        words = self.tr("{n} waiting").format(n=waiting)
        self.queue.say(
            IconLabel("approvals", words, "attention"), self.tr("oldest {age}").format(age=age), "attention_soft"
        )

    def _show_facts(self) -> None:
        known, shown = self._facts(), self._facts_at(self._given_way)
        gone = (self.more.hasFocus() and known == shown) or any(one.hasFocus() for one in known if one not in shown)
        for fact in (self.connections, self.cost):
            fact.setVisible(fact in shown)
        self.more.setVisible(known != shown)
        if gone:
            (self.more if known != shown else shown[0] if shown else self.search).setFocus()

    def _facts(self) -> list[Chip | CostMeter]:
        """Return what there is to tell."""
        if self._models is None or not self._models.agents.rowCount():
            return []
        return [self.connections, self.cost] if self.cost.known else [self.connections]

    def _facts_at(self, step: int) -> list[Chip | CostMeter]:
        """Return what of that is told in the bar when so much has given way; the rest is behind "More"."""
        if self._compact or step >= _COST:
            return []
        return self._facts()[1 if step >= _CONNECTIONS else 0 :]

    def _offer_more(self) -> None:
        menu, shown = QMenu(self), self._facts_at(self._given_way)
        menu.aboutToHide.connect(menu.deleteLater)
        hidden = [one for one in self._facts() if one not in shown]
        opened = {self.connections: self.agents_pressed, self.cost: self.costs_pressed}
        offer_first(menu, (Entry(one.accessibleName(), opened[one].emit) for one in hidden))
        open_below(menu, self.more)

    def _give_way(self) -> None:
        """Shorten or hide as many parts as it takes to show the whole search field."""
        step = Overflow(gap=0).fit(self._inside.width(), [[self._width_at(step)] for step in range(_AGE + 1)]).form
        if step == self._given_way:
            return
        self._given_way = step
        for place, chip in enumerate(self._sandbox):
            chip.shorten(short=step >= (_PLAYING if place else _BADGE))
        self.queue.shorten(short=step >= _AGE)
        self._show_facts()
        row = self._inside.layout()
        if row is not None:
            row.activate()  # at once: else a chip paints its words over its arrow for a frame

    def _width_at(self, step: int) -> int:
        """Return the width of the contents in px, with the first `step` parts shortened or hidden."""
        widths = [self._brand.width(), self.search.whole_width()]
        if not self.hold.isHidden():
            widths.append(self.hold.sizeHint().width())
        for place, chip in enumerate(self._sandbox):
            if not chip.isHidden():
                widths.append(chip.width_if(short=step >= (_PLAYING if place else _BADGE)))
        shown = self._facts_at(step)
        widths += [one.sizeHint().width() for one in shown]
        if shown != self._facts():
            widths.append(self.more.sizeHint().width())
        if not self.queue.isHidden():
            widths.append(self.queue.width_if(short=step >= _AGE))
        # Each of the four widgets at the end has extra spacing before it, even while it is hidden.
        return sum(widths) + _GAP * (len(widths) + 5) + 4 * 4 + 12

    def _fit_height(self) -> None:
        height = max(48, round(self._theme.metrics(Face.STRONG).height() * 2.6))
        self._inside.setFixedHeight(height)
        self._brand.setFixedHeight(height)
