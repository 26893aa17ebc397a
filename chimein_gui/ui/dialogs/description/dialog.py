"""What the persona sees of the medium of a message, and the operator's words for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.media.records import unique_id_of
from chimein_gui.ui.dialogs.description.texts import Texts
from chimein_gui.ui.dialogs.small_dialog import SmallDialog
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.media_library.editing import DescriptionEdit
from chimein_gui.viewmodels.media_library.model import make_media_library
from chimein_gui.viewmodels.media_library.words import name_words, seen_by_persona, status_words

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.domain.messages import Message
    from chimein_gui.ui.pane import PaneContext

WIDTH = 480


class DescriptionDialog(SmallDialog):
    """Open it with open(); what is typed is saved as in the Media pane."""

    def __init__(self, context: PaneContext, message: Message, parent: QWidget) -> None:
        theme = context.theme
        self.keep = ActionButton(theme, self.tr("Save"), key="Ctrl+Enter", kind=Kind.PRIMARY)
        super().__init__(
            theme,
            self.tr("Description"),
            self.tr("Instead of the file the persona reads these words. What you write counts from the next prompt."),
            self.keep,
            parent,
        )
        self._library = context.own(make_media_library)
        self._unique_id = unique_id_of(message.media) if message.media is not None else ""
        self.edit = DescriptionEdit(self._library, self)
        self._seen = PlainLabel(theme, self.tr("The description is being read…"), Face.BODY)
        self._seen.setWordWrap(True)
        self.texts = Texts(context, self.edit)
        self.again = ActionButton(theme, self.tr("Regenerate"), icon="refresh", kind=Kind.QUIET)
        self.middle.addWidget(self._seen)
        self.middle.addWidget(self.texts)
        self.middle.addWidget(self.again)
        self.keep.clicked.connect(self._keep)
        self.texts.submitted.connect(self._keep)
        self.texts.left.connect(self.reject)
        self.again.clicked.connect(self._ask_again)
        self._library.changed.connect(self._show)
        # Methods, because a lambda would be called when the dialog is gone.
        self._library.entry_changed.connect(self._show_changed)
        self._library.requests.changed.connect(self._show_changed)
        self.finished.connect(lambda _result: self._leave())
        self._library.watch(watched=True)
        self._show()
        self.texts.field.setFocus()
        self.fit(WIDTH)

    def _show_changed(self, _unique_id: str) -> None:
        self._show()

    def _show(self) -> None:
        entry = self._library.entries.get(self._unique_id)
        self.texts.setEnabled(entry is not None)
        self.again.setEnabled(entry is not None)
        if entry is None:
            if self._library.is_loaded:
                self._seen.setText(self.tr("This medium has no file that could be described."))
            return
        self.edit.show(entry)
        shown = foreign_text.line(seen_by_persona(entry), 600)
        self._seen.setText(shown)
        self._seen.setAccessibleDescription(f"{foreign_text.line(name_words(entry), 60)}, {status_words(entry.status)}")
        requests = self._library.requests
        busy = self.tr("The model is asked…") if entry.unique_id in requests.running else ""
        self.texts.show_entry(busy or requests.problems.get(entry.unique_id, ""))
        self.again.allow(busy)

    def _keep(self) -> None:
        if not self.edit.save_now():
            self.accept()

    def _ask_again(self) -> None:
        entry = self._library.entries.get(self._unique_id)
        if entry is not None:
            self._library.requests.describe_again(entry)

    def _leave(self) -> None:
        self.edit.save_now()
        self._library.watch(watched=False)
