"""Numbers and dates in the format of the window's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale

if TYPE_CHECKING:
    from datetime import date

translate = QCoreApplication.translate

_ENGLISH = QLocale("en")

_SAME_USD = 1e-7
"""Amounts that differ less are the same, US dollars."""

KB, MB = 1_000, 1_000_000
"""Bytes."""


def locale() -> QLocale:
    """Return the locale of the window; English before one was chosen."""
    chosen = QLocale()
    return _ENGLISH if chosen.language() is QLocale.Language.C else chosen


def count_words(number: int) -> str:
    """Return a whole number with thousands separators."""
    return locale().toString(number)


def decimal_words(number: float, digits: int) -> str:
    """Return a number with `digits` decimals."""
    return locale().toString(round(float(number), digits), "f", digits)


def short_words(number: float) -> str:
    """Return a number with no more decimals than it has, and without thousands separators."""
    plain = QLocale(locale())
    plain.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
    return plain.toString(float(number), "g", 6)


def bytes_words(size: int) -> str:
    """Return a size in the unit in which it has at most four digits."""
    if size < KB:
        return translate("Numbers", "{n} B").format(n=size)
    if size < MB:
        return translate("Numbers", "{n} kB").format(n=decimal_words(size / KB, 1 if size < 100 * KB else 0))
    return translate("Numbers", "{n} MB").format(n=decimal_words(size / MB, 1))


def dollars_words(usd: float, digits: int = 2) -> str:
    """Return an amount of US dollars."""
    return translate("Numbers", "${amount}").format(amount=decimal_words(usd, digits))


def limit_digits(usd: float) -> int:
    """Return with how many digits after the point a limit of US dollars is told: below $1 exactly, but at most 4."""
    if not 0 < usd < 1:
        return 2
    return next((digits for digits in (2, 3) if abs(round(usd, digits) - usd) < _SAME_USD), 4)


def limit_words(usd: float) -> str:
    """Return a limit of US dollars, such as $3.00 or $0.047."""
    return dollars_words(usd, limit_digits(usd))


def day_words(day: date, *, with_year: bool = False) -> str:
    """Return day and month, such as 24 November."""
    return _date(day, QLocale.FormatType.LongFormat, with_year=with_year)


def short_day_words(day: date) -> str:
    """Return day and month, such as 24 Nov."""
    return _date(day, QLocale.FormatType.ShortFormat, with_year=False)


def _date(day: date, form: QLocale.FormatType, *, with_year: bool) -> str:
    words = translate("Numbers", "{day} {month} {year}") if with_year else translate("Numbers", "{day} {month}")
    return words.format(day=day.day, month=locale().monthName(day.month, form), year=day.year)
