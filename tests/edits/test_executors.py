"""All executors of edits make the same deck, as the application saves it."""

import json
from contextlib import closing

import pytest

from pptarena.edits import EDITS
from pptarena.envs.ppt_arena import PPTArenaEnv
from pptarena.tasks.solution_macros import EDIT_MACROS
from pptarena.vm_images.office import Office
from tools.edit_executors import EXAMPLES, FOUND, by_application, by_macros, unexplained


def test_every_edit_has_an_example() -> None:
    assert {solution[-1]["edit"] for _, solution in EXAMPLES} == set(EDITS)


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
def test_edits_inside_the_application_make_the_same_deck() -> None:
    """Edits that may end the application are left out: the next one would fail, too."""
    recorded = json.loads(FOUND.read_text("utf-8"))["application"]
    made = {edit for edit, found in recorded.items() if not found.startswith("failed")}
    examples = [each for each in EXAMPLES if each[1][-1]["edit"] in made]
    with Office() as office:
        found = by_application(office, examples)
        lines = [unexplained("application", *each) for each in found]
    assert not [line for line in lines if line]


@pytest.mark.image
def test_edits_by_mouse_and_keyboard_make_the_same_deck() -> None:
    recorded = json.loads(FOUND.read_text("utf-8"))["macros"]
    examples = [each for each in EXAMPLES if each[1][-1]["edit"] in recorded]
    with closing(PPTArenaEnv(machine="sandbox")) as env, Office() as office:
        lines = [unexplained("macros", *each) for each in by_macros(env, office, examples)]
    assert not [line for line in lines if line]
