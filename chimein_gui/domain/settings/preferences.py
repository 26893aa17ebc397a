"""What the operator may adjust, with its defaults."""

from dataclasses import dataclass

from chimein_gui.domain.costs import PRICES, Price
from chimein_gui.domain.messages import utf16_length


@dataclass(frozen=True, slots=True)
class Preferences:
    """Adjustable behaviour; all durations in seconds.

    Attributes:
        debounce_s: Quiet time after the newest trigger before a plan is made; 0 is allowed.
        undo_s: How long an operator's approval can be taken back before it leaves; 0 switches it off.
        typing_base_s: Shortest "typing…" before a send; 0 together with the next switches it off.
        typing_s_per_60: Seconds more for each 60 characters.
        typing_max_s: Longest "typing…".
        parallel_plans: How many plans are made at once.
        history_limit: Messages of history in a prompt.
        model: Model name where the agent's file has none.
        callout_debounce_s: The same quiet time after a callout in a group.
        longest_debounce_s: A chat becomes due at most this long after its first trigger.
        countdown_s: How long a decision of `countdown` trust can be stopped before it leaves.
        sticker_typing_s: "Typing…" before a sticker.
        takeover_s: How long the agent pauses in a chat where the operator writes himself.
        chat_cap: Most automatic sends an hour in one chat; 0 switches the cap off.
        account_cap: Most automatic sends an hour of one account; 0 switches the cap off.
        tick_s: How often the scheduler looks round without being woken.
        misfire_s: A send overdue by more than this goes back to review.
        prices: What models cost; the operator's own before the vendor's list.
        config_dirs: Config directories, earlier wins; empty for the usual one. They count from the next start on, and
            only where no environment variable names others.
        notify: Desktop notifications are shown.
        notify_text: They hold names and texts; otherwise only that something waits.
        notify_sound: They make a sound.
        notify_quiet_from: Local time of day, HH:MM, from which none is shown.
        notify_quiet_to: When that ends; equal to `notify_quiet_from` means never quiet.
        keep_in_tray: Closing the window leaves the program in the tray, where there is one.
    """

    debounce_s: float = 1.5
    undo_s: float = 5.0
    typing_base_s: float = 2.0
    typing_s_per_60: float = 1.0
    typing_max_s: float = 30.0
    parallel_plans: int = 8
    history_limit: int = 500
    model: str = "gemini-2.5-flash"
    callout_debounce_s: float = 0.5
    longest_debounce_s: float = 15.0
    countdown_s: float = 30.0
    sticker_typing_s: float = 4.0
    takeover_s: float = 1800.0
    chat_cap: int = 20
    account_cap: int = 60
    tick_s: float = 2.0
    misfire_s: float = 900.0
    prices: tuple[Price, ...] = PRICES
    config_dirs: tuple[str, ...] = ()
    notify: bool = True
    notify_text: bool = True
    notify_sound: bool = False
    notify_quiet_from: str = "00:00"
    notify_quiet_to: str = "00:00"
    keep_in_tray: bool = False

    def typing_s(self, text: str) -> float:
        """Return how long a person would be seen typing `text`."""
        return min(self.typing_max_s, self.typing_base_s + self.typing_s_per_60 * utf16_length(text) / 60)
