"""Step six: describes the trust levels. Agents start with review; other levels can't be chosen here."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from chimein_gui.domain.chats import TrustLevel
from chimein_gui.ui.dialogs.first_run.page import Step
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Card
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.numbers import short_words
from chimein_gui.viewmodels.words.trust import trust_word

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.preferences.preferences import PreferencesModel

WORD_WIDTH = 96

translate = QCoreApplication.translate


class TrustStep(Step):
    """A page to read; it changes nothing."""

    def __init__(self, theme: Theme, preferences: PreferencesModel) -> None:
        words = translate(
            "FirstRunTrust",
            "You set for each chat what is sent automatically, in its header. You can change it at any time.",
        )
        super().__init__(
            theme,
            translate("FirstRunTrust", "Who may send"),
            translate("FirstRunTrust", "You approve every message"),
            words,
        )
        title = translate("FirstRunTrust", "Everything waits for your review")
        why = translate(
            "FirstRunTrust",
            "Every planned message waits for you, and the first one in a chat always does, whatever the level.",
        )
        self.column.addWidget(InlineMessage(theme, BOX, IconLabel("hand", title, "accent_text"), why))
        card = Card(theme)
        inside = QVBoxLayout(card)
        set_rtl_margins(inside, 16, 12, 14, 12)
        inside.setSpacing(9)
        seconds = short_words(preferences.current.countdown_s)
        longest = max(theme.metrics(Face.STRONG).horizontalAdvance(trust_word(level)) for level in TrustLevel)
        width = max(WORD_WIDTH, ceil(longest) + 1)
        for level, explanation in _levels(seconds):
            line = QHBoxLayout()
            line.setSpacing(10)
            word = PlainLabel(theme, trust_word(level), Face.STRONG)
            word.setFixedWidth(width)
            about = PlainLabel(theme, explanation, Face.BODY, "text2")
            about.setWordWrap(True)
            line.addWidget(word)
            line.addWidget(about, 1)
            if level is TrustLevel.REVIEW:
                chip = StateChip(theme)
                chip.say(IconLabel("check", translate("FirstRunTrust", "Current level"), "accent_text"))
                line.addWidget(chip)
            inside.addLayout(line)
        self.column.addWidget(card)
        always = translate(
            "FirstRunTrust",
            "Blocking, clearing a conversation and stopping a persona always ask, one by one. F8 holds everything.",
        )
        note = PlainLabel(theme, always, Face.SMALL, "text2")
        note.setWordWrap(True)
        self.column.addWidget(note)
        self.column.addStretch(1)

    def is_done(self) -> bool:
        return True


def _levels(seconds: str) -> tuple[tuple[TrustLevel, str], ...]:
    """Return each trust level with a description."""
    return (
        (TrustLevel.OFF, translate("FirstRunTrust", "Messages are stored, and nothing is planned.")),
        (
            TrustLevel.OBSERVE,
            translate("FirstRunTrust", "Drafts are shown, and sent only if you ask for it."),
        ),
        (TrustLevel.REVIEW, translate("FirstRunTrust", "Every planned message waits for your decision.")),
        (
            TrustLevel.COUNTDOWN,
            translate("FirstRunTrust", "It is sent after {seconds} s unless you stop it.").format(seconds=seconds),
        ),
        (
            TrustLevel.AUTO,
            translate("FirstRunTrust", "It is sent automatically. After too many in an hour, messages wait for you."),
        ),
    )
