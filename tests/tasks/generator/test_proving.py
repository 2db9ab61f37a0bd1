from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tests.tasks.generator.conftest import deck_generators, sample_drafts

from pptarena.edits import Solution, apply_solution
from pptarena.errors import DeckError, EditError
from pptarena.rewards import load_rubric, load_scope, read_deck, score
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.generator import DeckGenerator
from pptarena.tasks.generator.deck_context import DeckContext
from pptarena.tasks.generator.draft import Draft
from pptarena.tasks.generator.operator import Operator
from pptarena.tasks.generator.proving import prove

pytestmark = pytest.mark.slow


def _with(draft: Draft, **changes: Any) -> Draft:
    """Return the draft with a changed operator."""
    (edit,) = draft.edits
    operator: Operator = replace(edit.operator, **changes)
    return replace(draft, edits=(replace(edit, operator=operator),))


def _title() -> Draft:
    return sample_drafts(deck_generators()[0], "set-title", 1)[0]


def _reason(draft: Draft) -> str:
    outcome = prove(draft.context, [draft], None)
    assert not outcome.proven
    ((_, reason),) = outcome.rejected
    return reason


def test_edit_without_effect_is_rejected() -> None:
    assert "does not score 1 on the target deck" in _reason(_with(_title(), solution=lambda *_: []))


def test_edit_with_extra_changes_is_rejected() -> None:
    def solution(target: Any, params: Any) -> Solution:
        other = {"edit": "set_text", "slide": target.slide_number % 17 + 1, "shape": "@title"}
        return [*_title().solution(), {**other, "text": "And this"}]

    assert "nothing_else_changed" in _reason(_with(_title(), solution=solution))


def test_leaf_fulfilled_by_the_original_is_rejected() -> None:
    title = _title()
    check = {"check": "title_is", "args": {"slide": 2, "text": title.context.deck.slides[1].title}}
    assert "already" in _reason(_with(title, checks=lambda target, params: [check]))


def test_unscored_leaf_is_rejected() -> None:
    check = {"check": "shape_deleted", "args": {"slide": 2, "shape": "no such shape"}}
    assert "unscored" in _reason(_with(_title(), checks=lambda target, params: [check]))


def test_failing_edit_does_not_affect_other_drafts() -> None:
    broken = _with(_title(), solution=lambda *_: [{"edit": "delete_slide", "slide": 99}])
    good = [
        d
        for d in sample_drafts(deck_generators()[0], "set-title", 6)
        if d.slides != _title().slides
    ]
    outcome = prove(deck_generators()[0].context, [broken, *good], None)
    assert len(outcome.proven) == len(good) > 0
    reason = "cannot be edited: solution/0: delete_slide: no slide 99: the deck has 17 slides"
    assert ("set-title", reason) in outcome.rejected


def test_deck_rejected_by_the_application_raises_its_reason() -> None:
    def refuse(files: Sequence[bytes]) -> list[DeckError]:
        return [DeckError("no deck")] * len(files)

    with pytest.raises(DeckError, match="no deck"):
        DeckGenerator(read_deck_file("meridian"), "meridian", refuse)


def _with_input_file(change: Solution) -> tuple[DeckContext, list[Draft]]:
    """Return a deck whose input file differs from its saved form, and drafts of titles."""
    context = deck_generators()[0].context
    file = apply_solution(context.file, change)
    input_context = DeckContext(context.label, context.sha256, file, read_deck(file))
    return replace(context, input_context=input_context), sample_drafts(
        deck_generators()[0], "set-title", 4
    )


def test_draft_must_hold_on_the_input_file() -> None:
    first = sample_drafts(deck_generators()[0], "set-title", 4)[0].solution()
    context, drafts = _with_input_file(first)
    already_met = ("set-title", "on the input file: the original already meets the rubric")
    outcome = prove(context, drafts, list)
    assert drafts[0] not in outcome.proven
    assert outcome.rejected[already_met] == 1
    assert len(outcome.proven) == len(drafts) - 1 > 0


def test_target_missing_in_the_input_file_is_rejected() -> None:
    context, drafts = _with_input_file([{"edit": "delete_slide", "slide": 2}] * 16)
    drafts = [draft for draft in drafts if min(draft.slides) > 0]
    outcome = prove(context, drafts, list)
    assert drafts
    assert not outcome.proven
    reason = "on the input file: a leaf is unscored on the original"
    assert {each for _, each in outcome.rejected} == {reason}


def test_parameters_must_fit_the_target() -> None:
    (draft, *_) = sample_drafts(deck_generators()[0], "change-line", 1)
    params = {"line": "No such line", "text": "New"}
    with pytest.raises(EditError, match="change-line: the target does not fit"):
        replace(draft.edits[0], params=params).solution()
    broken = _with(_title(), solution=lambda target, params: [{"edit": params["line"]}])
    assert "cannot be edited: set-title: the target does not fit" in _reason(broken)


@pytest.mark.image
def test_goal_saved_alone_scores_one() -> None:
    from pptarena.vm_images.office import Office

    with Office(cached_results=0) as saver:
        generator = DeckGenerator(read_deck_file("meridian"), "meridian", saver.save_all)
        rng = Random(4)
        drafts = [d for d in (generator.sample_draft(rng) for _ in range(14)) if d is not None]
        proven = prove(generator.context, drafts, saver.save_all).proven
        assert len(proven) >= len(drafts) / 2
        for draft in proven[:6]:
            goal = saver.save(apply_solution(generator.context.file, draft.solution()))
            rubric, scope = load_rubric(draft.rubric()), load_scope(draft.scope())
            tree = score(rubric, generator.context.deck, read_deck(goal), scope)
            assert tree.score == pytest.approx(1), draft.instruction
