"""A playbook file, read strictly: everything that is wrong with it is named, with its line."""

import re
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from chimein_gui.sandbox.model.grammar import problems_of
from chimein_gui.sandbox.model.languages.detection import LEXICONS
from chimein_gui.sandbox.model.playbooks.rules import SLOT, SLOTS, Playbook, Rule, When, filled
from chimein_gui.sandbox.model.script import FunctionCall
from chimein_gui.sandbox.model.talk.cue_tables import Kind

_SAMPLE = dict.fromkeys(SLOTS, "sample") | {"url": "https://sample.example/", "number": "1"}
_USAGE = frozenset({"prompt", "reply", "thinking"})
_BOOLS = {"true": True, "false": False}
_KINDS = frozenset(Kind) | {"recall_other", "recall_own", "remembered"}


class PlaybookReader:
    """Reads one file.

    Attributes:
        problems: What is wrong so far, each as ``file:line: what``.
    """

    def __init__(self, name: str) -> None:
        """Take note of the file's name, for reports."""
        self._name = name
        self._language = frozenset[str]()
        self.problems: list[str] = []

    def read(self, text: str) -> Playbook | None:
        """Return the playbook, or None if anything is wrong with it."""
        try:
            root = YAML(typ="safe", pure=True).compose(text)
        except MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark is not None else 1
            self.problems.append(f"{self._name}:{line}: {error.problem or 'no YAML'}")
            return None
        except YAMLError as error:
            self.problems.append(f"{self._name}:1: {str(error).splitlines()[0]}")
            return None
        if root is None:
            self.problems.append(f"{self._name}:1: the file is empty")
            return None
        playbook = self._playbook(root)
        return None if self.problems else playbook

    def _playbook(self, root: Node) -> Playbook:
        fields = self._mapping(root, "name", "title", "base", "language", "rules")
        self._language = frozenset(self._language_codes(fields["language"])) if "language" in fields else frozenset()
        for needed in ("name", "rules"):
            if isinstance(root, MappingNode) and needed not in fields:
                self._complain(root, f"“{needed}” is missing")
        rules = tuple(self._rule(node) for node in self._list(fields.get("rules")))
        return Playbook(
            name=self._text(fields.get("name")),
            rules=rules,
            title=self._text(fields.get("title")),
            is_base=bool(self._bool(fields.get("base"))),
            path=self._name,
        )

    def _rule(self, node: Node) -> Rule:
        fields = self._mapping(node, "when", "replies", "probability", "think", "thoughts", "calls", "usage")
        calls = tuple(self._call(one) for one in self._list(fields.get("calls")))
        replies = tuple(self._reply(one) for one in self._list(fields.get("replies")))
        if isinstance(node, MappingNode) and not replies and not calls:
            self._complain(node, "a rule needs “replies” or “calls”")
        think = self._text(fields.get("think"))
        if "\n#" in f"\n{think}":
            self._complain(fields["think"], "“think” can't hold a heading")
        usage = self._mapping(fields["usage"], *_USAGE) if "usage" in fields else {}
        return Rule(
            place=f"{self._name}:{_line(node)}",
            when=self._when(fields.get("when")),
            replies=replies,
            probability=self._number(fields.get("probability"), 1.0, most=1.0),
            think=think,
            thoughts=self._text(fields.get("thoughts")),
            calls=calls,
            usage={name: int(self._number(value, 0.0, whole=True)) for name, value in usage.items()},
        )

    def _when(self, node: Node | None) -> When:
        if node is None:
            return When(languages=self._language)
        known = ("language", "kind", "words", "match", "chat", "nth", "agent", "tool", "image")
        fields = self._mapping(node, *known)
        languages = frozenset(self._language_codes(fields["language"])) if "language" in fields else self._language
        kinds = self._choice(fields.get("kind"), _KINDS, "kind")
        chat = self._choice(fields.get("chat"), frozenset({"dm", "group"}), "chat")
        nth = [int(self._number(one, 0.0, whole=True)) for one in self._list(fields.get("nth"), or_one=True)]
        return When(
            languages=languages,
            kinds=frozenset(kinds),
            words=tuple(self._text(one).casefold() for one in self._list(fields.get("words"), or_one=True)),
            match=self._pattern(fields.get("match")),
            chat=chat[0] if chat else "",
            nth=frozenset(nth),
            agent=self._text(fields.get("agent")),
            tool=self._text(fields.get("tool")),
            image=self._bool(fields.get("image")),
        )

    def _reply(self, node: Node) -> str:
        reply = self._text(node)
        for slot in dict.fromkeys(SLOT.findall(reply)):
            if slot not in SLOTS:
                self._complain(node, f"there is no slot {{{slot}}}; there are {', '.join(sorted(SLOTS))}")
        if not reply.strip():
            self._complain(node, "the reply is empty")
        for problem in problems_of(filled(reply, _SAMPLE)):
            self._complain(node, problem)
        return reply

    def _call(self, node: Node) -> FunctionCall:
        fields = self._mapping(node, "name", "args")
        if isinstance(node, MappingNode) and "name" not in fields:
            self._complain(node, "“name” is missing")
        args = fields.get("args")
        if args is not None and not isinstance(args, MappingNode):
            self._complain(args, "“args” has to be a mapping")
            args = None
        values = {str(key.value): self._value(value) for key, value in args.value} if args is not None else {}
        return FunctionCall(self._text(fields.get("name")), values)

    def _value(self, node: Node) -> Any:  # noqa: ANN401 - JSON
        if not isinstance(node, ScalarNode):
            self._complain(node, "an argument has to be a text, a number, true or false")
            return ""
        text = str(node.value)
        if _tag(node).endswith("int"):
            return int(text)
        return _BOOLS[text.casefold()] if _tag(node).endswith("bool") else text

    # -- nodes --------------------------------------------------------------------------------------------------------

    def _complain(self, node: Node, what: str) -> None:
        self.problems.append(f"{self._name}:{_line(node)}: {what}")

    def _mapping(self, node: Node, *known: str) -> dict[str, Node]:
        """Return the fields of a mapping; unknown and repeated ones are problems."""
        if not isinstance(node, MappingNode):
            self._complain(node, "a mapping is expected here")
            return {}
        found: dict[str, Node] = {}
        for key, value in node.value:
            name = str(key.value)
            if name not in known:
                self._complain(key, f"unknown key “{name}”; known are {', '.join(sorted(known))}")
            elif name in found:
                self._complain(key, f"duplicate key “{name}”")
            found[name] = value
        return found

    def _list(self, node: Node | None, *, or_one: bool = False) -> list[Node]:
        if node is None:
            return []
        if isinstance(node, SequenceNode):
            return list(node.value)
        if not or_one:
            self._complain(node, "a list is expected here")
        return [node] if or_one else []

    def _text(self, node: Node | None) -> str:
        if node is None:
            return ""
        if not isinstance(node, ScalarNode) or not _tag(node).endswith(("str", "int", "float")):
            self._complain(node, "a text is expected here")
            return ""
        return str(node.value)

    def _bool(self, node: Node | None) -> bool | None:
        if node is None:
            return None
        if not isinstance(node, ScalarNode) or not _tag(node).endswith("bool"):
            self._complain(node, "true or false is expected here")
            return None
        return _BOOLS.get(str(node.value).casefold())

    def _number(self, node: Node | None, default: float, *, most: float = 1e9, whole: bool = False) -> float:
        if node is None:
            return default
        kinds = ("int",) if whole else ("int", "float")
        if not isinstance(node, ScalarNode) or not _tag(node).endswith(kinds) or not 0 <= float(node.value) <= most:
            self._complain(node, f"a {'whole ' if whole else ''}number from 0 to {most:g} is expected here")
            return default
        return float(node.value)

    def _choice(self, node: Node | None, known: frozenset[str], what: str) -> list[str]:
        names = [(one, self._text(one)) for one in self._list(node, or_one=True)]
        for one, name in names:
            if name not in known:
                self._complain(one, f"there is no {what} “{name}”; there are {', '.join(sorted(known))}")
        return [name for _, name in names]

    def _language_codes(self, node: Node) -> list[str]:
        return self._choice(node, frozenset(LEXICONS), "language")

    def _pattern(self, node: Node | None) -> re.Pattern[str] | None:
        if node is None:
            return None
        try:
            return re.compile(self._text(node), re.IGNORECASE)
        except re.error as error:
            self._complain(node, f"bad regular expression: {error}")
            return None


def _tag(node: Node) -> str:
    return str(node.tag or "")


def _line(node: Node) -> int:
    mark = node.start_mark
    return mark.line + 1 if mark is not None else 1
