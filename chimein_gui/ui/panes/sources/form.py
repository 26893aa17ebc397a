"""The form side of the editor: the fields of an agent file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from zoneinfo import available_timezones

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCompleter, QMenu, QVBoxLayout, QWidget

from chimein_gui.domain.chats import TrustLevel
from chimein_gui.ui.panes.sources.chips import ChipsControl
from chimein_gui.ui.panes.sources.fields import (
    ChoiceControl,
    Control,
    FieldRow,
    LineControl,
    LinesControl,
    SegmentsControl,
)
from chimein_gui.ui.panes.sources.roles import RolesControl
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.icon_button import MenuButton
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.surfaces.inline_message import ROW, InlineMessage
from chimein_gui.ui.widgets.surfaces.menus import open_below
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.viewmodels.sources.words import field_label
from chimein_gui.viewmodels.words.trust import trust_word

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.sources.document import SourceDocument
    from chimein_gui.viewmodels.sources.findings import FileProblemRow

REQUIRED = ("Agent Name", "Agent Phone", "Role Prompt", "Agent Instructions")


class AgentForm(ScrollBox):
    """Shows the fields of the document, and changes one at a time.

    Attributes:
        entered: The focus came into a field; carries its heading.
        repaired: A problem is to be repaired; carries its row.
        instructions_wanted: The instructions are to be edited, in the Markdown.
    """

    entered = Signal(str)
    repaired = Signal(object)
    instructions_wanted = Signal()

    def __init__(self, context: PaneContext) -> None:
        inside = QWidget()
        super().__init__(inside)
        self._context, theme = context, context.theme
        self._document: SourceDocument | None = None
        self._is_taking = False
        self.prompts: tuple[str, ...] = ()
        self.unfit = InlineMessage(theme, ROW)
        self.rows: dict[str, FieldRow] = {}
        self.add_role = MenuButton(theme, self.tr("Add a role prompt"), icon="file", kind=Kind.QUIET)
        self._column = QVBoxLayout(inside)
        set_rtl_margins(self._column, 16, 14, 16, 14)
        self._column.setSpacing(10)
        self._build()
        self._column.addStretch(1)
        self.setAccessibleName(self.tr("Form"))
        across = self.horizontalScrollBar()  # Qt also scrolls sideways to bring a field into view
        across.rangeChanged.connect(lambda _least, _most: across.setRange(0, 0))

    def _build(self) -> None:
        theme = self._context.theme
        self._column.addWidget(self.unfit)
        self._add("Agent Name", LineControl(theme, "Agent Name", self._changer("Agent Name")))
        self._add(
            "Agent Phone",
            LineControl(theme, "Agent Phone", self._changer("Agent Phone"), self.tr("international, with +")),
        )
        zone = LineControl(theme, "Agent Timezone", self._changer("Agent Timezone"), self.tr("of this computer"))
        zones = QCompleter(sorted(available_timezones()), zone.line)
        zones.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        zones.setFilterMode(Qt.MatchFlag.MatchContains)
        zone.line.setCompleter(zones)
        zones.activated.connect(self._changer("Agent Timezone"))
        self._add("Agent Timezone", zone)
        model = self._context.models.preferences.model
        self._add("LLM", LineControl(theme, "LLM", self._changer("LLM"), foreign_text.line(model)))
        self._add("Context", ChoiceControl(theme, "Context", self._contexts(), self._changer("Context")))
        scopes = (("global", self.tr("Global")), ("per-partner", self.tr("Per partner")))
        changed = self._changer("Memory Scope")
        self._add("Memory Scope", SegmentsControl(theme, "Memory Scope", scopes, "global", changed))
        levels = [(level.value, trust_word(level)) for level in TrustLevel]
        hint = self.tr("For new chats. First contacts, blocks and deletions always ask.")
        approval = SegmentsControl(theme, "Approval", levels, TrustLevel.REVIEW.value, self._changer("Approval"))
        self._add("Approval", approval, hint=hint)
        ways = (("words", self.tr("In words")), ("picture", self.tr("Themselves")), ("both", self.tr("Both")))
        changed = self._changer("Pictures")
        hint = self.tr("What the model gets for a picture: its description, the picture itself, or both.")
        self._add("Pictures", SegmentsControl(theme, "Pictures", ways, "words", changed), hint=hint)
        self.roles = RolesControl(theme, self._changer("Role Prompt"))
        self._add("Role Prompt", self.roles)
        self.rows["Role Prompt"].below.addWidget(self.add_role)
        self.rows["Role Prompt"].below.addStretch(1)
        self.add_role.clicked.connect(lambda _checked=False: self._open_roles())
        hint = self.tr("Retrieve looks up only these hosts and their subdomains. Empty: all public hosts.")
        self._add("Allowed Hosts", LinesControl(theme, "Allowed Hosts", self._changer("Allowed Hosts")), hint=hint)
        hint = self.tr("These hosts and their subdomains are never looked up. Empty: none is denied.")
        self._add("Denied Hosts", LinesControl(theme, "Denied Hosts", self._changer("Denied Hosts")), hint=hint)
        self._add("Aliases", LinesControl(theme, "Aliases", self._changer("Aliases")))
        hints = {
            "Agent Sticker Sets": self.tr("Add a set: its short name, then Enter"),
            "Agent Stickers": self.tr("Add a sticker: SET :: STICKER, then Enter"),
        }
        for heading, words in hints.items():
            self._add(heading, ChipsControl(theme, heading, self._changer(heading, is_typed=False), words))
        instructions = _Opener(self._context, self.tr("Edit in the Markdown"))
        instructions.button.clicked.connect(lambda _checked=False: self.instructions_wanted.emit())
        self._add("Agent Instructions", instructions)

    def add_below(self, card: QWidget) -> None:
        """Put a card below all fields."""
        self._column.insertWidget(self._column.count() - 1, card)

    def _contexts(self) -> list[tuple[str, str]]:
        return [
            ("", self.tr("chime-in in groups, 500 in DMs")),
            ("DM: history 50\nGroup: chime-in", self.tr("chime-in in groups, 50 in DMs")),
            ("chime-in", self.tr("chime-in everywhere")),
            ("history 100", self.tr("the last 100 messages everywhere")),
        ]

    def _add(self, name: str, control: Control, *, hint: str = "") -> None:
        row = FieldRow(self._context.theme, name, control, is_required=name in REQUIRED, hint=hint)
        row.entered.connect(self.entered)
        row.undone.connect(self._step)
        row.repaired.connect(self.repaired)
        self.rows[name] = row
        self._column.addWidget(row)

    # --- the document ---------------------------------------------------------------------------------------------

    def show_document(self, document: SourceDocument | None) -> None:
        """Show the fields of a file."""
        if self._document is not None:
            self._document.changed.disconnect(self._show_values)
            self._document.state_changed.disconnect(self._show_problems)
        self._document = document
        self.unfit.refuse("")
        if document is not None:
            document.changed.connect(self._show_values)
            document.state_changed.connect(self._show_problems)
            is_open = not (document.file.is_fixed or document.file.is_archived)
            for row in self.rows.values():
                row.control.allow(allowed=is_open)
            self.add_role.setEnabled(is_open)
            names = self.tr("It also names the agent's folders; they follow when you save.")
            self.rows["Agent Name"].say_hint(names if is_open else "")
        self._show_values()
        self._show_problems()

    def mark_field(self, name: str) -> None:
        """Tint the label of a field; empty tints none."""
        for heading, row in self.rows.items():
            row.mark(current=heading == name)

    def focus_field(self, name: str) -> None:
        """Put the focus into a field, and scroll to it."""
        row = self.rows.get(name)
        if row is not None:
            row.focus_widget().setFocus()
            self.ensureWidgetVisible(row)

    def _show_values(self, _splice: object = None) -> None:
        document = self._document
        if document is None or not document.is_agent or self._is_taking:
            return
        self._is_taking = True
        for name, row in self.rows.items():
            row.control.show_value(document.value(name))
        self._is_taking = False
        self.unfit.refuse("")

    def _show_problems(self) -> None:
        found: dict[str, list[FileProblemRow]] = {}
        for row in self._document.rows if self._document is not None else ():
            found.setdefault(row.field, []).append(row)
        for name, widget in self.rows.items():
            widget.show_problems(tuple(found.get(name, ())))

    # --- changes --------------------------------------------------------------------------------------------------

    def _changer(self, name: str, *, is_typed: bool = True) -> _Changer:
        return _Changer(self, name, is_typed=is_typed)

    def change(self, name: str, value: str, *, is_typed: bool = True) -> None:
        """Change a field as the operator typed or chose it."""
        if self._document is None or self._is_taking:
            return
        self._is_taking = True
        fits = self._document.set_value(name, value, is_typed=is_typed)
        self._is_taking = False
        if fits:
            self.unfit.refuse("")
        else:
            words = self.tr("This can't stand below “# {field}”: it would begin another field, or a code block.")
            self.unfit.refuse(words.format(field=field_label(name)))

    def _step(self, back: bool) -> None:
        if self._document is not None:
            (self._document.undo if back else self._document.redo)()

    def role_menu(self) -> QMenu:
        """Return the menu of the prompts that the agent does not use yet."""
        menu = QMenu(self)
        used = {line.strip().removesuffix(".md") for line in self._value("Role Prompt").split("\n")}
        for name in self.prompts:
            if name not in used:
                menu.addAction(foreign_text.action(name), partial(self._add_role, name))
        if menu.isEmpty():
            menu.addAction(self.tr("All prompts are in use")).setEnabled(False)
        return menu

    def _open_roles(self) -> None:
        menu = self.role_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        open_below(menu, self.add_role)

    def _value(self, name: str) -> str:
        return self._document.value(name) if self._document is not None else ""

    def _add_role(self, name: str) -> None:
        self.change("Role Prompt", "\n".join(filter(None, (self._value("Role Prompt"), name))))
        self._show_values()


class _Changer:
    """Hands the typed value of one field to the form; an object, so that nothing is bound late."""

    def __init__(self, form: AgentForm, name: str, *, is_typed: bool) -> None:
        self._form, self._name, self._is_typed = form, name, is_typed

    def __call__(self, value: str) -> None:
        self._form.change(self._name, value, is_typed=self._is_typed)


class _Opener:
    """A button in place of a field that is edited elsewhere."""

    def __init__(self, context: PaneContext, words: str) -> None:
        self.widget = self.button = ActionButton(context.theme, words, icon="pencil", kind=Kind.QUIET)

    def show_value(self, value: str) -> None:
        """The value is shown where it is edited."""

    def allow(self, *, allowed: bool) -> None:
        self.button.setEnabled(allowed)
