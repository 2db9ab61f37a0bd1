"""A deck of two slides with text, a table and a chart, and a task on it."""

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Cm
from tests.envs.document.plain_task import plain_task

from pptarena.envs.baseline import BaselineStore
from pptarena.envs.document import PPTArenaDocEnv, doc_env
from pptarena.tasks import Task


@pytest.fixture(scope="session")
def deck() -> bytes:
    presentation: Any = Presentation()
    first = presentation.slides.add_slide(presentation.slide_layouts[1])
    first.shapes.title.text = "Tents"
    first.placeholders[1].text_frame.text = "One tent\nTwo tents"
    position = [Cm(each) for each in (1, 2, 8, 4)]
    second = presentation.slides.add_slide(presentation.slide_layouts[5])
    second.shapes.add_table(2, 2, *position)
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = ["May", "June"]
    data.add_series("Sold", (1, 2))
    second.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *position, data)
    stream = BytesIO()
    presentation.save(stream)
    return stream.getvalue()


@pytest.fixture(autouse=True)
def doc_baselines(baselines: BaselineStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep baselines out of the user's cache."""
    monkeypatch.setattr(doc_env, "_BASELINES", baselines)


@pytest.fixture
def task(deck: bytes) -> Task:
    return plain_task("small", deck)


@pytest.fixture
def env(task: Task) -> Iterator[PPTArenaDocEnv]:
    env = PPTArenaDocEnv(task=task, judge=None)
    env.reset(seed=0)
    yield env
    env.close()


@pytest.fixture
def make_env() -> Iterator[Callable[[bytes], PPTArenaDocEnv]]:
    """Return a function that makes environments of decks."""
    envs: list[PPTArenaDocEnv] = []

    def make(deck: bytes) -> PPTArenaDocEnv:
        envs.append(PPTArenaDocEnv(task=plain_task("given", deck), judge=None))
        envs[-1].reset(seed=0)
        return envs[-1]

    yield make
    for env in envs:
        env.close()
