"""One row per episode of an export, for the library `datasets`."""

import json
from typing import Any

from pptarena.rollouts.exporters.source import SourceEpisode

__all__ = ["INDEX", "index_line"]

INDEX = "episodes.jsonl"
"""Name of the file, which ``load_dataset`` finds through the front matter of the card."""


def index_line(episode: SourceEpisode, **more: Any) -> bytes:
    """Return the line of an episode: its facts as JSON, then additional fields."""
    meta = episode.meta
    facts = {
        "id": episode.id,
        "task": meta.task,
        "suite": meta.suite,
        "difficulty": meta.difficulty,
        "agent": meta.agent,
        "seed": meta.seed,
        "score": meta.score,
        "steps": len(episode.steps),
        "instruction": meta.instruction,
    }
    return (json.dumps({**facts, **more}, ensure_ascii=False) + "\n").encode("utf-8", "replace")
