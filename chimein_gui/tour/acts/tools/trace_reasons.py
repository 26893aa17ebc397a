"""Why a plan was not made, or is not sent: each reason that the Traces pane names, with what can be done."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.traces.summaries import TraceState
from chimein_gui.sandbox_api import FaultKind, FaultRule
from chimein_gui.tour.acts.tools.trace_stage import TraceStage
from chimein_gui.tour.driver import PARTNER, PERSONA, account_of, chat_with, panes_of
from chimein_gui.ui.panes.prompt.pane import PromptPane
from chimein_gui.ui.requests import ClosePane

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

ATTEMPTS = 10
"""So many tries has a plan."""

WAIT_S = 420
SLOW_S = 12
"""So long takes the model while its picture is taken."""


TRIED = "Answer in one sentence, and ask nothing back."

OTTO, JULE = "Otto Brandt", "Jule Wendt"
YADA, PLAIFAH = "Yada Thongkam", "ปลายฟ้า ธารา"
"""Personas, and who writes to them."""


async def play_trace_reasons(tour: Tour, program: Program) -> None:
    """Let one thing after the other go wrong; nothing is put right again at the end, the run ends."""
    panes = panes_of(program)
    async with tour.step("the accounts of the traces are online"):
        for name in (PERSONA, OTTO, YADA):
            await hand.until(name, partial(hand.row_with, panes.agents.list, f"{name}, Online"))
    stage = TraceStage(tour, program)
    await _not_made(stage)
    await _decision(stage)
    await _waits_for_model(stage)
    await _begun_anew(stage)
    await _what_if(stage)
    await _not_sent(stage)
    await _waits_for_telegram(stage)
    await _unknown(stage)
    await _logged_out(stage)
    await _no_key(stage)
    program.window.requests.send(ClosePane("traces"))


async def _not_made(stage: TraceStage) -> None:
    """Leave the plan failed, and Marta's question open."""
    async with stage.tour.step("a plan is tried again, then given up"):
        await stage.sandbox.inject(FaultRule(FaultKind.MODEL_ERROR, "generateContent", code=500, times=0))
        await stage.speak(PARTNER, PERSONA, "Is the old mill open on Saturdays?")
        await stage.look(TraceState.RETRYING, "Attempt 1 of 10")
        await stage.picture("reason-retrying")
        chat_id = (await chat_with(stage.program, PARTNER)).chat_id
        for tried in range(1, ATTEMPTS):
            await hand.until("the next try", partial(_has_tried, stage, chat_id, tried))
            stage.window.models.waits.plan_now(chat_id)
        await stage.look(TraceState.FAILED, "No plan after 10 attempt")
        await stage.picture("reason-failed")
        await stage.sandbox.clear_faults()


def _has_tried(stage: TraceStage, chat_id: ChatId, times: int) -> bool:
    chat = stage.window.models.chats.chat(chat_id)
    problem = chat.planning_problem if chat is not None else None
    return problem is not None and problem.attempt >= times


async def _decision(stage: TraceStage) -> None:
    """Plan it after all, postpone it, and reject it."""
    async with stage.tour.step("a plan waits for the operator, who puts it off"):
        row = stage.pane.shown
        assert row is not None
        await stage.engine.plans.retry(row.chat_id)
        await stage.look(TraceState.WAITING, "Waits for your decision")
        await stage.picture("reason-asks")
        models = stage.window.models
        models.actions.postpone(await stage.card(), models.clock.now() + timedelta(hours=1))
        await stage.look(TraceState.WAITING, "Postponed by you")
        await stage.picture("reason-postponed")
        await stage.reject()


async def _waits_for_model(stage: TraceStage) -> None:
    async with stage.tour.step("the model asks for a wait"):
        await stage.sandbox.inject(FaultRule(FaultKind.MODEL_ERROR, "generateContent", code=429, seconds=40, times=0))
        await stage.speak(PARTNER, PERSONA, "And does the miller still sell flour?")
        await stage.look(TraceState.RETRYING, "The model's service asks for a wait")
        await stage.picture("reason-model-wait")
        await stage.sandbox.clear_faults()
        row = stage.newest
        assert row is not None
        await stage.engine.plans.retry(row.chat_id)
        await stage.look(TraceState.WAITING)
        await stage.reject()


async def _begun_anew(stage: TraceStage) -> None:
    async with stage.tour.step("a newer message comes while a plan is made"):
        slow = FaultRule(FaultKind.MODEL_SLOW, "generateContent", seconds=SLOW_S, times=0)
        fault = await stage.sandbox.inject(slow)
        await stage.speak(PARTNER, PERSONA, "Shall we bring bread or buns?")
        await hand.until("the request at the model", lambda: _has_triggered(stage, fault))
        await stage.sandbox.speak(*await _pair(stage), "Or both, we are hungry 😄")
        await stage.look(TraceState.BEGUN_ANEW, "Started over")
        await stage.picture("reason-begun-anew")
        await stage.sandbox.clear_faults()
        await stage.look(TraceState.WAITING)
        await stage.reject()


def _has_triggered(stage: TraceStage, fault: int) -> bool:
    return any(one.fault_id == fault and one.hits for one in stage.window.models.rehearsal.state.faults)


async def _pair(stage: TraceStage) -> tuple[int, int]:
    partner = next(one.user_id for one in await stage.sandbox.partners() if one.name == PARTNER)
    return partner, await account_of(stage.program, PERSONA)


async def _what_if(stage: TraceStage) -> None:
    async with stage.tour.step("a dry run that the model refused"):
        stage.pane.side.list.choose(stage.pane.traces.rows()[0].trace_id)
        await stage.look(TraceState.REJECTED)
        await stage.begin()
        stage.pane.open_prompt(what_if=True)
        prompt = stage.window.pane("prompt")
        assert isinstance(prompt, PromptPane)
        rows = await hand.until("the parts", lambda: prompt.models.what_if.parts.parts.rows)
        place = next(at for at, row in enumerate(rows) if row.title == "Instructions")
        prompt.what_if.list.setCurrentIndex(prompt.models.what_if.parts.index(place))
        prompt.what_if.editor.appendPlainText(TRIED)
        await stage.sandbox.inject(FaultRule(FaultKind.MODEL_BLOCKED, "generateContent", times=0))
        prompt.what_if.bar.run()
        stage.window.show_pane("traces")
        await stage.look(TraceState.FAILED)
        await stage.picture("trace-what-if-failed")
        stage.window.requests.send(ClosePane("prompt"))
        stage.window.show_pane("traces")
        await stage.sandbox.clear_faults()


async def _not_sent(stage: TraceStage) -> None:
    async with stage.tour.step("Telegram does not take a message"):
        account = await account_of(stage.program, PERSONA)
        rule = FaultRule(FaultKind.RPC_ERROR, "messages.sendMessage", account, 403, "CHAT_WRITE_FORBIDDEN", times=0)
        await stage.sandbox.inject(rule)
        await stage.speak(PARTNER, PERSONA, "Do you have room for my brother's drone?")
        await stage.look(TraceState.WAITING)
        await stage.approve()
        await stage.look(TraceState.FAILED, "Not sent")
        await stage.picture("reason-not-sent")
        await stage.sandbox.clear_faults()


async def _waits_for_telegram(stage: TraceStage) -> None:
    async with stage.tour.step("Telegram asks an account to wait"):
        account = await account_of(stage.program, PERSONA)
        await stage.sandbox.inject(
            FaultRule(FaultKind.FLOOD_WAIT, "messages.sendMessage", account, seconds=WAIT_S, times=0)
        )
        await stage.speak(PARTNER, PERSONA, "Which bus do you take home?")
        await stage.look(TraceState.WAITING)
        await stage.approve()
        await stage.look(TraceState.APPROVED, "Telegram asks this account to wait until")
        await stage.picture("reason-server-wait")


async def _unknown(stage: TraceStage) -> None:
    async with stage.tour.step("nobody knows whether a message arrived"):
        account = await account_of(stage.program, OTTO)
        await stage.sandbox.inject(FaultRule(FaultKind.DROP_BEFORE, "messages.sendMessage", account, times=0))
        await stage.speak(JULE, OTTO, "Did you see my umbrella?")
        await stage.look(TraceState.WAITING)
        await stage.approve()
        await stage.look(TraceState.UNKNOWN, "It is not known whether the message arrived")
        await stage.picture("reason-unknown")


async def _logged_out(stage: TraceStage) -> None:
    async with stage.tour.step("an approved message waits for an account that is logged out"):
        await stage.speak(PLAIFAH, YADA, "Are you at the market tomorrow?")
        await stage.look(TraceState.WAITING)
        await stage.sandbox.inject(FaultRule(FaultKind.REVOKE, account_id=await account_of(stage.program, YADA)))
        await hand.until("that", lambda: hand.row_with(panes_of(stage.program).agents.list, f"{YADA}, Session ended"))
        await stage.approve()
        await stage.look(TraceState.APPROVED, "Waits until the account is online")
        await stage.picture("reason-offline")


async def _no_key(stage: TraceStage) -> None:
    async with stage.tour.step("the key is turned down"):
        await stage.sandbox.inject(FaultRule(FaultKind.MODEL_ERROR, "generateContent", code=403, times=0))
        await stage.speak(PARTNER, PERSONA, "Are you asleep already?")
        await stage.look(TraceState.NO_KEY, "Waits for a key")
        await stage.picture("reason-key")
