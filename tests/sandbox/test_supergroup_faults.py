"""Faults, scenes and what tests compare, in a supergroup as in any other chat."""

import pytest
from telethon import events, types

from tests.sandbox.clients import MARTA, NORA, Inbox, round_trip, send
from tests.sandbox.company import BEN, company
from tests.sandbox.stage_time import theatre
from tests.sandbox.supergroup import lake, migrated, texts
from tests.support.house import House

# -- faults -----------------------------------------------------------------------------------------------------------


# -- the sandbox's own people -----------------------------------------------------------------------------------------

SCENE = """title: T
summary: S
cast:
  ben: Ben Vale
  marta: Marta Oliveira
  lake: Lake
lines:
  - {after: 10s, who: marta, to: lake, say: Before, label: it}
  - {after: 100s, who: marta, to: lake, say: After, reply_to: it}
  - {who: marta, to: lake, types: 3s}
  - wait_for: ben
    to: lake
    up_to: 600s
    then:
      - {who: marta, to: lake, say: Thank you}
"""


@pytest.mark.operation("a scene in a group that migrates", "its lines go on in the supergroup, answers too")
async def test_a_scene_goes_on(tmp_path):
    (tmp_path / "moving.yaml").write_text(SCENE, encoding="utf-8")
    async with company() as all_:
        stage = theatre(all_.server, tmp_path)
        stage.runner.start("moving")
        stage.clock.advance(50)
        peer_id = await migrated(all_)
        peer = await all_.ben.get_input_entity(peer_id)
        stage.clock.advance(150)
        said = await all_.ben.get_messages(peer, ids=2)
        assert (said.message, said.reply_to.reply_to_peer_id) == ("After", types.PeerChat(all_.chat_id))
        await send(all_.ben, peer, "Here now")
        stage.clock.advance(100)
        assert [text for _, text in await texts(all_.ben, peer)] == ["After", "Here now", "Thank you"]
        progress = stage.runner.progress()
        assert progress is not None
        assert (progress.finished, progress.problem) == (True, "")


@pytest.mark.operation("control: box and mailbox of a supergroup", "what each member holds is the same message")
async def test_what_tests_compare():
    async with lake() as it:
        console = it.all_.server.console
        await send(it.all_.nora, it.nora, "Compare me", random_id=55)
        house = House(it.all_.server)
        boxes = [await house.box(one) for one in (NORA, BEN, MARTA)]
        shown = [[one for one in box["messages"] if one["text"] == "Compare me"] for box in boxes]
        assert [(one["peer_id"], one["message_id"], one["outgoing"]) for (one,) in shown] == [
            (it.peer_id, 2, True),
            (it.peer_id, 2, False),
            (it.peer_id, 2, False),
        ]
        assert len({one["uid"] for (one,) in shown}) == 1
        assert [55, 2] in boxes[0]["sent"]
        assert (await console.mailbox(MARTA))[-1].text == "Compare me"
        line = await console.speak(MARTA, it.peer_id, "At four")
        edits = Inbox(it.all_.ben, events.MessageEdited())
        await house.partner_edit(MARTA, line, "At five", it.peer_id)
        assert (await edits.next()).raw_text == "At five"
        await house.partner_delete(MARTA, [line], it.peer_id)
        await round_trip(it.all_.ben)
        assert await texts(it.all_.ben, it.ben) == [(2, "Compare me")]
