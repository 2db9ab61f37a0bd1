"""Chat messages with pictures, as parquet: one row per episode, in files of bounded size.

The columns ``messages`` and ``images`` are as TRL and other trainers of vision-language models read
them: every picture has its place in the messages, in order; an image is ``{bytes, path}``. Thoughts
are in ``reasoning_content`` of the messages, where chat templates look for them; ``rewards`` and
the tokens are lists with one number per step.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

from pptarena.errors import ConfigError, StoreError
from pptarena.rollouts.exporters.out_folder import OutFolder
from pptarena.rollouts.exporters.source import SourceEpisode

__all__ = ["FILE_BYTES", "export_chat"]

FILE_BYTES = 500_000_000
"""About how large a file gets before the next one begins."""

_SYSTEM = (
    "You edit a slide deck in an office application through mouse and keyboard. After each "
    "screenshot, answer with one action as JSON; points are shares of the screen from 0 to 1."
)

_TEXT = {"dtype": "string", "_type": "Value"}
_NUMBER = {"dtype": "float64", "_type": "Value"}
_WHOLE = {"dtype": "int64", "_type": "Value"}
_FEATURES = {
    "id": _TEXT,
    "task": _TEXT,
    "agent": _TEXT,
    "seed": _WHOLE,
    "score": _NUMBER,
    "model": _TEXT,
    "rewards": [_NUMBER],
    "input_tokens": [_WHOLE],
    "output_tokens": [_WHOLE],
    "messages": [
        {
            "role": _TEXT,
            "content": [{"type": _TEXT, "text": _TEXT}],
            "reasoning_content": _TEXT,
        }
    ],
    "images": [{"_type": "Image"}],
}
"""The columns as the Hugging Face library `datasets` names their types in a parquet's metadata."""


def export_chat(episodes: Iterable[SourceEpisode], out: Path, file_bytes: int = FILE_BYTES) -> Path:
    """Write ``chat.parquet``, then ``chat-00001.parquet`` and so on; return the first.

    Args:
        episodes: One after the other; no more than one is held in memory.
        out: Folder to write to.
        file_bytes: A file that has so many bytes gets no further episode.

    Raises:
        ConfigError: If pyarrow is missing.
        StoreError: If there are further files of an earlier export.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise ConfigError(
            "chat needs pyarrow; install it with: pip install 'pptarena[export]'"
        ) from error
    schema, folder, waiting = _schema(pa), OutFolder(out), iter(episodes)
    if left := sorted(out.glob("chat-[0-9]*.parquet")):
        raise StoreError(f"{left[0]}: expected a folder without parts of another export")
    episode = next(waiting, None)
    for number in count():
        name = f"chat-{number:05}.parquet" if number else "chat.parquet"
        with folder.file(name) as file, pq.ParquetWriter(file, schema) as writer:
            while episode is not None:
                # One row group an episode: a reader never holds more than it asked for.
                writer.write_table(pa.Table.from_pylist([_row(episode)], schema))
                episode = next(waiting, None)
                if file.tell() >= file_bytes:
                    break
        if episode is None:
            break
    return out / "chat.parquet"


def _schema(pa: Any) -> Any:
    text, whole = pa.string(), pa.int64()
    part = pa.struct([("type", text), ("text", text)])
    message = pa.struct([("role", text), ("content", pa.list_(part)), ("reasoning_content", text)])
    image = pa.struct([("bytes", pa.binary()), ("path", text)])
    columns = [
        ("id", text),
        ("task", text),
        ("agent", text),
        ("seed", whole),
        ("score", pa.float64()),
        ("model", text),
        ("rewards", pa.list_(pa.float64())),
        ("input_tokens", pa.list_(whole)),
        ("output_tokens", pa.list_(whole)),
        ("messages", pa.list_(message)),
        ("images", pa.list_(image)),
    ]
    return pa.schema(columns, {"huggingface": json.dumps({"info": {"features": _FEATURES}})})


def _row(episode: SourceEpisode) -> dict[str, Any]:
    meta, steps = episode.meta, episode.steps
    answers = [episode.messages.get(index) for index in range(len(steps))]
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
        "model": episode.model.model if episode.model else None,
        "rewards": [step.reward for step in steps],
        "input_tokens": [each.input_tokens if each else 0 for each in answers],
        "output_tokens": [each.output_tokens if each else 0 for each in answers],
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
        said = json.dumps(action, ensure_ascii=False)
        yield _message("assistant", [("text", said)], episode.thought(index))


def _refused(episode: SourceEpisode, index: int) -> str:
    error = episode.steps[index - 1].action_error
    return f"That could not be done: {error}" if error else ""


def _message(role: str, parts: list[tuple[str, str | None]], thought: str = "") -> dict[str, Any]:
    content = [{"type": kind, "text": text} for kind, text in parts]
    return {"role": role, "content": content, "reasoning_content": thought or None}


def _share(pixel: tuple[int, int] | None, screen: tuple[int, int]) -> list[float] | None:
    if pixel is None:
        return None
    return [round((part + 0.5) / size, 4) for part, size in zip(pixel, screen, strict=True)]
