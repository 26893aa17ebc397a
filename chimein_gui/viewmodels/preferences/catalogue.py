"""All adjustable values as data: their page, unit and description."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.domain.costs import price_of
from chimein_gui.domain.memory.embedding import Embedding
from chimein_gui.viewmodels.core.bilingual import search_words, translate
from chimein_gui.viewmodels.core.numbers import decimal_words, dollars_words, locale

if TYPE_CHECKING:
    from chimein_gui.domain.settings.preferences import Preferences

EMBEDDING_MODEL = "gemini-embedding-001"

MINUTE_S = 60.0
DAY_S = 86_400.0


class Page(StrEnum):
    """The pages, in their order."""

    KEYS = "keys"
    MODELS = "models"
    LIMITS = "limits"
    DIRECTORIES = "directories"
    APPROVALS = "approvals"
    NOTIFICATIONS = "notifications"
    LOOK = "look"


class Sort(StrEnum):
    """The kind of a value, which selects its field."""

    NUMBER = "number"
    TIME = "time"
    MODEL = "model"
    SWITCH = "switch"
    CHOICE = "choice"
    FOLDER = "folder"
    TIME_OF_DAY = "time of day"


ON, OFF = "on", "off"

NO_FOLDER = QT_TRANSLATE_NOOP("Settings", "none")


@dataclass(frozen=True, slots=True)
class Setting:
    """One value of `Preferences`.

    Attributes:
        name: Its field there.
        page: The page that shows it.
        title: Marked for translation; `translated` returns the text.
        words: What it does, as a sentence; marked too.
        sort: The kind of value.
        unit: Shown after the number; empty for texts.
        least: Smallest value, in that unit.
        most: Largest value, in that unit.
        scale: Stored value of one unit: 60 where seconds are shown as minutes.
        choices: Of a choice: each stored value with its name, marked for translation.
    """

    name: str
    page: Page
    title: object
    words: object
    sort: Sort = Sort.NUMBER
    unit: object = ""
    least: float = 0
    most: float = 500
    scale: float = 1.0
    choices: tuple[tuple[str, object], ...] = ()

    def shown(self, preferences: Preferences) -> float | str:
        """Return its value in its own unit; `ON` or `OFF` for a switch."""
        value = getattr(preferences, self.name)
        if isinstance(value, bool):
            return ON if value else OFF
        return value if isinstance(value, str) else value / self.scale

    def stored(self, shown: float | str) -> float | int | str:
        """Return the stored value for a value in its own unit."""
        if self.sort is Sort.SWITCH:
            return shown == ON
        if isinstance(shown, str):
            return shown.strip()
        value = shown * self.scale
        return round(value) if self.sort is Sort.NUMBER else round(value, 3)

    def in_words(self, preferences: Preferences) -> str:
        """Return its value with its unit, such as ``30 min``."""
        value = self.shown(preferences)
        if self.sort is Sort.SWITCH:
            return translated("On") if value == ON else translated("Off")
        if self.sort is Sort.CHOICE:
            return translated(dict(self.choices)[str(value)])
        if self.sort is Sort.FOLDER and not value:
            return translated(NO_FOLDER)
        number = value if isinstance(value, str) else locale().toString(float(round(value, 2)), "g", 6)
        return " ".join(part for part in (number, translated(self.unit)) if part)


def _time(name: str, page: Page, title: object, words: object, most: float = DAY_S) -> Setting:
    return Setting(name, page, title, words, Sort.TIME, QT_TRANSLATE_NOOP("Settings", "s"), 0, most)


def _minutes(name: str, page: Page, title: object, words: object) -> Setting:
    return Setting(
        name, page, title, words, Sort.TIME, QT_TRANSLATE_NOOP("Settings", "min"), 0, DAY_S / MINUTE_S, MINUTE_S
    )


def _cap(name: str, title: object) -> Setting:
    words = QT_TRANSLATE_NOOP("Settings", "After that, messages wait for you. 0 turns the cap off.")
    return Setting(name, Page.LIMITS, title, words, unit=QT_TRANSLATE_NOOP("Settings", "an hour"), most=1000)


def _switch(name: str, title: object, words: object, page: Page = Page.NOTIFICATIONS) -> Setting:
    return Setting(name, page, title, words, Sort.SWITCH)


def _time_of_day(name: str, title: object, words: object) -> Setting:
    return Setting(name, Page.NOTIFICATIONS, title, words, Sort.TIME_OF_DAY)


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "model",
        Page.MODELS,
        QT_TRANSLATE_NOOP("Settings", "Answers"),
        QT_TRANSLATE_NOOP("Settings", "Plans and replies of agents whose file names no model."),
        Sort.MODEL,
    ),
    Setting(
        "history_limit",
        Page.MODELS,
        QT_TRANSLATE_NOOP("Settings", "Messages in a prompt"),
        QT_TRANSLATE_NOOP("Settings", "The newest of a chat. Agents can ask for fewer."),
        unit=QT_TRANSLATE_NOOP("Settings", "messages"),
        least=1,
    ),
    _switch(
        "changes_last",
        QT_TRANSLATE_NOOP("Settings", "What changes comes last"),
        QT_TRANSLATE_NOOP(
            "Settings",
            "Time, target and notes stand after the messages, so the service can reuse the rest at a lower price. "
            "Off: before them; then every call costs the full price.",
        ),
        Page.MODELS,
    ),
    _switch(
        "extraction",
        QT_TRANSLATE_NOOP("Settings", "Propose memories"),
        QT_TRANSLATE_NOOP(
            "Settings",
            "When a direct chat has come to rest, a model call looks for what is worth remembering. "
            "What it finds waits for you in Memory, Review.",
        ),
        Page.MODELS,
    ),
    _switch(
        "extraction_groups",
        QT_TRANSLATE_NOOP("Settings", "Propose memories from groups"),
        QT_TRANSLATE_NOOP("Settings", "The same for groups, about whoever wrote."),
        Page.MODELS,
    ),
    _minutes(
        "extraction_rest_s",
        Page.MODELS,
        QT_TRANSLATE_NOOP("Settings", "A chat has come to rest after"),
        QT_TRANSLATE_NOOP("Settings", "Time without a message before it is looked through."),
    ),
    Setting(
        "extraction_calls",
        Page.MODELS,
        QT_TRANSLATE_NOOP("Settings", "Look through, at most"),
        QT_TRANSLATE_NOOP("Settings", "Model calls for memories, of all agents. 0 turns them off."),
        unit=QT_TRANSLATE_NOOP("Settings", "a day"),
        most=1000,
    ),
    Setting(
        "descriptions_per_tick",
        Page.MODELS,
        QT_TRANSLATE_NOOP("Settings", "Describe media, at most"),
        QT_TRANSLATE_NOOP(
            "Settings",
            "Stickers, pictures, videos and voice messages without a text of yours go to Google, each once, at most so "
            "many every two seconds. 0 turns this off.",
        ),
        unit=QT_TRANSLATE_NOOP("Settings", "at a time"),
        most=1000,
    ),
    Setting(
        "memory_embedding",
        Page.MODELS,
        QT_TRANSLATE_NOOP("Settings", "Find memories by"),
        QT_TRANSLATE_NOOP(
            "Settings",
            "Words alone stays on this computer. Gemini also finds other words of the same meaning: all memories, and "
            "the messages to answer, go to Google. A local model does it on this computer.",
        ),
        Sort.CHOICE,
        choices=(
            (Embedding.WORDS.value, QT_TRANSLATE_NOOP("Settings", "Words alone")),
            (Embedding.GEMINI.value, QT_TRANSLATE_NOOP("Settings", "Gemini")),
            (Embedding.LOCAL.value, QT_TRANSLATE_NOOP("Settings", "Local model")),
        ),
    ),
    Setting(
        "memory_model_dir",
        Page.MODELS,
        QT_TRANSLATE_NOOP("Settings", "Folder of the local model"),
        QT_TRANSLATE_NOOP(
            "Settings", "It holds model.onnx, tokenizer.json and config.json. Nothing is downloaded by Chimein."
        ),
        Sort.FOLDER,
    ),
    _cap("chat_cap", QT_TRANSLATE_NOOP("Settings", "Sends in one chat")),
    _cap("account_cap", QT_TRANSLATE_NOOP("Settings", "Sends of one account")),
    Setting(
        "parallel_plans",
        Page.LIMITS,
        QT_TRANSLATE_NOOP("Settings", "Plans in parallel"),
        QT_TRANSLATE_NOOP("Settings", "Other chats wait for their turn."),
        unit=QT_TRANSLATE_NOOP("Settings", "plans"),
        least=1,
    ),
    Setting(
        "keep_days",
        Page.LIMITS,
        QT_TRANSLATE_NOOP("Settings", "Keep traces and prompts for"),
        QT_TRANSLATE_NOOP("Settings", "Older ones are deleted in quiet moments, except traces that you keep."),
        unit=QT_TRANSLATE_NOOP("Settings", "days"),
        least=1,
        most=3_650,
    ),
    Setting(
        "keep_mb",
        Page.LIMITS,
        QT_TRANSLATE_NOOP("Settings", "Traces and prompts, at most"),
        QT_TRANSLATE_NOOP("Settings", "When they take more, the oldest are deleted first."),
        unit=QT_TRANSLATE_NOOP("Settings", "MB"),
        least=10,
        most=1_000_000,
    ),
    _minutes(
        "misfire_s",
        Page.LIMITS,
        QT_TRANSLATE_NOOP("Settings", "Ask again if late by more than"),
        QT_TRANSLATE_NOOP("Settings", "Overdue messages wait for you again."),
    ),
    _time(
        "undo_s",
        Page.APPROVALS,
        QT_TRANSLATE_NOOP("Settings", "Undo time"),
        QT_TRANSLATE_NOOP("Settings", "An approved message is sent after this, unless you undo it. 0 sends at once."),
    ),
    _time(
        "countdown_s",
        Page.APPROVALS,
        QT_TRANSLATE_NOOP("Settings", "Countdown"),
        QT_TRANSLATE_NOOP("Settings", "With countdown trust, a message is sent after this."),
    ),
    _minutes(
        "takeover_s",
        Page.APPROVALS,
        QT_TRANSLATE_NOOP("Settings", "Takeover"),
        QT_TRANSLATE_NOOP("Settings", "How long the persona pauses in a chat where you write yourself."),
    ),
    _time(
        "debounce_s",
        Page.APPROVALS,
        QT_TRANSLATE_NOOP("Settings", "Wait for more messages"),
        QT_TRANSLATE_NOOP("Settings", "Time without a new message before a reply is planned."),
    ),
    _time(
        "callout_debounce_s",
        Page.APPROVALS,
        QT_TRANSLATE_NOOP("Settings", "Wait after a mention"),
        QT_TRANSLATE_NOOP("Settings", "The same for groups, after a mention or reply."),
    ),
    _time(
        "longest_debounce_s",
        Page.APPROVALS,
        QT_TRANSLATE_NOOP("Settings", "Longest wait"),
        QT_TRANSLATE_NOOP("Settings", "At most this long after the first message."),
    ),
    _time(
        "typing_base_s",
        Page.APPROVALS,
        QT_TRANSLATE_NOOP("Settings", "Typing, at least"),
        QT_TRANSLATE_NOOP("Settings", "How long “typing…” is shown before a message. 0 here and below: not at all."),
    ),
    _time(
        "typing_s_per_60",
        Page.APPROVALS,
        QT_TRANSLATE_NOOP("Settings", "Typing, for each 60 characters"),
        QT_TRANSLATE_NOOP("Settings", "Added to the time above."),
        600,
    ),
    _time(
        "typing_max_s",
        Page.APPROVALS,
        QT_TRANSLATE_NOOP("Settings", "Typing, at most"),
        QT_TRANSLATE_NOOP("Settings", "The longest “typing…” for long messages."),
    ),
    _time(
        "sticker_typing_s",
        Page.APPROVALS,
        QT_TRANSLATE_NOOP("Settings", "Choosing a sticker"),
        QT_TRANSLATE_NOOP("Settings", "How long it takes before a sticker is sent."),
    ),
    _switch(
        "notify",
        QT_TRANSLATE_NOOP("Settings", "Desktop notifications"),
        QT_TRANSLATE_NOOP("Settings", "Waiting messages, countdowns, accounts in trouble; never what is on screen."),
    ),
    _switch(
        "notify_text",
        QT_TRANSLATE_NOOP("Settings", "Show names and texts in notifications"),
        QT_TRANSLATE_NOOP("Settings", "Off: notifications only say that a message waits."),
    ),
    _switch(
        "notify_sound",
        QT_TRANSLATE_NOOP("Settings", "Sound"),
        QT_TRANSLATE_NOOP("Settings", "Played with a notification."),
    ),
    _time_of_day(
        "notify_quiet_from",
        QT_TRANSLATE_NOOP("Settings", "Quiet from"),
        QT_TRANSLATE_NOOP("Settings", "No notifications from this time on."),
    ),
    _time_of_day(
        "notify_quiet_to",
        QT_TRANSLATE_NOOP("Settings", "Quiet until"),
        QT_TRANSLATE_NOOP("Settings", "The same time as above: never quiet."),
    ),
    _switch(
        "keep_in_tray",
        QT_TRANSLATE_NOOP("Settings", "Keep running in the tray"),
        QT_TRANSLATE_NOOP("Settings", "Closing the window hides it. Use Quit in the tray menu to quit."),
    ),
)

_TITLES = {
    Page.KEYS: QT_TRANSLATE_NOOP("Settings", "Keys"),
    Page.MODELS: QT_TRANSLATE_NOOP("Settings", "Models"),
    Page.LIMITS: QT_TRANSLATE_NOOP("Settings", "Limits and caps"),
    Page.DIRECTORIES: QT_TRANSLATE_NOOP("Settings", "Folders"),
    Page.APPROVALS: QT_TRANSLATE_NOOP("Settings", "Approvals and trust"),
    Page.NOTIFICATIONS: QT_TRANSLATE_NOOP("Settings", "Notifications and tray"),
    Page.LOOK: QT_TRANSLATE_NOOP("Settings", "Appearance"),
}

_INTRODUCTIONS = {
    Page.KEYS: QT_TRANSLATE_NOOP("Settings", "Never shown or logged."),
    Page.MODELS: QT_TRANSLATE_NOOP("Settings", "An agent's own file comes first."),
    Page.LIMITS: QT_TRANSLATE_NOOP("Settings", "When a cap is reached, messages wait for you."),
    Page.DIRECTORIES: QT_TRANSLATE_NOOP("Settings", "Your files, and Chimein's own data."),
    Page.APPROVALS: QT_TRANSLATE_NOOP("Settings", "Every agent starts in review: each planned message waits for you."),
    Page.NOTIFICATIONS: QT_TRANSLATE_NOOP("Settings", "How you are notified while you look elsewhere."),
    Page.LOOK: QT_TRANSLATE_NOOP("Settings", "Remembered on this computer."),
}

ICONS = {
    Page.KEYS: "key",
    Page.MODELS: "layers",
    Page.LIMITS: "timer",
    Page.DIRECTORIES: "folder",
    Page.APPROVALS: "shield",
    Page.NOTIFICATIONS: "bell",
    Page.LOOK: "sun",
}


def translated(text: object) -> str:
    """Return a text of this catalogue in the window's language; a search finds it in English too."""
    return translate("Settings", str(text)) if text else ""


def title_of(page: Page) -> str:
    """Return a page's title."""
    return translated(_TITLES[page])


def introduction_of(page: Page) -> str:
    """Return the sentence below a page's title."""
    return translated(_INTRODUCTIONS[page])


def settings_of(page: Page) -> tuple[Setting, ...]:
    """Return the values of a page."""
    return tuple(setting for setting in SETTINGS if setting.page is page)


def matches(words: str, *texts: str) -> bool:
    """Tell whether every word of a search occurs in the texts, or in the English ones of them."""
    whole = search_words(*texts).casefold()
    return all(word in whole for word in words.casefold().split())


def embedding_price_words(embedding: str, preferences: Preferences) -> str:
    """Return what an embedder of memories costs."""
    if embedding != Embedding.GEMINI.value:
        return translate("Settings", "costs nothing")
    price = price_of(EMBEDDING_MODEL, preferences.prices)
    if price is None:
        return translate("Settings", "price not known")
    return translate("Settings", "{price} a million tokens").format(price=dollars_words(price.prompt))


def price_words(model: str, preferences: Preferences) -> str:
    """Return the price of a model in US dollars per million tokens of prompt and reply; empty where it is unknown."""
    price = price_of(model, preferences.prices)
    if price is None:
        return ""
    words = QCoreApplication.translate("Settings", "{prompt} / {reply}")
    return words.format(prompt=dollars_words(price.prompt), reply=decimal_words(price.reply, 2))
