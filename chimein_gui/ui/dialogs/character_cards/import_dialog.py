"""Shows what becomes of a character card, and makes an agent of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from chimein_gui.domain.character_cards.contents import CardUse
from chimein_gui.ui.dialogs.character_cards.contents_list import ContentsList
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.check_box import CheckBox
from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.controls.labelled import Labelled
from chimein_gui.ui.widgets.controls.message_editor import MessageEditor
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import GROUND, Face, Theme
from chimein_gui.viewmodels.accounts.character_cards import CardDraft, edited, instructions_of

if TYPE_CHECKING:
    from chimein_gui.viewmodels.accounts.character_cards import CharacterCardModel

WIDTH, HEIGHT = 900, 660
ROOM = 40
"""Pixels of the window that stay visible around the dialog."""

MOST_NAME, MOST_PHONE, MOST_INSTRUCTIONS = 200, 40, 100_000
FIELDS = ("name", "phone", "role_prompts", "instructions")

translate = QCoreApplication.translate


class ImportCardDialog(QDialog):
    """The fields of the agent beside what becomes of the card. Nothing is written before “Create”. Open with open()."""

    def __init__(self, theme: Theme, model: CharacterCardModel, draft: CardDraft, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._draft = theme, draft
        self._model = model
        self._touched: set[str] = set()
        self.name_field = LineField(theme, translate("ImportCard", "Name"))
        self.phone = LineField(theme, translate("ImportCard", "Phone number"), hint="+999 66 2 1001")
        self.text = MessageEditor(theme, lines=(8, 15), most=MOST_INSTRUCTIONS)
        self.ticks = {name: CheckBox(theme, foreign_text.name(name)) for name in self._model.prompts()}
        self.with_prompts = CheckBox(theme, translate("ImportCard", "Also use what its author tells the model"))
        self.contents = ContentsList(theme, draft)
        self.make = ActionButton(theme, translate("ImportCard", "Create agent"), kind=Kind.PRIMARY)
        self.leave = ActionButton(theme, translate("ImportCard", "Cancel"))
        self._refused = InlineMessage(theme, is_alert=True)
        self.lines: dict[str, Labelled] = {}
        self._fill()
        self._build()
        self._wire()
        room, share = parent.window().size(), theme.percent / 100
        self.resize(min(round(WIDTH * share), room.width() - ROOM), min(round(HEIGHT * share), room.height() - ROOM))
        (self.phone if self.name_field.text() else self.name_field).setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill(self) -> None:
        new = self._draft.new
        self.name_field.setMaxLength(MOST_NAME)
        self.name_field.setText(new.name)
        self.phone.setMaxLength(MOST_PHONE)
        self.phone.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.text.set_text(new.instructions)
        self.text.field.setAccessibleName(translate("ImportCard", "Instructions"))
        self.with_prompts.setVisible(bool(self._draft.of_use(CardUse.ON_REQUEST)))
        for name, tick in self.ticks.items():
            tick.setChecked(name in new.role_prompts)

    def _build(self) -> None:
        theme, title = self._theme, translate("ImportCard", "Import character card")
        words = translate(
            "ImportCard", "Check what the agent will be told. The card itself is kept, so it can be exported unchanged."
        )
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self.setProperty(GROUND, "card")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.setAccessibleDescription(words)
        explanation = PlainLabel(theme, words, Face.BODY, "text2")
        explanation.setWordWrap(True)
        halves = QHBoxLayout()
        halves.setSpacing(20)
        halves.addLayout(self._form(), 3)
        halves.addWidget(self.contents, 2)
        inside = QWidget()
        column = QVBoxLayout(inside)
        set_rtl_margins(column, 24, 20, 20, 14)
        column.setSpacing(10)
        column.addWidget(PlainLabel(theme, title, Face.TITLE))
        column.addWidget(explanation)
        column.addLayout(halves, 1)
        self._scroll = ScrollBox(inside)
        foot = Surface(theme, top_line="line")
        buttons = QHBoxLayout(foot)
        set_rtl_margins(buttons, 24, 10, 20, 11)
        buttons.setSpacing(8)
        buttons.addWidget(self._refused, 1)
        buttons.addStretch(0)
        buttons.addWidget(self.leave)
        buttons.addWidget(self.make)
        whole = QVBoxLayout(self)
        whole.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._scroll, 1)
        whole.addWidget(foot)

    def _form(self) -> QVBoxLayout:
        theme = self._theme
        prompts = QWidget()
        ticks = QGridLayout(prompts)
        ticks.setContentsMargins(0, 0, 0, 0)
        ticks.setVerticalSpacing(2)
        for place, tick in enumerate(self.ticks.values()):
            ticks.addWidget(tick, place // 3, place % 3)
        self.lines = {
            "name": Labelled(theme, translate("ImportCard", "Name"), self.name_field),
            "phone": Labelled(
                theme,
                translate("ImportCard", "Phone number"),
                self.phone,
                hint=translate("ImportCard", "international format"),
            ),
            "role_prompts": Labelled(theme, translate("ImportCard", "Role prompts"), prompts),
            "instructions": Labelled(theme, translate("ImportCard", "Instructions"), self.text),
        }
        pair = QHBoxLayout()
        pair.setSpacing(14)
        for name in ("name", "phone"):
            pair.addWidget(self.lines[name], 1, Qt.AlignmentFlag.AlignTop)
        form = QVBoxLayout()
        form.setSpacing(10)
        form.addLayout(pair)
        form.addWidget(self.lines["instructions"])
        form.addWidget(self.with_prompts)
        form.addWidget(self.lines["role_prompts"])
        form.addStretch(1)
        return form

    def _wire(self) -> None:
        self.name_field.textChanged.connect(lambda text: self._edit(name=text))
        self.phone.textChanged.connect(lambda text: self._edit(phone=text))
        self.text.changed.connect(lambda: self._edit(instructions=self.text.text()))
        for tick in self.ticks.values():
            tick.toggled.connect(self._choose_prompts)
        self.with_prompts.toggled.connect(self._take_prompts)
        self.leave.clicked.connect(self.reject)
        self.make.setDefault(True)
        self.make.clicked.connect(lambda _checked=False: self._create())
        self._model.created.connect(self._close)
        self._model.refused.connect(self._refuse)

    def _edit(self, **changes: object) -> None:
        self._touched |= set(changes)
        self._draft = edited(self._draft, **changes)
        self._show_problems()

    def _choose_prompts(self) -> None:
        self._edit(role_prompts=tuple(name for name, tick in self.ticks.items() if tick.isChecked()))

    def _take_prompts(self, with_prompts: bool) -> None:
        """Replace the instructions; Ctrl+Z restores what was typed before."""
        self.text.replace_text(instructions_of(self._draft.file, with_prompts=with_prompts))

    def _show_problems(self) -> dict[str, str]:
        problems = self._model.problems(self._draft)
        for name, line in self.lines.items():
            line.refuse(foreign_text.line(problems.get(name, ""), 300) if name in self._touched else "")
        return problems

    def _create(self) -> None:
        self._touched = set(FIELDS)
        problems = self._show_problems()
        wrong = next((name for name in FIELDS if name in problems), "")
        if wrong:
            first = next(iter(self.ticks.values()), self.text.field)
            fields: dict[str, QWidget] = {"name": self.name_field, "phone": self.phone, "role_prompts": first}
            fields.get(wrong, self.text.field).setFocus(Qt.FocusReason.OtherFocusReason)
            self._scroll.ensureWidgetVisible(self.lines[wrong])
            return
        self._refused.say(None)
        self.make.allow(translate("ImportCard", "Saving the file…"))
        self._model.create(self._draft)

    def _close(self, _agent_id: object) -> None:
        self.accept()

    def _refuse(self, reason: str) -> None:
        self.make.allow()
        self._refused.refuse(foreign_text.line(reason, 300))
