"""What the model says when nothing is ordered: it reads the prompt, understands the last words, asks the playbooks.

The same prompt and seed always get the same answer, and whatever people or pages say, the answer keeps our grammar.
"""

from chimein_gui.sandbox.model.playbooks.library import Library, load_library
from chimein_gui.sandbox.model.playbooks.rules import Rule, Situation
from chimein_gui.sandbox.model.script import FunctionCall, ModelCall, ScriptedReply
from chimein_gui.sandbox.model.talk.conversation import Conversation
from chimein_gui.sandbox.model.talk.kinds import Understanding, understand
from chimein_gui.sandbox.model.talk.memory import Reminder, remind
from chimein_gui.sandbox.model.talk.other_jobs import forced_call, json_reply, picture_description
from chimein_gui.sandbox.model.talk.reply import finished
from chimein_gui.sandbox.model.talk.slots import slots_for


class Responder:
    """Speaks from playbooks."""

    def __init__(self, library: Library | None = None) -> None:
        """Read the playbooks that come with the program, or take others.

        Raises:
            PlaybookError: They are broken.
        """
        self._library = library if library is not None else load_library()
        self._rules: dict[tuple[str, str, str], tuple[Rule, ...]] = {}

    @property
    def playbooks(self) -> frozenset[str]:
        """The names that can be asked for."""
        return self._library.names

    def answer(self, call: ModelCall, playbook: str = "", seed: int = 0) -> ScriptedReply:
        """Answer a call.

        Args:
            call: The request.
            playbook: Asked before everyday talk, if named.
            seed: Decides between variants.
        """
        conversation = Conversation(call)
        if other := json_reply(call) or picture_description(conversation):
            return ScriptedReply(other)
        understood = understand(conversation)
        if call.calling_mode == "ANY" and (forced := forced_call(conversation, understood)) is not None:
            return ScriptedReply("", calls=(forced,))
        reminder = remind(conversation, understood)
        if reminder.call is not None:
            return ScriptedReply("", calls=(reminder.call,))
        return self._from_rules(conversation, understood, reminder, playbook, seed)

    def _from_rules(
        self, conversation: Conversation, understood: Understanding, reminder: Reminder, playbook: str, seed: int
    ) -> ScriptedReply:
        situation = Situation(
            language=understood.lexicon.code,
            kind=reminder.kind or understood.kind,
            said=f"{conversation.target.text} {conversation.target.media}".strip(),
            is_group=conversation.is_group,
            nth=conversation.answers_so_far + 1,
            agent=conversation.agent,
            tools=frozenset(conversation.tools),
            tool_answered=frozenset(conversation.tool_answers),
            has_image=bool(conversation.target.images),
            slots=slots_for(conversation, understood, reminder),
            seed=seed,
        )
        for rule in self._asked(playbook, situation.language, situation.kind):
            text = rule.chosen(situation)
            if text is None:
                continue
            calls: tuple[FunctionCall, ...] = rule.pending_calls(situation)
            if calls:
                return ScriptedReply("", rule.thoughts, calls, rule.usage)
            reply = finished(text, rule.think, conversation, understood, situation)
            return ScriptedReply(reply, rule.thoughts, (), rule.usage)
        return ScriptedReply("# «send»\n🙂")

    def _asked(self, playbook: str, language: str, kind: str) -> tuple[Rule, ...]:
        """Return the rules that can apply to a language and a kind."""
        key = (playbook, language, kind)
        if key not in self._rules:
            self._rules[key] = tuple(
                one
                for one in self._library.rules(playbook)
                if (not one.when.languages or language in one.when.languages)
                and (not one.when.kinds or kind in one.when.kinds)
            )
        return self._rules[key]


def respond(contents: tuple[dict[str, object], ...] | list[dict[str, object]], system_instruction: str = "") -> str:
    """Return the everyday answer to some turns."""
    return Responder().answer(ModelCall("", system_instruction, tuple(contents))).text
