"""What the files of a model's directory say: where the model is, how its vectors are made, and what goes before a text.

The layout is that of sentence-transformers. Only `model.onnx`, `tokenizer.json` and `config.json` have to be there.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from chimein_gui.domain.errors import ModelRefusedError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.embedders import EmbedderReason

MOST_TOKENS = 512
"""Longest text in tokens; memories are shorter, and the time grows with the square."""

_MODEL_PLACES = ("model.onnx", "onnx/model.onnx")
_PREFIXES = (
    # Models whose files do not say what they ask for in their descriptions; tried in this order.
    ("multilingual-e5-large-instruct", "Instruct: Find the memory that answers the message\nQuery: ", ""),
    ("e5-", "query: ", "passage: "),
    ("bge-m3", "", ""),
    ("bge-", "Represent this sentence for searching relevant passages: ", ""),
)
_BLOCK = 1 << 20


class Pooling(StrEnum):
    """How the vectors of a text's tokens become one."""

    MEAN = "mean"
    FIRST = "first"
    """That of the first token, which stands for the whole."""


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """What is known of a model before it is loaded.

    Attributes:
        name: The directory's name and a digest of the files, so that another model in the same place is another name.
        model: Path of the ONNX file.
        tokenizer: Path of the tokenizer.
        pooling: How a text's vector is made, if the model itself does not do that.
        query_prefix: Goes before a query.
        stored_prefix: Goes before a stored text.
        most_tokens: Longest text, in tokens.
        padding: Number of the padding token.
    """

    name: str
    model: Path
    tokenizer: Path
    pooling: Pooling
    query_prefix: str
    stored_prefix: str
    most_tokens: int
    padding: int


def read_model_files(directory: Path) -> ModelFiles:
    """Read a model's directory; blocks for about a second for a large model.

    Raises:
        ModelRefusedError: A file is missing, or is not what it should be; the note says which.
    """
    model = next((directory / place for place in _MODEL_PLACES if (directory / place).is_file()), None)
    if model is None:
        raise missing(directory / _MODEL_PLACES[0])
    tokenizer, config_file = directory / "tokenizer.json", directory / "config.json"
    for path in (tokenizer, config_file):
        if not path.is_file():
            raise missing(path)
    config = _json(config_file)
    hints = f"{directory.name} {config.get('_name_or_path', '')}".casefold()
    query_prefix, stored_prefix = _prefixes(directory, hints)
    try:
        digest = _digest(model, tokenizer, *sorted(model.parent.glob("model.onnx?data*")))
    except OSError as error:
        raise unreadable(model, error) from error
    return ModelFiles(
        name=f"{directory.name}@{digest[:12]}",
        model=model,
        tokenizer=tokenizer,
        pooling=_pooling(directory, hints),
        query_prefix=query_prefix,
        stored_prefix=stored_prefix,
        most_tokens=_most_tokens(directory, config),
        padding=_whole(config.get("pad_token_id"), 0),
    )


def missing(path: Path) -> ModelRefusedError:
    """Return the error for a file that is not there."""
    note = Note(EmbedderReason.MODEL_FILE_MISSING, str(path))
    return ModelRefusedError(note, note)


def unreadable(path: Path, error: Exception) -> ModelRefusedError:
    """Return the error for a file that is not what it should be."""
    note = Note(EmbedderReason.MODEL_UNREADABLE, str(path), more=str(error)[:300])
    return ModelRefusedError(note, note)


def _json(path: Path) -> dict[str, Any]:
    """Return the object in a file; empty if the file is not there."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise unreadable(path, error) from error
    return found if isinstance(found, dict) else {}


def _pooling(directory: Path, hints: str) -> Pooling:
    pooling = _json(directory / "1_Pooling" / "config.json")
    if pooling:
        return Pooling.FIRST if pooling.get("pooling_mode_cls_token") is True else Pooling.MEAN
    return Pooling.FIRST if "bge-" in hints else Pooling.MEAN


def _prefixes(directory: Path, hints: str) -> tuple[str, str]:
    """Return what goes before queries and before stored texts: as the model's files say, else as its family asks."""
    prompts = _json(directory / "config_sentence_transformers.json").get("prompts")
    if isinstance(prompts, dict) and any(prompts.values()):
        stored = next((prompts[key] for key in ("document", "passage") if key in prompts), "")
        return str(prompts.get("query", "")), str(stored)
    return next(((query, stored) for part, query, stored in _PREFIXES if part in hints), ("", ""))


def _most_tokens(directory: Path, config: dict[str, Any]) -> int:
    own = _whole(_json(directory / "sentence_bert_config.json").get("max_seq_length"), 0)
    # RoBERTa's positions begin behind that of the padding, so two of them are never used.
    positions = _whole(config.get("max_position_embeddings"), MOST_TOKENS + 2)
    return max(8, min(own or MOST_TOKENS, MOST_TOKENS, positions if positions <= MOST_TOKENS else positions - 2))


def _whole(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else otherwise


def _digest(*paths: Path) -> str:
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    return digest.hexdigest()
