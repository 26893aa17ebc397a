"""Whatever a partner sends is described, stands in the prompt, and the operator's words stand in the next one.

Everything on the way is real but the clock: the client of Telegram, that of Gemini, downloads, drawing, and the files.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from chimein_gui.adapters.files.media.records import MediaRecordFiles
from chimein_gui.adapters.files.media_cache import MediaCacheFiles
from chimein_gui.adapters.frames.renderer import ProcessFrameRenderer
from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.domain.agents import AgentSpec, PictureChoice
from chimein_gui.domain.costs import DESCRIPTION
from chimein_gui.domain.events import ModelCallBooked
from chimein_gui.domain.media.records import DescriptionStatus, PlaceKind
from chimein_gui.domain.prompt.dry_runs import PromptEdits
from chimein_gui.sandbox.model.script import ModelCall
from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED, SeedUser
from chimein_gui.sandbox.world.records import Draft
from tests.support.engine_room import NORA as PERSONA
from tests.support.wired_room import Wired, reopened
from tests.unit.adapters.telegram.support import MARTA, NORA, Stage, stage

pytestmark = pytest.mark.gate_slow

TASK = "⟦section: Description of a file⟧"


@dataclass
class Sending:
    """Marta, who sends media to Nora."""

    wired: Wired
    stage: Stage
    folder: Path

    def sends(self, name: str, text: str = "", *, album: int = 0, to: int = NORA) -> int:
        """Send one of the sandbox's files; returns its id."""
        media = self.stage.server.media.named(name)
        self.stage.world.send(MARTA, to, Draft(text, media=media, grouped_id=album))
        return media.file_id

    async def prompt_after(self, *texts: str) -> ModelCall:
        """Let pushes out, and return the prompt of the plan that follows, which holds all of these texts."""
        script = self.stage.server.model
        before = len(self.prompts)
        self.stage.settle()

        def is_asked() -> ModelCall | None:
            new = self.prompts[before:]
            return next((one for one in new if all(text in said(one) for text in texts)), None)

        await self.wired.room.until(is_asked)
        found = is_asked()
        assert found is not None
        assert script.total_calls
        return found

    @property
    def prompts(self) -> list[ModelCall]:
        """The calls for replies, oldest first."""
        return [one for one in self.stage.server.model.calls if TASK not in one.system_instruction]

    @property
    def descriptions(self) -> list[ModelCall]:
        """The calls for descriptions, oldest first."""
        return [one for one in self.stage.server.model.calls if TASK in one.system_instruction]

    async def curate(self, file_id: int, words: str) -> None:
        """Write the operator's words."""
        media = self.wired.room.engine._services.media
        assert media is not None
        record = (await media.known(PERSONA.name, [str(file_id)]))[str(file_id)]
        assert record.status is DescriptionStatus.GENERATED
        shared = next(one for one in media.records.places("") if one.kind is PlaceKind.SHARED)
        curated = replace(record, description=words, status=DescriptionStatus.CURATED, place=None, path="", stamp="")
        await media.records.write(curated, shared)


def said(call: ModelCall) -> str:
    """Return all texts of the turns of a call."""
    return json.dumps(call.contents, ensure_ascii=False)


def parts(call: ModelCall) -> list[str]:
    return [part["text"] for turn in call.contents for part in turn["parts"] if "text" in part]


def pictures(call: ModelCall) -> list[str]:
    return [part["inlineData"]["data"] for turn in call.contents for part in turn["parts"] if "inlineData" in part]


OTHER = SeedUser(7_000_005_002, "Ana", "Silva")
SEED = replace(DEFAULT_SEED, partners=(*DEFAULT_SEED.partners, OTHER))


@asynccontextmanager
async def sending(folder: Path, agent: AgentSpec = PERSONA) -> AsyncIterator[Sending]:
    frames = ProcessFrameRenderer(draw_s=20)
    async with stage(folder, SEED) as it:
        model = GeminiModel("key", it.server.addresses.model_base_url)
        (folder / "config").mkdir()
        try:
            async with reopened(
                folder,
                it,
                model=model,
                agents=(agent,),
                frames=frames,
                shown_files=MediaCacheFiles(folder / "shown"),
                media_records=MediaRecordFiles(folder / "state", (folder / "config",)),
            ) as wired:
                yield Sending(wired, it, folder)
        finally:
            await model.aclose()
            await frames.aclose()


KINDS = {
    "otter-wave": ("⟦sticker harbour_otter :: 👋⟧", "An otter raises a paw and waves."),
    "lantern-dance": ("⟦sticker little_lantern :: 🎉⟧", "A small yellow lantern sways from side to side."),
    "boat-sail": ("⟦sticker paper_boats :: ⛵⟧", "A paper boat on two paper waves."),
    "photo-lake": ("⟦photo⟧", "A drawn lake in the evening: an orange sky, blue mountains, and a small sailing boat."),
    "gif-waves": ("⟦gif⟧", "Blue waves under an evening sky, with a light that moves on the water."),
    "video-lake-evening": ("⟦video⟧", "Blue waves under an evening sky, with a light that moves on the water."),
    "voice-note": ("⟦voice, transcript⟧", "(Somebody hums a short line.)"),
    "audio-lake-tune": ("⟦audio, “Chimein – Lake tune”, transcript⟧", "(Ten notes of a calm tune.)"),
}
"""What is sent: its mark, and how its description in the sandbox begins."""
if find_spec("av") is not None:  # frames on a sheet instead of a still picture
    _SHEET = "A picture (image/png, "
    KINDS["boat-sail"] = ("⟦sticker paper_boats :: ⛵⟧", "A white paper boat rocks on paper waves.")
    KINDS["gif-waves"], KINDS["video-lake-evening"] = ("⟦gif⟧", _SHEET), ("⟦video⟧", _SHEET)


async def test_each_kind_is_described_and_curated(tmp_path: Path) -> None:
    async with sending(tmp_path) as here:
        ids = {}
        for name, (mark, words) in KINDS.items():
            text = "the lake, look" if name == "photo-lake" else ""
            ids[name] = here.sends(name, text)
            call = await here.prompt_after(mark)
            assert any(part.startswith(f"{mark} {words}") for part in parts(call)), name
            assert not text or text in parts(call)
        assert len(here.descriptions) == len(KINDS)
        booked = [e.call for e in here.wired.room.events if isinstance(e, ModelCallBooked)]
        assert sum((one.cost_usd or 0) > 0 for one in booked if one.purpose == DESCRIPTION) == len(KINDS)
        for name, file_id in ids.items():
            await here.curate(file_id, f"My own words\nfor {name}.")
        document = here.sends("document-plum-cake")
        call = await here.prompt_after("plum-cake.pdf")
        assert "⟦document, “plum-cake.pdf”, application/pdf, 1 kB⟧" in parts(call), parts(call)[-1]
        for name, (mark, words) in KINDS.items():
            assert f"{mark} My own words for {name}." in parts(call)
            assert words not in said(call)
        assert len(here.descriptions) == len(KINDS), "a document costs nothing"
        assert document


async def test_an_album_is_described_part_by_part(tmp_path: Path) -> None:
    async with sending(tmp_path) as here:
        here.sends("photo-lake", "two of them", album=77)
        here.sends("photo-cake", album=77)
        call = await here.prompt_after("two of them", "plum cake")
        turn = next(turn for turn in call.contents if "two of them" in json.dumps(turn))
        files = [part["text"] for part in turn["parts"] if part["text"].startswith("⟦photo")]
        assert [text.partition(" ")[2][:12] for text in files] == ["A drawn lake", "A drawn plum"]


async def test_a_picture_is_sent_itself_where_the_agent_file_says_so(tmp_path: Path) -> None:
    both = replace(PERSONA, pictures=PictureChoice.BOTH)
    async with sending(tmp_path, both) as here:
        here.sends("photo-lake", "look")
        call = await here.prompt_after("look")
        [turn] = [turn for turn in call.contents if any("inlineData" in part for part in turn["parts"])]
        assert "⟦photo, attached⟧ A drawn lake" in json.dumps(turn, ensure_ascii=False)
        view = await here.wired.room.engine.prompts.now((await here.wired.chat()).chat_id)
        shown = json.dumps(view.text.turns, ensure_ascii=False)
        assert "⟦photo, attached⟧ A drawn lake" in shown
        assert "⟦file⟧ (image/jpeg, " in shown


async def test_a_dry_run_is_sent_with_the_pictures_that_the_preview_shows(tmp_path: Path) -> None:
    async with sending(tmp_path, replace(PERSONA, pictures=PictureChoice.BOTH)) as here:
        here.sends("photo-lake", "look")
        real = await here.prompt_after("look")
        engine, chat_id = here.wired.room.engine, (await here.wired.chat()).chat_id
        prompt = (await engine.prompts.rebuilt(chat_id)).prompt
        asked = len(here.prompts)
        [place] = [at for at, turn in enumerate(prompt.turns) if turn.files]
        parts = ("Look at this instead", *(file.stand_in for file in prompt.turns[place].files))
        for edits in (PromptEdits(), PromptEdits(turns=((place, parts),))):
            await engine.dry_runs.rebuilt("1", chat_id, prompt, edits)
        plain, edited = here.prompts[asked:]
        assert pictures(plain) == pictures(edited) == pictures(real) != []
        assert "Look at this instead" in said(edited)
        assert "⟦file⟧" not in said(plain) + said(edited)


async def test_a_preview_fetches_no_picture(tmp_path: Path) -> None:
    async with sending(tmp_path, replace(PERSONA, pictures=PictureChoice.BOTH)) as here:
        here.sends("photo-lake", "look")
        await here.prompt_after("look")
        for path in (tmp_path / "shown").iterdir():
            path.unlink()
        view = await here.wired.room.engine.prompts.now((await here.wired.chat()).chat_id)
        shown = json.dumps(view.text.turns, ensure_ascii=False)
        assert "⟦photo⟧ A drawn lake" in shown
        assert not list((tmp_path / "shown").iterdir())


async def test_only_the_picture_is_sent_where_the_agent_file_says_so(tmp_path: Path) -> None:
    only = replace(PERSONA, pictures=PictureChoice.PICTURE)
    async with sending(tmp_path, only) as here:
        here.sends("photo-cake", "and this")
        call = await here.prompt_after("and this")
        assert "⟦photo, attached⟧" in parts(call)
        assert not here.descriptions


async def test_what_may_be_sent_is_listed_with_descriptions(tmp_path: Path) -> None:
    agent = replace(PERSONA, sticker_sets=("little_lantern", "no_such_set"), stickers=(("harbour_otter", "👋"),))
    async with sending(tmp_path, agent) as here:
        await here.wired.marta_says("hello")
        call = await here.prompt_after("hello")
        listed = call.system_instruction
        assert "> harbour_otter :: 👋 - An otter raises a paw and waves." in listed
        assert "> little_lantern :: 🎉 - A small yellow lantern sways from side to side." in listed
        assert "> no_such_set :: (any sticker of the set" in listed
        assert len(here.descriptions) == 5
        await here.stage.server.console.clear_faults()
        here.stage.server.media.expire_file_references()
        here.stage.settle()
        await here.wired.marta_says("again")
        assert "little_lantern :: 🎉 - A small" in (await here.prompt_after("again")).system_instruction
        assert len(here.descriptions) == 5


async def test_words_that_were_made_with_hints_of_one_chat_stay_there(tmp_path: Path) -> None:
    async with sending(tmp_path) as here:
        await here.wired.marta_says("this is my secret garden")
        await here.prompt_after("secret garden")
        file_id = here.sends("photo-kitchen", "the code is 1234")
        await here.prompt_after("A drawn kitchen")
        [asked] = here.descriptions
        assert "the code is 1234" in said(asked)
        assert "secret garden" in said(asked)
        media = here.stage.server.media.named("photo-kitchen")
        here.stage.server.model.queue_reply("Seen without hints.")
        here.stage.world.send(OTHER.user_id, NORA, Draft("", media=media))
        call = await here.prompt_after("Seen without hints.")
        assert "1234" not in said(call)
        assert "A drawn kitchen" not in said(call)
        anew = here.descriptions[-1]
        assert "1234" not in said(anew)
        assert "secret garden" not in said(anew)
        stored = json.loads((here.folder / "state" / "media" / f"{file_id}.json").read_text("utf-8"))
        assert not stored["hinted_in"]
