"""Rows together with the revision at which they were read."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from chimein_gui.domain.ids import Revision

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Loaded(Generic[T]):
    """Rows as they were at a revision; events with a larger one are applied on top."""

    rows: tuple[T, ...]
    revision: Revision
