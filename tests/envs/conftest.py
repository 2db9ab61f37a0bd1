"""A small deck, tasks on it, and a private folder for baselines."""

import zipfile
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from pptarena.envs import ppt_arena
from pptarena.envs.baseline import BaselineStore
from pptarena.rewards import load_rubric
from pptarena.tasks import Task


def build_deck(titles: tuple[str, ...]) -> bytes:
    presentation = Presentation()
    for number, title in enumerate(titles, start=1):
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = f"Point {number}\nSecond point"
    stream, repeatable = BytesIO(), BytesIO()
    presentation.save(stream)
    # Without timestamps, all test runs on a computer share one snapshot.
    with zipfile.ZipFile(stream) as saved, zipfile.ZipFile(repeatable, "w") as packed:
        for name in saved.namelist():
            packed.writestr(zipfile.ZipInfo(name), saved.read(name))
    return repeatable.getvalue()


@pytest.fixture(scope="session")
def deck() -> bytes:
    """Three slides with the titles Harvest, Orchard and Cellar."""
    return build_deck(("Harvest", "Orchard", "Cellar"))


@pytest.fixture(scope="session")
def other_deck() -> bytes:
    """Two slides with the titles Lantern and Compass."""
    return build_deck(("Lantern", "Compass"))


@pytest.fixture(autouse=True)
def baselines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BaselineStore:
    """Keep baselines out of the user's cache."""
    store = BaselineStore(tmp_path / "baselines")
    monkeypatch.setattr(ppt_arena, "_BASELINES", store)
    return store


@dataclass(frozen=True)
class InlineTask(Task):
    """A task that contains its deck."""

    data: bytes = b""

    def deck_bytes(self) -> bytes:
        return self.data


def build_task(data: bytes, name: str, check: dict[str, Any], *, feasible: bool = True) -> Task:
    root = {"name": "goal", "critical": True, "children": [{"critical": True, **check}]}
    return InlineTask(
        id=name,
        suite="test",
        difficulty="easy",
        level="L1",
        edit_types=("text",),
        deck="garden",
        instruction=f"Please do {name}.",
        max_steps=6,
        feasible=feasible,
        rubric=load_rubric({"version": 1, "strategy": "weighted", "root": root}),
        scope=None,
        demonstration=(),
        data=data,
    )


BOLD = {
    "name": "title is bold",
    "check": "run_format",
    "args": {"slide": 1, "shape": "@title", "bold": True},
}
WORDING = {
    "name": "the title sounds friendly",
    "check": "judge",
    "args": {"slide": 1, "question": "Does the title sound friendly?"},
}
RETITLE = {"name": "title is Summer", "check": "title_is", "args": {"slide": 1, "text": "Summer"}}


@pytest.fixture(scope="session")
def bold_task(deck: bytes) -> Task:
    """Make the title of the first slide bold."""
    return build_task(deck, "make-title-bold", BOLD)


@pytest.fixture(scope="session")
def retitle_task(deck: bytes) -> Task:
    """Make the title of the first slide read Summer."""
    return build_task(deck, "retitle", RETITLE)


@pytest.fixture(scope="session")
def infeasible_task(deck: bytes) -> Task:
    """A task that is infeasible."""
    return build_task(deck, "square-the-circle", BOLD, feasible=False)


@pytest.fixture(scope="session")
def broken_task(deck: bytes) -> Task:
    """A task whose deck is damaged."""
    return build_task(deck[:500], "broken", BOLD)


@pytest.fixture(scope="session")
def judged_task(deck: bytes) -> Task:
    """A bold title, and wording that only a model can judge."""
    bold = {"critical": True, **BOLD}
    root = {"name": "goal", "children": [bold, {"critical": True, **WORDING}]}
    task = build_task(deck, "bold-and-friendly", BOLD)
    return replace(task, rubric=load_rubric({"version": 1, "root": root}))
