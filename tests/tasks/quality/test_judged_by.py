"""How much of the sixty tasks programs judge, and that they judge it right."""

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
from pptarena.tasks.goals.editing import edited
from pptarena.tasks.quality.judged_by import judged_by
from pptarena.tasks.quality.proofs import prove_leaves

pytestmark = pytest.mark.slow

SUITE = Path(__file__).parents[3] / "src/pptarena/benchmarks/sixty" / "tasks.jsonl"
SIXTY = list_tasks(SUITE)


def _highlight(deck: Any) -> None:
    style = shape_named(deck, 2, "Caption").text_frame.paragraphs[0].runs[0]._r.get_or_add_rPr()
    behind = style.makeelement(qn("a:highlight"), {})
    behind.append(behind.makeelement(qn("a:srgbClr"), {"val": "0000FF"}))
    style.append(behind)


def _chart_from_table(deck: Any) -> None:
    kind: Any = CategoryChartData
    data = kind()
    data.categories = ["Rome", "Oslo"]
    data.add_series("Cost", (12, 9))
    places = (Inches(each) for each in (1, 4, 5, 3))
    slide_at(deck, 3).shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *places, data)


# Solutions that no edits express.
PROGRAMS = {"sixty-highlight": _highlight, "sixty-chart-from-table": _chart_from_table}
SOLVED = [
    replace(task, gold=edited(task.deck_bytes(), PROGRAMS[task.id]))
    if task.id in PROGRAMS
    else task
    for task in SIXTY
]


def test_programs_judge_most_of_sixty_tasks() -> None:
    found = [judged_by(task) for task in SOLVED]
    counts = Counter(each.by for each in found)
    assert len(found) == 60
    assert counts["F"] >= 45
    assert counts["N"] <= 3
    assert [each.task for each in found if not each.ok] == []
    assert sum(each.goal == 1 for each in found) >= 20


@pytest.mark.parametrize("task", [t for t in SOLVED if has_goal(t)], ids=lambda task: task.id)
def test_every_leaf_can_be_earned_and_is_not_earned_by_doing_nothing(task: Task) -> None:
    leaves = prove_leaves(task)
    assert leaves
    assert [(leaf.name, leaf.verdict, leaf.reason) for leaf in leaves if not leaf.ok] == []


def test_the_command_prints_what_is_judged() -> None:
    done = CliRunner().invoke(app, ["tasks", "list", "--suite", str(SUITE), "--judged"])
    assert done.exit_code == 0, done.output
    assert "47 F, 10 P, 3 N" in done.output
    assert "F  0.00  1.00  sixty-progress-bar" in done.output
    assert "F  0.00  1.00  sixty-embed-pictures" in done.output
