"""Makes bars from the engine's snapshots. Pure functions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.agents import NEEDS_LOG_IN, TRIES_AGAIN, Health
from chimein_gui.domain.notes import PlanningKind, PlanningProblem
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.spending.caps import STEP_USD, CapKey, CapScope, without_price
from chimein_gui.viewmodels.accounts.login_words import log_in_word
from chimein_gui.viewmodels.core.numbers import dollars_words
from chimein_gui.viewmodels.problems.words import Problem, ProblemAction, ProblemCommand, Severity
from chimein_gui.viewmodels.words.model import QUOTING
from chimein_gui.viewmodels.words.notes import file_problem_words, note_sentence, problem_cause, sentence
from chimein_gui.viewmodels.words.refusals import refusal_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chimein_gui.domain.agents import Agent, FileProblem
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.domain.notes import Note
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.problems.faults import Fault

MOST_FILES = 5

_SHORT = 80
_STORE_KEYS = frozenset({"store", "outbox", "memory"})

translate = QCoreApplication.translate


def reported_bars(faults: Iterable[Fault]) -> list[Problem]:
    """Return the bars for reported faults, in their order."""
    return [_reported(fault) for fault in faults]


def _reported(fault: Fault) -> Problem:
    details = ProblemAction(ProblemCommand.DETAILS, translate("Bars", "Details"), f"{fault.cause}\n\n{fault.remedy}")
    actions: tuple[ProblemAction, ...] = (details,)
    if fault.key.startswith("chat "):
        number = fault.key.removeprefix("chat ")
        actions = (
            (ProblemAction(ProblemCommand.OPEN_CHAT, translate("Bars", "Open the chat"), int(number)), details)
            if number.isdecimal()
            else actions
        )
    elif fault.key.startswith("account of "):
        actions = (ProblemAction(ProblemCommand.OPEN_AGENTS, translate("Bars", "Open Agents")), details)
    icon = "disk" if fault.key in _STORE_KEYS else "alert"
    return Problem(f"fault {fault.key}", Severity.BROKEN, icon, fault.cause, fault.remedy, actions)


def agents_bars(agents: Iterable[Agent], clock: ClockFace) -> list[Problem]:
    """Return the bars for agents that are logged out, closed, frozen, limited or without a connection."""
    everyone = tuple(agents)
    bars = [_logged_out(agent) for agent in everyone if agent.health in NEEDS_LOG_IN]
    bars += [_banned(agent) for agent in everyone if agent.health is Health.BANNED]
    bars += [_frozen(agent) for agent in everyone if agent.health is Health.FROZEN]
    bars += [_limited(agent) for agent in everyone if agent.limited]
    waiting = [agent for agent in everyone if agent.health in TRIES_AGAIN]
    if waiting:
        bars.append(_waiting(waiting, clock))
    return bars


def _logged_out(agent: Agent) -> Problem:
    cause = translate("Bars", "{name} is logged out.").format(name=_name(agent))
    stays = translate("Bars", "Approved messages will wait.")
    actions = (
        ProblemAction(ProblemCommand.LOG_IN, log_in_word(agent), agent.agent_id),
        ProblemAction(ProblemCommand.OPEN_AGENTS, translate("Bars", "Open Agents"), agent.agent_id),
    )
    return Problem(
        f"agent {agent.agent_id}",
        Severity.BROKEN,
        "sign-out",
        cause,
        f"{stays} {note_sentence(agent.health_note)}".strip(),
        actions,
    )


def _banned(agent: Agent) -> Problem:
    cause = translate("Bars", "Telegram has closed the account of {name}.").format(name=_name(agent))
    words = translate("Bars", "Logging in again won't help. Chats stay readable; a new number starts fresh.")
    actions = (ProblemAction(ProblemCommand.OPEN_AGENTS, translate("Bars", "Open Agents"), agent.agent_id),)
    return Problem(f"agent {agent.agent_id}", Severity.BROKEN, "block", cause, words, actions)


def _frozen(agent: Agent) -> Problem:
    cause = translate("Bars", "Telegram has frozen the account of {name}.").format(name=_name(agent))
    words = translate(
        "Bars",
        "Messages still arrive, but nothing is sent and approved messages wait. To appeal, write to @SpamBot"
        " in Telegram. Sending resumes when Telegram allows it.",
    )
    actions = (ProblemAction(ProblemCommand.OPEN_AGENTS, translate("Bars", "Open Agents"), agent.agent_id),)
    return Problem(f"agent {agent.agent_id}", Severity.BROKEN, "lock", cause, words, actions)


def _limited(agent: Agent) -> Problem:
    cause = translate("Bars", "Telegram limits {name}.").format(name=_name(agent))
    asks = translate("Bars", "Automatic sends now need your approval.")
    words = f"{refusal_words(agent.limited)} {asks}"
    actions = (ProblemAction(ProblemCommand.OPEN_AGENTS, translate("Bars", "Open Agents"), agent.agent_id),)
    return Problem(f"limited {agent.agent_id}", Severity.DECIDE, "warning", cause, words, actions)


def _waiting(agents: list[Agent], clock: ClockFace) -> Problem:
    first = min(agents, key=lambda agent: (agent.next_try_at is None, agent.next_try_at or clock.now()))
    left = clock.left(first.next_try_at) if first.next_try_at is not None else ""
    if len(agents) == 1:
        who = _name(first)
        cause = (
            translate("Bars", "{name} waits, next try in {time}.").format(name=who, time=left)
            if left
            else translate("Bars", "{name} waits.").format(name=who)
        )
    else:
        count = len(agents)
        cause = (
            translate("Bars", "%n account(s) wait, next try in {time}.", "", count).format(time=left)
            if left
            else translate("Bars", "%n account(s) wait.", "", count)
        )
    why = note_sentence(first.health_note).rstrip(".")
    stays = translate("Bars", "Approved messages wait and keep their order.")
    if why:
        stays = translate("Bars", "{why}. Approved messages wait and keep their order.").format(why=why)
    actions = (ProblemAction(ProblemCommand.OPEN_AGENTS, translate("Bars", "Open Agents"), first.agent_id),)
    return Problem("waiting", Severity.WAITS, "hourglass", cause, stays, actions)


def file_bars(problems: tuple[FileProblem, ...]) -> list[Problem]:
    """Return the bars for files that could not be used; the Agents pane shows mere warnings."""
    bars = []
    for problem in [one for one in problems if not one.is_warning][:MOST_FILES]:
        file = PurePath(problem.path).name[:_SHORT]
        kept = translate("Bars", "{file} has an error. The previous version is in use.")
        cause = (kept if problem.last_good else translate("Bars", "{file} was not loaded.")).format(file=file)
        where = (
            translate("Bars", "Line {n}: {why}").format(n=problem.line, why=file_problem_words(problem))
            if problem.line
            else file_problem_words(problem)
        )
        actions = (
            ProblemAction(ProblemCommand.OPEN_FOLDER, translate("Bars", "Open folder"), problem.path),
            ProblemAction(ProblemCommand.OPEN_AGENTS, translate("Bars", "Open Agents")),
        )
        bars.append(Problem(f"file {problem.path}:{problem.line}", Severity.DECIDE, "file-x", cause, where, actions))
    return bars


def backlog_bars(waiting: int) -> list[Problem]:
    """Return the bar for held sends of an earlier run whose review is not complete; empty if none wait."""
    if not waiting:
        return []
    cause = translate("Bars", "%n planned message(s) were held and need review.", "", waiting)
    words = translate("Bars", "Nothing is sent until you review them.")
    actions = (ProblemAction(ProblemCommand.REVIEW, translate("Bars", "Review")),)
    return [Problem("backlog", Severity.DECIDE, "hand", cause, words, actions)]


def reason_of(problem: PlanningProblem | None) -> PlanningProblem | None:
    """Return the problem of a chat without a plan as a bar needs it; None where the model chose not to answer.

    Attempt and waiting time are left out: chats with the same reason share a bar.
    """
    if problem is None or problem.is_given_up:
        return problem
    return PlanningProblem(PlanningKind.RETRYING, problem.detail, fault=problem.fault) if problem.is_retried else None


def plan_bars(
    problems: Mapping[ChatId, tuple[PlanningProblem, str]], *, real_model_in_sandbox: bool = False
) -> list[Problem]:
    """Return the bars for plans that could not be made; chats with the same reason share one.

    Args:
        problems: By chat: the result of `reason_of`, and the title.
        real_model_in_sandbox: Gemini answers in the sandbox; the bar offers to return to the written answers.
    """
    together: dict[PlanningProblem, list[tuple[ChatId, str]]] = {}
    for chat_id, (reason, title) in problems.items():
        together.setdefault(reason, []).append((chat_id, title))
    return [_plan_bar(reason, chats, real_model_in_sandbox=real_model_in_sandbox) for reason, chats in together.items()]


def _cap_bar(fault: Note, chats: list[tuple[ChatId, str]]) -> Problem:
    """Return the bar that asks whether planning may go on although a cap is reached, or can't hold."""
    count, key = len(chats), cap_key(fault)
    if key.scope is CapScope.ALL:  # that pauses whatever chat is the next one, too
        cause = translate("Bars", "Planning is paused, %n chat(s) wait.", "", count)
    elif count == 1:
        cause = translate("Bars", "{title} is paused.").format(title=_isolated(chats[0][1]))
    else:
        cause = translate("Bars", "%n chat(s) are paused.", "", count)
    actions = cap_actions(fault)
    stays = translate("Bars", "Messages are saved.")
    return Problem(cap_bar_key(key), Severity.DECIDE, "pause-circle", cause, f"{note_sentence(fault)} {stays}", actions)


def cap_bar_key(key: CapKey) -> str:
    """Return the key of the bar that asks whether planning may go on in spite of a cap."""
    return f"cap {key.scope.value} {key.target}"


def cap_key(fault: Note) -> CapKey:
    """Return the cap that a fault of a call names."""
    if fault.kind is ModelFault.NO_PRICE:
        return without_price(fault.words)
    return CapKey(CapScope(fault.words), fault.more)


def cap_actions(fault: Note) -> tuple[ProblemAction, ...]:
    """Return what lets planning go on although a cap is reached, or can't hold."""
    key, amount = cap_key(fault), dollars_words(STEP_USD)
    first = (
        ProblemAction(ProblemCommand.LIFT_CAP, translate("Bars", "Continue until midnight"), key)
        if fault.kind is ModelFault.NO_PRICE
        else ProblemAction(
            ProblemCommand.ADD_TO_CAP, translate("Bars", "Add {amount} for today").format(amount=amount), key
        )
    )
    return first, ProblemAction(ProblemCommand.OPEN_COSTS, translate("Bars", "More choices"))


def _plan_bar(reason: PlanningProblem, chats: list[tuple[ChatId, str]], *, real_model_in_sandbox: bool) -> Problem:
    if reason.kind is PlanningKind.CAP and reason.fault is not None:
        return _cap_bar(reason.fault, chats)
    attempts = reason.attempt if reason.kind is PlanningKind.FAILED else 0
    why, raw = _without_raw(reason)
    if len(chats) == 1:
        after = translate("Bars", "Couldn't plan a reply to {title} in %n attempt(s).", "", attempts)
        words = after if attempts else translate("Bars", "Couldn't plan a reply to {title}.")
        cause = words.format(title=_isolated(chats[0][1]))
        why = replace(why, attempt=0) if attempts else why
    else:
        count = len(chats)
        cause = translate("Bars", "Couldn't plan replies in %n chat(s).", "", count)
    waits = reason.is_retried
    again = translate("Bars", "Retrying automatically. Messages are saved.")
    stays = again if waits else translate("Bars", "Messages are saved and wait for an answer.")
    targets = tuple(chat_id for chat_id, _ in chats)
    way_back = ProblemAction(ProblemCommand.WRITTEN_ANSWERS, translate("Bars", "Written answers"), targets)
    actions = (
        ProblemAction(ProblemCommand.PLAN_NOW, translate("Bars", "Plan now"), targets),
        way_back
        if real_model_in_sandbox
        else ProblemAction(ProblemCommand.OPEN_CHAT, translate("Bars", "Open the chat"), targets[0]),
    )
    icon = "hourglass" if waits else "key" if reason.kind is PlanningKind.NO_KEY else "alert"
    severity = Severity.WAITS if waits else Severity.BROKEN
    fault = reason.fault and (reason.fault.kind.value, reason.fault.words, reason.fault.number)
    key = f"plan {reason.kind.value} {reason.attempt} {fault or reason.detail}"
    # What it means for messages comes first: it is not what is cut.
    return Problem(key, severity, icon, cause, f"{stays} {sentence(problem_cause(why))}", actions, raw)


def _without_raw(reason: PlanningProblem) -> tuple[PlanningProblem, str]:
    """Return a problem without the service's own words, and these; the words behind no fault of ours stay in it."""
    fault = reason.fault
    if fault is None or reason.cause is not None or fault.kind not in QUOTING or not fault.words:
        return reason, ""
    return replace(reason, fault=replace(fault, words="")), sentence(fault.words)


def _name(agent: Agent) -> str:
    return _isolated(agent.spec.name)


def _isolated(name: str) -> str:
    # Only its direction is isolated: it is sanitized where it reaches a widget.
    return f"\u2068{name[:_SHORT]}\u2069"
