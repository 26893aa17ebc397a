"""The steps after a draft in its plan, in words and in order: waits, typing, the next send."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.viewmodels.approvals.card_words import action_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.events import StepChanged
    from chimein_gui.domain.settings.preferences import Preferences


class Then(NamedTuple):
    """One following step.

    Attributes:
        icon: Name of an icon.
        words: Our own words.
        foreign: Foreign text for the placeholder ``{it}``; may be empty.
        asks: It needs its own decision.
    """

    icon: str
    words: str
    foreign: str = ""
    asks: bool = False


translate = QCoreApplication.translate


def what_follows(
    draft: Approval, drafts: Sequence[Approval], waits: Sequence[StepChanged], preferences: Preferences
) -> tuple[Then, ...]:
    """Return the steps after a draft, up to the next send of its plan; empty if it is the last.

    Args:
        draft: The draft.
        drafts: All planned sends of the chat that are not sent.
        waits: The waits of its plan that are not over.
        preferences: For how long typing is shown.
    """
    later = sorted((one for one in drafts if one.graph_id == draft.graph_id), key=lambda one: one.task_id)
    following = next((one for one in later if one.task_id > draft.task_id), None)
    between = [
        step
        for step in waits
        if step.task_id > draft.task_id and (following is None or step.task_id < following.task_id)
    ]
    seconds = sum(step.wait_s or 0.0 for step in between)
    chain = (
        [Then("hourglass", translate("PlanChain", "waits {time}").format(time=duration(seconds)))]
        if seconds >= 1
        else []
    )
    return (*chain, *_next_send(following, preferences)) if following is not None else tuple(chain)


def duration(seconds: float) -> str:
    """Return a duration in one or two units, such as 20 s, 5 min or 2 h 30 min."""
    whole = round(seconds)
    if whole < 60:
        return translate("PlanChain", "{n} s").format(n=whole)
    if whole < 3600:
        return translate("PlanChain", "{n} min").format(n=round(whole / 60))
    hours, rest = divmod(round(whole / 60), 60)
    words = translate("PlanChain", "{n} h").format(n=hours)
    return f"{words} {translate('PlanChain', '{n} min').format(n=rest)}" if rest else words


def _next_send(draft: Approval, preferences: Preferences) -> tuple[Then, ...]:
    asks = draft.task_status is TaskStatus.AWAITING_DECISION
    if draft.kind is TaskKind.STICKER:
        typing, it = preferences.sticker_typing_s, draft.text
        words = translate("PlanChain", "sticker {it} asks too") if asks else translate("PlanChain", "sticker {it}")
        last = Then("sticker", words, it, asks)
    elif draft.kind is TaskKind.SEND:
        typing = preferences.typing_s(draft.text)
        last = Then(
            "planned",
            translate("PlanChain", "the next message asks too") if asks else translate("PlanChain", "the next message"),
            "",
            asks,
        )
    else:
        return (
            Then(
                "block",
                translate("PlanChain", "{it} asks too") if asks else "{it}",
                action_label(draft).removesuffix("…"),
                asks,
            ),
        )
    shown = (
        (Then("keyboard", translate("PlanChain", "types {time}").format(time=duration(typing))),) if typing >= 1 else ()
    )
    return (*shown, last)
