"""Corrections for DAgger: the steps in which a person took over from an agent.

Source: Ross, Gordon and Bagnell, A Reduction of Imitation Learning and Structured Prediction to
No-Regret Online Learning (arXiv 1011.0686): states that the learner visits, labeled by an expert.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pptarena.rollouts.episode import PERSON, StepRecord
from pptarena.rollouts.exporters.action_text import operation_text
from pptarena.rollouts.exporters.export_format import ExportFormat
from pptarena.rollouts.exporters.out_folder import OutFolder
from pptarena.rollouts.exporters.source import SourceEpisode

__all__ = ["FORMAT", "export_dagger", "why_no_correction"]


def why_no_correction(episode: SourceEpisode) -> str:
    """Return why an episode has no corrections; ``""`` if it has some.

    Raises:
        StoreError: If its actions cannot be read.
    """
    if not episode.meta.help:  # also of episodes that a person plays alone
        return "nobody helped an agent in it"
    return "" if any(map(_is_correction, episode.steps)) else "no person took over in it"


def export_dagger(episodes: Iterable[SourceEpisode], out: Path) -> Path:
    """Write ``dagger.jsonl``, one line per correction, and ``images``; return the file.

    A line has the observation (``image`` and ``elements``, or the ``outline`` at the start of an
    episode on a document), the operations before it in ``history``, the person's action in
    ``label``, and in ``proposed`` the actions of the agent in the same state that were refused.
    """
    name = "dagger.jsonl"
    with OutFolder(out) as folder, folder.file(name) as lines:
        for episode in episodes:
            for index, step in enumerate(episode.steps):
                if _is_correction(step):
                    row = _row(episode, index, folder)
                    lines.write((json.dumps(row, ensure_ascii=False) + "\n").encode())
    return out / name


def _is_correction(step: StepRecord) -> bool:
    return step.by == PERSON and step.action_error is None


def _row(episode: SourceEpisode, index: int, folder: OutFolder) -> dict[str, Any]:
    steps, meta = episode.steps, episode.meta
    first_refused = index
    while first_refused and steps[first_refused - 1].is_refused_by_helper:
        first_refused -= 1
    return {
        "id": f"{episode.id}__step-{index}",
        "task": meta.task,
        "agent": meta.agent,
        "instruction": meta.instruction,
        "history": _history(episode, first_refused),
        **_observation(episode, index, folder),
        "label": _label(steps[index]),
        "proposed": [_label(step) for step in steps[first_refused:index]],
        "score_before": steps[index - 1].score if index else 0.0,
        "score_after": steps[index].score,
        "final_score": meta.score,
    }


def _history(episode: SourceEpisode, end: int) -> list[Any]:
    """Return the executed operations before a step."""
    executed = [step for step in episode.steps[:end] if not step.action_error]
    if episode.on_document:
        return [step.call for step in executed]
    return [operation_text(step) for step in executed]


def _observation(episode: SourceEpisode, index: int, folder: OutFolder) -> dict[str, Any]:
    if episode.on_document:
        return {"outline": episode.outline}
    nodes = (node for node in episode.tree(index)["nodes"] if node["element"])
    keys = ("element", "role", "name", "text", "box")
    return {
        "image": folder.add_picture(episode.screenshot(index)),
        "elements": [{key: node[key] for key in keys} for node in nodes],
    }


def _label(step: StepRecord) -> dict[str, Any]:
    """Return an action with its pixel, or a call."""
    if step.call is not None:
        return {name: step.call[name] for name in ("tool", "arguments") if name in step.call}
    return {**step.action.to_json(), "point_px": step.aim.point, "end_px": step.aim.end}


FORMAT = ExportFormat("dagger", export_dagger, "dagger.jsonl", why_not=why_no_correction)
