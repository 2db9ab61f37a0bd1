import json
from collections import Counter, defaultdict

import pytest

from pptarena.edits import EDITS, check_solution
from pptarena.errors import ConfigError
from pptarena.tasks import list_tasks
from pptarena.tasks.task import EDIT_TYPES
from tools.meta_eval import (
    ATTEMPTS_FOLDERS,
    VOCABULARY,
    Grade,
    built_in_attempts,
    grade_of_score,
)

pytestmark = pytest.mark.slow

ATTEMPTS = tuple(each for suite in ATTEMPTS_FOLDERS for each in built_in_attempts(suite))


def _grades(suite: str) -> dict[str, Counter[Grade]]:
    grades: dict[str, Counter[Grade]] = defaultdict(Counter)
    for attempt in built_in_attempts(suite):
        grades[attempt.task][attempt.grade] += 1
    return grades


def test_every_task_of_starter_has_attempts_of_every_grade() -> None:
    grades = _grades("starter")
    assert set(grades) == {task.id for task in list_tasks("starter")}
    for counts in grades.values():
        assert sum(counts.values()) >= 9
        assert all(counts[grade] >= 2 for grade in Grade)
        assert counts[Grade.PERFECT] >= 3


@pytest.mark.parametrize("suite", ["office", "office-second"])
def test_each_set_has_eight_attempts_at_thirty_tasks_of_office(suite: str) -> None:
    grades = _grades(suite)
    tasks = {task.id: task for task in list_tasks("all#office")}
    assert len(grades) >= 30
    for counts in grades.values():
        assert sum(counts.values()) >= 8
        assert all(counts[grade] >= 2 for grade in Grade)
    assert {id.split("-")[0] for id in grades} == {id.split("-")[0] for id in tasks}


def test_the_first_set_is_of_all_edit_types_and_difficulties() -> None:
    chosen = [task for task in list_tasks("all#office") if task.id in _grades("office")]
    assert {each for task in chosen for each in task.edit_types} == set(EDIT_TYPES)
    assert min(Counter(task.difficulty for task in chosen).values()) >= 10


def test_the_sets_have_no_task_in_common() -> None:
    assert not _grades("office").keys() & _grades("office-second").keys()


def test_the_attempts_at_bench_are_those_of_all_sets_at_its_tasks() -> None:
    tasks = {task.id for task in list_tasks("bench")}
    attempts = [each for name in ATTEMPTS_FOLDERS for each in built_in_attempts(name)]
    found = built_in_attempts("bench")
    assert [(each.task, each.id) for each in found] == [
        (each.task, each.id) for each in attempts if each.task in tasks
    ]
    assert 500 < len(found) < len(attempts)


def test_a_suite_without_attempts_is_refused() -> None:
    with pytest.raises(
        ConfigError,
        match=r"suite 'others' not found\. Available: bench, starter, office, office-second",
    ):
        built_in_attempts("others")


def test_ids_are_unique_and_every_grade_has_a_sentence() -> None:
    assert len({(attempt.task, attempt.id) for attempt in ATTEMPTS}) == len(ATTEMPTS)
    assert all(attempt.why.endswith(".") for attempt in ATTEMPTS)


def test_every_edit_that_only_submissions_have_is_used() -> None:
    names = {
        edit["edit"]
        for folder in ATTEMPTS_FOLDERS.values()
        for path in folder.glob("*.json")
        for entry in json.loads(path.read_text("utf-8"))
        for edit in check_solution(entry["edits"], f"{path.stem}/{entry['id']}", VOCABULARY)
    }
    assert VOCABULARY.keys() - EDITS.keys() <= names


@pytest.mark.parametrize(
    ("score", "grade"),
    [
        (0.0, Grade.NONE),
        (1e-9, Grade.SOME),
        (0.499, Grade.SOME),
        (0.5, Grade.SIGNIFICANT),
        (0.999, Grade.SIGNIFICANT),
        (1.0, Grade.PERFECT),
    ],
)
def test_bins_are_those_of_the_paper(score: float, grade: Grade) -> None:
    assert grade_of_score(score) is grade
