"""Scoring methods of the sixty tasks: most are scored by programs, all of them correctly."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml.ns import qn
from pptx.util import Inches
from tests.slide_edits import shape_named, slide_at
from typer.testing import CliRunner

from pptarena.cli.app import app
from pptarena.tasks import Task, list_tasks
from pptarena.tasks.goals import has_goal
from pptarena.tasks.goals.editing import edit_deck
from pptarena.tasks.quality.proofs import prove_leaves
from pptarena.tasks.quality.scoring_method import scoring_method

pytestmark = pytest.mark.slow

SUITE = Path(__file__).parents[3] / "src/pptarena/benchmarks/sixty" / "tasks.jsonl"
SIXTY = list_tasks(SUITE)


def _highlight(deck: Any) -> None:
    style = shape_named(deck, 2, "Caption").text_frame.paragraphs[0].runs[0]._r.get_or_add_rPr()
    highlight = style.makeelement(qn("a:highlight"), {})
    highlight.append(highlight.makeelement(qn("a:srgbClr"), {"val": "0000FF"}))
    style.append(highlight)


def _chart_from_table(deck: Any) -> None:
    kind: Any = CategoryChartData
    data = kind()
    data.categories = ["Rome", "Oslo"]
    data.add_series("Cost", (12, 9))
    box = (Inches(each) for each in (1, 4, 5, 3))
    slide_at(deck, 3).shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *box, data)


# Solutions that edits cannot express.
PROGRAMS = {"sixty-highlight": _highlight, "sixty-chart-from-table": _chart_from_table}
SOLVED = [
    replace(task, gold=edit_deck(task.deck_bytes(), PROGRAMS[task.id]))
    if task.id in PROGRAMS
    else task
    for task in SIXTY
]


def test_most_tasks_are_scored_by_programs() -> None:
    methods = [scoring_method(task) for task in SOLVED]
    counts = Counter(method.by for method in methods)
    assert len(methods) == 60
    assert counts["F"] >= 45
    assert counts["N"] <= 3
    assert [method.task for method in methods if not method.ok] == []
    assert sum(method.goal == 1 for method in methods) >= 20


@pytest.mark.parametrize("task", [t for t in SOLVED if has_goal(t)], ids=lambda task: task.id)
def test_every_leaf_is_earned_by_the_goal_but_not_by_the_original(task: Task) -> None:
    leaves = prove_leaves(task)
    assert leaves
    assert [(leaf.name, leaf.verdict, leaf.reason) for leaf in leaves if not leaf.ok] == []


def test_command_prints_the_scoring_methods() -> None:
    result = CliRunner().invoke(app, ["tasks", "list", "--suite", str(SUITE), "--judged"])
    assert result.exit_code == 0, result.output
    assert "47 F, 10 P, 3 N" in result.output
    assert "F  0.00  1.00  sixty-progress-bar" in result.output
    assert "F  0.00  1.00  sixty-embed-pictures" in result.output
