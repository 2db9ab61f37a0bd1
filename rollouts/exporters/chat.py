"""Chat messages with pictures, as parquet: one row per episode.

The columns ``messages`` and ``images`` are as TRL and other trainers of vision-language models read
them: every picture has its place in the messages, in order; an image is ``{bytes, path}``.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pptarena.errors import ConfigError
from pptarena.rollouts.exporters.out_folder import OutFolder
from pptarena.rollouts.exporters.source import SourceEpisode

__all__ = ["export_chat"]

_SYSTEM = (
    "You edit a slide deck in an office application through mouse and keyboard. After each "
    "screenshot, answer with one action as JSON; points are shares of the screen from 0 to 1."
)

_TEXT = {"dtype": "string", "_type": "Value"}
_NUMBER = {"dtype": "float64", "_type": "Value"}
_FEATURES = {
    "id": _TEXT,
    "task": _TEXT,
    "agent": _TEXT,
    "seed": {"dtype": "int64", "_type": "Value"},
    "score": _NUMBER,
    "rewards": [_NUMBER],
    "messages": [{"role": _TEXT, "content": [{"type": _TEXT, "text": _TEXT}]}],
    "images": [{"_type": "Image"}],
}
"""The columns as the Hugging Face library `datasets` names their types in a parquet's metadata."""


def export_chat(episodes: Iterable[SourceEpisode], out: Path) -> Path:
    """Write ``chat.parquet``; return it.

    Raises:
        ConfigError: If pyarrow is missing.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise ConfigError(
            "chat needs pyarrow; install it with: pip install 'pptarena[export]'"
        ) from error
    text, folder, name = pa.string(), OutFolder(out), "chat.parquet"
    part = pa.struct([("type", text), ("text", text)])
    message = pa.struct([("role", text), ("content", pa.list_(part))])
    image = pa.struct([("bytes", pa.binary()), ("path", text)])
    schema = pa.schema(
        [
            ("id", text),
            ("task", text),
            ("agent", text),
            ("seed", pa.int64()),
            ("score", pa.float64()),
            ("rewards", pa.list_(pa.float64())),
            ("messages", pa.list_(message)),
            ("images", pa.list_(image)),
        ],
        {"huggingface": json.dumps({"info": {"features": _FEATURES}})},
    )
    with folder.file(name) as file, pq.ParquetWriter(file, schema) as writer:
        for episode in episodes:
            # One row group an episode: a reader never holds more than it asked for.
            writer.write_table(pa.Table.from_pylist([_row(episode)], schema))
    return out / name


def _row(episode: SourceEpisode) -> dict[str, Any]:
    meta, steps = episode.meta, episode.steps
    images = [
        {"bytes": episode.screenshot(index), "path": episode.screenshot_file(index)}
        for index in range(len(steps))
    ]
    return {
        "id": episode.id,
        "task": meta.task,
        "agent": meta.agent,
        "seed": meta.seed,
        "score": meta.score,
        "rewards": [step.reward for step in steps],
        "messages": list(_messages(episode)),
        "images": images,
    }


def _messages(episode: SourceEpisode) -> Iterator[dict[str, Any]]:
    yield _message("system", [("text", _SYSTEM)])
    for index, step in enumerate(episode.steps):
        said = episode.meta.instruction if index == 0 else _refused(episode, index)
        yield _message("user", [("image", None), *([("text", said)] if said else [])])
        action = step.action.to_json()
        action.pop("element", None)
        point, end = (_share(each, episode.meta.screen) for each in (step.aim.point, step.aim.end))
        action |= {"xy": point} if point else {}
        action |= {"end_xy": end} if end else {}
        yield _message("assistant", [("text", json.dumps(action, ensure_ascii=False))])


def _refused(episode: SourceEpisode, index: int) -> str:
    error = episode.steps[index - 1].action_error
    return f"That could not be done: {error}" if error else ""


def _message(role: str, parts: list[tuple[str, str | None]]) -> dict[str, Any]:
    return {"role": role, "content": [{"type": kind, "text": text} for kind, text in parts]}


def _share(pixel: tuple[int, int] | None, screen: tuple[int, int]) -> list[float] | None:
    if pixel is None:
        return None
    return [round((part + 0.5) / size, 4) for part, size in zip(pixel, screen, strict=True)]
