"""The answers that scenarios have given for single messages."""

from collections import OrderedDict

_MOST = 10_000


class WrittenAnswers:
    """Answers by message, at most for the newest 10,000 messages; scenarios set them, the responder looks them up.

    Attributes:
        personas: Names of personas with such answers; they need no voice of their own.
    """

    def __init__(self) -> None:
        self._by_message: OrderedDict[tuple[int, int], dict[str, tuple[str, ...]]] = OrderedDict()
        self.personas: set[str] = set()

    def tell(self, persona: str, sender_id: int, message_id: int, answers: tuple[str, ...]) -> None:
        """Set a persona's answers to a message; earlier ones are replaced.

        Args:
            persona: Name of who answers.
            sender_id: Who wrote the message.
            message_id: Its id in the persona's own sequence, as in the prompt.
            answers: Equivalent texts; empty to have no answer any more.
        """
        self.personas.add(persona)
        known = self._by_message.setdefault((sender_id, message_id), {})
        known[_same(persona)] = answers
        self._by_message.move_to_end((sender_id, message_id))
        while len(self._by_message) > _MOST:
            self._by_message.popitem(last=False)

    def find(self, persona: str, sender_id: int, message_id: int) -> tuple[str, ...]:
        """Return the answers to a message; empty if there are none.

        An empty `persona` finds the answers of the only persona that has some.
        """
        known = self._by_message.get((sender_id, message_id), {})
        if not persona and len(known) == 1:
            return next(iter(known.values()))
        return known.get(_same(persona), ())


def _same(name: str) -> str:
    return " ".join(name.casefold().split())
