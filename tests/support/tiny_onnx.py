"""A directory with a tiny embedding model: an ONNX graph that looks words up in a table, and a tokenizer of words.

The graph is written byte by byte, so that no library for making models is needed.
"""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_FLOAT, _INT64 = 1, 7


def make_model_directory(
    directory: Path, words: Mapping[str, Sequence[float]], config: Mapping[str, object] | None = None
) -> Path:
    """Write a model that knows these words, each with its vector; unknown ones have the vector 0. Returns the path."""
    directory.mkdir(parents=True, exist_ok=True)
    vocabulary = {"[PAD]": 0, "[UNK]": 1} | {word: number for number, word in enumerate(words, 2)}
    size = len(next(iter(words.values())))
    table = [[0.0] * size, [0.0] * size, *words.values()]
    (directory / "model.onnx").write_bytes(_model(table))
    tokenizer: dict[str, object] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }
    (directory / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    (directory / "config.json").write_text(json.dumps(dict(config or {})), encoding="utf-8")
    return directory


def _model(table: Sequence[Sequence[float]]) -> bytes:
    rows, size = len(table), len(table[0])
    values = struct.pack(f"<{rows * size}f", *(value for row in table for value in row))
    weights = _number(1, rows) + _number(1, size) + _number(2, _FLOAT) + _bytes(8, b"table") + _bytes(9, values)
    node = _bytes(1, b"table") + _bytes(1, b"input_ids") + _bytes(2, b"last_hidden_state") + _bytes(4, b"Gather")
    graph = (
        _bytes(1, node)
        + _bytes(2, b"tiny")
        + _bytes(5, weights)
        + _bytes(11, _value(b"input_ids", _INT64, ("texts", "tokens")))
        + _bytes(11, _value(b"attention_mask", _INT64, ("texts", "tokens")))
        + _bytes(12, _value(b"last_hidden_state", _FLOAT, ("texts", "tokens", size)))
    )
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, _number(2, 13))


def _value(name: bytes, kind: int, shape: Sequence[str | int]) -> bytes:
    sizes = (_number(1, size) if isinstance(size, int) else _bytes(2, size.encode()) for size in shape)
    tensor = _number(1, kind) + _bytes(2, b"".join(_bytes(1, size) for size in sizes))
    return _bytes(1, name) + _bytes(2, _bytes(1, tensor))


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*written, value))
