"""The commands of the window, as one list; menu, rail and palette are made from it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.ui.pane import PaneSpec
from chimein_gui.ui.requests import OpenConfigDirectory, PickScenario, SetUpPersona, StartSandbox
from chimein_gui.ui.shell.commands.actions import ActionSpec
from chimein_gui.viewmodels.preferences.appearance import TEXT_SIZES

_ALSO: dict[str, object] = {
    "agents": QT_TRANSLATE_NOOP("Actions", "accounts personas"),
    "approvals": QT_TRANSLATE_NOOP("Actions", "drafts queue pending"),
    "conversations": QT_TRANSLATE_NOOP("Actions", "chats messages inbox"),
    "preferences": QT_TRANSLATE_NOOP("Actions", "settings options configuration keys limits"),
    "rehearsal": QT_TRANSLATE_NOOP("Actions", "scenarios faults simulation"),
}
"""Other words for the panes; marked for translation here."""

translate = QCoreApplication.translate


def all_actions(panes: Iterable[PaneSpec], *, is_sandbox: bool = False) -> tuple[ActionSpec, ...]:
    """Return every command: the fixed ones, one for each pane, and what only the sandbox has."""
    rehearsing = (
        ActionSpec(
            "pick_scenario",
            translate("Actions", "Play a scenario…"),
            "Ctrl+Shift+P",
            "play",
            PickScenario(),
            group=1,
        ),
    )
    return (
        ActionSpec(
            "palette", translate("Actions", "Search or type a command…"), "Ctrl+K", "search", "late.open_palette"
        ),
        ActionSpec(
            "next_need",
            translate("Actions", "Next thing that needs you"),
            "Ctrl+Shift+J",
            "arrow-right",
            "needs.go",
            group=1,
        ),
        ActionSpec(
            "hold",
            translate("Actions", "Hold everything, or release"),
            "F8",
            "hand",
            "top_bar.hold.press",
            group=1,
            also=translate("Actions", "pause stop freeze"),
        ),
        *(rehearsing if is_sandbox else _accounts()),
        *(_of_pane(pane) for pane in panes),
        *_between_panes(),
        *_looks(),
        *_layout(),
        *_help(),
        ActionSpec("menu", translate("Actions", "Menu"), "F10", "menu", "late.pop_menu", menu="hidden"),
        ActionSpec(
            "quit",
            translate("Actions", "Quit"),
            "Ctrl+Q",
            "power",
            "leave",
            group=9,
            destructive=True,
            also=translate("Actions", "exit close"),
        ),
    )


def _between_panes() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            "next_pane", translate("Actions", "Next pane"), "F6", "panes", "focus_of_panes.go_on", menu="view", group=1
        ),
        ActionSpec(
            "previous_pane",
            translate("Actions", "Previous pane"),
            "Shift+F6",
            "panes",
            "focus_of_panes.go_back",
            menu="view",
            group=1,
        ),
        ActionSpec(
            "maximise",
            translate("Actions", "Give this pane all the room, or give it back"),
            "Ctrl+Shift+M",
            "maximise",
            "maximise",
            menu="view",
            group=1,
        ),
    )


def _help() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            "keys",
            translate("Actions", "Keys"),
            "F1",
            "keyboard",
            "late.help.show_keys",
            menu="help",
            also=translate("Actions", "shortcuts hotkeys help"),
        ),
        ActionSpec(
            "safety",
            translate("Actions", "Safety and privacy"),
            "",
            "shield",
            "late.help.show_safety",
            menu="help",
            also=translate("Actions", "terms risks telegram ban google secrets backup remove"),
        ),
        ActionSpec(
            "logs", translate("Actions", "Open the log folder"), "", "folder", "late.help.open_logs", menu="help"
        ),
        ActionSpec(
            "diagnostics",
            translate("Actions", "Save diagnostics…"),
            "",
            "download",
            "late.diagnostics.ask",
            menu="help",
            also=translate("Actions", "bug report support"),
        ),
        ActionSpec(
            "about",
            translate("Actions", "About Chimein"),
            "",
            "info",
            "late.help.show_about",
            menu="help",
            also=translate("Actions", "version"),
        ),
    )


def _accounts() -> tuple[ActionSpec, ...]:
    """Return what only a live run has: the ways to an account, and the way out."""
    return (
        ActionSpec(
            "set_up_persona",
            translate("Actions", "Set up a persona…"),
            "",
            "person-plus",
            SetUpPersona(),
            group=1,
        ),
        ActionSpec(
            "config_directory",
            translate("Actions", "Use another config directory…"),
            "",
            "folder",
            OpenConfigDirectory(),
            group=1,
        ),
        ActionSpec(
            "start_sandbox",
            translate("Actions", "Start the sandbox"),
            "",
            "flask",
            StartSandbox(),
            group=1,
        ),
    )


def _of_pane(pane: PaneSpec) -> ActionSpec:
    also = str(_ALSO.get(pane.pane_id, ""))
    words = QCoreApplication.translate("Panes", str(pane.title))
    also = translate("Actions", also) if also else ""
    return ActionSpec(
        f"show_{pane.pane_id}", words, pane.shortcut, pane.icon, "show_pane", pane.pane_id, menu="view", also=also
    )


def _looks() -> tuple[ActionSpec, ...]:
    scheme = "appearance.scheme_choice"
    choose_scheme = "appearance.choose_scheme"
    return (
        ActionSpec(
            "colours_system",
            translate("Actions", "Colours: as the system"),
            "",
            "sun",
            choose_scheme,
            "system",
            scheme,
            "colours",
            also=translate("Actions", "theme appearance mode"),
        ),
        ActionSpec(
            "colours_light",
            translate("Actions", "Colours: light"),
            "",
            "sun",
            choose_scheme,
            "light",
            scheme,
            "colours",
            also=translate("Actions", "theme appearance mode day"),
        ),
        ActionSpec(
            "colours_dark",
            translate("Actions", "Colours: dark"),
            "",
            "moon",
            choose_scheme,
            "dark",
            scheme,
            "colours",
            also=translate("Actions", "theme appearance mode night"),
        ),
        ActionSpec(
            "dark",
            translate("Actions", "Switch light and dark"),
            "Ctrl+Shift+D",
            "moon",
            "appearance.switch_scheme",
            menu="colours",
            group=1,
            also=translate("Actions", "theme appearance mode night day"),
        ),
        *_text_sizes(),
        *_motion(),
        *_single_keys(),
    )


def _text_sizes() -> tuple[ActionSpec, ...]:
    size, choose_size = "appearance.text_size", "appearance.choose_text_size"
    return (
        ActionSpec(
            "larger",
            translate("Actions", "Larger text"),
            "Ctrl++",
            "letters",
            "appearance.step_text_size",
            "1",
            menu="letters",
            also=translate("Actions", "font zoom letters bigger scale in"),
        ),
        ActionSpec(
            "smaller",
            translate("Actions", "Smaller text"),
            "Ctrl+-",
            "letters",
            "appearance.step_text_size",
            "-1",
            menu="letters",
            also=translate("Actions", "font zoom letters bigger scale out"),
        ),
        *(
            ActionSpec(
                f"text_{percent}",
                translate("Actions", "Text size: {n} %").format(n=percent),
                "",
                "letters",
                choose_size,
                str(percent),
                size,
                "letters",
                1,
                also=translate("Actions", "font zoom letters bigger scale"),
            )
            for percent in TEXT_SIZES
        ),
    )


def _motion() -> tuple[ActionSpec, ...]:
    motion, move = "appearance.motion", "appearance.choose_motion"
    return (
        ActionSpec(
            "motion_system",
            translate("Actions", "Motion: as the system"),
            "",
            "wave",
            move,
            "system",
            motion,
            "motion",
            also=translate("Actions", "animations reduced"),
        ),
        ActionSpec(
            "motion_on",
            translate("Actions", "Motion: on"),
            "",
            "wave",
            move,
            "on",
            motion,
            "motion",
            also=translate("Actions", "animations reduced"),
        ),
        ActionSpec(
            "motion_off",
            translate("Actions", "Motion: off"),
            "",
            "wave",
            move,
            "off",
            motion,
            "motion",
            also=translate("Actions", "animations reduced"),
        ),
    )


def _single_keys() -> tuple[ActionSpec, ...]:
    keys, use_keys = "appearance.single_keys", "appearance.choose_single_keys"
    return (
        ActionSpec(
            "keys_on",
            translate("Actions", "Single-key shortcuts: on"),
            "",
            "keyboard",
            use_keys,
            "on",
            keys,
            "single keys",
            also=translate("Actions", "hotkeys keyboard letters"),
        ),
        ActionSpec(
            "keys_off",
            translate("Actions", "Single-key shortcuts: off"),
            "",
            "keyboard",
            use_keys,
            "off",
            keys,
            "single keys",
            also=translate("Actions", "hotkeys keyboard letters"),
        ),
    )


def _layout() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            "layout_everyday",
            translate("Actions", "Layout: Everyday"),
            "",
            "layout",
            "layouts.apply",
            "Everyday",
            menu="layout",
        ),
        ActionSpec(
            "layout_approvals",
            translate("Actions", "Layout: Approvals"),
            "",
            "layout",
            "layouts.apply",
            "Approvals",
            menu="layout",
        ),
        ActionSpec(
            "save_layout",
            translate("Actions", "Save this layout…"),
            "",
            "layout",
            "late.layout_menu.ask_name",
            menu="layout",
            group=2,
        ),
        ActionSpec(
            "reset_layout",
            translate("Actions", "Reset layout"),
            "",
            "undo",
            "layouts.reset",
            menu="layout",
            group=2,
            destructive=True,
        ),
        *_moves(),
    )


def _moves() -> tuple[ActionSpec, ...]:
    move = "layouts.move"
    return (
        ActionSpec(
            "move_left",
            translate("Actions", "Move pane to the left"),
            "Ctrl+Alt+Left",
            "panes",
            move,
            "left",
            menu="layout",
            group=3,
        ),
        ActionSpec(
            "move_right",
            translate("Actions", "Move pane to the right"),
            "Ctrl+Alt+Right",
            "panes",
            move,
            "right",
            menu="layout",
            group=3,
        ),
        ActionSpec(
            "move_down",
            translate("Actions", "Move pane to the bottom"),
            "Ctrl+Alt+Down",
            "panes",
            move,
            "bottom",
            menu="layout",
            group=3,
        ),
        ActionSpec(
            "float_pane",
            translate("Actions", "Float pane, or dock it"),
            "",
            "float",
            "layouts.float_pane",
            menu="layout",
            group=3,
        ),
        ActionSpec(
            "close_pane",
            translate("Actions", "Close pane"),
            "Ctrl+W",
            "x",
            "layouts.close_pane",
            menu="layout",
            group=3,
            destructive=True,
        ),
    )
