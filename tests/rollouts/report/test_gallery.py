"""The page of tasks, built with drawn rectangles for slides."""

import io
import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from zlib import crc32

import pytest
from PIL import Image

from pptarena.agents.registry import make_agent
from pptarena.decks import read_deck
from pptarena.errors import StoreError
from pptarena.rollouts.collect import collect
from pptarena.rollouts.env import make_env
from pptarena.rollouts.report.gallery import build_gallery, film_of, solved_episodes
from pptarena.rollouts.run import plan_jobs
from pptarena.rollouts.store import find_episodes
from pptarena.tasks import get_task

pytestmark = pytest.mark.slow


def png(shade: int) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (64, 36), (shade, shade, shade)).save(stream, "PNG")
    return stream.getvalue()


def drawn(deck: bytes) -> list[bytes]:
    """Return a grey rectangle for every slide, by what can be read on it."""
    return [png(crc32(repr(slide).encode()) % 256) for slide in read_deck(deck).slides]


def test_a_goal_is_shown_beside_the_start() -> None:
    told: list[str] = []
    task = get_task("clinic-drop-2024")
    made = build_gallery([task], "Some <tasks>", drawn, on_task=told.append)
    assert told == ["clinic-drop-2024"]
    assert not made.without_slides
    assert made.films == 0
    assert made.html.count("<figure>") == 2
    assert "start, slide 7" in made.html
    assert "goal, slide 7" in made.html
    assert "Some &lt;tasks&gt;" in made.html
    assert "table_lacks_column" in made.html
    assert "critical" in made.html
    assert "<script" not in made.html
    assert not re.search(r'(src|href)="(?!data:|#)', made.html)


def test_every_turn_is_shown() -> None:
    made = build_gallery([get_task("ledger-corrections")], "Turns", drawn)
    assert [f"Turn {number} of 3" in made.html for number in (1, 2, 3)] == [True] * 3
    assert not made.without_slides
    assert "start, slide 4" in made.html
    assert "start, slide 10" in made.html


def test_what_cannot_be_shown_says_why() -> None:
    infeasible = get_task("clinic-film")
    unknown = replace(get_task("clinic-drop-2024"), id="own", solution=())
    made = build_gallery([infeasible, unknown], "Two", drawn)
    assert "No slides: the deck stays as it is." in made.html
    assert dict(made.without_slides) == {"own": "its goal is not known as a deck"}


def test_words_of_a_task_are_escaped() -> None:
    task = replace(get_task("clinic-film"), instruction="<img src=x onerror=alert(1)>")
    made = build_gallery([task], "One", None)
    assert "<img src=x" not in made.html
    assert "&lt;img src=x" in made.html


def test_the_shortest_solved_episode_becomes_a_film(tmp_path: Path) -> None:
    task = get_task("resistance-cell-picture")
    jobs = plan_jobs(["demonstration"], [task], episodes=3)
    assert len(list(collect(jobs, partial(make_env, "fake"), make_agent, tmp_path))) == 3
    assert solved_episodes(tmp_path) == {}
    folders = sorted(find_episodes(tmp_path))
    # The fake machine cannot do the task: two of the episodes are made solved ones.
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
    made = build_gallery([task], "Film", drawn, solved_episodes(tmp_path))
    assert made.films == 1
    assert "<summary>Film</summary>" in made.html


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="expected a folder of episodes"):
        solved_episodes(tmp_path / "none")
