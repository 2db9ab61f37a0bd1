"""One row for each episode of an export, which the library `datasets` reads."""

import json
from typing import Any

from pptarena.rollouts.exporters.source import SourceEpisode

__all__ = ["INDEX", "index_line"]

INDEX = "episodes.jsonl"
"""Name of the file; ``load_dataset`` reads it, as the front matter of the card names it."""


def index_line(episode: SourceEpisode, **more: Any) -> bytes:
    """Return the line of an episode: its facts as JSON, then more of them."""
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
