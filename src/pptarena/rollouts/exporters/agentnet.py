"""AgentNet's JSONL: one line per episode, with a folder of pictures.

Source: the AgentNet data set of OpenCUA (arXiv 2508.09123). Fields without data (reflections,
reasoning of agents that have none) are empty; efficiency is not rated, so its field is missing.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pptarena.rollouts.exporters.action_text import operation_text, pyautogui_code
from pptarena.rollouts.exporters.export_format import ExportFormat, why_no_screen
from pptarena.rollouts.exporters.out_folder import OutFolder
from pptarena.rollouts.exporters.source import SourceEpisode

__all__ = ["FORMAT", "export_agentnet"]

_DIFFICULTY = {"easy": 1, "medium": 2, "hard": 3}


def export_agentnet(episodes: Iterable[SourceEpisode], out: Path) -> Path:
    """Write ``agentnet.jsonl`` and ``images``; return the file."""
    name = "agentnet.jsonl"
    with OutFolder(out) as folder, folder.file(name) as lines:
        for episode in episodes:
            lines.write((json.dumps(_row(episode, folder), ensure_ascii=False) + "\n").encode())
    return out / name


def _row(episode: SourceEpisode, folder: OutFolder) -> dict[str, Any]:
    episode.require_screen("agentnet")
    meta = episode.meta
    assert meta.score is not None, "unscored episodes are not exported"
    return {
        "task_id": episode.id,
        "instruction": meta.instruction,
        "natural_language_task": meta.instruction,
        "actual_task": meta.instruction,
        "task_completed": meta.score >= 1.0,
        "alignment_score": round(meta.score * 10),
        "task_difficulty": _DIFFICULTY.get(meta.difficulty, 0),
        "traj": [_step(episode, index, folder) for index in range(len(episode.steps))],
    }


def _step(episode: SourceEpisode, index: int, folder: OutFolder) -> dict[str, Any]:
    step = episode.steps[index]
    return {
        "index": index,
        "image": folder.add_picture(episode.screenshot(index)),
        "value": {
            "observation": "",
            "thought": episode.thought(index),
            "action": operation_text(step),
            "code": pyautogui_code(step, episode.meta.screen),
            "reflection": "",
        },
    }


FORMAT = ExportFormat("agentnet", export_agentnet, "agentnet.jsonl", why_not=why_no_screen)
