"""Steps of a plan before they are stored, and the content of the prompt that led to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.plans.outgoing_files import OutgoingFile
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.tasks import TaskKind

if TYPE_CHECKING:
    from chimein_gui.domain.ids import Revision


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One planned send of a plan, before it has a row.

    Attributes:
        kind: Kind of the step.
        text: Text to send, in Markdown; for a sticker its name; for an action the model's reason, perhaps empty.
        reply_to: The message it answers, known to exist in the chat; or None.
        sticker: The sticker, for the kind `sticker`.
        file: The photo or file, for the kind `file`; the text is its caption.
        is_cut_off: The model's reply broke off in this block.
    """

    kind: TaskKind
    text: str = ""
    reply_to: MessageId | None = None
    sticker: StickerRef | None = None
    is_cut_off: bool = False
    file: OutgoingFile | None = None


@dataclass(frozen=True, slots=True)
class PlannedWait:
    """A pause of a plan, before it has a row.

    Attributes:
        wait_s: Its length in seconds, 0 or more.
    """

    wait_s: float


@dataclass(frozen=True, slots=True)
class PromptCoverage:
    """What the prompt of a plan contained.

    Attributes:
        revision: Revision of the store at which the prompt was read.
        covers_up_to: Newest incoming message in the prompt; 0 for none.
        changed: The conversation has changed since, so every draft of the plan is stale from the beginning.
        newer: How many messages of others came since, without making it stale.
        is_unsure: It is unknown whether this account has blocked an author.
    """

    revision: Revision
    covers_up_to: MessageId
    changed: bool = False
    newer: int = 0
    is_unsure: bool = False
