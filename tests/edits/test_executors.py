"""All executors of edits produce the same deck, as saved by the application."""

import json
from contextlib import closing

import pytest

from pptarena.edits import EDITS
from pptarena.envs.ppt_arena import PPTArenaEnv
from pptarena.tasks import get_task
from pptarena.tasks.solution_macros import EDIT_MACROS
from pptarena.vm_images.office import Office
from tools.edit_executors import (
    EXAMPLES,
    RESULTS_FILE,
    by_application,
    by_macros,
    macro_examples,
    unexplained,
)

_EDIT_TIMEOUT_SEC = 600.0  # for an edit on a busy computer


def test_every_edit_has_an_example() -> None:
    assert {each.edit for each in EXAMPLES} == set(EDITS)


def test_recorded_differences_are_explained() -> None:
    recorded = json.loads(RESULTS_FILE.read_text("utf-8"))
    assert set(recorded["application"]) <= set(EDITS)
    assert set(recorded["macros"]) <= set(EDIT_MACROS)
    lines = [
        unexplained(executor, edit, found)
        for executor in ("application", "macros")
        for edit, found in recorded[executor].items()
    ]
    assert not [line for line in lines if line]


@pytest.mark.image
def test_some_edits_in_application_produce_the_same_deck() -> None:
    assert not _differences_in_application(8)


@pytest.mark.image
@pytest.mark.nightly
def test_all_edits_in_application_produce_the_same_deck() -> None:
    assert not _differences_in_application(1)


def _differences_in_application(step: int) -> list[str]:
    """Return differences; edits that may crash the application are skipped."""
    recorded = json.loads(RESULTS_FILE.read_text("utf-8"))["application"]
    working = {edit for edit, found in recorded.items() if not found.startswith("failed")}
    examples = [each for each in EXAMPLES if each.edit in working][::step]
    with Office(timeout_sec=_EDIT_TIMEOUT_SEC) as office:
        found = by_application(office, examples)
        lines = [unexplained("application", *each) for each in found]
    return [line for line in lines if line]


def test_every_edit_macro_has_an_example() -> None:
    edits = [each.edit for each in macro_examples()]
    assert set(edits) == set(EDIT_MACROS)


def test_task_examples_are_prefixes_of_solutions() -> None:
    for each in macro_examples():
        if each.task:
            solution = get_task(each.task).solution
            assert tuple(solution[: len(each.solution)]) == tuple(each.solution)


@pytest.mark.image
def test_some_edit_macros_produce_the_same_deck() -> None:
    assert not _differences_by_macros(["hide_slide", "set_alt_text"])


@pytest.mark.image
@pytest.mark.nightly
def test_all_recorded_edit_macros_produce_the_same_deck() -> None:
    assert not _differences_by_macros(list(json.loads(RESULTS_FILE.read_text("utf-8"))["macros"]))


def _differences_by_macros(edits: list[str]) -> list[str]:
    examples = [each for each in macro_examples() if each.edit in edits]
    with closing(PPTArenaEnv(machine="sandbox")) as env, Office() as office:
        lines = [unexplained("macros", *each) for each in by_macros(env, office, examples)]
    return [line for line in lines if line]
