"""The responder of the endpoint, made when the model first has to speak for itself.

Reading the playbooks takes some tenths of a second of pure Python. Done at the start it would keep the window from
being drawn, and the accounts from connecting; many a test and benchmark never needs them.
"""

import asyncio

from chimein_gui.sandbox.model.errors import ApiError
from chimein_gui.sandbox.model.playbooks.library import PlaybookError, load_library, playbook_names
from chimein_gui.sandbox.model.responder import Responder


class LateResponder:
    """Holds a responder that is there, or makes the program's own.

    Attributes:
        playbooks: The names that can be asked for.
    """

    def __init__(self, responder: Responder | None) -> None:
        """Take the responder, None for the program's own."""
        self.playbooks = playbook_names() if responder is None else responder.playbooks
        self._responder = responder
        self._reading = asyncio.Lock()

    async def ready(self) -> Responder:
        """Return the responder; the first time the playbooks are read, in a thread.

        Raises:
            ApiError: 500 with everything that is wrong with the playbooks; they are read again with the next call.
        """
        if self._responder is not None:
            return self._responder
        async with self._reading:
            if self._responder is None:
                try:
                    self._responder = Responder(await asyncio.to_thread(load_library))
                except PlaybookError as error:
                    raise ApiError(500, str(error)) from None
        return self._responder
