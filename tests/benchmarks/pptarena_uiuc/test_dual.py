import json
from typing import Any

import pytest

from pptarena.benchmarks.pptarena_uiuc import (
    DualJudge,
    DualVerdict,
    SlideRating,
    VisualRating,
    style_target,
)
from pptarena.errors import HostError, JudgeError
from pptarena.rewards import load_rubric, read_deck, score
from pptarena.rewards.judges import RubricJudge, Verdict
from pptarena.rewards.judges.protocol import EditQuestion

FOUR = '{"score": 4, "reason": "almost"}'


def retitled(lab: Any, *numbers: int, word: str = "Changed") -> bytes:
    """Return the base deck with a box of text more on some slides."""

    def edit(deck: Any) -> None:
        for number in numbers:
            box = deck.slides[number - 1].shapes.add_textbox(0, 0, 3_000_000, 500_000)
            box.text_frame.text = f"{word} {number}"
            # First in z-order, so that the painter shows it first.
            tree = box._element.getparent()
            tree.remove(box._element)
            tree.insert(2, box._element)

    edited: bytes = lab.edited_bytes(edit)
    return edited


@pytest.mark.slow
def test_two_judges_with_evidence_of_their_own(
    lab: Any, server: Any, make_client: Any, painter: Any, tools: Any
) -> None:
    server.script = [FOUR, tools.rate_all(3)]
    verdict = DualJudge(make_client(), painter).judge(
        "Add a box.", lab.base, retitled(lab, 1, 2), style_target="A box at the top."
    )
    assert verdict.instruction == Verdict(4, "almost")
    assert verdict.visual is not None
    assert verdict.visual.score == 3
    assert [slide.slide for slide in verdict.visual.slides] == ["1", "2"]
    facts, looks = server.requests
    assert isinstance(facts["messages"][1]["content"], str)
    assert "Changed 1" in facts["messages"][1]["content"]
    text = json.dumps([part for part in looks["messages"][1]["content"] if part["type"] == "text"])
    assert "Changed" not in text
    for request in server.requests:
        content = json.dumps(request["messages"][1]["content"])
        assert "Add a box." in content
        assert "A box at the top." in content
    assert verdict.score == pytest.approx(0.8 * (1 + 0.6) / 2)
    assert verdict.published_score == pytest.approx(0.7)
    assert json.loads(json.dumps(verdict.to_json()))["visual"]["slides"][0]["judged"] is True


def test_no_edit_scores_nothing_without_a_call(
    lab: Any, server: Any, make_client: Any, painter: Any
) -> None:
    saved_again = lab.edited_bytes(lambda deck: None)
    verdict = DualJudge(make_client(), painter).judge(
        "Add a box.", lab.base, saved_again, reference=retitled(lab, 1)
    )
    assert (verdict.score, verdict.published_score) == (0, 0)
    assert server.requests == []


def test_slides_go_out_by_fives_with_before_and_after(
    lab: Any, server: Any, make_client: Any, painter: Any, tools: Any
) -> None:
    def edit(deck: Any) -> None:
        for slide in deck.slides:
            slide.shapes.title.text = f"Changed {slide.slide_id}"
        deck.slides.add_slide(deck.slide_layouts[1]).shapes.title.text = "Quite new"

    server.script = [FOUR]
    server.default = tools.rate_all(5)
    verdict = DualJudge(make_client(), painter).judge("Do it.", lab.base, lab.edited_bytes(edit))
    assert verdict.visual is not None
    assert [slide.slide for slide in verdict.visual.slides] == list("1234567")
    looks = server.requests[1:]
    assert [len(tools.shown(request)) for request in looks] == [5, 2]
    contents = [request["messages"][1]["content"] for request in looks]
    urls = [
        [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
        for content in contents
    ]
    assert [len(each) for each in urls] == [10, 3]
    assert all(url.startswith("data:image/png;base64,") for each in urls for url in each)


def test_what_cannot_be_seen_is_judged_by_facts_alone(
    lab: Any, server: Any, make_client: Any, painter: Any
) -> None:
    def edit(deck: Any) -> None:
        deck.slides[0].notes_slide.notes_text_frame.text = "Say hello"

    server.script = [FOUR]
    verdict = DualJudge(make_client(), painter).judge("Note.", lab.base, lab.edited_bytes(edit))
    assert verdict.visual is None
    assert verdict.score == pytest.approx(0.8)
    assert verdict.published_score == pytest.approx(0.9)
    assert len(server.requests) == 1


def test_a_new_slide_is_shown_alone(
    lab: Any, server: Any, make_client: Any, painter: Any, tools: Any
) -> None:
    def edit(deck: Any) -> None:
        deck.slides.add_slide(deck.slide_layouts[1]).shapes.title.text = "Quite new"

    server.script = [FOUR, tools.rate_all(2)]
    verdict = DualJudge(make_client(), painter).judge("Add.", lab.base, lab.edited_bytes(edit))
    assert verdict.visual is not None
    assert verdict.visual.score == 2
    content = server.requests[1]["messages"][1]["content"]
    assert [part["type"] for part in content].count("image_url") == 1
    assert "a new slide" in content[1]["text"]


class TestReference:
    def test_the_same_result_needs_no_call(
        self, lab: Any, server: Any, make_client: Any, painter: Any
    ) -> None:
        edited = retitled(lab, 2)
        verdict = DualJudge(make_client(), painter).judge(
            "Add.", lab.base, edited, reference=edited
        )
        assert verdict.score == verdict.published_score == 1
        assert verdict.visual is not None
        rated = SlideRating("2", 5.0, "looks as in the reference", judged=False)
        assert verdict.visual.slides == (rated,)
        assert server.requests == []

    def test_only_slides_that_differ_are_looked_at(
        self, lab: Any, server: Any, make_client: Any, painter: Any, tools: Any
    ) -> None:
        server.script = [FOUR, tools.rate_all(1)]
        verdict = DualJudge(make_client(), painter).judge(
            "Add.", lab.base, retitled(lab, 2), reference=retitled(lab, 2, 3)
        )
        assert "REFERENCE_CHANGES" in server.requests[0]["messages"][1]["content"]
        assert tools.shown(server.requests[1]) == ["3"]
        assert verdict.visual is not None
        assert {slide.slide: slide.score for slide in verdict.visual.slides} == {"2": 5, "3": 1}
        assert verdict.visual.score == 3

    def test_a_missing_slide_scores_0(
        self, lab: Any, server: Any, make_client: Any, painter: Any
    ) -> None:
        def edit(deck: Any) -> None:
            lab.delete_slide(deck, 3)

        server.script = ['{"score": 0, "reason": "the opposite"}']
        verdict = DualJudge(make_client(), painter).judge(
            "Nothing.", lab.base, lab.edited_bytes(edit), reference=lab.base
        )
        assert verdict.visual is not None
        assert verdict.visual.slides == (
            SlideRating("4 of the reference", 0.0, "is missing", judged=False),
        )
        assert verdict.score == 0


def test_no_half_is_a_score_when_the_other_fails(
    lab: Any, server: Any, make_client: Any, painter: Any
) -> None:
    server.default = FOUR  # not what the judge of looks is asked for
    with pytest.raises(JudgeError, match="expected slides"):
        DualJudge(make_client(), painter).judge("Add.", lab.base, retitled(lab, 1))


def test_a_renderer_that_fails_is_no_score(lab: Any, server: Any, make_client: Any) -> None:
    class Broken:
        def render(self, deck: bytes) -> tuple[bytes, ...]:
            raise HostError("no paint")

    class Short:
        def render(self, deck: bytes) -> tuple[bytes, ...]:
            return ()

    server.default = FOUR
    for renderer, message in ((Broken(), "no paint"), (Short(), "got 0")):
        with pytest.raises(JudgeError, match=message):
            DualJudge(make_client(), renderer).judge("Add.", lab.base, retitled(lab, 1))


@pytest.mark.parametrize(
    ("following", "looks", "score", "published"),
    [(5, 5, 1, 1), (0, 5, 0, 0.5), (5, 0, 0.5, 0.5), (5, None, 1, 1), (3, 4, 0.54, 0.7)],
)
def test_how_both_add_up(
    following: float, looks: float | None, score: float, published: float
) -> None:
    visual = None if looks is None else VisualRating(looks, ())
    verdict = DualVerdict(Verdict(following, "x"), visual)
    assert verdict.score == pytest.approx(score)
    assert verdict.published_score == pytest.approx(published)


def test_the_helper_edits_what_it_says(lab: Any) -> None:
    assert "Changed 2" in read_deck(retitled(lab, 2)).slides[1].text


def leaf_of(lab: Any, client: Any, renderer: Any, edited: bytes) -> Any:
    """Score a deck by a rubric of one leaf, the dual judge."""
    args = {"instruction": "Add a box.", "style": "A box at the top."}
    root = {"name": "edit", "check": "edit_judge", "args": args}
    rubric = load_rubric({"version": 1, "root": root})
    dual = DualJudge(client, renderer)
    judge = RubricJudge(client, lab.base, edited, renderer, edits=dual)
    return score(rubric, lab.original, read_deck(edited), None, judge)


def test_it_is_a_leaf_of_a_rubric(
    lab: Any, server: Any, make_client: Any, painter: Any, tools: Any
) -> None:
    server.script = [FOUR, tools.rate_all(3), tools.rate_all(3)]
    edited = retitled(lab, *range(1, 7))
    node = leaf_of(lab, make_client(), painter, edited)
    assert node.score == pytest.approx(0.8 * (1 + 0.6) / 2)
    assert node.reason == "instruction 4 of 5: almost; looks 3.0 of 5, slide 1: seen"
    assert len(server.requests) == 3, "five slides go into one request"
    assert [len(tools.shown(request)) for request in server.requests[1:]] == [5, 1]
    assert all("A box at the top." in json.dumps(each) for each in server.requests)


@pytest.mark.slow
def test_a_leaf_without_both_halves_is_no_score(
    lab: Any, server: Any, make_client: Any, painter: Any
) -> None:
    class Blind:
        def render(self, deck: bytes) -> tuple[bytes, ...]:
            raise HostError("nothing can be drawn")

    server.default = FOUR
    for renderer, reason in ((painter, "no valid answer"), (Blind(), "nothing can be drawn")):
        node = leaf_of(lab, make_client(), renderer, retitled(lab, 1))
        assert node.score is None
        assert reason in node.reason
    server.default = {"status": 500, "text": "no"}
    dead = make_client(transport_retries=0, cache=False)
    assert leaf_of(lab, dead, painter, retitled(lab, 1)).score is None
    without = RubricJudge(make_client(), lab.base, lab.base, painter)
    with pytest.raises(JudgeError, match="no judge of whole edits"):
        without.judge_edit(EditQuestion("Add a box."))


@pytest.mark.parametrize("evidence", ["no-diffs", "no-pictures", "single", "pictures"])
def test_other_evidence(
    lab: Any, server: Any, make_client: Any, painter: Any, tools: Any, evidence: Any
) -> None:
    slides = '{"slides": [{"slide": "1", "score": 3, "reason": "plain"}]}'
    both = '{"instruction": 4, "visual": 3, "reason": "almost"}'
    is_single = evidence in ("single", "pictures")
    server.script = [both] if is_single else [FOUR, slides]
    judge = DualJudge(make_client(), painter, evidence=evidence)
    verdict = judge.judge("Add a box.", lab.base, retitled(lab, 1))
    assert (verdict.instruction.score, verdict.visual and verdict.visual.score) == (4, 3)
    assert server.script == []
    texts, pictures = [], []
    for request in server.requests:
        content = request["messages"][1]["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        texts.append("".join(part["text"] for part in parts if part["type"] == "text"))
        pictures.append(sum(part["type"] == "image_url" for part in parts))
    has = {name: ["<<<" + name in text for text in texts] for name in ("CHANGES", "BEFORE")}
    assert (has["CHANGES"], has["BEFORE"], pictures) == {
        "no-diffs": ([False, False], [True, False], [0, 2]),
        "no-pictures": ([True, False], [False, True], [0, 0]),
        "single": ([True], [False], [2]),
        "pictures": ([False], [False], [2]),
    }[evidence]


def test_a_model_describes_a_correct_result(lab: Any, server: Any, make_client: Any) -> None:
    server.script = ['{"target": ""}', '{"target": "A box at the top."}']
    found = style_target(make_client(), "Add a box.", lab.base, retitled(lab, 1))
    assert found == "A box at the top."
    assert len(server.requests) == 2  # the empty answer was sent back
    content = server.requests[0]["messages"][1]["content"]
    assert "Add a box." in content
    assert "<<<BEFORE" in content
    assert "<<<REFERENCE_CHANGES" in content
    server.script = ['{"target": "A box."}']
    style_target(make_client(), "Add a box.", lab.base)
    assert "REFERENCE" not in server.requests[-1]["messages"][1]["content"]
