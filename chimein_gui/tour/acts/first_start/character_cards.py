"""In the run of the first start: a character card becomes an agent, and the agent is exported as a card."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QLineEdit

from chimein_gui import ui_driver as hand
from chimein_gui.tour.driver import press, schemes, still
from chimein_gui.ui.dialogs.character_cards.export_dialog import ExportCardDialog
from chimein_gui.ui.dialogs.character_cards.import_dialog import ImportCardDialog

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TypeVar

    from PySide6.QtWidgets import QDialog

    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

    Dialog = TypeVar("Dialog", bound=QDialog)

NAME, PHONE = "Mira Holt", "+9996622002"

_CARD = {
    "spec": "chara_card_v3",
    "spec_version": "3.0",
    "data": {
        "name": NAME,
        "nickname": "Mira",
        "description": "{{char}} keeps the lighthouse of Salt Point, and has done so for eleven winters.",
        "personality": "dry, patient, kind to people who are lost",
        "scenario": "A storm is coming. {{user}} has asked for the ferry.",
        "first_mes": "You found the door, then.",
        "mes_example": "<START>\n{{user}}: Is it cold up there?\n{{char}}: Always. You get used to the stairs first.",
        "creator_notes": "Best with long evenings.",
        "system_prompt": "{{original}}\nNever say that you are a program.",
        "post_history_instructions": "Answer in one paragraph.",
        "alternate_greetings": ["Wet boots off.", "The ferry? In this wind?"],
        "group_only_greetings": [],
        "tags": ["sea", "slow"],
        "creator": "somebody",
        "character_version": "2",
        "assets": [{"type": "icon", "uri": "https://example.org/mira.png", "name": "main", "ext": "png"}],
        "extensions": {"depth_prompt": {"depth": 4}},
        "character_book": {
            "extensions": {},
            "entries": [
                {"keys": [], "content": "@@depth 4\nThe lamp burns oil until the new one comes.", "constant": True,
                 "enabled": True, "insertion_order": 1, "use_regex": False, "extensions": {}},
                {"keys": ["ferry"], "content": "The ferry runs twice a day.", "enabled": True, "insertion_order": 2,
                 "use_regex": False, "extensions": {}},
            ],
        },
    },
}  # fmt: skip


async def play_character_cards(tour: Tour, program: Program) -> None:
    """Import a card that is none, then one that is; export the agent."""
    state, window = program.directories.state, program.window
    card, picture, out = state / "mira.json", state / "holiday.png", state / "out.json"
    card.write_text(json.dumps(_CARD, indent=1), encoding="utf-8")
    window.rail.grab().save(str(picture))
    async with tour.step("a picture without a character says what to do"):
        window.action("import_card").trigger()
        await _choose(program, picture)
        await hand.until("the reason", window.fault_bar.isVisible)
        for look in schemes(tour, program):
            await still(window)
            tour.picture(window, f"card-refused-{look}")
    async with tour.step("a character card says what becomes of it, and becomes an agent"):
        window.action("import_card").trigger()
        await _choose(program, card)
        dialog = await hand.until("the preview", lambda: _shown(program, ImportCardDialog))
        dialog.with_prompts.click()
        dialog.make.click()  # the number is missing
        for look in schemes(tour, program):
            await still(dialog)
            tour.picture(dialog, f"card-import-{look}")
        dialog.phone.insert(PHONE)
        await press(dialog, "Create agent")
        agents = window.models.agents
        await hand.until("the agent", lambda: NAME in [one.spec.name for one in agents.items()])
        await still(window)
        tour.picture(window, "card-created-light")
    async with tour.step("the agent is exported as it was imported, byte for byte"):
        window.action("export_card").trigger()
        export = await hand.until("the question", lambda: _shown(program, ExportCardDialog))
        export.agent.choose(next(one.agent_id for one in agents.items() if one.spec.name == NAME))
        export.agent.activated.emit(export.agent.currentIndex())
        await hand.until("its card", export.imported.isEnabled)
        export.imported.click()
        for look in schemes(tour, program):
            await still(export)
            tour.picture(export, f"card-export-{look}")
        await press(export, "Export…")
        await _choose(program, out)
        await hand.until("the file", out.is_file)
        assert out.read_bytes() == card.read_bytes()


async def _choose(program: Program, path: Path) -> None:
    """Type a path into the file dialog, and accept it."""
    chooser = await hand.until("the file dialog", lambda: _shown(program, QFileDialog))
    field = chooser.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(field, QLineEdit)
    field.setText(str(path))
    field.returnPressed.emit()
    await hand.until("its end", lambda: _shown(program, QFileDialog) is None)


def _shown(program: Program, kind: type[Dialog]) -> Dialog | None:
    return next((one for one in program.window.findChildren(kind) if one.isVisible()), None)
