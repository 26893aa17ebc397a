"""Step two: the persona's name, phone number, time zone, role prompts and instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import available_timezones

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from chimein_gui.ui.dialogs.first_run.page import Step
from chimein_gui.ui.widgets.controls.check_box import CheckBox
from chimein_gui.ui.widgets.controls.form_fields import Choice, LineField
from chimein_gui.ui.widgets.controls.labelled import Labelled
from chimein_gui.ui.widgets.controls.message_editor import MessageEditor
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.accounts.first_run_templates import TEMPLATES

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.accounts.first_run import FirstRunModel

FIELDS = ("name", "phone", "timezone", "role_prompts", "instructions")
MOST_NAME, MOST_PHONE, MOST_INSTRUCTIONS = 200, 40, 100_000

translate = QCoreApplication.translate


class PersonaStep(Step):
    """Writes the agent file when Next is pressed. A field shows its error only after it was edited, or after Next."""

    def __init__(self, theme: Theme, model: FirstRunModel) -> None:
        words = translate(
            "FirstRunPersona", "This is saved as a text file. You can change it at any time with any editor."
        )
        super().__init__(
            theme,
            translate("FirstRunPersona", "First persona"),
            translate("FirstRunPersona", "Create your persona"),
            words,
        )
        self._model = model
        self._touched: set[str] = set()
        self._fields: dict[str, QWidget] = {}
        self.lines: dict[str, Labelled] = {}
        self.name_field = LineField(theme, translate("FirstRunPersona", "Name"), hint="Nora Vale")
        self.name_field.setMaxLength(MOST_NAME)
        self.phone = LineField(theme, translate("FirstRunPersona", "Phone number"), hint="+999 66 2 1001")
        self.phone.setMaxLength(MOST_PHONE)
        self.phone.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.zone = Choice(theme, translate("FirstRunPersona", "Time zone"), editable=True)
        self.template = Choice(theme, translate("FirstRunPersona", "Template"))
        self.text = MessageEditor(theme, lines=(6, 10), most=MOST_INSTRUCTIONS)
        self.text.field.setAccessibleName(translate("FirstRunPersona", "Instructions"))
        self._refused = InlineMessage(theme)
        self._prompts_place = QWidget()
        self._prompts = QVBoxLayout(self._prompts_place)
        self._prompts.setContentsMargins(0, 0, 0, 0)
        self._prompts.setSpacing(2)
        self.prompts: dict[str, CheckBox] = {}
        self._build(theme)
        self._wire()

    def _build(self, theme: Theme) -> None:
        self.zone.set_entries([(zone, zone) for zone in sorted(available_timezones()) if "/" in zone or zone == "UTC"])
        self.template.set_entries(
            [(QCoreApplication.translate("Templates", str(one.name)), place) for place, one in enumerate(TEMPLATES)]
        )
        hint = translate("FirstRunPersona", "international format")
        self._add(
            "name",
            Labelled(
                theme,
                translate("FirstRunPersona", "Name"),
                self.name_field,
                hint=translate("FirstRunPersona", "also the name of its folder"),
            ),
        )
        self._add("phone", Labelled(theme, translate("FirstRunPersona", "Phone number"), self.phone, hint=hint))
        self._add(
            "timezone",
            Labelled(
                theme,
                translate("FirstRunPersona", "Time zone"),
                self.zone,
                hint=translate("FirstRunPersona", "for its clock and quiet hours"),
            ),
        )
        prompts = Labelled(
            theme,
            translate("FirstRunPersona", "Role prompts"),
            self._prompts_place,
            hint=translate("FirstRunPersona", "what all personas share"),
        )
        self._add("role_prompts", prompts)
        text = Labelled(
            theme,
            translate("FirstRunPersona", "Instructions"),
            self.text,
            hint=translate("FirstRunPersona", "who it is, how it writes, what it never does"),
        )
        self._add("instructions", text)
        pairs = QGridLayout()
        pairs.setHorizontalSpacing(14)
        pairs.setVerticalSpacing(10)
        begin_with = Labelled(theme, translate("FirstRunPersona", "Template"), self.template)
        beside = (self.lines["name"], self.lines["phone"]), (self.lines["timezone"], begin_with)
        for row, pair in enumerate(beside):
            for column, line in enumerate(pair):
                pairs.addWidget(line, row, column, Qt.AlignmentFlag.AlignTop)
                pairs.setColumnStretch(column, 1)
        self.column.addLayout(pairs)
        self.column.addWidget(self.lines["instructions"])
        self.column.addWidget(self.lines["role_prompts"])
        self.column.addWidget(self._refused)
        self.column.addStretch(1)

    def _add(self, name: str, line: Labelled) -> None:
        self.lines[name] = line

    def _wire(self) -> None:
        model = self._model
        self.name_field.textChanged.connect(lambda text: self._edit(name=text))
        self.phone.textChanged.connect(lambda text: self._edit(phone=text))
        self.zone.currentTextChanged.connect(lambda text: self._edit(timezone=text.strip()))
        self.text.changed.connect(lambda: self._edit(instructions=self.text.text()))
        self.template.activated.connect(self._take_template)
        model.changed.connect(self.refresh)

    def enter(self) -> None:
        if not self.prompts:
            self._offer_prompts()
            self.zone.setCurrentText(self._model.draft.timezone if self._model.draft is not None else "")
            self._take_template(0)
            self._touched.clear()
        self.refresh()

    def refresh(self) -> None:
        """Show the errors of edited fields, and why the file could not be written."""
        problems = self._model.problems()
        for name, line in self.lines.items():
            line.refuse(foreign_text.line(problems.get(name, ""), 300) if name in self._touched else "")
        self._refused.refuse(foreign_text.line(self._model.refusal, 300))
        made = self._model.agent_id is not None
        for field in (self.name_field, self.phone, self.zone, self.template, self.text, self._prompts_place):
            field.setEnabled(not made)
        if made and not self._is_over:
            self._is_over = True
            self.finished.emit()
        self.changed.emit()

    _is_over = False

    def why_not(self) -> str:
        if self._model.agent_id is not None:
            return ""
        if self._model.busy:
            return translate("FirstRunPersona", "Saving the file…")
        if self.skips():
            return ""
        return next((line.problem() for line in self.lines.values() if line.problem()), "")

    def says_why(self) -> bool:
        return any(line.problem() for line in self.lines.values())

    def is_done(self) -> bool:
        return self._model.agent_id is not None

    def skips(self) -> bool:
        draft = self._model.draft
        return not self.is_done() and (draft is None or not (draft.name.strip() or draft.phone.strip()))

    def leave(self) -> bool:
        if self.is_done() or self.skips():
            return True
        self._touched = set(FIELDS)
        problems = self._model.problems()
        self.refresh()
        if problems:
            wrong = next((name for name in FIELDS if name in problems), FIELDS[0])
            self._focus_of(wrong).setFocus(Qt.FocusReason.OtherFocusReason)
            self.contents.ensureWidgetVisible(self.lines[wrong])
        else:
            self._model.create()
        return False

    def focus_widget(self) -> QWidget:
        return self.name_field

    def _focus_of(self, name: str) -> QWidget:
        first = next(iter(self.prompts.values()), self._prompts_place)
        places = {"name": self.name_field, "phone": self.phone, "timezone": self.zone, "role_prompts": first}
        return places.get(name, self.text.field)

    def _offer_prompts(self) -> None:
        draft = self._model.draft
        for name in self._model.prompts():
            tick = self.prompts[name] = CheckBox(self._theme, _prompt_words(name))
            tick.setChecked(draft is not None and name in draft.role_prompts)
            tick.toggled.connect(self._choose_prompts)
            self._prompts.addWidget(tick)

    def _choose_prompts(self) -> None:
        self._edit(role_prompts=tuple(name for name, tick in self.prompts.items() if tick.isChecked()))

    def _take_template(self, place: int) -> None:
        """Replace the instructions by a template; Ctrl+Z restores what was typed before."""
        self.text.replace_text(TEMPLATES[place].text)

    def _edit(self, **changes: object) -> None:
        self._touched |= set(changes)
        self._model.edit(**changes)


def _prompt_words(name: str) -> str:
    """Return the name of a role prompt, with a description if it is shipped with the program."""
    purposes = {
        "Person": translate("FirstRunPersona", "Person: warm and brief, answers what was asked first"),
        "Group": translate("FirstRunPersona", "Group: replies in groups only when mentioned"),
        "Patient": translate("FirstRunPersona", "Patient: takes its time, answers several messages together"),
        "Retrieve": translate("FirstRunPersona", "Retrieve: looks things up on the web"),
        "Stickers": translate("FirstRunPersona", "Stickers: now and then a sticker instead of words"),
    }
    return purposes.get(name, foreign_text.name(name))
