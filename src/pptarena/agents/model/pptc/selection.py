"""Rank APIs by similarity to an instruction: by shared words, or by embeddings."""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pptarena.agents.model.services import make_endpoint
from pptarena.agents.model.settings import ModelSettings
from pptarena.models import open_service
from pptarena.models.chat import ChatService

__all__ = ["ALWAYS", "Embed", "Embedder", "nearest", "word_vectors"]

Vector = Mapping[Any, float]
Embed = Callable[[Sequence[str]], tuple[list[Vector], int]]
"""Returns a vector for each text, and the number of tokens."""

ALWAYS = (
    *("create_slide", "move_to_slide", "choose_title", "choose_content", "choose_textbox"),
    *("choose_picture", "choose_shape", "choose_table", "choose_table_cell", "insert_text"),
    "seek_assistance",  # if known
)
"""The APIs that nearly all others depend on."""

_WORD = re.compile(r"[a-z]+")


def nearest(vectors: Sequence[Vector], asked: Vector, count: int) -> list[int]:
    """Return the indices of the vectors by cosine similarity to another, highest first."""
    order = sorted(range(len(vectors)), key=lambda at: (-_cosine(vectors[at], asked), at))
    return order[:count]


def word_vectors(texts: Sequence[str]) -> tuple[list[Vector], int]:
    """Return TF-IDF vectors of texts; they use no tokens."""
    words = [Counter(_stem(each) for each in _WORD.findall(text.lower())) for text in texts]
    seen = Counter(word for each in words for word in each)
    count = len(texts)
    return [
        {word: (1 + math.log(n)) * math.log((1 + count) / seen[word]) for word, n in each.items()}
        for each in words
    ], 0


class Embedder:
    """Requests embeddings from the service of a model.

    Args:
        settings: Settings of the model; ``embeddings`` names the embedding model.
        key: The API key, or an empty text.

    Raises:
        ConfigError: If the client's package is missing.
    """

    def __init__(self, settings: ModelSettings, key: str) -> None:
        service = open_service(make_endpoint(settings, "chat"), key)
        assert isinstance(service, ChatService)
        self._model, self._service = settings.embeddings, service

    def close(self) -> None:
        """Close all connections."""
        self._service.close()

    def __call__(self, texts: Sequence[str]) -> tuple[list[Vector], int]:
        """Return a vector for each text, and the number of tokens.

        Raises:
            EndpointError: If the service does not answer.
        """
        found, tokens = self._service.embed(self._model, texts)
        return [dict(enumerate(each)) for each in found], tokens


def _cosine(one: Vector, other: Vector) -> float:
    dot = sum(value * other.get(name, 0.0) for name, value in one.items())
    size = math.hypot(*one.values()) * math.hypot(*other.values())
    return dot / size if size else 0.0


def _stem(word: str) -> str:
    for ending in ("ing", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 3:
            return word.removesuffix(ending)
    return word
