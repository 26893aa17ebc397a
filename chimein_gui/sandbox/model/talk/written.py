"""What scenarios have written down as answers: which message is to be answered by whom with which words."""

from collections import OrderedDict

_MOST = 10_000


class WrittenAnswers:
    """Answers by message, the newest ten thousand; scenes tell them, the responder looks them up.

    Attributes:
        personas: Names of those who may be asked, beside those with a voice of their own.
    """

    def __init__(self) -> None:
        self._by_message: OrderedDict[tuple[int, int], dict[str, tuple[str, ...]]] = OrderedDict()
        self.personas: set[str] = set()

    def tell(self, persona: str, sender_id: int, message_id: int, answers: tuple[str, ...]) -> None:
        """Note how a message is answered, in place of what was noted before.

        Args:
            persona: Who answers, by name.
            sender_id: Who wrote the message.
            message_id: Its number in the persona's own box, as the prompt has it.
            answers: Written variants; none if there is no answer any more.
        """
        self.personas.add(persona)
        known = self._by_message.setdefault((sender_id, message_id), {})
        known[_same(persona)] = answers
        self._by_message.move_to_end((sender_id, message_id))
        while len(self._by_message) > _MOST:
            self._by_message.popitem(last=False)

    def find(self, persona: str, sender_id: int, message_id: int) -> tuple[str, ...]:
        """Return the variants for a message; if the prompt does not tell who answers, those of the only one who may."""
        known = self._by_message.get((sender_id, message_id), {})
        if not persona and len(known) == 1:
            return next(iter(known.values()))
        return known.get(_same(persona), ())


def _same(name: str) -> str:
    return " ".join(name.casefold().split())
