"""The models that the Conversations pane alone uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chimein_gui.viewmodels.approvals.saved_edits import SavedEdits
    from chimein_gui.viewmodels.chats.commands import ChatCommands
    from chimein_gui.viewmodels.composer.stickers import Stickers
    from chimein_gui.viewmodels.composer.unsent_texts import UnsentTexts
    from chimein_gui.viewmodels.transcript.search import TranscriptSearch
    from chimein_gui.viewmodels.window import WindowModels


@dataclass(frozen=True, slots=True)
class ConversationsModels:
    """What the pane asks for beside what it shows.

    Attributes:
        commands: The settings of a chat.
        saved_edits: The shelf of the open chat.
        search: Words that are looked for in the open chat.
        stickers: What may be picked beside the composer.
        unsent_texts: Keeps what stands in the composers.
    """

    commands: ChatCommands
    saved_edits: SavedEdits
    search: TranscriptSearch
    stickers: Stickers
    unsent_texts: UnsentTexts


def make_conversations(models: WindowModels) -> ConversationsModels:
    """Make the models of the Conversations pane."""
    # The shell names the maker before the first paint, and calls it after that.
    from chimein_gui.viewmodels.approvals.saved_edits import SavedEdits
    from chimein_gui.viewmodels.chats.commands import ChatCommands
    from chimein_gui.viewmodels.composer.stickers import Stickers
    from chimein_gui.viewmodels.composer.unsent_texts import UnsentTexts
    from chimein_gui.viewmodels.media.opening import make_media_opening
    from chimein_gui.viewmodels.transcript.search import TranscriptSearch

    models.own(make_media_opening)
    bridge, register = models.bridge, models.register
    commands = register(ChatCommands(bridge, models))
    edits = register(SavedEdits(bridge, models.approvals, models.actions, models))
    models.faults.follow("chat", commands)
    models.faults.follow("kept edit", edits)
    return ConversationsModels(
        commands,
        edits,
        register(TranscriptSearch(bridge, models.transcript, models)),
        register(Stickers(bridge, models.composer, models)),
        register(UnsentTexts(bridge, models.composer, models)),
    )
