"""Lists whose last row in sight is whole: the rest of their height stays free."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QListView


def fit_rows(view: QListView, row_height: int) -> None:
    """Leave less than a row free below the last one, so that none is cut when the list stands at its end.

    Args:
        view: A list whose rows have one height; to be called when its size or its fonts have changed.
        row_height: That height, px.
    """
    height = view.contentsRect().height()
    rest = height % row_height if height >= row_height else 0
    if view.viewportMargins().bottom() != rest:
        view.setViewportMargins(0, 0, 0, rest)


def stand_on_row(view: QListView, row_height: int) -> None:
    """Scroll on to the next row if the list stands between two, as it does when its height has limited its place.

    Args:
        view: A list whose rows have one height, after `fit_rows`.
        row_height: That height, px.
    """
    bar = view.verticalScrollBar()
    if past := bar.value() % row_height:
        bar.setValue(min(bar.maximum(), bar.value() - past + row_height))
