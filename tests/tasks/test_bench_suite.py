"""Published counts of the suite ``bench``, which must not change unnoticed."""

from collections import Counter
from pathlib import PurePath

import pytest

from pptarena.tasks import EDIT_TYPES, get_task, list_tasks
from pptarena.tasks.counts import PUBLISHED, count_tasks

BENCH = list_tasks("bench")
COUNTS = count_tasks(BENCH)
# The infeasible tasks, each with the reason and a similar feasible task, so that the request does
# not reveal the infeasibility.
INFEASIBLE = {
    "aurora-film-gif": ("not in the program", "aurora-intro-sound"),
    "clinic-film": ("file missing", "aurora-desk-film"),
    "field-brand-pdf": ("file missing", "aurora-theme-teal"),
    "harbor-council-date": ("known to nobody here", "kanto-cover-date"),
    "kanto-deepl": ("not in the program", "harbor-bus-in-english"),
    "ledger-retail-slice": ("not in the deck", "onboard-site-figures"),
    "negev-drain-plugs": ("not in the deck", "negev-valve-price"),
    "onboard-morph": ("not in the program", "thesis-campus-wipe"),
    "thesis-formula": ("not in the program", "thesis-subscripts"),
    "townhall-undo-maria": ("known to nobody here", "townhall-maria-comments"),
}


def test_difficulties_match_the_published_gui_benchmark() -> None:
    published = PUBLISHED["PPT-Eval"]
    assert COUNTS.total == published["tasks"] == 120
    assert COUNTS.decks == published["decks"] == 12
    assert COUNTS.difficulties == {"easy": 51, "medium": 39, "hard": 30}
    assert all(published[name] == number for name, number in COUNTS.difficulties.items())
    assert COUNTS.slides >= 300
    assert min(Counter(task.file_name for task in BENCH).values()) >= 6


def test_each_edit_type_occurs_five_times() -> None:
    # Turning a list into arrows counts as diagrams, shapes and arrangement.
    assert {kind for kind in EDIT_TYPES if COUNTS.any[kind] < 5} == set()


def test_flags_match_the_published_counts() -> None:
    flags = COUNTS.flags
    assert flags["several turns"] == 8
    assert flags["infeasible"] == 10
    assert flags["across slides"] >= 0.4 * COUNTS.total
    assert flags["open-ended"] == 7
    assert flags["with data of other programs"] == 6


def test_open_ended_tasks_combine_a_judge_and_programs() -> None:
    for task in BENCH:
        has_judge = any(map(task.rubric.root.uses, ("judge", "visual_judge")))
        assert not has_judge or task.rubric.root.uses("nothing_else_changed")
        assert has_judge == (task.level == "L4"), task.id
    data = [task for task in BENCH if any(_is_data(file.name) for file in task.files)]
    assert {PurePath(file.name).suffix for task in data for file in task.files} == {
        *(".csv", ".ods", ".txt", ".xlsx")
    }


def test_infeasible_tasks_have_every_difficulty() -> None:
    counts = Counter(task.difficulty for task in BENCH if not task.feasible)
    assert counts == {"easy": 6, "medium": 3, "hard": 1}


def test_level_3_requires_data_of_another_application() -> None:
    with_data = {task.id for task in BENCH if any(_is_data(file.name) for file in task.files)}
    # An infeasible task may lack its file.
    assert {task.id for task in BENCH if task.level == "L3" and task.feasible} <= with_data
    assert {task.level for task in BENCH if task.id in with_data} == {"L3", "L4"}


def test_infeasible_tasks_have_four_reasons_and_feasible_counterparts() -> None:
    ids = {task.id for task in BENCH}
    assert set(INFEASIBLE) == {task.id for task in BENCH if not task.feasible}
    assert len({reason for reason, _ in INFEASIBLE.values()}) == 4
    assert min(Counter(reason for reason, _ in INFEASIBLE.values()).values()) >= 2
    counterparts = [get_task(counterpart) for _, counterpart in INFEASIBLE.values()]
    assert len({counterpart.id for counterpart in counterparts}) == len(INFEASIBLE)
    assert all(counterpart.feasible and counterpart.id in ids for counterpart in counterparts)


@pytest.mark.parametrize("suite", ["starter", "bench-fast"])
def test_smaller_suites_are_subsets(suite: str) -> None:
    assert {task.id for task in list_tasks(suite)} < {task.id for task in BENCH}


def test_extra_contains_the_remaining_office_tasks() -> None:
    office = {task.id for task in list_tasks("all#office")}
    extra = {task.id for task in list_tasks("extra")}
    assert office - {task.id for task in BENCH} <= extra


def _is_data(name: str) -> bool:
    return PurePath(name).suffix in {".csv", ".ods", ".txt", ".xlsx"}
