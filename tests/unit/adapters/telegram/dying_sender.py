"""A program that is killed at a failpoint of a send: `python -m …dying_sender SESSION POINT VERB PEER TEXT`."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from chimein_gui.adapters.telegram.backend import sandbox_backend
from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.ids import PeerId, RandomId
from chimein_gui.engine.ports import SendRequest, StickerRequest
from tests.unit.adapters.telegram.support import Recorder


async def run(session: Path, deadly: Failpoint, verb: str, peer_id: PeerId, text: str) -> None:
    """Connect and send; `kill -9` comes from within."""

    def reach(point: Failpoint) -> None:
        if point is deadly:
            os.kill(os.getpid(), signal.SIGKILL)

    gateway = TelethonGateway(session_path=session, backend=sandbox_backend(), reach=reach)
    await gateway.connect(Recorder())
    await gateway.dialogs()
    if verb == "send_text":
        await gateway.send_text(SendRequest(peer_id, text, None, RandomId(5)))
    else:
        sticker = await gateway.find_sticker("harbour_otter", text)
        if sticker is None:
            raise LookupError(text)
        await gateway.send_sticker(StickerRequest(peer_id, sticker, None, RandomId(5)))
    await gateway.disconnect()


if __name__ == "__main__":
    _, path, point, what, peer, words = sys.argv
    asyncio.run(run(Path(path), Failpoint(point), what, PeerId(int(peer)), words))
