"""Which model answers in the sandbox, for the scenario picker and Preferences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chimein_gui.domain.settings.answering import Answering

if TYPE_CHECKING:
    from chimein_gui.engine.ports import ModelChoice
    from chimein_gui.viewmodels.preferences.keys import KeysModel

ORDER = (Answering.WRITTEN, Answering.GEMINI)
"""The order in which the switch shows them."""

translate = QCoreApplication.translate


class ModelChoiceModel(QObject):
    """Follows the choice; a live run has none.

    Attributes:
        changed: Another model answers, or the key was added or removed.
    """

    changed = Signal()

    def __init__(self, keys: KeysModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._choice: ModelChoice | None = None
        self._keys = keys
        keys.changed.connect(self.changed)

    def attach(self, choice: ModelChoice) -> None:
        """Follow the choice of this run."""
        self._choice = choice
        choice.listen(self._tell)
        self.changed.emit()

    @property
    def is_here(self) -> bool:
        """Whether there is a choice."""
        return self._choice is not None

    @property
    def is_real(self) -> bool:
        """Whether Gemini itself answers."""
        return self._choice is not None and self._choice.answering is Answering.GEMINI

    @property
    def lacks_key(self) -> bool:
        """Whether Gemini is chosen without a key."""
        return self._choice is not None and self.is_real and not self._choice.has_key()

    def choose(self, answering: Answering) -> None:
        """Let another model answer from now on."""
        if self._choice is not None:
            self._choice.choose(answering)

    def words(self) -> str:
        """Return an explanation of the current choice."""
        if self.lacks_key:
            return translate(
                "ModelChoice",
                "There is no Gemini key here. Enter one in Preferences › Keys, or go back to written answers.",
            )
        if self.is_real:
            return translate(
                "ModelChoice",
                "Gemini answers with your key: prompts go to Google, and each answer costs what Google charges.",
            )
        return translate("ModelChoice", "Answers are written beforehand and stay on this computer. Nothing is paid.")

    def _tell(self) -> None:
        self._keys.forget_verdict()
        self.changed.emit()
