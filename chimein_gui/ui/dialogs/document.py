"""Shows a Markdown document that is shipped with the program."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from chimein_gui.resource_files import resource_path
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import GROUND, Face, Theme

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTH, HEIGHT = 720, 620

_HEADING = re.compile(r"#+ ")
_ITEM = re.compile(r"(?:- |\d+\. )")
_WEB_LINK = re.compile(r"\[([^\[\]]+)\]\((https?://[^()]+)\)")
_OTHER_LINK = re.compile(r"\[([^\[\]]+)\]\([^()]+\)")
_MARKS = re.compile(r"\*\*|`|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)")


class DocumentDialog(QDialog):
    """Shows a document as labels whose text can be selected and copied; the keyboard scrolls it."""

    def __init__(self, theme: Theme, markdown: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self.setProperty(GROUND, "card")
        inside = QWidget()
        column = QVBoxLayout(inside)
        set_rtl_margins(column, 24, 20, 20, 16)
        column.setSpacing(10)
        title = ""
        for mark, text in paragraphs(markdown):
            if mark.startswith("#"):
                title = title or text
                column.addSpacing(8 if column.count() else 0)
            column.addLayout(self._line(mark, text))
        column.addStretch(1)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.text = ScrollBox(inside)
        self.text.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.text.setAccessibleName(title)
        close = ActionButton(theme, self.tr("Close"))
        close.clicked.connect(self.accept)
        foot = Surface(theme, top_line="line")
        buttons = QHBoxLayout(foot)
        set_rtl_margins(buttons, 24, 10, 20, 11)
        buttons.addStretch(1)
        buttons.addWidget(close)
        whole = QVBoxLayout(self)
        whole.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.text, 1)
        whole.addWidget(foot)
        room, share = parent.window().size(), theme.percent / 100
        self.resize(min(round(WIDTH * share), room.width()), min(round(HEIGHT * share), room.height()))
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _line(self, mark: str, text: str) -> QHBoxLayout:
        face = {"# ": Face.TITLE, "## ": Face.STRONG, "### ": Face.SMALL_STRONG}.get(mark, Face.BODY)
        label = PlainLabel(self._theme, text, face)
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        line = QHBoxLayout()
        line.setSpacing(8)
        if mark and not mark.startswith("#"):
            line.addWidget(PlainLabel(self._theme, "•" if mark == "- " else mark.strip()), 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(label, 1)
        return line


def show_safety(theme: Theme, parent: QWidget) -> None:
    """Open docs/safety.md in a dialog."""
    text = resource_path("safety.md").read_text(encoding="utf-8")
    DocumentDialog(theme, text, parent).open()


def paragraphs(markdown: str) -> Iterator[tuple[str, str]]:
    """Yield the headings, paragraphs and list items of a document: the Markdown mark at the start, and the plain text.

    The mark is empty for a paragraph. Tables and nested lists are not supported: the shipped documents have none.
    """
    for block in re.split(r"\n{2,}|\n(?=- |\d+\. )", markdown.strip()):
        found = _HEADING.match(block) or _ITEM.match(block)
        mark = found.group() if found else ""
        text = " ".join(block.removeprefix(mark).split())
        yield mark, _MARKS.sub("", _OTHER_LINK.sub(r"\1", _WEB_LINK.sub(r"\1 (\2)", text)))
