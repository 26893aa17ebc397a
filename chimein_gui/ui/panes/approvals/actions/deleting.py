"""The confirmation before a sent message is deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.approvals.card_words import card_text
from chimein_gui.viewmodels.core.quotes import quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.approvals import Approval

QUOTED = 160
"""Characters of the message in the question."""

translate = QCoreApplication.translate


def ask_to_delete(parent: QWidget, approval: Approval, delete: Callable[[Approval], None]) -> None:
    """Ask, and call `delete` if the operator confirms.

    The question quotes the message, and says it may have been read.
    """
    who = foreign_text.isolated(approval.chat_title)
    asks = QMessageBox(parent)
    asks.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    asks.setTextFormat(Qt.TextFormat.PlainText)
    asks.setWindowTitle(translate("ApprovalsPane", "Delete for everyone"))
    asks.setText(translate("ApprovalsPane", "Delete this message for you and for {who}?").format(who=who))
    text = foreign_text.line(card_text(approval, foreign_text.name), QUOTED)
    seen = translate("ApprovalsPane", "{who} may have seen it already. All parts are deleted.").format(who=who)
    asks.setInformativeText(f"{quoted(foreign_text.isolate(text))}\n\n{seen}" if text else seen)
    yes = asks.addButton(translate("ApprovalsPane", "Delete for everyone"), QMessageBox.ButtonRole.DestructiveRole)
    asks.setDefaultButton(asks.addButton(QMessageBox.StandardButton.Cancel))
    yes.clicked.connect(lambda: delete(approval))
    asks.open()
