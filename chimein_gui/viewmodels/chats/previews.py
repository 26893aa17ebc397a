"""Makes the preview of a chat's row: its most urgent state, else its newest message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.policy.trust import default_trust, trust_now
from chimein_gui.viewmodels.approvals.card_words import card_text
from chimein_gui.viewmodels.approvals.store import waits_for_operator
from chimein_gui.viewmodels.chats.filter import lacks_plan, waits_for_cap
from chimein_gui.viewmodels.chats.preview_kinds import ChatPreview, NewsKind, minutes_taken_over
from chimein_gui.viewmodels.transcript.message_words import preview_words
from chimein_gui.viewmodels.words.notes import note_words, problem_words

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.viewmodels.approvals.store import ApprovalStore
    from chimein_gui.viewmodels.chats.chats import ChatTreeModel
    from chimein_gui.viewmodels.composer.composer import Composer
    from chimein_gui.viewmodels.core.clock import ClockFace


translate = QCoreApplication.translate

_TRUST = {
    TrustLevel.OFF: QT_TRANSLATE_NOOP("ChatNews", "Off"),
    TrustLevel.OBSERVE: QT_TRANSLATE_NOOP("ChatNews", "Observe"),
    TrustLevel.REVIEW: QT_TRANSLATE_NOOP("ChatNews", "Review"),
    TrustLevel.AUTO: QT_TRANSLATE_NOOP("ChatNews", "Auto"),
}


class PreviewSources(Protocol):
    """The models that a preview is made from."""

    @property
    def approvals(self) -> ApprovalStore: ...

    @property
    def chats(self) -> ChatTreeModel: ...

    @property
    def clock(self) -> ClockFace: ...

    @property
    def composer(self) -> Composer: ...

    @property
    def preferences(self) -> Preferences: ...


def chat_preview_of(models: PreviewSources, chat: Chat) -> ChatPreview:
    """Return the preview of a chat's row."""
    drafts = models.approvals.of_chat(chat.chat_id)
    return (
        _of_drafts(models, chat, drafts)
        or _of_agent(models, chat)
        or _of_watching(models, chat)
        or ChatPreview(NewsKind.MESSAGE, "", _newest(chat))
    )


def is_usual_trust(models: PreviewSources, chat: Chat) -> bool:
    """Tell whether a chat has its agent's default trust level, so that its row shows none."""
    agent = models.chats.agent(chat.agent_id)
    usual = agent is not None and trust_now(chat, models.clock.now()) is default_trust(agent)
    return usual and chat.settings.trust_until is None


def trust_words(models: PreviewSources, chat: Chat, level: TrustLevel, *, short: bool) -> str:
    """Return a trust level with its duration: "Auto 38 min", "Countdown 30 s" or, short, "30 s".

    Args:
        models: For the clock and the length of the countdown.
        chat: With its settings.
        level: The level that is active now.
        short: For the mark in a row.
    """
    if level is TrustLevel.COUNTDOWN:
        seconds = round(models.preferences.countdown_s)
        return (translate("ChatNews", "{n} s") if short else translate("ChatNews", "Countdown {n} s")).format(n=seconds)
    until = chat.settings.trust_until
    if level is TrustLevel.AUTO and until is not None:
        minutes = max(1, -int((models.clock.now() - until).total_seconds() // 60))
        return translate("ChatNews", "Auto {n} min").format(n=minutes)
    return translate("ChatNews", str(_TRUST[level]))


def _of_drafts(models: PreviewSources, chat: Chat, drafts: tuple[Approval, ...]) -> ChatPreview | None:
    failed = next((one for one in drafts if one.task_status is TaskStatus.FAILED), None)
    if failed is not None:
        return ChatPreview(
            NewsKind.FAILED, translate("ChatNews", "Failed:"), note_words(failed.note) or card_text(failed)
        )
    unknown = next((one for one in drafts if one.task_status is TaskStatus.UNKNOWN), None)
    if unknown is not None:
        return ChatPreview(NewsKind.UNKNOWN, translate("ChatNews", "Delivery unknown"), card_text(unknown))
    leaving = [one for one in drafts if one.task_status in (TaskStatus.APPROVED, TaskStatus.SENDING)]
    by_rule = next((one for one in leaving if one.by_rule), None)
    if by_rule is not None:
        return ChatPreview(NewsKind.COUNTDOWN, models.approvals.status_words_of(by_rule), card_text(by_rule))
    held_off = models.approvals.postponed.holds
    waiting = next((one for one in reversed(drafts) if waits_for_operator(one) and not held_off(one.approval_id)), None)
    if waiting is not None or chat.pending:
        return ChatPreview(
            NewsKind.PLANNED, translate("ChatNews", "Planned"), card_text(waiting) if waiting is not None else ""
        )
    if leaving:
        kind = NewsKind.SENDING if leaving[-1].task_status is TaskStatus.SENDING else NewsKind.LEAVING
        return ChatPreview(kind, models.approvals.status_words_of(leaving[-1]), card_text(leaving[-1]))
    return None


def _of_agent(models: PreviewSources, chat: Chat) -> ChatPreview | None:
    minutes = minutes_taken_over(chat, models.clock.now())
    if minutes:
        words = translate("ChatNews", "You · %n min", "", minutes)
        return ChatPreview(NewsKind.TAKEN_OVER, words, _newest(chat))
    if lacks_plan(chat):
        is_paused = waits_for_cap(chat)
        kind = NewsKind.PAUSED if is_paused else NewsKind.PROBLEM
        words = translate("ChatNews", "Paused:") if is_paused else translate("ChatNews", "No plan:")
        return ChatPreview(kind, words, problem_words(chat.planning_problem))
    if models.chats.is_typing(chat.chat_id):
        return ChatPreview(NewsKind.TYPING, translate("ChatNews", "typing…"))
    if chat.planning:
        return ChatPreview(NewsKind.PLANNING, translate("ChatNews", "Planning a reply…"))
    if chat.planning_problem and not chat.last_out:
        return ChatPreview(
            NewsKind.NOTED, translate("ChatNews", "About the plan:"), problem_words(chat.planning_problem)
        )
    return None


def _of_watching(models: PreviewSources, chat: Chat) -> ChatPreview | None:
    unsent = models.composer.text_of(chat.chat_id)
    if unsent:
        return ChatPreview(NewsKind.UNSENT, translate("ChatNews", "Draft kept"), unsent)
    if chat.trust is TrustLevel.OBSERVE:
        seen = [
            one for one in models.approvals.recent.set_aside_of(chat.chat_id) if one.task_status is TaskStatus.OBSERVED
        ]
        if seen:
            return ChatPreview(NewsKind.WATCHED, translate("ChatNews", "Not sent:"), card_text(seen[-1]))
    return None


def _newest(chat: Chat) -> str:
    text = preview_words(chat.last_text, chat.last_media)
    return translate("ChatNews", "You: {text}").format(text=text) if chat.last_out and text else text
