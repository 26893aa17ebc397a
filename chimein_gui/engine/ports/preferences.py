"""The file of what the operator has adjusted, as the engine sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class PreferenceFile(Protocol):
    """Writes single preferences; people write the file, too."""

    async def write(self, changes: Mapping[str, object]) -> Mapping[str, object]:
        """Write some values and leave everything else as it is: comments, order, what nobody knows.

        Args:
            changes: Values by name, as `Preferences` has them, or as this returned them; None takes one out.

        Returns:
            What stood there before under the same names; None where nothing did.

        Raises:
            ConfigError: Nothing has changed; the words say what to do.
        """
        ...
