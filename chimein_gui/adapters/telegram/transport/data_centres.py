"""Requests to data centres other than the account's own, where some files are stored."""

from __future__ import annotations

import asyncio
import logging

from chimein_gui.adapters.telegram.transport.client import AccountClient
from chimein_gui.adapters.telegram.transport.tl import TLObject

_log = logging.getLogger(__name__)

_TIMEOUT_S = 30.0
"""Seconds for a connection and an answer; Telethon waits for ever."""


async def ask_at(client: AccountClient, dc_id: int, request: TLObject) -> TLObject:
    """Send a request to another data centre, over a connection of Telethon's that ends with the client.

    Only for queries: Telethon itself repeats what is lost on such a connection.

    Raises:
        OSError: It can't be reached, or does not answer (TimeoutError); other errors are Telethon's.
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
