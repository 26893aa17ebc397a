"""An embedding model of this computer: what its files say, and vectors of a tiny one through the real libraries."""

from __future__ import annotations

import importlib.util
import json
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from chimein_gui.adapters.onnx.embedder import MOST_TEXTS, OnnxModels
from chimein_gui.adapters.onnx.files import Pooling, read_model_files
from chimein_gui.domain.errors import ModelRefusedError
from chimein_gui.domain.notes.embedders import EmbedderReason
from chimein_gui.engine.ports import TextUse
from tests.support.tiny_onnx import make_model_directory

if TYPE_CHECKING:
    from pathlib import Path

WORDS = {
    "tea": (3.0, 4.0, 0.0),
    "coffee": (4.0, 3.0, 0.0),
    "train": (0.0, 0.0, 2.0),
    "query:": (0.0, 1.0, 0.0),
    "passage:": (0.0, 0.0, 1.0),
}

real = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("onnxruntime", "tokenizers")),
    reason="onnxruntime and tokenizers (the extra `local`) are not installed",
)


def dot(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def write(path: Path, found: object) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(found), encoding="utf-8")


@real
async def test_texts_of_near_meaning_get_near_vectors_of_length_one(tmp_path: Path) -> None:
    embedder = await OnnxModels().load(str(make_model_directory(tmp_path / "tiny", WORDS)))
    tea, coffee, train = (await embedder.embed(["Tea", "coffee", "train"])).vectors
    assert tea == pytest.approx((0.6, 0.8, 0.0))
    assert dot(tea, coffee) == pytest.approx(0.96)
    assert dot(tea, train) == pytest.approx(0.0)


@real
async def test_padding_changes_no_vector(tmp_path: Path) -> None:
    embedder = await OnnxModels().load(str(make_model_directory(tmp_path / "tiny", WORDS)))
    (alone,) = (await embedder.embed(["tea"])).vectors
    beside, _ = (await embedder.embed(["tea", "tea coffee train train train"])).vectors
    assert beside == pytest.approx(alone)


@real
async def test_a_vector_is_the_mean_of_the_tokens_or_the_first_as_the_model_says(tmp_path: Path) -> None:
    directory = make_model_directory(tmp_path / "tiny", WORDS)
    mean = await OnnxModels().load(str(directory))
    write(directory / "1_Pooling" / "config.json", {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False})
    first = await OnnxModels().load(str(directory))
    assert (await mean.embed(["tea train"])).vectors[0] == pytest.approx((3 / 29**0.5, 4 / 29**0.5, 2 / 29**0.5))
    assert (await first.embed(["tea train"])).vectors[0] == pytest.approx((0.6, 0.8, 0.0))


@real
async def test_a_query_has_the_prefix_that_the_model_asks_for(tmp_path: Path) -> None:
    embedder = await OnnxModels().load(str(make_model_directory(tmp_path / "multilingual-e5-small", WORDS)))
    (query,) = (await embedder.embed(["train"], TextUse.QUERY)).vectors
    (stored,) = (await embedder.embed(["train"], TextUse.STORED)).vectors
    assert query == pytest.approx((0.0, 1 / 5**0.5, 2 / 5**0.5))
    assert stored == pytest.approx((0.0, 0.0, 1.0))


@real
async def test_a_model_runs_in_a_thread_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = await OnnxModels().load(str(make_model_directory(tmp_path / "tiny", WORDS)))
    run, threads = embedder._session.run, []

    def noted(texts: tuple[str, ...], use: TextUse) -> tuple[tuple[float, ...], ...]:
        threads.append(threading.current_thread())
        return run(texts, use)

    monkeypatch.setattr(embedder._session, "run", noted)
    found = await embedder.embed(["tea"] * MOST_TEXTS)
    assert len(found.vectors) == MOST_TEXTS
    assert threads
    assert threading.main_thread() not in threads


@real
async def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    directory = make_model_directory(tmp_path / "tiny", WORDS)
    for name in ("model.onnx", "tokenizer.json"):
        kept = (directory / name).read_bytes()
        (directory / name).write_bytes(b"no model")
        with pytest.raises(ModelRefusedError) as caught:
            await OnnxModels().load(str(directory))
        assert caught.value.note is not None
        assert (caught.value.note.kind, caught.value.note.words) == (
            EmbedderReason.MODEL_UNREADABLE,
            str(directory / name),
        )
        (directory / name).write_bytes(kept)


async def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ModelRefusedError) as caught:
        await OnnxModels().load(str(make_model_directory(tmp_path / "tiny", WORDS)))
    assert caught.value.note is not None
    assert (caught.value.note.kind, caught.value.note.words) == (EmbedderReason.EXTRA_MISSING, "onnxruntime")


async def test_no_directory_is_no_model() -> None:
    with pytest.raises(ModelRefusedError) as caught:
        await OnnxModels().load(" ")
    assert caught.value.note is not None
    assert caught.value.note.kind is EmbedderReason.NO_DIRECTORY


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    directory = make_model_directory(tmp_path / "tiny", WORDS)
    (directory / name).unlink()
    with pytest.raises(ModelRefusedError) as caught:
        read_model_files(directory)
    assert caught.value.note is not None
    assert (caught.value.note.kind, caught.value.note.words) == (
        EmbedderReason.MODEL_FILE_MISSING,
        str(directory / name),
    )


def test_another_model_in_the_same_directory_has_another_name(tmp_path: Path) -> None:
    directory = make_model_directory(tmp_path / "tiny", WORDS)
    before = read_model_files(directory)
    assert before.name.startswith("tiny@")
    assert read_model_files(directory).name == before.name
    make_model_directory(directory, WORDS | {"tea": (0.0, 1.0, 0.0)})
    assert read_model_files(directory).name != before.name


@pytest.mark.parametrize(
    ("name", "prompts", "expected"),
    [
        ("bge-base-en-v1.5", None, ("Represent this sentence for searching relevant passages: ", "", Pooling.FIRST)),
        ("multilingual-e5-base", None, ("query: ", "passage: ", Pooling.MEAN)),
        ("paraphrase-multilingual-MiniLM-L12-v2", None, ("", "", Pooling.MEAN)),
        ("own", {"query": "ask: ", "document": "text: "}, ("ask: ", "text: ", Pooling.MEAN)),
    ],
)
def test_what_goes_before_a_text_is_what_the_model_says_or_its_family_asks_for(
    tmp_path: Path, name: str, prompts: dict[str, str] | None, expected: tuple[str, str, Pooling]
) -> None:
    directory = make_model_directory(tmp_path / name, WORDS)
    if prompts is not None:
        write(directory / "config_sentence_transformers.json", {"prompts": prompts})
    found = read_model_files(directory)
    assert (found.query_prefix, found.stored_prefix, found.pooling) == expected


@pytest.mark.parametrize(
    ("own", "positions", "expected"), [(None, 512, 512), (None, 514, 512), (256, 512, 256), (None, 130, 128)]
)
def test_a_text_is_cut_where_the_model_ends(tmp_path: Path, own: int | None, positions: int, expected: int) -> None:
    directory = make_model_directory(tmp_path / "own", WORDS, {"max_position_embeddings": positions})
    if own is not None:
        write(directory / "sentence_bert_config.json", {"max_seq_length": own})
    found = read_model_files(directory).most_tokens
    assert found == expected or (positions == 130 and found == 130)
