"""What the operator may adjust, with its defaults."""

from dataclasses import dataclass

from chimein_gui.domain.costs import PRICES, Price
from chimein_gui.domain.memory.embedding import Embedding
from chimein_gui.domain.messages import utf16_length


@dataclass(frozen=True, slots=True)
class Preferences:
    """Adjustable behaviour; all durations in seconds.

    Attributes:
        debounce_s: Quiet time after the newest trigger before a plan is made; 0 is allowed.
        undo_s: How long an operator's approval can be undone before it is sent; 0 disables it.
        typing_base_s: Shortest "typing…" before a send; 0 together with the next disables it.
        typing_s_per_60: Additional seconds for each 60 characters.
        typing_max_s: Longest "typing…".
        parallel_plans: How many plans are made at the same time.
        history_limit: Messages of history in a prompt.
        changes_last: What changes from call to call stands behind the history in a prompt, so that the service can
            reuse what it has read before; otherwise it stands in the system instruction.
        model: Model name for agents whose file has none.
        memory_embedding: What finds memories by meaning: ``words`` (none: by words alone), ``gemini`` or ``local``.
        memory_model_dir: Directory of the local model; empty for none.
        extraction: Direct chats are read for memories when they have come to rest; what is found waits for review.
        extraction_groups: So are groups.
        extraction_rest_s: Quiet time after which a conversation has come to rest.
        extraction_calls: Most such model calls a day; 0 disables them.
        descriptions_per_tick: Most descriptions of media that a model begins between two ticks of the scheduler; 0
            disables them.
        callout_debounce_s: Quiet time after a callout in a group, like `debounce_s`.
        longest_debounce_s: A chat becomes due at most this long after its first trigger.
        countdown_s: How long a decision of `countdown` trust can be stopped before it is sent.
        sticker_typing_s: "Typing…" before a sticker.
        takeover_s: How long the agent pauses in a chat in which the operator writes.
        chat_cap: Most automatic sends per hour in one chat; 0 disables the cap.
        account_cap: Most automatic sends per hour of one account; 0 disables the cap.
        tick_s: Interval at which the scheduler checks for work without an event.
        misfire_s: A send overdue by more than this returns to review.
        keep_days: For how many days traces, prompts and raw data of Telegram are kept.
        keep_mb: How many megabytes traces and prompts may take in all; the oldest go first.
        prices: Prices of models; the operator's own precede the vendor's list.
        config_dirs: Config directories, earlier ones first in priority; empty for the default. They apply from the next
            start, unless an environment variable names others.
        notify: Desktop notifications are shown.
        notify_text: They contain names and texts; otherwise only that something waits.
        notify_sound: They make a sound.
        notify_quiet_from: Local time of day, HH:MM, from which none is shown.
        notify_quiet_to: When that ends; equal to `notify_quiet_from` means never quiet.
        keep_in_tray: Closing the window keeps the program running in the tray, where there is one.
    """

    debounce_s: float = 1.5
    undo_s: float = 5.0
    typing_base_s: float = 2.0
    typing_s_per_60: float = 1.0
    typing_max_s: float = 30.0
    parallel_plans: int = 8
    history_limit: int = 500
    changes_last: bool = True
    model: str = "gemini-2.5-flash"
    memory_embedding: str = Embedding.WORDS.value
    memory_model_dir: str = ""
    extraction: bool = True
    extraction_groups: bool = False
    extraction_rest_s: float = 600.0
    extraction_calls: int = 50
    descriptions_per_tick: int = 8
    callout_debounce_s: float = 0.5
    longest_debounce_s: float = 15.0
    countdown_s: float = 30.0
    sticker_typing_s: float = 4.0
    takeover_s: float = 1800.0
    chat_cap: int = 20
    account_cap: int = 60
    tick_s: float = 2.0
    misfire_s: float = 900.0
    keep_days: int = 30
    keep_mb: int = 2_000
    prices: tuple[Price, ...] = PRICES
    config_dirs: tuple[str, ...] = ()
    notify: bool = True
    notify_text: bool = True
    notify_sound: bool = False
    notify_quiet_from: str = "00:00"
    notify_quiet_to: str = "00:00"
    keep_in_tray: bool = False

    def typing_s(self, text: str) -> float:
        """Return how many seconds "typing…" is shown before `text`."""
        return min(self.typing_max_s, self.typing_base_s + self.typing_s_per_60 * utf16_length(text) / 60)
