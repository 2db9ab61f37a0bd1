"""Macro solutions of tasks in the real application."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from tests.rollouts.playing import play_into

from pptarena.agents.macro_agent import MacroAgent
from pptarena.decks import Chart, Deck, Shape, read_deck
from pptarena.decks.selectors import find_shape
from pptarena.rollouts.env import make_env
from pptarena.rollouts.replay import replay_episode
from pptarena.tasks import Task, get_task, list_tasks
from pptarena.tasks.macros import load_macros

pytestmark = pytest.mark.image
Env = gym.Env[Any, Any]
# The last task has several turns, and low table rows that the toolbar for tables moves.
TASKS = (*list_tasks("starter"), get_task("ledger-corrections"))
REPLAYED = "resistance-cell-picture"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Env]:
    env = make_env("sandbox")
    yield env
    env.close()


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_macro_solution_scores_1(sandbox: Env, task: Task, tmp_path: Path) -> None:
    episode = play_into(tmp_path / "episode", sandbox, MacroAgent(), task)
    meta = episode.meta
    assert (meta.infra_error, meta.agent_error) == (None, None)
    assert meta.score == 1.0, (episode.folder / "rubric.json").read_text()
    assert meta.steps <= task.max_steps
    if task.id == REPLAYED:
        assert replay_episode(sandbox, episode.folder).same_score


def play_macros(
    sandbox: Env, task: Task, macros: list[dict[str, Any]], home: Path
) -> tuple[Deck, Deck]:
    """Return the deck of a task before and after macros."""
    task = replace(task, macros=load_macros(macros), max_steps=300)
    episode = play_into(home / "episode", sandbox, MacroAgent(lambda id: task), task)
    assert (episode.meta.infra_error, episode.meta.agent_error) == (None, None)
    before, after = (read_deck(episode.folder / name) for name in ("original.pptx", "final.pptx"))
    return before, after


def shape_of(deck: Deck, slide: int, selector: str) -> Shape:
    shape = find_shape(deck.slides[slide - 1], selector)
    assert shape is not None, selector
    return shape


def chart_of(deck: Deck, slide: int, selector: str) -> Chart:
    chart = shape_of(deck, slide, selector).chart
    assert chart is not None, selector
    return chart


def test_chart_macros_edit_charts(sandbox: Env, tmp_path: Path) -> None:
    net, costs, past = (
        {"slide": slide, "shape": shape}
        for slide, shape in ((7, "Net income"), (8, "Costs"), (15, "Past due by age"))
    )
    macros: list[dict[str, Any]] = [
        {"macro": "chart_titles", **net, "title": "Net", "y_axis": "Francs"},
        {"macro": "chart_value", **net, "series": "Net income", "row": 2, "value": 6.5},
        {"macro": "chart_labels", **costs},
        {"macro": "chart_legend", **costs, "side": "right"},
        {"macro": "remove_series", **costs, "series": "Q3 2025"},
        {"macro": "chart_legend", **past, "side": "none"},
        {"macro": "chart_type", **past, "type": "bar"},
        {"macro": "series_color", **past, "series": "Q2 2026", "color": "C00000"},
    ]
    _, after = play_macros(sandbox, get_task("ledger-tile"), macros, tmp_path)
    chart = chart_of(after, 7, "Net income")
    assert chart.title == "Net"
    assert [axis.title for axis in chart.axes if axis.kind == "value"] == ["Francs"]
    assert chart.series[0].values[1] == 6.5
    chart = chart_of(after, 8, "Costs")
    assert chart.legend[:1] == "r"
    assert [series.name for series in chart.series] == ["Q3 2026"]
    assert chart.data_labels
    chart = chart_of(after, 15, "Past due by age")
    assert (chart.type, chart.legend) == ("bar", "")
    assert chart.series[0].color == "#C00000"


def test_macros_edit_shapes_layouts_and_themes(sandbox: Env, tmp_path: Path) -> None:
    place = {"left_cm": 2.0, "top_cm": 2.0, "width_cm": 5.0, "height_cm": 2.0}
    tile = {"slide": 4, "shape": "Tile 2"}
    macros: list[dict[str, Any]] = [
        {"macro": "insert_shape", "slide": 5, "kind": "diamond", "text": "Goal", **place},
        {"macro": "insert_shape", "slide": 9, "kind": "text_box", "text": "Draft", **place},
        {"macro": "outline", **tile, "color": "C00000", "width_pt": 4},
        {"macro": "outline", "slide": 19, "shape": "Step 1 to Step 2", "start": "triangle"},
        {"macro": "animation", **tile, "effect": "Fade In", "start": "after_previous"},
        {"macro": "background", "slide": 2, "color": "FFD500"},
        {"macro": "change_layout", "slide": 3, "layout": "Two Content"},
        {"macro": "insert_layout_slide", "after": 20, "layout": "Title Only"},
        {"macro": "stamp_layout", "layout": "Section Header", "text": "Internal"},
        {"macro": "theme_color", "slot": "accent3", "color": "7030A0"},
    ]
    before, after = play_macros(sandbox, get_task("ledger-tile"), macros, tmp_path)
    new = [shape for shape in after.slides[4].shapes if shape.text == "Goal"]
    assert [shape.geometry for shape in new] == ["diamond"]
    (box,) = (shape for shape in after.slides[8].shapes if shape.text == "Draft")
    assert box.kind == "text_box"
    assert box.box.left / 360_000 == pytest.approx(2.0, abs=0.2)
    line = shape_of(after, 4, "Tile 2").line
    assert line.paint.color == "#C00000"
    assert line.width_pt == pytest.approx(4, abs=0.05)
    assert shape_of(after, 19, "Step 1 to Step 2").line.ends[0] == "triangle"
    (effect,) = (
        each for each in after.slides[3].animations if each not in before.slides[3].animations
    )
    assert (effect.effect, effect.trigger) == ("fade", "after_previous")
    assert after.slides[1].background.color == "#FFD500"
    assert after.slides[2].layout == "Two Content"
    assert len(after.slides) == len(before.slides) + 1
    assert after.slides[20].layout == "Title Only"
    stamped = [
        shape.text
        for master in after.masters
        for layout in master.layouts
        if layout.name == "Section Header"
        for shape in layout.shapes
    ]
    assert "Internal" in stamped
    assert after.masters[0].colors["accent3"] == "#7030A0"


def test_macros_that_no_task_of_the_bench_uses(sandbox: Env, tmp_path: Path) -> None:
    cell = {"slide": 5, "shape": "Cell"}
    body = {"slide": 5, "shape": "@body"}
    macros: list[dict[str, Any]] = [
        {"macro": "rotate", **cell, "degrees": 30},
        {"macro": "position", **cell, "left_cm": 15.0, "top_cm": 4.5},
        {"macro": "paragraph_align", **body, "align": "right", "paragraph": 3},
        {"macro": "link", **body, "words": "Ribosomes", "url": "https://example.org/"},
        {"macro": "fill_color", "slide": 5, "shape": "@title", "color": "FFCC00"},
        {"macro": "insert_slide", "after": 5},
        {"macro": "move_slide", "slide": 7, "to": 8},
    ]
    before, after = play_macros(sandbox, get_task(REPLAYED), macros, tmp_path)
    slide = after.slides[4]
    picture, text, title = (find_shape(slide, selector) for selector in ("Cell", "@body", "@title"))
    assert picture is not None
    assert text is not None
    assert title is not None
    assert picture.box.rotation_deg == pytest.approx(30, abs=0.1)
    assert title.fill.color == "#FFCC00"
    assert [line.align for line in text.paragraphs] == ["left", "left", "right", "left"]
    assert "https://example.org/" in repr(text.paragraphs[1])
    titles = [each.title for each in after.slides]
    old = [each.title for each in before.slides]
    assert titles == [*old[:5], "", old[6], old[5], *old[7:]]
