"""The sandbox's own photos, stickers and files are what their manifest says."""

import tomllib
from hashlib import sha256

import pytest

from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.media.assets import OwnMedia
from chimein_gui.sandbox.media.manifest import ManifestError, read_manifest

HERE = resource_path("sandbox", "media")
MANIFEST = read_manifest(HERE)
STICKERS = tuple(sticker for one in MANIFEST.sticker_sets for sticker in one.stickers)
ASSETS = (*MANIFEST.files, *STICKERS)
UNNAMED = {"manifest.toml", "README.md"}


def content(file: str) -> bytes:
    return (HERE / file).read_bytes()


def test_every_file_is_named_and_has_the_hash_of_the_manifest():
    hashes = tomllib.loads(content("manifest.toml").decode())["sha256"]
    found = {path.relative_to(HERE).as_posix() for path in HERE.rglob("*") if path.is_file()} - UNNAMED
    assert {file: sha256(content(file)).hexdigest() for file in found} == hashes
    parts = (part for asset in ASSETS for part in (asset.file, asset.effect, asset.thumb and asset.thumb.file))
    offered = {part for part in parts if part}
    assert offered == found
    assert sum(len(content(file)) for file in found) < 400 * 1024


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
