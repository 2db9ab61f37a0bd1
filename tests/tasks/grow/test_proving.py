from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tests.tasks.grow.conftest import drawn, growers

from pptarena.edits import Solution, apply_solution
from pptarena.errors import DeckError, EditError
from pptarena.rewards import load_rubric, load_scope, read_deck, score
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.grow import DeckGrower
from pptarena.tasks.grow.draft import Draft
from pptarena.tasks.grow.ground import Ground
from pptarena.tasks.grow.operator import Operator
from pptarena.tasks.grow.proving import prove


def _with(draft: Draft, **changes: Any) -> Draft:
    """Return a draft with another operator behind its words."""
    (edit,) = draft.edits
    operator: Operator = replace(edit.operator, **changes)
    return replace(draft, edits=(replace(edit, operator=operator),))


def _title() -> Draft:
    return drawn(growers()[0], "set-title", 1)[0]


def _reason(draft: Draft) -> str:
    found = prove(draft.ground, [draft], None)
    assert not found.kept
    ((_, reason),) = found.rejected
    return reason


def test_an_edit_that_does_nothing_is_refused() -> None:
    assert "does not score 1 on the target" in _reason(_with(_title(), solution=lambda *_: []))


def test_an_edit_that_does_more_than_was_asked_is_refused() -> None:
    def solution(site: Any, params: Any) -> Solution:
        other = {"edit": "set_text", "slide": site.number % 17 + 1, "shape": "@title"}
        return [*_title().solution(), {**other, "text": "And this"}]

    assert "nothing_else_changed" in _reason(_with(_title(), solution=solution))


def test_a_leaf_that_the_original_has_is_refused() -> None:
    title = _title()
    check = {"check": "title_is", "args": {"slide": 2, "text": title.ground.deck.slides[1].title}}
    assert "already" in _reason(_with(title, checks=lambda site, params: [check]))


def test_a_leaf_that_nobody_can_judge_is_refused() -> None:
    check = {"check": "shape_deleted", "args": {"slide": 2, "shape": "no such shape"}}
    assert "not judged" in _reason(_with(_title(), checks=lambda site, params: [check]))


@pytest.mark.slow
def test_an_edit_that_breaks_takes_no_other_with_it() -> None:
    broken = _with(_title(), solution=lambda *_: [{"edit": "delete_slide", "slide": 99}])
    good = [d for d in drawn(growers()[0], "set-title", 6) if d.slides != _title().slides]
    found = prove(growers()[0].ground, [broken, *good], None)
    assert len(found.kept) == len(good) > 0
    why = "cannot be edited: solution/0: delete_slide: no slide 99: the deck has 17 slides"
    assert ("set-title", why) in found.rejected


def test_a_deck_that_the_application_refuses_is_skipped_with_its_reason() -> None:
    def refuse(files: Sequence[bytes]) -> list[DeckError]:
        return [DeckError("no deck")] * len(files)

    with pytest.raises(DeckError, match="no deck"):
        DeckGrower(read_deck_file("meridian"), "meridian", refuse)


def _as_came(change: Solution) -> tuple[Ground, list[Draft]]:
    """Return a deck that came otherwise than the application saves it, and drafts of titles."""
    ground = growers()[0].ground
    file = apply_solution(ground.file, change)
    came = Ground(ground.label, ground.sha256, file, read_deck(file))
    return replace(ground, came=came), drawn(growers()[0], "set-title", 4)


def test_what_does_not_hold_on_the_file_as_it_came_is_refused() -> None:
    first = drawn(growers()[0], "set-title", 4)[0].solution()
    ground, drafts = _as_came(first)
    same = ("set-title", "on the file as it came: the original has it already")
    found = prove(ground, drafts, list)
    assert drafts[0] not in found.kept
    assert found.rejected[same] == 1
    assert len(found.kept) == len(drafts) - 1 > 0


def test_a_place_that_the_file_as_it_came_lacks_is_refused() -> None:
    ground, drafts = _as_came([{"edit": "delete_slide", "slide": 2}] * 16)
    drafts = [draft for draft in drafts if min(draft.slides) > 0]
    found = prove(ground, drafts, list)
    assert drafts
    assert not found.kept
    why = "on the file as it came: a leaf is not judged on the original"
    assert {each for _, each in found.rejected} == {why}


def test_params_that_do_not_fit_a_site_are_refused() -> None:
    (draft, *_) = drawn(growers()[0], "change-line", 1)
    params = {"line": "No such line", "text": "New"}
    with pytest.raises(EditError, match="change-line: the site does not fit"):
        replace(draft.edits[0], params=params).solution()
    broken = _with(_title(), solution=lambda site, params: [{"edit": params["line"]}])
    assert "cannot be edited: set-title: the site does not fit" in _reason(broken)


@pytest.mark.image
def test_a_goal_saved_by_itself_scores_as_it_did_among_others() -> None:
    from pptarena.vm_images.office import Office

    with Office(cached_results=0) as saver:
        grower = DeckGrower(read_deck_file("meridian"), "meridian", saver.save_all)
        rng = Random(4)
        drafts = [d for d in (grower.draft(rng) for _ in range(14)) if d is not None]
        kept = prove(grower.ground, drafts, saver.save_all).kept
        assert len(kept) >= len(drafts) / 2
        for draft in kept[:6]:
            goal = saver.save(apply_solution(grower.ground.file, draft.solution()))
            rubric, scope = load_rubric(draft.rubric()), load_scope(draft.scope())
            tree = score(rubric, grower.ground.deck, read_deck(goal), scope)
            assert tree.score == pytest.approx(1), draft.instruction
