"""The list of all commands, from which menu, rail and palette are made."""

# ruff: noqa: PLW0108 - a lambda asks for a part when its command runs: some parts are made late

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.requests import (
    ExportCard,
    ImportCard,
    OpenConfigDirectory,
    PickScenario,
    SetUpPersona,
    StartSandbox,
)
from chimein_gui.ui.shell.commands.actions import ActionSpec
from chimein_gui.viewmodels.core.bilingual import translate
from chimein_gui.viewmodels.preferences.appearance import TEXT_SIZES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.ui.pane import PaneSpec
    from chimein_gui.ui.requests import Requests
    from chimein_gui.ui.shell.appearance.appearance import Appearance
    from chimein_gui.ui.shell.bars.top_bar import TopBar
    from chimein_gui.ui.shell.commands.next_task import NextTask
    from chimein_gui.ui.shell.docking.dock_manager import DockManager
    from chimein_gui.ui.shell.docking.layouts import Layouts
    from chimein_gui.ui.shell.lazy_parts import LazyParts
    from chimein_gui.ui.shell.lifecycle import CloseGuard

_ALSO: dict[str, object] = {
    "agents": QT_TRANSLATE_NOOP("Actions", "accounts personas"),
    "approvals": QT_TRANSLATE_NOOP("Actions", "drafts queue pending"),
    "conversations": QT_TRANSLATE_NOOP("Actions", "chats messages inbox"),
    "decisions": QT_TRANSLATE_NOOP("Actions", "log history audit rules export edit rate"),
    "traces": QT_TRANSLATE_NOOP("Actions", "waterfall plans retrieval why cost tokens"),
    "log": QT_TRANSLATE_NOOP("Actions", "errors warnings messages of the program console diagnostics"),
    "preferences": QT_TRANSLATE_NOOP("Actions", "settings options configuration keys limits"),
    "rehearsal": QT_TRANSLATE_NOOP("Actions", "scenarios faults simulation"),
}
"""Further search words for the panes; marked for translation here."""


class CommandParts(Protocol):
    """The parts of the window that execute commands. They are created when a command first needs them."""

    requests: Requests
    appearance: Appearance
    top_bar: TopBar
    layouts: Layouts
    needs: NextTask
    lazy: LazyParts
    dock_manager: DockManager
    close_guard: CloseGuard


def all_actions(panes: Iterable[PaneSpec], window: CommandParts, *, is_sandbox: bool = False) -> tuple[ActionSpec, ...]:
    """Return all commands: the fixed ones, one for each pane, and those of the sandbox or of a live run."""
    rehearsing = (
        ActionSpec(
            "pick_scenario",
            translate("Actions", "Play a scenario…"),
            "Ctrl+Shift+P",
            "play",
            lambda: window.requests.send(PickScenario()),
            group=1,
        ),
    )
    return (
        ActionSpec(
            "palette",
            translate("Actions", "Search or type a command…"),
            "Ctrl+K",
            "search",
            lambda: window.lazy.open_palette(),
        ),
        ActionSpec(
            "next_need",
            translate("Actions", "Next item that needs you"),
            "Ctrl+Shift+J",
            "arrow-right",
            lambda: window.needs.go(),
            group=1,
        ),
        ActionSpec(
            "hold",
            translate("Actions", "Hold or release everything"),
            "F8",
            "hand",
            lambda: window.top_bar.hold.press(),
            group=1,
            also=translate("Actions", "pause stop freeze"),
        ),
        *(rehearsing if is_sandbox else _accounts(window)),
        *_cards(window),
        *(_of_pane(pane, window) for pane in panes),
        *_between_panes(window),
        *_looks(window),
        *_layout(window),
        *_help(window),
        ActionSpec("menu", translate("Actions", "Menu"), "F10", "menu", lambda: window.lazy.pop_menu(), menu="hidden"),
        ActionSpec(
            "quit",
            translate("Actions", "Quit"),
            "Ctrl+Q",
            "power",
            lambda: window.close_guard.request(),
            group=9,
            destructive=True,
            also=translate("Actions", "exit close"),
        ),
    )


def _between_panes(window: CommandParts) -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            "next_pane",
            translate("Actions", "Next pane"),
            "F6",
            "panes",
            lambda: window.dock_manager.focus.go_on(),
            menu="view",
            group=1,
        ),
        ActionSpec(
            "previous_pane",
            translate("Actions", "Previous pane"),
            "Shift+F6",
            "panes",
            lambda: window.dock_manager.focus.go_back(),
            menu="view",
            group=1,
        ),
        ActionSpec(
            "maximise",
            translate("Actions", "Maximize or restore pane"),
            "Ctrl+Shift+M",
            "maximise",
            lambda: window.dock_manager.maximise(),
            menu="view",
            group=1,
        ),
    )


def _help(window: CommandParts) -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            "keys",
            translate("Actions", "Keys"),
            "F1",
            "keyboard",
            lambda: window.lazy.help.show_keys(),
            menu="help",
            also=translate("Actions", "shortcuts hotkeys help"),
        ),
        ActionSpec(
            "safety",
            translate("Actions", "Safety and privacy"),
            "",
            "shield",
            lambda: window.lazy.help.show_safety(),
            menu="help",
            also=translate("Actions", "terms risks telegram ban google secrets backup remove"),
        ),
        ActionSpec(
            "logs",
            translate("Actions", "Open the log folder"),
            "",
            "folder",
            lambda: window.lazy.help.open_logs(),
            menu="help",
        ),
        ActionSpec(
            "diagnostics",
            translate("Actions", "Save diagnostics…"),
            "",
            "download",
            lambda: window.lazy.diagnostics.ask(),
            menu="help",
            also=translate("Actions", "bug report support"),
        ),
        ActionSpec(
            "about",
            translate("Actions", "About Chimein"),
            "",
            "info",
            lambda: window.lazy.help.show_about(),
            menu="help",
            also=translate("Actions", "version"),
        ),
    )


def _accounts(window: CommandParts) -> tuple[ActionSpec, ...]:
    """Return the commands of a live run: those for accounts, and the one that starts the sandbox."""
    return (
        ActionSpec(
            "set_up_persona",
            translate("Actions", "Set up a persona…"),
            "",
            "person-plus",
            lambda: window.requests.send(SetUpPersona()),
            group=1,
        ),
        ActionSpec(
            "config_directory",
            translate("Actions", "Use another config folder…"),
            "",
            "folder",
            lambda: window.requests.send(OpenConfigDirectory()),
            group=1,
        ),
        ActionSpec(
            "start_sandbox",
            translate("Actions", "Start the sandbox"),
            "",
            "flask",
            lambda: window.requests.send(StartSandbox()),
            group=1,
        ),
    )


def _cards(window: CommandParts) -> tuple[ActionSpec, ...]:
    also, send = translate("Actions", "persona tavern charx png json"), window.requests.send
    bring, give = translate("Actions", "Import character card…"), translate("Actions", "Export as character card…")
    return (
        ActionSpec("import_card", bring, "", "download", lambda: send(ImportCard()), group=1, also=also),
        ActionSpec("export_card", give, "", "external", lambda: send(ExportCard()), group=1, also=also),
    )


def _of_pane(pane: PaneSpec, window: CommandParts) -> ActionSpec:
    also = str(_ALSO.get(pane.pane_id, ""))
    words = translate("Panes", str(pane.title))
    also = translate("Actions", also) if also else ""
    return ActionSpec(
        f"show_{pane.pane_id}",
        words,
        pane.shortcut,
        pane.icon,
        partial(window.dock_manager.show_pane, pane.pane_id),
        menu="view",
        also=also,
    )


def _looks(window: CommandParts) -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            "colours_system",
            translate("Actions", "Theme: System"),
            "",
            "sun",
            lambda: window.appearance.choose_scheme("system"),
            lambda: window.appearance.scheme_choice == "system",
            "colours",
            also=translate("Actions", "theme appearance mode"),
        ),
        ActionSpec(
            "colours_light",
            translate("Actions", "Theme: Light"),
            "",
            "sun",
            lambda: window.appearance.choose_scheme("light"),
            lambda: window.appearance.scheme_choice == "light",
            "colours",
            also=translate("Actions", "theme appearance mode day"),
        ),
        ActionSpec(
            "colours_dark",
            translate("Actions", "Theme: Dark"),
            "",
            "moon",
            lambda: window.appearance.choose_scheme("dark"),
            lambda: window.appearance.scheme_choice == "dark",
            "colours",
            also=translate("Actions", "theme appearance mode night"),
        ),
        ActionSpec(
            "dark",
            translate("Actions", "Switch light and dark"),
            "Ctrl+Shift+D",
            "moon",
            lambda: window.appearance.switch_scheme(),
            menu="colours",
            group=1,
            also=translate("Actions", "theme appearance mode night day"),
        ),
        *_contrast(window),
        *_text_sizes(window),
        *_motion(window),
        *_single_keys(window),
    )


def _text_sizes(window: CommandParts) -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            "larger",
            translate("Actions", "Larger text"),
            "Ctrl++",
            "letters",
            lambda: window.appearance.step_text_size(1),
            menu="letters",
            also=translate("Actions", "font zoom letters bigger scale in"),
        ),
        ActionSpec(
            "smaller",
            translate("Actions", "Smaller text"),
            "Ctrl+-",
            "letters",
            lambda: window.appearance.step_text_size(-1),
            menu="letters",
            also=translate("Actions", "font zoom letters bigger scale out"),
        ),
        *(
            ActionSpec(
                f"text_{percent}",
                translate("Actions", "Text size: {n} %").format(n=percent),
                "",
                "letters",
                partial(window.appearance.choose_text_size, str(percent)),
                partial(_is_size, window, percent),
                "letters",
                1,
                also=translate("Actions", "font zoom letters bigger scale"),
            )
            for percent in TEXT_SIZES
        ),
    )


def _is_size(window: CommandParts, percent: int) -> bool:
    return window.appearance.text_size == str(percent)


def _motion(window: CommandParts) -> tuple[ActionSpec, ...]:
    return tuple(
        ActionSpec(
            f"motion_{choice}",
            words,
            "",
            "wave",
            lambda choice=choice: window.appearance.choose_motion(choice),  # type: ignore[misc]
            lambda choice=choice: window.appearance.motion == choice,  # type: ignore[misc]
            "motion",
            also=translate("Actions", "animations reduced"),
        )
        for choice, words in (
            ("system", translate("Actions", "Motion: as the system")),
            ("on", translate("Actions", "Motion: on")),
            ("off", translate("Actions", "Motion: off")),
        )
    )


def _contrast(window: CommandParts) -> tuple[ActionSpec, ...]:
    return tuple(
        ActionSpec(
            f"contrast_{choice}",
            words,
            "",
            "sun",
            lambda choice=choice: window.appearance.choose_contrast(choice),  # type: ignore[misc]
            lambda choice=choice: window.appearance.contrast == choice,  # type: ignore[misc]
            "contrast",
            also=translate("Actions", "theme accessibility high contrast low vision"),
        )
        for choice, words in (
            ("system", translate("Actions", "Contrast: as the system")),
            ("usual", translate("Actions", "Contrast: usual")),
            ("high", translate("Actions", "Contrast: high")),
        )
    )


def _single_keys(window: CommandParts) -> tuple[ActionSpec, ...]:
    return tuple(
        ActionSpec(
            f"keys_{choice}",
            words,
            "",
            "keyboard",
            lambda choice=choice: window.appearance.choose_single_keys(choice),  # type: ignore[misc]
            lambda choice=choice: window.appearance.single_keys == choice,  # type: ignore[misc]
            "single keys",
            also=translate("Actions", "hotkeys keyboard letters"),
        )
        for choice, words in (
            ("on", translate("Actions", "Single-key shortcuts: on")),
            ("off", translate("Actions", "Single-key shortcuts: off")),
        )
    )


def _layout(window: CommandParts) -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            "layout_everyday",
            translate("Actions", "Layout: Everyday"),
            "",
            "layout",
            lambda: window.layouts.apply("Everyday"),
            menu="layout",
        ),
        ActionSpec(
            "layout_approvals",
            translate("Actions", "Layout: Approvals"),
            "",
            "layout",
            lambda: window.layouts.apply("Approvals"),
            menu="layout",
        ),
        ActionSpec(
            "save_layout",
            translate("Actions", "Save this layout…"),
            "",
            "layout",
            lambda: window.lazy.layout_menu.ask_name(),
            menu="layout",
            group=2,
        ),
        ActionSpec(
            "reset_layout",
            translate("Actions", "Reset layout"),
            "",
            "undo",
            lambda: window.layouts.reset(),
            menu="layout",
            group=2,
            destructive=True,
        ),
        *_moves(window),
    )


def _moves(window: CommandParts) -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            "move_left",
            translate("Actions", "Move pane to the left"),
            "Ctrl+Alt+Left",
            "panes",
            lambda: window.layouts.move("left"),
            menu="layout",
            group=3,
        ),
        ActionSpec(
            "move_right",
            translate("Actions", "Move pane to the right"),
            "Ctrl+Alt+Right",
            "panes",
            lambda: window.layouts.move("right"),
            menu="layout",
            group=3,
        ),
        ActionSpec(
            "move_down",
            translate("Actions", "Move pane to the bottom"),
            "Ctrl+Alt+Down",
            "panes",
            lambda: window.layouts.move("bottom"),
            menu="layout",
            group=3,
        ),
        ActionSpec(
            "float_pane",
            translate("Actions", "Float or dock pane"),
            "",
            "float",
            lambda: window.layouts.float_pane(),
            menu="layout",
            group=3,
        ),
        ActionSpec(
            "close_pane",
            translate("Actions", "Close pane"),
            "Ctrl+W",
            "x",
            lambda: window.layouts.close_pane(),
            menu="layout",
            group=3,
            destructive=True,
        ),
    )
