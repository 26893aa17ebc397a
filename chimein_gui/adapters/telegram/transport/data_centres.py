"""Files lie in several data centres; an account's connection goes to one of them."""

from __future__ import annotations

import asyncio
import logging

from chimein_gui.adapters.telegram.transport.client import AccountClient
from chimein_gui.adapters.telegram.transport.tl import TLObject

_log = logging.getLogger(__name__)

_TIMEOUT_S = 30.0
"""For a connection and an answer; Telethon waits for ever."""


async def ask_at(client: AccountClient, dc_id: int, request: TLObject) -> TLObject:
    """Ask a data centre that is not the account's own, over a connection of Telethon's that ends with the client.

    Only for questions: what is lost on such a connection is sent again by Telethon itself.

    Raises:
        OSError: No way there, or no answer (TimeoutError); other failures as Telethon raises them.
    """
    async with asyncio.timeout(_TIMEOUT_S):
        sender = await client._borrow_exported_sender(dc_id)  # noqa: SLF001 - Telethon's own way for downloads
        try:
            return await sender.send(request)
        except ConnectionError:
            _log.info("The connection to data centre %d was lost", dc_id)
            client._borrowed_senders.pop(dc_id, None)  # noqa: SLF001 - else it is handed out again
            await sender.disconnect()
            raise
        finally:
            if dc_id in client._borrowed_senders:  # noqa: SLF001 - as above
                await client._return_exported_sender(sender)  # noqa: SLF001 - as above
