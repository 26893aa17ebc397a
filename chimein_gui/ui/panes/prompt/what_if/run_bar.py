"""With what a dry run asks, and the buttons that begin and stop one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout

from chimein_gui.domain.costs import price_of
from chimein_gui.domain.prompt.dry_runs import HOTTEST
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.check_box import CheckBox
from chimein_gui.ui.widgets.controls.form_fields import Choice
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.numbers import decimal_words, dollars_words
from chimein_gui.viewmodels.costs import make_costs
from chimein_gui.viewmodels.prompt.what_if import RunSettings

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.prompt.what_if import WhatIfModel

_STEPS = (0.0, 0.2, 0.5, 0.7, 1.0, 1.3, 1.6, HOTTEST)


class RunBar(Surface):
    """Settings that are never saved, and the two runs: rebuilt, and exact."""

    def __init__(self, context: PaneContext, model: WhatIfModel) -> None:
        theme = context.theme
        super().__init__(theme)
        self._model, self._preferences = model, context.models
        self._costs = context.own(make_costs)
        self.model = Choice(theme, self.tr("Model"), editable=True)
        self.temperature = Choice(theme, self.tr("Temperature"))
        self.tools = CheckBox(theme, self.tr("Offer the tools; a call is named, not run"))
        self.tools.setChecked(True)
        self.go = ActionButton(theme, self.tr("Run dry"), icon="play", key="Ctrl+Enter", kind=Kind.UNREAL)
        self.stop = ActionButton(theme, self.tr("Stop"), icon="stop")
        self.exact = ActionButton(theme, self.tr("Exact bytes again"), icon="refresh")
        self._about = ElidedLabel(theme, "", Face.SMALL, "text2")
        self._today = ElidedLabel(theme, "", Face.SMALL, "text2")
        own = [(self.tr("default"), None)]
        self.temperature.set_entries([*own, *((decimal_words(step, 1), step) for step in _STEPS)])
        self._build()
        self.go.clicked.connect(lambda _checked=False: self.run())
        self.stop.clicked.connect(lambda _checked=False: model.stop())
        self.exact.clicked.connect(lambda _checked=False: model.run_exact())
        self._costs.changed.connect(self.refresh)
        self.model.currentTextChanged.connect(lambda _words: self.refresh())

    def _build(self) -> None:
        theme = self._theme
        column = QVBoxLayout(self)
        set_rtl_margins(column, 12, 4, 12, 10)
        column.setSpacing(8)
        card = Surface(theme, "card", frame="line", radius=8)
        grid = QGridLayout(card)
        set_rtl_margins(grid, 12, 8, 12, 8)
        grid.setHorizontalSpacing(8)
        grid.addWidget(PlainLabel(theme, self.tr("Run with"), Face.SMALL_STRONG), 0, 0, 1, 2)
        never = ElidedLabel(theme, self.tr("Never saved to the agent"), Face.SMALL, "text2")
        grid.addWidget(never, 0, 2, 1, 2)
        grid.addWidget(PlainLabel(theme, self.tr("Model"), Face.SMALL, "text2"), 1, 0)
        grid.addWidget(self.model, 1, 1)
        grid.addWidget(PlainLabel(theme, self.tr("Temperature"), Face.SMALL, "text2"), 1, 2)
        grid.addWidget(self.temperature, 1, 3)
        grid.addWidget(self.tools, 2, 0, 1, 4)
        grid.setColumnStretch(1, 3)
        grid.setColumnStretch(3, 2)
        column.addWidget(card)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.go)
        row.addWidget(self.stop)
        row.addWidget(self.exact)
        row.addWidget(self._about, 1)
        column.addLayout(row)
        column.addWidget(self._today)

    def settings(self) -> RunSettings:
        """Return with what a run would ask now."""
        temperature = self.temperature.currentData()
        return RunSettings(self.model.currentText().strip(), temperature, not self.tools.isChecked())

    def run(self) -> None:
        """Begin a run of the rebuilt prompt."""
        if self.go.isEnabled() and self.go.isVisible():
            self._model.run(self.settings())

    def refresh(self) -> None:
        """Show what can be run now, and about what it costs."""
        model, base = self._model, self._model.base
        prices = self._preferences.preferences.prices
        if base is not None:
            names = [base.prompt.model, *(price.model for price in prices if "embedding" not in price.model)]
            kept = self.model.currentText() or base.prompt.model
            blocked = self.model.blockSignals(True)
            self.model.set_entries([(name, name) for name in dict.fromkeys(names)], kept)
            self.model.setEditText(kept)
            self.model.blockSignals(blocked)
        self.tools.setVisible(base is not None and bool(base.prompt.tools))
        self.go.setVisible(not model.running)
        self.stop.setVisible(model.running)
        self.go.allow("" if base is not None else self.tr("The prompt is being built"))
        if model.running:
            why = self.tr("A run is under way")
        elif model.exact is None:
            why = self.tr("Choose a stored call above: what would be sent now was never sent")
        else:
            why = ""
        self.exact.allow(why)
        price = price_of(self.model.currentText(), prices)
        about = "" if price is None else self.tr("about {cost} before the reply")
        usd = model.parts.parts.total * (price.prompt if price is not None else 0.0) / 1_000_000
        self._about.setText(self.tr("Asking the model…") if model.running else about.format(cost=dollars_words(usd, 4)))
        today = self._costs.today
        spent = dollars_words(today.dry_runs_usd, 4) if today is not None else "–"
        self._today.setText(self.tr("Dry runs today: {cost}, in today’s costs").format(cost=spent))
