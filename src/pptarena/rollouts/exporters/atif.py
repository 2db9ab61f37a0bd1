"""ATIF, the trajectory interchange format of Harbor, version 1.7: one JSON file per episode."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pptarena
from pptarena.errors import StoreError
from pptarena.rollouts.exporters.action_text import operation_text
from pptarena.rollouts.exporters.export_format import ExportFormat
from pptarena.rollouts.exporters.index import INDEX, index_line
from pptarena.rollouts.exporters.out_folder import OutFolder
from pptarena.rollouts.exporters.source import SourceEpisode
from pptarena.rollouts.store import file_name_of

__all__ = ["FORMAT", "export_atif"]


def export_atif(episodes: Iterable[SourceEpisode], out: Path) -> Path:
    """Write one ``<episode>.json`` per episode, ``episodes.jsonl`` and ``images``.

    ``episodes.jsonl`` has one row per episode with the trajectory as JSON text, because
    trajectories differ in their fields and tables need fixed columns.

    Returns:
        The folder.
    """
    names = set[str]()
    with OutFolder(out) as folder, folder.file(INDEX) as index:
        for episode in episodes:
            trajectory = _trajectory(episode, folder)
            index.write(index_line(episode, trajectory=json.dumps(trajectory, ensure_ascii=False)))
            text = json.dumps(trajectory, ensure_ascii=False, indent=1)
            name = file_name_of(episode.id)
            if name in names:
                raise StoreError(
                    f"{episode.folder}: expected one episode named {name}, found another"
                )
            names.add(name)
            with folder.file(f"{name}.json") as file:
                file.write((text + "\n").encode())
    return out


def _trajectory(episode: SourceEpisode, folder: OutFolder) -> dict[str, Any]:
    meta = episode.meta
    first = {
        "step_id": 1,
        "timestamp": meta.started_at,
        "source": "user",
        "message": [_text(meta.instruction), *_observation(episode, 0, folder)],
    }
    steps = [_step(episode, index, folder) for index in range(len(episode.steps))]
    return {
        "schema_version": "ATIF-v1.7",
        "session_id": episode.id,
        "trajectory_id": episode.id,
        "agent": {"name": meta.agent, "version": pptarena.__version__, **_model(episode)},
        "steps": [first, *steps],
        "final_metrics": {"total_steps": len(episode.steps) + 1, **_totals(episode)},
        "extra": {
            "task": meta.task,
            "seed": meta.seed,
            "score": meta.score,
            "machine": meta.machine,
            "application": meta.application,
            **({} if episode.on_document else {"screen": list(meta.screen)}),
            "versions": meta.versions,
        },
    }


def _model(episode: SourceEpisode) -> dict[str, Any]:
    if episode.model is None:
        return {}
    settings = {"dialect": episode.model.dialect, "see": episode.model.see}
    return {"model_name": episode.model.model, "extra": settings}


def _totals(episode: SourceEpisode) -> dict[str, Any]:
    if episode.model is None:
        return {}
    usage = episode.model.usage
    return {
        "total_prompt_tokens": usage.input_tokens,
        "total_completion_tokens": usage.output_tokens,
        "total_cost_usd": episode.model.cost_usd,
    }


def _reply_fields(episode: SourceEpisode, index: int) -> dict[str, Any]:
    """Return reasoning and tokens of a reply for its first step; nothing for its other steps."""
    message = episode.messages.get(index)
    if message is None:
        return {}
    tokens = {"prompt_tokens": message.input_tokens, "completion_tokens": message.output_tokens}
    thought = {"reasoning_content": message.reasoning} if message.reasoning else {}
    return {**thought, "metrics": tokens}


def _step(episode: SourceEpisode, index: int, folder: OutFolder) -> dict[str, Any]:
    step = episode.steps[index]
    id, call = f"call-{index}", _call(episode, index)
    contents = _observation(episode, index + 1, folder)
    if step.action_error and not episode.on_document:
        contents.insert(0, _text(step.action_error))
    # A reply without a valid call has a result that belongs to no call.
    source = {"source_call_id": id} if call else {}
    return {
        "step_id": index + 2,
        "timestamp": step.action_timestamp,
        "source": "agent",
        "message": operation_text(step) if call else episode.refused(index),
        **_reply_fields(episode, index),
        **({"tool_calls": [{"tool_call_id": id, **call}]} if call else {}),
        "observation": {"results": [{**source, "content": contents}]},
        "extra": {"reward": step.reward, "score": step.score},
    }


def _call(episode: SourceEpisode, index: int) -> dict[str, Any] | None:
    """Return name and arguments of an action; None for a reply without a valid call."""
    step = episode.steps[index]
    if episode.on_document:
        call = episode.tool_call(index)
        return call and {"function_name": call["name"], "arguments": call["arguments"]}
    action = step.action.to_json()
    return {
        "function_name": action.pop("kind"),
        "arguments": {**action, "point_px": step.aim.point, "end_px": step.aim.end},
    }


def _observation(episode: SourceEpisode, index: int, folder: OutFolder) -> list[dict[str, Any]]:
    """Return the observation before a step; after the last one for the number of steps."""
    if not episode.on_document:
        return [_image(folder.add_picture(episode.screenshot(index)))]
    text = episode.result(index - 1) if index else episode.outline
    return [_text(text)] if text else []


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _image(path: str) -> dict[str, Any]:
    return {"type": "image", "source": {"media_type": "image/png", "path": path}}


def _loading_code(path: str) -> str:
    return (
        "import json\nfrom pathlib import Path\n\n"
        '[json.loads(file.read_text()) for file in Path().glob("*.json")]\n\n'
        "import datasets  # one row per episode, with the same JSON as a text\n\n"
        'episodes = datasets.load_dataset(".")["train"]\n'
        'json.loads(episodes[0]["trajectory"])'
    )


FORMAT = ExportFormat("atif", export_atif, INDEX, _loading_code)
