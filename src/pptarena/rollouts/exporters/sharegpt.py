"""Conversations in the format of LLaVA and ShareGPT: one line per step.

Source: the training data of ScaleCUA (arXiv 2509.15221), with the reasoning of models that have
one.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pptarena.rollouts.exporters.action_text import call_text, operation_text
from pptarena.rollouts.exporters.export_format import ExportFormat, why_no_screen
from pptarena.rollouts.exporters.out_folder import OutFolder
from pptarena.rollouts.exporters.source import SourceEpisode

__all__ = ["FORMAT", "export_sharegpt"]


def export_sharegpt(episodes: Iterable[SourceEpisode], out: Path) -> Path:
    """Write ``sharegpt.jsonl``, ``meta.json`` and ``images``; return the first."""
    name = "sharegpt.jsonl"
    with OutFolder(out) as folder:
        count = 0
        with folder.file(name) as lines:
            for episode in episodes:
                episode.require_screen("sharegpt")
                for index in range(len(episode.steps)):
                    row = _row(episode, index, folder)
                    lines.write((json.dumps(row, ensure_ascii=False) + "\n").encode())
                    count += 1
        with folder.file("meta.json") as meta_file:
            meta_file.write(
                (json.dumps({"pptarena": _entry(name, count)}, indent=1) + "\n").encode()
            )
    return out / name


def _entry(name: str, count: int) -> dict[str, Any]:
    return {
        "root": "images",
        "annotation": name,
        "conv_style": "default",
        "data_augment": False,
        "repeat_time": 1,
        "length": count,
    }


def _row(episode: SourceEpisode, index: int, folder: OutFolder) -> dict[str, Any]:
    step, meta = episode.steps[index], episode.meta
    operations = [operation_text(each) for each in episode.steps[:index]]
    history = "\n".join(f"{number}. {text}" for number, text in enumerate(operations, start=1))
    prompt = f"<image>\nTask: {meta.instruction}\nPrevious operations:\n{history or 'None'}"
    thought = episode.thought(index)
    reply = f"<think>\n{thought}\n</think>\n" if thought else ""
    reply += f"<operation>\n{operation_text(step)}\n</operation>\n"
    reply += f"<action>\n{call_text(step, meta.screen)}\n</action>"
    return {
        "id": f"{episode.id}__step-{index}",
        "image": folder.add_picture(episode.screenshot(index)),
        "width": meta.screen[0],
        "height": meta.screen[1],
        "conversations": [{"from": "human", "value": prompt}, {"from": "gpt", "value": reply}],
    }


FORMAT = ExportFormat("sharegpt", export_sharegpt, "sharegpt.jsonl", why_not=why_no_screen)
