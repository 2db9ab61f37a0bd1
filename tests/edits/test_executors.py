"""All executors of edits make the same deck, as the application saves it."""

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
    FOUND,
    by_application,
    by_macros,
    macro_examples,
    unexplained,
)

_MOST_SEC = 600.0  # for an edit on a busy computer


def test_every_edit_has_an_example() -> None:
    assert {each.edit for each in EXAMPLES} == set(EDITS)


def test_recorded_differences_are_explained() -> None:
    recorded = json.loads(FOUND.read_text("utf-8"))
    assert set(recorded["application"]) <= set(EDITS)
    assert set(recorded["macros"]) <= set(EDIT_MACROS)
    lines = [
        unexplained(executor, edit, found)
        for executor in ("application", "macros")
        for edit, found in recorded[executor].items()
    ]
    assert not [line for line in lines if line]


@pytest.mark.image
def test_one_edit_in_eight_inside_the_application_makes_the_same_deck() -> None:
    assert not _differing_in_the_application(8)


@pytest.mark.image
@pytest.mark.nightly
def test_edits_inside_the_application_make_the_same_deck() -> None:
    assert not _differing_in_the_application(1)


def _differing_in_the_application(step: int) -> list[str]:
    """Edits that may end the application are left out: the next one would fail, too."""
    recorded = json.loads(FOUND.read_text("utf-8"))["application"]
    made = {edit for edit, found in recorded.items() if not found.startswith("failed")}
    examples = [each for each in EXAMPLES if each.edit in made][::step]
    with Office(timeout_sec=_MOST_SEC) as office:
        found = by_application(office, examples)
        lines = [unexplained("application", *each) for each in found]
    return [line for line in lines if line]


def test_examples_by_mouse_and_keyboard_are_of_edits_with_macros() -> None:
    edits = [each.edit for each in macro_examples()]
    assert set(edits) == set(EDIT_MACROS)


def test_an_example_of_a_task_is_the_beginning_of_its_solution() -> None:
    for each in macro_examples():
        if each.task:
            solution = get_task(each.task).solution
            assert tuple(solution[: len(each.solution)]) == tuple(each.solution)


@pytest.mark.image
def test_edits_by_mouse_and_keyboard_make_the_same_deck() -> None:
    assert not _differing_by_macros(["hide_slide", "set_alt_text"])


@pytest.mark.image
@pytest.mark.nightly
def test_all_recorded_edits_by_mouse_and_keyboard_make_the_same_deck() -> None:
    assert not _differing_by_macros(list(json.loads(FOUND.read_text("utf-8"))["macros"]))


def _differing_by_macros(edits: list[str]) -> list[str]:
    examples = [each for each in macro_examples() if each.edit in edits]
    with closing(PPTArenaEnv(machine="sandbox")) as env, Office() as office:
        lines = [unexplained("macros", *each) for each in by_macros(env, office, examples)]
    return [line for line in lines if line]
