"""How much of the sixty tasks programs judge, and that they judge it right."""

from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pptarena.cli.app import app
from pptarena.tasks import Task, list_tasks
from pptarena.tasks.goals import has_goal
from pptarena.tasks.quality.judged_by import judged_by
from pptarena.tasks.quality.proofs import prove_leaves

SUITE = Path(__file__).parents[3] / "src/pptarena/benchmarks/sixty" / "tasks.jsonl"
SIXTY = list_tasks(SUITE)


def test_programs_judge_most_of_sixty_tasks() -> None:
    found = [judged_by(task) for task in SIXTY]
    counts = Counter(each.by for each in found)
    assert len(found) == 60
    assert counts["F"] >= 45
    assert counts["N"] <= 3
    assert [each.task for each in found if not each.ok] == []
    assert sum(each.goal == 1 for each in found) >= 20


@pytest.mark.parametrize("task", [t for t in SIXTY if has_goal(t)], ids=lambda task: task.id)
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
