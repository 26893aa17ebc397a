"""The Overview pane."""

from PySide6.QtCore import QT_TRANSLATE_NOOP
from PySide6.QtWidgets import QListView, QVBoxLayout

from chimein_gui.ui.pane import Area, Group, Pane, PaneContext, PaneSpec
from tests.architecture.example_pane.viewmodel import make_overview


class OverviewPane(Pane):
    """The agents, one line each."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self.list = QListView()
        self.list.setAccessibleName(self.tr("Overview"))
        self.list.setModel(context.own(make_overview))
        QVBoxLayout(self).addWidget(self.list)


SPEC = PaneSpec(
    "overview",
    QT_TRANSLATE_NOOP("Panes", "Overview"),
    "agents",
    Area.BOTTOM,
    "Ctrl+Shift+O",
    OverviewPane,
    models=make_overview,
    group=Group.INSPECT,
)
