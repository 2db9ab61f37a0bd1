from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.errors import RubricError
from pptarena.rewards import load_rubric, score
from pptarena.rewards.loops import Names, fill
from pptarena.tasks.quality.proofs import judge_leaves

NAMES: Names = {"i": 3, "n": 4, "slide": 7, "title": "Risks", "w": 0.5}


def _rubric(**root: Any) -> Any:
    return load_rubric({"version": 1, "root": {"name": "root", **root}})


def _titles(**loop: Any) -> Any:
    leaf = {"name": "title {slide}", "check": "title_is", "args": {}}
    leaf["args"] = {"slide": "{slide}", "text": "{i}/{n}: {title}"}
    return _rubric(for_each=loop, each=leaf)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{slide}", 7), ("{i/n}", 0.75), ("{100 * i / n}%", "75%"), ("{i}/{n}", "3/4"),
        ("{(1 + 2) * -w}", -1.5), ("{title}", "Risks"), ("no braces", "no braces"),
        ("{1/3}%", "0.333333%"), ("{n - 1}", 3),
    ],
)  # fmt: skip
def test_expressions_are_substituted(text: str, value: Any) -> None:
    assert fill({"a": [text, 1]}, NAMES, "here") == {"a": [value, 1]}


@each_case(
    "text",
    ["{x}", "{i+}", "{i i}", "{1/0}", "{__import__}", "{i.n}", "{9**9}", "{(i}", "{}",
     "{" + "(" * 40 + "}", "{title + 1}", "{" + "1+" * 60 + "1}"],
)  # fmt: skip
def test_invalid_expressions_are_rejected(text: str) -> None:
    with pytest.raises(RubricError, match="here: expected a sum"):
        fill(text, NAMES, "here")


def test_loop_expands_to_all_slides_except_some(lab: Any) -> None:
    def edit(deck: Any) -> None:
        deck.slides[2].shapes.title.text = "2/5: Figures"

    rubric = _titles(slides={"except": [1]})
    before, after = (score(rubric, lab.original, deck) for deck in (lab.original, lab.edited(edit)))
    assert before.score == 0
    assert [child.name for child in after.children] == [f"title {n}" for n in range(2, 7)]
    assert [child.score for child in after.children] == [0, 1, 0, 0, 0]
    assert after.score == pytest.approx(0.2)
    assert load_rubric(rubric.to_json()) == rubric


def test_loop_expands_to_shapes_of_a_type_and_to_values(lab: Any) -> None:
    turned = {"name": "turned", "check": "shape_rotation"}
    turned["args"] = {"slide": "{slide}", "shape": "{shape}", "degrees": 90}  # type: ignore[assignment]
    rubric = _rubric(for_each={"slide": 5, "shapes": "shape"}, each=turned)

    def edit(deck: Any) -> None:
        lab.shape_named(deck, 5, "B").rotation = 90

    assert score(rubric, lab.original, lab.edited(edit)).score == pytest.approx(1 / 3)
    cell = {"name": "{row}", "check": "slide_text_contains"}
    cell["args"] = {"slide": 3, "texts": ["{text}"]}  # type: ignore[assignment]
    values = [{"row": 1, "text": "Region"}, {"row": 2, "text": "xyzzy"}]
    tree = score(_rubric(for_each={"values": values}, each=cell), lab.original, lab.original)
    assert [child.score for child in tree.children] == [1, 0]


@each_case(
    "root, message",
    [
        ({"for_each": {}, "each": {"name": "a"}}, "expected one of slides, shapes, values"),
        ({"for_each": {"shapes": "picture"}, "each": {"name": "a"}}, "slide and shapes together"),
        ({"for_each": {"slides": [1]}}, "root/each: expected a node"),
        ({"for_each": {"values": [1, {"a": 1}]}, "each": {"name": "a"}}, "all objects, or none"),
        ({"for_each": {"values": [{"i": 1}]}, "each": {"name": "a"}}, "same names, none of"),
        ({"for_each": {"slides": [1]}, "each": {"name": "{x}", "check": "slide_count"}},
         "root/each/name: expected a sum"),
        ({"any": [], "check": "slide_count"}, "expected either"),
        ({"any": []}, "root/any: expected a non-empty list"),
        ({"any": [{"name": "a", "check": "slide_count", "args": {"count": 1}}] * 2}, "used twice"),
        ({"check": "slide_count", "each": {}}, "root/each: only a node with 'for_each'"),
    ],
)  # fmt: skip
def test_invalid_loops_and_alternatives_are_rejected(root: dict[str, Any], message: str) -> None:
    with pytest.raises(RubricError, match=message):
        _rubric(**root)


def test_loop_over_missing_slides_is_unscored(lab: Any) -> None:
    tree = score(_titles(slides={"title": "Nowhere"}), lab.original, lab.original)
    assert tree.score is None
    assert "no slide has the title 'Nowhere'" in tree.reason


def _alternatives(judged: bool = True) -> Any:
    title = {"name": "as a title", "check": "title_is", "args": {"slide": 1, "text": "Report 2026"}}
    text = {"name": "in words", "check": "slide_text_contains"}
    text["args"] = {"slide": 2, "texts": ["Report 2026", "Summary"]}  # type: ignore[assignment]
    question = {"name": "asked", "check": "judge", "args": {}}
    question["args"] = {"slide": 1, "question": "Is it there?"}
    return _rubric(any=[title, text] if judged else [title, question])


def test_best_alternative_counts_and_gives_the_reason(lab: Any) -> None:
    def edit(deck: Any) -> None:
        deck.slides[1].placeholders[1].text = "Report 2026"

    rubric, current = _alternatives(), lab.edited(edit)
    tree = score(rubric, lab.original, current)
    assert tree.score == max(child.score or 0 for child in tree.children) == 0.5
    assert tree.reason.startswith("in words: ")
    assert score(rubric, lab.original, lab.original).score == 0
    assert load_rubric(rubric.to_json()) == rubric


def _retitle(deck: Any) -> None:
    deck.slides[0].shapes.title.text = "Report 2026"


def test_unscored_alternative_neither_adds_nor_subtracts(lab: Any) -> None:
    rubric = _alternatives(judged=False)
    done = score(rubric, lab.original, lab.edited(_retitle))
    assert (done.score, done.judged_share) == (1, 1)
    idle = score(rubric, lab.original, lab.original)
    assert idle.score == 0
    assert idle.judged_share == 0.5
    assert "1 alternative could not be scored" in idle.reason


def test_alternative_unused_by_the_target_is_not_dead(lab: Any) -> None:
    proofs = judge_leaves(_alternatives(), None, lab.original, lab.edited(_retitle))
    assert [proof.verdict for proof in proofs] == ["ok", "other"]
    short = judge_leaves(_alternatives(), None, lab.original, lab.original)
    assert [proof.verdict for proof in short] == ["dead", "dead"]
