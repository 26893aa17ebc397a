"""The sandbox's own photos, stickers and files are what their manifest says (SPEC §11)."""

import gzip
import json
import struct
import tomllib
from hashlib import sha256

import pytest
from PySide6.QtGui import QImage
from telethon.utils import stripped_photo_to_jpg

from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.media.assets import OwnMedia
from chimein_gui.sandbox.media.image_size import image_size
from chimein_gui.sandbox.media.manifest import ManifestError, read_manifest

HERE = resource_path("sandbox", "media")
MANIFEST = read_manifest(HERE)
STICKERS = tuple(sticker for one in MANIFEST.sticker_sets for sticker in one.stickers)
ASSETS = (*MANIFEST.files, *STICKERS)
UNNAMED = {"manifest.toml", "README.md"}


def of_type(ending: str):
    return [asset for asset in ASSETS if asset.file.endswith(ending)]


def content(file: str) -> bytes:
    return (HERE / file).read_bytes()


def sides(image: QImage) -> tuple[int, int]:
    return image.width(), image.height()


def test_every_file_is_named_and_has_the_hash_of_the_manifest():
    hashes = tomllib.loads(content("manifest.toml").decode())["sha256"]
    found = {path.relative_to(HERE).as_posix() for path in HERE.rglob("*") if path.is_file()} - UNNAMED
    assert {file: sha256(content(file)).hexdigest() for file in found} == hashes
    parts = (part for asset in ASSETS for part in (asset.file, asset.effect, asset.thumb and asset.thumb.file))
    offered = {part for part in parts if part}
    assert offered == found
    assert sum(len(content(file)) for file in found) < 400 * 1024


def test_there_is_one_of_every_kind():
    assert {asset.kind for asset in MANIFEST.files} == {"photo", "gif", "video", "voice", "audio", "document"}
    assert {sticker.mime_type for sticker in STICKERS} == {"image/webp", "application/x-tgsticker", "video/webm"}
    assert [sticker.name for sticker in STICKERS if sticker.effect] == ["lantern-star"]
    assert all(sticker.emoji for sticker in STICKERS)


@pytest.mark.parametrize("asset", of_type(".webp"), ids=lambda asset: asset.name)
def test_a_still_sticker_is_a_transparent_webp(asset):
    data = content(asset.file)
    image = QImage.fromData(data)
    assert (data[:4], data[8:12]) == (b"RIFF", b"WEBP")
    assert sides(image) == image_size(data) == (asset.width, asset.height) == (512, 512)
    assert image.pixelColor(2, 2).alpha() == 0
    assert image.pixelColor(256, 256).alpha() == 255


@pytest.mark.parametrize("file", [name for one in of_type(".tgs") for name in (one.file, one.effect) if name])
def test_an_animated_sticker_is_a_small_lottie(file):
    packed = content(file)
    animation = json.loads(gzip.decompress(packed))
    assert len(packed) <= 64 * 1024
    assert (animation["tgs"], animation["w"], animation["h"], animation["ip"]) == (1, 512, 512, 0)
    assert animation["fr"] in (30, 60)
    assert 0 < animation["op"] / animation["fr"] <= 3
    assert all(layer["ty"] == 4 and layer["shapes"] and "ks" in layer for layer in animation["layers"])


@pytest.mark.parametrize("asset", of_type(".webm"), ids=lambda asset: asset.name)
def test_a_video_sticker_is_a_short_vp9_with_alpha_and_a_still_picture(asset):
    data = content(asset.file)
    assert data.startswith(b"\x1a\x45\xdf\xa3")
    assert b"V_VP9" in data
    assert b"\x53\xc0\x81\x01" in data  # AlphaMode 1
    assert len(data) <= 256 * 1024
    at = data.index(b"\x44\x89\x88") + 3  # Duration, a double, in ms
    assert struct.unpack(">d", data[at : at + 8])[0] / 1000 == pytest.approx(asset.duration, abs=0.1)
    still = QImage.fromData(content(asset.thumb.file))
    assert sides(still) == (asset.thumb.width, asset.thumb.height)


@pytest.mark.parametrize("asset", of_type(".jpg"), ids=lambda asset: asset.name)
def test_a_photo_has_a_small_and_a_tiny_version(asset):
    data, small = content(asset.file), content(asset.thumb.file)
    assert sides(QImage.fromData(data)) == image_size(data) == (asset.width, asset.height)
    assert sides(QImage.fromData(small)) == image_size(small) == (asset.thumb.width, asset.thumb.height)
    tiny = QImage.fromData(stripped_photo_to_jpg(asset.stripped))
    assert max(sides(tiny)) == 40
    assert tiny.width() / tiny.height() == pytest.approx(asset.width / asset.height, abs=0.05)


def test_the_other_files_are_what_their_types_say():
    gif, video, voice, audio, document = (content(one.file) for one in MANIFEST.files if one.kind != "photo")
    assert gif[4:8] == video[4:8] == b"ftyp"
    assert b"soun" in video
    assert b"soun" not in gif
    assert (voice[:4], b"OpusHead" in voice[:64]) == (b"OggS", True)
    assert audio.startswith(b"ID3")
    assert document.startswith(b"%PDF-1.4")
    assert document.rstrip().endswith(b"%%EOF")


def test_what_the_sandbox_offers_is_what_the_manifest_says():
    own = OwnMedia(HERE)
    assert list(own.files) == [asset.name for asset in ASSETS]
    assert [own.files[asset.name].content.size for asset in ASSETS] == [len(content(asset.file)) for asset in ASSETS]
    assert [one.short_name for one in own.sets] == ["harbour_otter", "little_lantern", "paper_boats"]
    assert own.ref("otter-wave").kind == "sticker"
    with pytest.raises(LookupError, match="photo-moon"):
        own.ref("photo-moon")


@pytest.mark.parametrize(
    ("manifest", "complaint"),
    [
        ("[[file]\n", "manifest.toml"),
        ('[[file]]\nname = "x"\nkind = "photo"\nfile = "gone.jpg"\n', "x: .*gone.jpg"),
        ('[[file]]\nname = "x"\nkind = "photo"\nfile = "a"\nwidht = 1\n', "widht"),
        ('[[sticker_set]]\nshort_name = "x"\ntitle = "X"\n', "sticker"),
    ],
)
def test_a_damaged_manifest_says_where(tmp_path, manifest, complaint):
    (tmp_path / "manifest.toml").write_text(manifest)
    with pytest.raises(ManifestError, match=complaint):
        OwnMedia(tmp_path)
