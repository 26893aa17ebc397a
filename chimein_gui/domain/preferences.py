"""What the operator may adjust, with the defaults of SPEC."""

from dataclasses import dataclass

from chimein_gui.domain.messages import utf16_length


@dataclass(frozen=True, slots=True)
class Preferences:
    """Adjustable behaviour; all durations in seconds.

    Attributes:
        debounce_s: Quiet time after the newest trigger before a plan is made (SPEC §3.3); 0 is allowed.
        undo_s: How long an operator's approval can be taken back before it leaves (SPEC §6); 0 switches it off.
        typing_base_s: Shortest "typing…" before a send; 0 together with the next switches it off.
        typing_s_per_60: Seconds more for each 60 characters.
        typing_max_s: Longest "typing…".
        parallel_plans: How many plans are made at once (SPEC §3a).
        history_limit: Messages of history in a prompt.
        model: Model name where the agent's file has none.
    """

    debounce_s: float = 1.5
    undo_s: float = 5.0
    typing_base_s: float = 2.0
    typing_s_per_60: float = 1.0
    typing_max_s: float = 30.0
    parallel_plans: int = 8
    history_limit: int = 500
    model: str = "gemini-2.5-flash"

    def typing_s(self, text: str) -> float:
        """Return how long a person would be seen typing `text` (SPEC §6)."""
        return min(self.typing_max_s, self.typing_base_s + self.typing_s_per_60 * utf16_length(text) / 60)
