"""`embedContent` and `batchEmbedContents`: vectors made of hashed words and character trigrams.

The vectors do not represent meaning. Texts that share words, or parts of words, have similar vectors, in any language.
The same text has the same vector on every machine.
"""

import math
import re
from collections.abc import Mapping
from typing import Any
from zlib import crc32

from chimein_gui.sandbox.model.counting import tokens
from chimein_gui.sandbox.model.errors import bad_request
from chimein_gui.sandbox.model.fields import field, objects, text_of
from chimein_gui.sandbox.model.requests import check_names

_DIMENSIONS = 3_072
_MOST_TEXTS = 100
_WORD = re.compile(r"\w+")
_WORD_WEIGHT = 3.0
_KNOWN = frozenset({"model", "content", "taskType", "title", "outputDimensionality", "embedContentConfig"})


def vector_of(text: str, dimensions: int = _DIMENSIONS) -> list[float]:
    """Return the unit vector of a text.

    Args:
        text: Any text; one without words has the vector of a blank.
        dimensions: 1 to 3,072.
    """
    values = [0.0] * dimensions
    for word in _WORD.findall(text.casefold()) or [" "]:
        _add(values, f"w {word}", _WORD_WEIGHT)
        padded = f"^{word}$"
        for start in range(max(1, len(padded) - 2)):
            _add(values, padded[start : start + 3], 1.0)
    norm = math.sqrt(sum(value * value for value in values))
    return [round(value / norm, 8) for value in values] if norm else [1.0, *values[1:]]


def _add(values: list[float], feature: str, weight: float) -> None:
    """Add a feature's weight to one dimension; the feature's hash decides the dimension and the sign."""
    hashed = crc32(feature.encode())
    values[(hashed >> 1) % len(values)] += weight if hashed & 1 else -weight


def embed_body(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer `embedContent`; all parts of the content are embedded as one vector.

    Raises:
        ApiError: 400, the request is invalid or has no text.
    """
    text, vector = _embedded(request)
    return {"embedding": {"values": vector}, "usageMetadata": {"promptTokenCount": tokens(text)}}


def batch_body(model: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer `batchEmbedContents` with one vector per request; gemini-embedding-2 returns one vector for all of them.

    Raises:
        ApiError: 400, a request is invalid, or there are none or more than 100.
    """
    check_names(request, frozenset({"requests", "model"}))
    requests = list(objects(request.get("requests")))
    if not requests:
        raise bad_request("* BatchEmbedContentsRequest.requests: requests is not specified")
    if len(requests) > _MOST_TEXTS:
        raise bad_request(f"* BatchEmbedContentsRequest.requests: at most {_MOST_TEXTS} requests can be in one batch")
    embedded = [_embedded(one) for one in requests]
    if model == "gemini-embedding-2":
        joined = "\n".join(text for text, _ in embedded)
        return {"embeddings": [{"values": vector_of(joined, len(embedded[0][1]))}]}
    return {"embeddings": [{"values": vector} for _, vector in embedded]}


def _embedded(request: Mapping[str, Any]) -> tuple[str, list[float]]:
    check_names(request, _KNOWN)
    content = request.get("content")
    text = text_of(content)
    if not text.strip():
        raise bad_request("* EmbedContentRequest.content: content is empty")
    wanted = field(request, "outputDimensionality")
    if wanted is None:
        wanted = field(field(request, "embedContentConfig"), "outputDimensionality")
    size = _DIMENSIONS if wanted is None else wanted
    if not isinstance(size, int) or not 1 <= size <= _DIMENSIONS:
        raise bad_request(f"output_dimensionality must be between 1 and {_DIMENSIONS}.")
    return text, vector_of(text, size)
