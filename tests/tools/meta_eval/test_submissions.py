import json
from collections import Counter, defaultdict

import pytest

from pptarena.edits import EDITS, check_solution
from pptarena.errors import ConfigError
from pptarena.tasks import list_tasks
from pptarena.tasks.task import EDIT_TYPES
from tools.meta_eval import (
    SUBMISSION_FOLDERS,
    VOCABULARY,
    Grade,
    grade_of_score,
    stored_submissions,
)

pytestmark = pytest.mark.slow

SUBMISSIONS = tuple(each for suite in SUBMISSION_FOLDERS for each in stored_submissions(suite))


def _grades(suite: str) -> dict[str, Counter[Grade]]:
    grades: dict[str, Counter[Grade]] = defaultdict(Counter)
    for submission in stored_submissions(suite):
        grades[submission.task][submission.grade] += 1
    return grades


def test_starter_tasks_have_submissions_of_every_grade() -> None:
    grades = _grades("starter")
    assert set(grades) == {task.id for task in list_tasks("starter")}
    for counts in grades.values():
        assert sum(counts.values()) >= 9
        assert all(counts[grade] >= 2 for grade in Grade)
        assert counts[Grade.PERFECT] >= 3


@pytest.mark.parametrize("suite", ["office", "office-second"])
def test_office_sets_have_eight_submissions_at_thirty_tasks(suite: str) -> None:
    grades = _grades(suite)
    tasks = {task.id: task for task in list_tasks("all#office")}
    assert len(grades) >= 30
    for counts in grades.values():
        assert sum(counts.values()) >= 8
        assert all(counts[grade] >= 2 for grade in Grade)
    assert {id.split("-")[0] for id in grades} == {id.split("-")[0] for id in tasks}


def test_first_set_covers_all_edit_types_and_difficulties() -> None:
    chosen = [task for task in list_tasks("all#office") if task.id in _grades("office")]
    assert {each for task in chosen for each in task.edit_types} == set(EDIT_TYPES)
    assert min(Counter(task.difficulty for task in chosen).values()) >= 10


def test_sets_share_no_task() -> None:
    assert not _grades("office").keys() & _grades("office-second").keys()


def test_bench_submissions_come_from_all_sets() -> None:
    tasks = {task.id for task in list_tasks("bench")}
    submissions = [each for name in SUBMISSION_FOLDERS for each in stored_submissions(name)]
    bench = stored_submissions("bench")
    assert [(each.task, each.id) for each in bench] == [
        (each.task, each.id) for each in submissions if each.task in tasks
    ]
    assert 500 < len(bench) < len(submissions)


def test_suite_without_submissions_is_rejected() -> None:
    with pytest.raises(
        ConfigError,
        match=r"suite 'others' not found\. Available: bench, starter, office, office-second",
    ):
        stored_submissions("others")


def test_ids_are_unique_and_every_grade_has_a_sentence() -> None:
    assert len({(submission.task, submission.id) for submission in SUBMISSIONS}) == len(SUBMISSIONS)
    assert all(submission.why.endswith(".") for submission in SUBMISSIONS)


def test_every_submission_edit_is_used() -> None:
    names = {
        edit["edit"]
        for folder in SUBMISSION_FOLDERS.values()
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
def test_score_bins_match_the_paper(score: float, grade: Grade) -> None:
    assert grade_of_score(score) is grade
