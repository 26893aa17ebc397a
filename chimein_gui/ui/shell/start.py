"""How the composition root gets its window.

window = build_window(models=WindowModels, empty_state=…, is_sandbox=…, settings_path=…, whole=False)
window.show()                                            # first paint
window.fill()                                            # makes the models, before the engine exists
…
window.attach(engine, jobs.spawn, sandbox_console)   # subscribes first, then fetches; sandbox may be None
window.close_guard.requested.connect(…)              # begin to shut down
window.detach(); await engine.aclose(); window.close_guard.force_close()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from chimein_gui.ui.pane import EmptyStateText, PaneContext
from chimein_gui.ui.requests import Requests
from chimein_gui.ui.shell.appearance.appearance import remembered_contrast, remembered_percent, remembered_scheme
from chimein_gui.ui.shell.appearance.language import remembered_language, speak
from chimein_gui.ui.shell.appearance.theme import apply_theme
from chimein_gui.ui.shell.docking.layout_memory import LayoutMemory
from chimein_gui.ui.shell.window import MainWindow
from chimein_gui.ui.widgets.theme.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from chimein_gui.ui.widgets.theme.theme import Scheme
    from chimein_gui.viewmodels.window import WindowModels


def build_window(
    *,
    models: Callable[[], WindowModels],
    empty_state: EmptyStateText,
    is_sandbox: bool = False,
    settings_path: Path | None = None,
    scheme: Scheme | None = None,
    logs: Path | None = None,
    whole: bool = True,
) -> MainWindow:
    """Return the window, not yet shown and not yet attached.

    Args:
        models: Creates the view models, which have no engine yet.
        empty_state: What to show while there is no agent.
        is_sandbox: Show the violet badge, and let the composer write as a partner.
        settings_path: File in which the layout is stored; None stores nothing.
        scheme: Colours; None for the stored ones, else the system's.
        logs: The folder of the logs, which Help opens.
        whole: Create models and panes too; else call `fill` after the first paint.
    """
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        raise RuntimeError("A QApplication must exist before the window")  # noqa: TRY004 - not a type problem
    memory = LayoutMemory(settings_path)
    speak(application, remembered_language(memory))
    theme = Theme(scheme or remembered_scheme(memory, application))
    theme.set_percent(remembered_percent(memory))
    if scheme is None:
        theme.set_more_contrast(more=remembered_contrast(memory, application))
    apply_theme(application, theme)
    context = PaneContext(models, theme, Requests(), empty_state, is_sandbox=is_sandbox)
    window = MainWindow(context, memory, logs, whole=whole)
    theme.setParent(window)
    context.requests.setParent(window)

    if scheme is None:
        hints = application.styleHints()
        hints.colorSchemeChanged.connect(window.follow_system)
        hints.accessibility().contrastPreferenceChanged.connect(window.follow_system)
    return window
