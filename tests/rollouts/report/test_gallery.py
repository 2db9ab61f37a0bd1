"""The page of tasks."""

import io
import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PIL import Image
from tests.rollouts.report.drawings import gray_slides

from pptarena.agents.registry import make_agent
from pptarena.errors import StoreError
from pptarena.rollouts.collect import collect
from pptarena.rollouts.env import make_env
from pptarena.rollouts.report.gallery import build_gallery, film_of, solved_episodes
from pptarena.rollouts.run import plan_jobs
from pptarena.rollouts.store import find_episodes
from pptarena.tasks import get_task

pytestmark = pytest.mark.slow


def test_target_is_shown_next_to_the_start() -> None:
    reported: list[str] = []
    task = get_task("clinic-drop-2024")
    gallery = build_gallery([task], "Some <tasks>", gray_slides, on_task=reported.append)
    assert reported == ["clinic-drop-2024"]
    assert not gallery.without_slides
    assert gallery.films == 0
    assert gallery.html.count("<figure>") == 2
    assert "start, slide 7" in gallery.html
    assert "target, slide 7" in gallery.html
    assert "Some &lt;tasks&gt;" in gallery.html
    assert "table_lacks_column" in gallery.html
    assert "critical" in gallery.html
    assert "<script" not in gallery.html
    assert not re.search(r'(src|href)="(?!data:|#)', gallery.html)


def test_every_turn_has_a_section() -> None:
    gallery = build_gallery([get_task("ledger-corrections")], "Turns", gray_slides)
    assert [f"Turn {number} of 3" in gallery.html for number in (1, 2, 3)] == [True] * 3
    assert not gallery.without_slides
    assert "start, slide 4" in gallery.html
    assert "start, slide 10" in gallery.html


def test_task_without_slides_has_a_reason() -> None:
    infeasible = get_task("clinic-film")
    unknown = replace(get_task("clinic-drop-2024"), id="own", solution=())
    gallery = build_gallery([infeasible, unknown], "Two", gray_slides)
    assert "No slides: the deck does not change." in gallery.html
    assert dict(gallery.without_slides) == {"own": "the task has no target deck"}


def test_text_of_a_task_is_escaped() -> None:
    task = replace(get_task("clinic-film"), instruction="<img src=x onerror=alert(1)>")
    gallery = build_gallery([task], "One", None)
    assert "<img src=x" not in gallery.html
    assert "&lt;img src=x" in gallery.html


def test_shortest_solved_episode_becomes_a_film(tmp_path: Path) -> None:
    task = get_task("resistance-cell-picture")
    jobs = plan_jobs(["demonstration"], [task], episodes=3)
    assert len(list(collect(jobs, partial(make_env, "fake"), make_agent, tmp_path))) == 3
    assert solved_episodes(tmp_path) == {}
    folders = sorted(find_episodes(tmp_path))
    # The fake machine cannot solve the task, so two episodes are marked as solved.
    for folder, steps in zip(folders, (5, 4, 3), strict=True):
        meta = json.loads((folder / "meta.json").read_text())
        meta |= {"steps": steps, "score": 0.5 if steps == 3 else 1.0}
        (folder / "meta.json").write_text(json.dumps(meta))
    assert solved_episodes(tmp_path) == {task.id: folders[1]}
    film = film_of(folders[1])
    assert film is not None
    with Image.open(io.BytesIO(film)) as image:
        assert getattr(image, "n_frames", 1) >= 2
        assert image.width == 640
    gallery = build_gallery([task], "Film", gray_slides, solved_episodes(tmp_path))
    assert gallery.films == 1
    assert "<summary>Film</summary>" in gallery.html


def test_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="expected a folder of episodes"):
        solved_episodes(tmp_path / "none")
