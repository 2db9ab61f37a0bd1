import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.rollouts.playing import episode_meta

from pptarena.envs import actions
from pptarena.errors import StoreError
from pptarena.rollouts.aim import Aim
from pptarena.rollouts.episode import StepRecord
from pptarena.rollouts.store import (
    EpisodeWriter,
    episode_path,
    find_episodes,
    read_meta,
    read_rubrics,
    read_steps,
)

META = episode_meta(
    edit_types=("text", "format"), instruction="Do 漢字 🎉", seed=3, score=0.5, total_reward=0.5,
    started_at="2026-01-01T00:00:00.000+00:00", application="fake-1", screen=(64, 36),
)  # fmt: skip
STEP = StepRecord(
    step=0, action=actions.drag(element=2, end_xy=(0.25, 0.1)),
    aim=Aim((3, 4), (16, 3), {"role": "shape", "name": "ß", "box": [1, 2, 3, 4]}),
    action_timestamp="2026-01-01T00:00:01.000+00:00", reward=0.5, score=0.5, terminated=True,
    truncated=False, action_error=None, observation_id=1, screenshot_file="step_000.png",
    a11y_file="step_000.json", slide=2, timing={"total": 0.1},
)  # fmt: skip


def screenshot(seed: int = 0) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.random.default_rng(seed).integers(0, 256, (36, 64, 3), dtype=np.uint8)


def write(folder: Path, screenshots: int = 1) -> Path:
    with EpisodeWriter(folder) as writer:
        for number in range(screenshots):
            writer.observe(f"step_{number:03d}", screenshot(number), {"nodes": []})
        writer.add(STEP)
        return writer.finish(META, {"name": "root", "score": 0.5}, {"final.pptx": b"deck"})


def test_written_episode_is_read_back(tmp_path: Path) -> None:
    folder = write(tmp_path / "a")
    assert read_meta(folder) == META
    assert read_steps(folder) == (STEP,)
    assert (folder / "final.pptx").read_bytes() == b"deck"
    assert json.loads((folder / "rubric.json").read_text()) == {"name": "root", "score": 0.5}
    assert json.loads((folder / "step_000.json").read_text()) == {"nodes": []}
    assert list(find_episodes(tmp_path)) == [folder]


def test_screenshots_are_stored_without_loss(tmp_path: Path) -> None:
    folder = write(tmp_path / "a", screenshots=40)
    for number in range(40):
        image = np.asarray(Image.open(folder / f"step_{number:03d}.png"))
        assert np.array_equal(image, screenshot(number))


def test_unusual_line_separators_are_read_back(tmp_path: Path) -> None:
    text = "a\u2028b\u2029c\u0085d\re\nf\x1c"
    step = replace(STEP, action=actions.type_text(text))
    with EpisodeWriter(tmp_path / "a") as writer:
        writer.add(step, {"name": text, "score": 0.5})
        folder = writer.finish(META, None, {})
    assert read_steps(folder) == (step,)
    assert read_rubrics(folder) == ((0, {"name": text, "score": 0.5}),)


def test_rubrics_are_stored_when_they_change(tmp_path: Path) -> None:
    with EpisodeWriter(tmp_path / "a") as writer:
        for number, score in enumerate((0.0, 0.0, 0.5, 0.5, 0.0)):
            writer.add(replace(STEP, step=number), {"name": "root", "score": score})
        folder = writer.finish(META, None, {})
    stored = [(step, rubric["score"]) for step, rubric in read_rubrics(folder)]
    assert stored == [(0, 0.0), (2, 0.5), (4, 0.0)]
    (folder / "rubrics.jsonl").write_text("{}\n")
    with pytest.raises(StoreError, match="missing: step"):
        read_rubrics(folder)
    (folder / "rubrics.jsonl").unlink()
    assert read_rubrics(folder) == ()


def test_unfinished_episode_leaves_no_files(tmp_path: Path) -> None:
    with EpisodeWriter(tmp_path / "a") as writer:
        writer.observe("step_000", screenshot(), {})
        writer.add(STEP)
    assert list(tmp_path.iterdir()) == []


def test_partial_episode_of_a_crash_is_ignored_and_replaced(tmp_path: Path) -> None:
    crashed = EpisodeWriter(tmp_path / "a")  # never closed
    crashed.observe("step_000", screenshot(), {})
    (tmp_path / ".partial-a" / "meta.json").write_text("{}")
    assert list(find_episodes(tmp_path)) == []
    assert list(find_episodes(write(tmp_path / "a"))) == [tmp_path / "a"]
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_existing_episode_is_never_overwritten(tmp_path: Path) -> None:
    write(tmp_path / "a")
    with pytest.raises(StoreError, match="the episode exists"):
        EpisodeWriter(tmp_path / "a")


def test_unwritable_screenshot_is_an_error(tmp_path: Path) -> None:
    with EpisodeWriter(tmp_path / "a") as writer:
        (tmp_path / ".partial-a" / "step_000.png").mkdir()
        writer.observe("step_000", screenshot(), {})
        with pytest.raises(StoreError, match="cannot be written"):
            writer.finish(META, None, {})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 99}, "expected format 1, got 99"),
        ({"score": ...}, "missing: score"),
        ({"score": 10**400}, "expected whole numbers of at most 64 bits"),
        ({"run_sec": 2**63}, "expected whole numbers of at most 64 bits"),
        ({"task": "a\0b"}, "task: expected a text without control characters"),
    ],
)
def test_invalid_meta_is_rejected(tmp_path: Path, change: dict[str, object], message: str) -> None:
    folder = write(tmp_path / "a")
    data = META.to_json() | change
    data = {key: value for key, value in data.items() if value is not ...}
    (folder / "meta.json").write_text(json.dumps(data))
    with pytest.raises(StoreError, match=message):
        read_meta(folder)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"format": 1}'])
def test_unreadable_meta_is_rejected(tmp_path: Path, text: str) -> None:
    (tmp_path / "meta.json").write_text(text)
    with pytest.raises(StoreError, match="meta"):
        read_meta(tmp_path)


@pytest.mark.parametrize("line", ["{", "{}", "[]", '{"step": 0}'])
def test_unreadable_step_is_rejected(tmp_path: Path, line: str) -> None:
    folder = write(tmp_path / "a")
    (folder / "traj.jsonl").write_text(line + "\n")
    with pytest.raises(StoreError, match=r"traj\.jsonl"):
        read_steps(folder)


def test_step_survives_json() -> None:
    step = replace(STEP, aim=Aim(), score=None, slide=None, action_error="refused")
    assert StepRecord.from_json(json.loads(json.dumps(step.to_json()))) == step


def test_episode_path_has_safe_names() -> None:
    path = episode_path(Path("runs"), "my.agents:Best One", "../task", 7, failed_attempt=2)
    assert path == Path("runs/my.agents_Best_One/_task/seed-7.failed-2")
