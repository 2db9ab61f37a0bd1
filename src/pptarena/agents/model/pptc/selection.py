"""Ranking of APIs by similarity to an instruction, with shared words or embeddings."""

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
    "seek_assistance",  # if available
)
"""The APIs that nearly all others depend on."""

_WORD = re.compile(r"[a-z]+")


def nearest(vectors: Sequence[Vector], query: Vector, count: int) -> list[int]:
    """Return the indices of the vectors by cosine similarity to the query, highest first."""
    order = sorted(range(len(vectors)), key=lambda index: (-_cosine(vectors[index], query), index))
    return order[:count]


def word_vectors(texts: Sequence[str]) -> tuple[list[Vector], int]:
    """Return TF-IDF vectors of texts; they use no tokens."""
    word_counts = [Counter(_stem(word) for word in _WORD.findall(text.lower())) for text in texts]
    document_counts = Counter(word for counts in word_counts for word in counts)
    count = len(texts)
    return [
        {
            word: (1 + math.log(occurrences)) * math.log((1 + count) / document_counts[word])
            for word, occurrences in counts.items()
        }
        for counts in word_counts
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
        vectors, tokens = self._service.embed(self._model, texts)
        return [dict(enumerate(vector)) for vector in vectors], tokens


def _cosine(first: Vector, second: Vector) -> float:
    dot = sum(value * second.get(name, 0.0) for name, value in first.items())
    norms = math.hypot(*first.values()) * math.hypot(*second.values())
    return dot / norms if norms else 0.0


def _stem(word: str) -> str:
    for ending in ("ing", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 3:
            return word.removesuffix(ending)
    return word
