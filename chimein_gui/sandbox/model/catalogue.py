"""The models that the sandbox offers."""

import re
from dataclasses import dataclass
from typing import Any

from chimein_gui.sandbox.model.errors import ApiError, bad_request

_SPEAKS = ("generateContent", "countTokens")
_EMBEDS = ("embedContent", "batchEmbedContents", "countTokens")
_NAME = re.compile(r"(gemini|gemma)-[\w.\-]{1,80}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model as `models.list` describes it.

    Attributes:
        methods: The API methods that it supports.
    """

    name: str
    title: str
    methods: tuple[str, ...] = _SPEAKS

    def body(self) -> dict[str, Any]:
        """Return the model's entry of `models.list` as JSON."""
        speaks = self.methods is _SPEAKS
        return {
            "name": f"models/{self.name}",
            "version": "001",
            "displayName": self.title,
            "description": f"{self.title}, played by the sandbox",
            "inputTokenLimit": 1_048_576 if speaks else 2_048,
            "outputTokenLimit": 65_536 if speaks else 1,
            "supportedGenerationMethods": list(self.methods),
            **({"temperature": 1, "topP": 0.95, "topK": 64, "maxTemperature": 2, "thinking": True} if speaks else {}),
        }


MODELS = (
    ModelInfo("gemini-2.5-flash", "Gemini 2.5 Flash"),
    ModelInfo("gemini-2.5-flash-lite", "Gemini 2.5 Flash-Lite"),
    ModelInfo("gemini-2.5-pro", "Gemini 2.5 Pro"),
    ModelInfo("gemini-3-flash-preview", "Gemini 3 Flash Preview"),
    ModelInfo("gemini-3-pro-preview", "Gemini 3 Pro Preview"),
    ModelInfo("gemini-embedding-001", "Gemini Embedding 001", _EMBEDS),
    ModelInfo("gemini-embedding-2", "Gemini Embedding 2", _EMBEDS),
)


def find_model(name: str) -> ModelInfo | None:
    """Return the model with a name, or None if there is none.

    Any `gemini-…` or `gemma-…` name without ``embedding`` in it is accepted as a text model, so that agents with newer
    models can be rehearsed too.
    """
    for model in MODELS:
        if model.name == name:
            return model
    return ModelInfo(name, name) if _NAME.fullmatch(name) and "embedding" not in name else None


def model_for(name: str, method: str) -> ModelInfo:
    """Return the model with a name, if it supports `method`.

    Raises:
        ApiError: 404, it does not exist or does not support the method.
    """
    model = find_model(name)
    if model is None or method not in model.methods:
        raise ApiError(
            404,
            f"models/{name} is not found for API version v1beta, or is not supported for {method}. Call ListModels to "
            "see the list of available models and their supported methods.",
        )
    return model


def list_body(page_size: str, page_token: str) -> dict[str, Any]:
    """Return a page of `models.list`; its tokens are start positions.

    Raises:
        ApiError: 400, the size or the token is no number or out of range.
    """
    try:
        size, start = int(page_size or 50), int(page_token or 0)
    except ValueError:
        raise bad_request("The page token or page size is invalid.") from None
    if size < 0 or not 0 <= start <= len(MODELS):
        raise bad_request("The page token or page size is invalid.")
    end = start + (size or 50)
    page: dict[str, Any] = {"models": [model.body() for model in MODELS[start:end]]}
    if end < len(MODELS):
        page["nextPageToken"] = str(end)
    return page
