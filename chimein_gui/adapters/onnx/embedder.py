"""An embedding model in a directory of this computer as the engine's `Embedder`; implements `LocalModels`, too."""

from __future__ import annotations

import asyncio
import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chimein_gui.adapters.onnx.files import ModelFiles, Pooling, read_model_files, unreadable
from chimein_gui.domain.errors import ModelRefusedError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.embedders import EmbedderReason
from chimein_gui.engine.ports import Embedded, TextUse

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_TEXTS = 8
"""Texts in one batch: few, because a query of a plan waits until the batch before it is done."""

THREADS = 2
"""Threads for one batch; the window needs a processor, too."""


class OnnxModels:
    """Loads models (port `LocalModels`). The libraries are imported with the first one, in a thread."""

    async def load(self, directory: str) -> OnnxEmbedder:
        if not directory.strip():
            note = Note(EmbedderReason.NO_DIRECTORY)
            raise ModelRefusedError(note, note)
        return OnnxEmbedder(await asyncio.to_thread(_Session, directory))


class OnnxEmbedder:
    """Embeds one batch at a time, in a thread."""

    def __init__(self, session: _Session) -> None:
        self._session = session
        self._one_at_a_time = asyncio.Lock()

    @property
    def model(self) -> str:
        return self._session.files.name

    @property
    def most_texts(self) -> int:
        return MOST_TEXTS

    async def embed(self, texts: Sequence[str], use: TextUse = TextUse.ALIKE) -> Embedded:
        """Embed a batch. If it is cancelled, its thread ends the batch and drops it.

        Raises:
            ModelRefusedError: The model failed.
        """
        if not texts:
            return Embedded(())
        async with self._one_at_a_time:
            return Embedded(await asyncio.to_thread(self._session.run, tuple(texts), use))


class _Session:
    """The loaded model; blocks, so it is used in threads only."""

    def __init__(self, directory: str) -> None:
        runtime, tokenizers = _library("onnxruntime"), _library("tokenizers")
        self.files: ModelFiles = read_model_files(Path(directory).expanduser())
        options = runtime.SessionOptions()
        options.intra_op_num_threads = THREADS
        options.inter_op_num_threads = 1
        options.log_severity_level = 4  # what goes wrong is raised, too, and has no place in a terminal
        try:
            self._model = runtime.InferenceSession(
                str(self.files.model), sess_options=options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime has a class for each of its codes, without a common base
            raise unreadable(self.files.model, error) from error
        try:
            self._tokenizer = tokenizers.Tokenizer.from_file(str(self.files.tokenizer))
        except Exception as error:  # tokenizers raises plain exceptions
            raise unreadable(self.files.tokenizer, error) from error
        self._tokenizer.enable_truncation(self.files.most_tokens)
        self._tokenizer.no_padding()  # the batch is padded here, with the model's own number
        self._inputs = {one.name for one in self._model.get_inputs()}
        self._output, self._is_pooled = self._find_output()

    def run(self, texts: tuple[str, ...], use: TextUse) -> tuple[tuple[float, ...], ...]:
        """Return the vectors of texts, each of length 1.

        Raises:
            ModelRefusedError: The model failed.
        """
        import numpy as np

        prefix = self.files.query_prefix if use is TextUse.QUERY else self.files.stored_prefix
        encoded = self._tokenizer.encode_batch([prefix + text for text in texts])
        longest = max(1, *(len(one.ids) for one in encoded))
        ids = np.full((len(texts), longest), self.files.padding, np.int64)
        mask = np.zeros_like(ids)
        for row, one in enumerate(encoded):
            ids[row, : len(one.ids)] = one.ids
            mask[row, : len(one.ids)] = 1
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        try:
            (found,) = self._model.run([self._output], {name: feeds[name] for name in self._inputs})
        except Exception as error:
            note = Note(EmbedderReason.MODEL_FAILED, str(error)[:300])
            raise ModelRefusedError(note, note) from error
        if self._is_pooled:
            vectors = found
        elif self.files.pooling is Pooling.FIRST:
            vectors = found[:, 0]
        else:
            weights = mask[:, :, None].astype(np.float32)
            vectors = (found * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0)
        vectors = np.asarray(vectors, np.float32)
        lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        return tuple(map(tuple, (vectors / lengths).tolist()))

    def _find_output(self) -> tuple[str, bool]:
        """Return the output to read, and whether it has one vector for each text already."""
        if not self._inputs <= {"input_ids", "attention_mask", "token_type_ids"}:
            raise self._odd()
        ranks = {one.name: len(one.shape or ()) for one in self._model.get_outputs()}
        for name, rank in (("sentence_embedding", 2), ("last_hidden_state", 3), ("token_embeddings", 3)):
            if ranks.get(name) == rank:
                return name, rank == 2
        first = next(iter(ranks), "")
        if ranks.get(first) not in (2, 3):
            raise self._odd()
        return first, ranks[first] == 2

    def _odd(self) -> ModelRefusedError:
        note = Note(EmbedderReason.MODEL_OUTPUT_ODD, str(self.files.model))
        return ModelRefusedError(note, note)


def _library(name: str) -> Any:  # noqa: ANN401 - a module of an extra that need not be installed
    try:
        return importlib.import_module(name)
    except ImportError as error:
        note = Note(EmbedderReason.EXTRA_MISSING, name)
        raise ModelRefusedError(note, note) from error
