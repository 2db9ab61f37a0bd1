"""Chat messages with pictures, as parquet: one row per episode, in files of limited size.

The columns ``messages`` and ``images`` have the format of TRL and other trainers of vision-language
models: every picture has its place in the messages, in order; an image is ``{bytes, path}``. If the
conversation of a model was stored, the messages are that conversation, with the system prompt and
the model's pictures (see `pptarena.rollouts.exporters.conversation`). `in_dialect` writes any
episode of a screen in the format of a chosen dialect. Reasoning is in ``reasoning_content`` of the
messages and calls are in ``tool_calls``, with arguments as JSON, where chat templates expect them.
``rewards`` and the tokens are lists with one number per step.
"""

import json
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import Any

from pptarena.agents.dialects import Dialect
from pptarena.errors import StoreError, missing_package
from pptarena.rollouts.exporters.conversation import conversation
from pptarena.rollouts.exporters.export_format import ExportFormat
from pptarena.rollouts.exporters.in_dialect import conversation_in
from pptarena.rollouts.exporters.out_folder import OutFolder
from pptarena.rollouts.exporters.source import SourceEpisode

__all__ = ["FILE_BYTES", "FORMAT", "export_chat"]

_FILES = "chat*.parquet"

FILE_BYTES = 500_000_000
"""Approximate size of a file before the next one starts."""

_TEXT = {"dtype": "string", "_type": "Value"}
_NUMBER = {"dtype": "float64", "_type": "Value"}
_INTEGER = {"dtype": "int64", "_type": "Value"}
_FEATURES = {
    "id": _TEXT,
    "task": _TEXT,
    "agent": _TEXT,
    "seed": _INTEGER,
    "score": _NUMBER,
    "model": _TEXT,
    "rewards": [_NUMBER],
    "input_tokens": [_INTEGER],
    "output_tokens": [_INTEGER],
    "messages": [
        {
            "role": _TEXT,
            "content": [{"type": _TEXT, "text": _TEXT}],
            "reasoning_content": _TEXT,
            "tool_calls": [{"type": _TEXT, "function": {"name": _TEXT, "arguments": _TEXT}}],
        }
    ],
    "images": [{"_type": "Image"}],
}
"""The columns as the Hugging Face library `datasets` names their types in parquet metadata."""


def export_chat(
    episodes: Iterable[SourceEpisode],
    out: Path,
    file_bytes: int = FILE_BYTES,
    dialect: Dialect | None = None,
    see: str = "",
) -> Path:
    """Write ``chat.parquet``, then ``chat-00001.parquet`` and so on; return the first.

    Args:
        episodes: The episodes; only one at a time is in memory.
        out: Folder to write to.
        file_bytes: Size above which the next episode starts a new file.
        dialect: Write messages and actions in this dialect, whatever agent played; None writes the
            stored conversation (`pptarena.rollouts.exporters.conversation`).
        see: Sources of the model's input, with a dialect; ``""`` for the dialect's default.

    Raises:
        ConfigError: If pyarrow is missing.
        StoreError: If the folder has further files of an earlier export, or an episode cannot be
            written in the dialect.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise missing_package("the format chat", "pyarrow", "export") from error
    if leftover := sorted(out.glob("chat-[0-9]*.parquet")):
        raise StoreError(f"{leftover[0]}: expected a folder without parts of another export")
    schema, remaining = _schema(pa), iter(episodes)
    episode = next(remaining, None)
    with OutFolder(out) as folder:
        for number in count():
            name = f"chat-{number:05}.parquet" if number else "chat.parquet"
            with folder.file(name) as file, pq.ParquetWriter(file, schema) as writer:
                while episode is not None:
                    # One row group per episode: a reader loads only the rows it requests.
                    writer.write_table(pa.Table.from_pylist([_row(episode, dialect, see)], schema))
                    episode = next(remaining, None)
                    if file.tell() >= file_bytes:
                        break
            if episode is None:
                break
    return out / "chat.parquet"


def _schema(pa: Any) -> Any:
    text, integer = pa.string(), pa.int64()
    part = pa.struct([("type", text), ("text", text)])
    function = pa.struct([("name", text), ("arguments", text)])
    call = pa.struct([("type", text), ("function", function)])
    message = pa.struct(
        [
            ("role", text),
            ("content", pa.list_(part)),
            ("reasoning_content", text),
            ("tool_calls", pa.list_(call)),
        ]
    )
    image = pa.struct([("bytes", pa.binary()), ("path", text)])
    columns = [
        ("id", text),
        ("task", text),
        ("agent", text),
        ("seed", integer),
        ("score", pa.float64()),
        ("model", text),
        ("rewards", pa.list_(pa.float64())),
        ("input_tokens", pa.list_(integer)),
        ("output_tokens", pa.list_(integer)),
        ("messages", pa.list_(message)),
        ("images", pa.list_(image)),
    ]
    return pa.schema(columns, {"huggingface": json.dumps({"info": {"features": _FEATURES}})})


def _row(episode: SourceEpisode, dialect: Dialect | None, see: str) -> dict[str, Any]:
    meta, steps = episode.meta, episode.steps
    replies = [episode.messages.get(index) for index in range(len(steps))]
    chat = conversation(episode) if dialect is None else conversation_in(dialect, episode, see)
    return {
        "id": episode.id,
        "task": meta.task,
        "agent": meta.agent,
        "seed": meta.seed,
        "score": meta.score,
        "model": episode.model.model if episode.model else None,
        "rewards": [step.reward for step in steps],
        "input_tokens": [each.input_tokens if each else 0 for each in replies],
        "output_tokens": [each.output_tokens if each else 0 for each in replies],
        "messages": chat.messages,
        "images": chat.images,
    }


def _loading_code(path: str) -> str:
    return f'import datasets\n\ndatasets.Dataset.from_parquet("{_FILES}")'


FORMAT = ExportFormat("chat", export_chat, _FILES, _loading_code)
