"""The models that only the Conversations pane uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from chimein_gui.viewmodels.approvals.saved_edits import SavedEdits
    from chimein_gui.viewmodels.chats.commands import ChatCommands
    from chimein_gui.viewmodels.composer.stickers import Stickers
    from chimein_gui.viewmodels.composer.unsent_texts import UnsentTexts
    from chimein_gui.viewmodels.transcript.search import TranscriptSearch
    from chimein_gui.viewmodels.window import WindowModels


class ConversationsModels(NamedTuple):
    """The pane's commands and searches.

    Attributes:
        commands: Commands on a chat.
        saved_edits: The saved edits of the open chat.
        search: The search in the open chat.
        stickers: The stickers and emoji for the composer.
        unsent_texts: Saves the composers' texts.
    """

    commands: ChatCommands
    saved_edits: SavedEdits
    search: TranscriptSearch
    stickers: Stickers
    unsent_texts: UnsentTexts


def make_conversations(models: WindowModels) -> ConversationsModels:
    """Return the pane's models, registered with the engine."""
    # Imported late: the shell refers to this function before the first paint, and calls it after that.
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
