"""Every value that may be adjusted, as data: on which page, in which unit, what it does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.costs import price_of

if TYPE_CHECKING:
    from chimein_gui.domain.settings.preferences import Preferences

MINUTE_S = 60.0
DAY_S = 86_400.0


class Page(StrEnum):
    """The pages, in their order."""

    KEYS = "keys"
    MODELS = "models"
    LIMITS = "limits"
    DIRECTORIES = "directories"
    APPROVALS = "approvals"
    LOOK = "look"


class Sort(StrEnum):
    """What kind of value it is, and so which field it gets."""

    NUMBER = "number"
    TIME = "time"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Setting:
    """One value of `Preferences`.

    Attributes:
        name: Its field there.
        page: Where it stands.
        title: English; translated in the context ``Settings``.
        words: What it does, a sentence.
        sort: What kind of value.
        unit: After the number; empty for texts.
        least: Smallest value, in that unit.
        most: Largest value, in that unit.
        scale: How much of the field one unit is: 60 where seconds are shown as minutes.
    """

    name: str
    page: Page
    title: str
    words: str
    sort: Sort = Sort.NUMBER
    unit: str = ""
    least: float = 0
    most: float = 500
    scale: float = 1.0

    def shown(self, preferences: Preferences) -> float | str:
        """Return its value in its own unit."""
        value = getattr(preferences, self.name)
        return value if isinstance(value, str) else value / self.scale

    def stored(self, shown: float | str) -> float | int | str:
        """Return what `Preferences` holds for a value in its own unit."""
        if isinstance(shown, str):
            return shown.strip()
        value = shown * self.scale
        return round(value) if self.sort is Sort.NUMBER else round(value, 3)

    def in_words(self, preferences: Preferences) -> str:
        """Return its value with its unit, such as ``30 min``."""
        value = self.shown(preferences)
        number = value if isinstance(value, str) else f"{round(value, 2):g}"
        return " ".join(part for part in (number, translated(self.unit)) if part)


def _time(name: str, page: Page, title: str, words: str, most: float = DAY_S) -> Setting:
    return Setting(name, page, title, words, Sort.TIME, "s", 0, most)


def _minutes(name: str, page: Page, title: str, words: str) -> Setting:
    return Setting(name, page, title, words, Sort.TIME, "min", 0, DAY_S / MINUTE_S, MINUTE_S)


SETTINGS: tuple[Setting, ...] = (
    Setting("model", Page.MODELS, "Answers", "Plans and replies of agents whose file names no model.", Sort.MODEL),
    Setting("history_limit", Page.MODELS, "Messages in a prompt", "The newest of a chat; agents may ask for fewer.",
            unit="messages", least=1),
    Setting("chat_cap", Page.LIMITS, "Sends an hour, one chat",
            "Then auto and countdown turn into review. 0 switches the cap off.", unit="an hour", most=1000),
    Setting("account_cap", Page.LIMITS, "Sends an hour, one account",
            "Then auto and countdown turn into review. 0 switches the cap off.", unit="an hour", most=1000),
    Setting("parallel_plans", Page.LIMITS, "Plans made at once", "Further chats wait for their turn.", unit="plans",
            least=1),
    _minutes("misfire_s", Page.LIMITS, "Too late to send", "What is overdue by more than this comes back to you."),
    _time("undo_s", Page.APPROVALS, "Time to undo",
          "An approved message is sent after this, unless you take it back. 0 sends at once."),
    _time("countdown_s", Page.APPROVALS, "Countdown", "With countdown trust, a message is sent after this."),
    _minutes("takeover_s", Page.APPROVALS, "Takeover",
             "How long the persona pauses in a chat where you write yourself."),
    _time("debounce_s", Page.APPROVALS, "Quiet before a plan", "Time without a new message before a plan is made."),
    _time("callout_debounce_s", Page.APPROVALS, "Quiet after a callout", "The same in a group, after a callout."),
    _time("longest_debounce_s", Page.APPROVALS, "Longest wait", "At most this long after the first message."),
    _time("typing_base_s", Page.APPROVALS, "Typing, at least",
          "How long “typing…” is seen before a message. 0 here and below sends without."),
    _time("typing_s_per_60", Page.APPROVALS, "Typing, for each 60 characters", "Added to the time above.", 600),
    _time("typing_max_s", Page.APPROVALS, "Typing, at most", "Long messages are not typed longer than this."),
    _time("sticker_typing_s", Page.APPROVALS, "Choosing a sticker", "How long it takes before a sticker is sent."),
)  # fmt: skip

_TITLES = {
    Page.KEYS: "Keys",
    Page.MODELS: "Models",
    Page.LIMITS: "Limits and caps",
    Page.DIRECTORIES: "Directories",
    Page.APPROVALS: "Approvals and trust",
    Page.LOOK: "Look",
}

_INTRODUCTIONS = {
    Page.KEYS: "Never shown, and in no log, picture or exception.",
    Page.MODELS: "An agent's own file comes first.",
    Page.LIMITS: "A reached cap asks; it never drops a message and never sends by itself.",
    Page.DIRECTORIES: "What people write, and what the program writes.",
    Page.APPROVALS: "Every agent begins in review: each planned message waits for you.",
    Page.LOOK: "Remembered on this computer.",
}

ICONS = {
    Page.KEYS: "key",
    Page.MODELS: "layers",
    Page.LIMITS: "timer",
    Page.DIRECTORIES: "folder",
    Page.APPROVALS: "shield",
    Page.LOOK: "sun",
}


def translated(text: str) -> str:
    """Return a text of this catalogue in the operator's language."""
    return QCoreApplication.translate("Settings", text) if text else ""


def title_of(page: Page) -> str:
    """Return a page's title."""
    return translated(_TITLES[page])


def introduction_of(page: Page) -> str:
    """Return the sentence below a page's title."""
    return translated(_INTRODUCTIONS[page])


def settings_of(page: Page) -> tuple[Setting, ...]:
    """Return the values on a page."""
    return tuple(setting for setting in SETTINGS if setting.page is page)


def matches(words: str, *texts: str) -> bool:
    """Tell whether every word that is searched for occurs in one of the texts."""
    whole = " ".join(texts).casefold()
    return all(word in whole for word in words.casefold().split())


def price_words(model: str, preferences: Preferences) -> str:
    """Return what a model costs, US dollars a million tokens of prompt and reply; empty where nobody knows."""
    price = price_of(model, preferences.prices)
    return "" if price is None else f"${price.prompt:.2f} / {price.reply:.2f}"
