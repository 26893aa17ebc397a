"""Telethon's generated classes, which come without type information."""

from __future__ import annotations

from typing import Any

from telethon.tl import functions, types

__all__ = ["TLObject", "functions", "types"]

TLObject = Any
"""Any object of Telegram's type language; an alias because Telethon is untyped."""
