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


def with_boxes(lab: Any, *numbers: int, word: str = "Changed") -> bytes:
    """Return the base deck with an additional text box on some slides."""

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
def test_two_judges_receive_separate_evidence(
    lab: Any, server: Any, make_client: Any, painter: Any, tools: Any
) -> None:
    server.script = [FOUR, tools.rate_all(3)]
    verdict = DualJudge(make_client(), painter).judge(
        "Add a box.", lab.base, with_boxes(lab, 1, 2), style_target="A box at the top."
    )
    assert verdict.instruction == Verdict(4, "almost")
    assert verdict.visual is not None
    assert verdict.visual.score == 3
    assert [slide.slide for slide in verdict.visual.slides] == ["1", "2"]
    facts_request, visual_request = server.requests
    assert isinstance(facts_request["messages"][1]["content"], str)
    assert "Changed 1" in facts_request["messages"][1]["content"]
    text = json.dumps(
        [part for part in visual_request["messages"][1]["content"] if part["type"] == "text"]
    )
    assert "Changed" not in text
    for request in server.requests:
        content = json.dumps(request["messages"][1]["content"])
        assert "Add a box." in content
        assert "A box at the top." in content
    assert verdict.score == pytest.approx(0.8 * (1 + 0.6) / 2)
    assert verdict.published_score == pytest.approx(0.7)
    assert json.loads(json.dumps(verdict.to_json()))["visual"]["slides"][0]["judged"] is True


@pytest.mark.slow
def test_unchanged_deck_scores_0_without_a_request(
    lab: Any, server: Any, make_client: Any, painter: Any
) -> None:
    saved_again = lab.edited_bytes(lambda deck: None)
    verdict = DualJudge(make_client(), painter).judge(
        "Add a box.", lab.base, saved_again, reference=with_boxes(lab, 1)
    )
    assert (verdict.score, verdict.published_score) == (0, 0)
    assert server.requests == []


def test_slides_are_sent_in_fives_with_before_and_after(
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
    visual_requests = server.requests[1:]
    assert [len(tools.judged_slides(request)) for request in visual_requests] == [5, 2]
    contents = [request["messages"][1]["content"] for request in visual_requests]
    urls = [
        [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
        for content in contents
    ]
    assert [len(each) for each in urls] == [10, 3]
    assert all(url.startswith("data:image/png;base64,") for each in urls for url in each)


def test_invisible_change_is_judged_by_facts_only(
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


def test_new_slide_has_no_before_picture(
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
    def test_result_equal_to_reference_needs_no_request(
        self, lab: Any, server: Any, make_client: Any, painter: Any
    ) -> None:
        edited = with_boxes(lab, 2)
        verdict = DualJudge(make_client(), painter).judge(
            "Add.", lab.base, edited, reference=edited
        )
        assert verdict.score == verdict.published_score == 1
        assert verdict.visual is not None
        rating = SlideRating("2", 5.0, "looks as in the reference", judged=False)
        assert verdict.visual.slides == (rating,)
        assert server.requests == []

    def test_only_slides_that_differ_from_reference_are_rated(
        self, lab: Any, server: Any, make_client: Any, painter: Any, tools: Any
    ) -> None:
        server.script = [FOUR, tools.rate_all(1)]
        verdict = DualJudge(make_client(), painter).judge(
            "Add.", lab.base, with_boxes(lab, 2), reference=with_boxes(lab, 2, 3)
        )
        assert "REFERENCE_CHANGES" in server.requests[0]["messages"][1]["content"]
        assert tools.judged_slides(server.requests[1]) == ["3"]
        assert verdict.visual is not None
        assert {slide.slide: slide.score for slide in verdict.visual.slides} == {"2": 5, "3": 1}
        assert verdict.visual.score == 3

    def test_missing_slide_scores_0(
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


@pytest.mark.slow
def test_failure_of_one_judge_is_an_error(
    lab: Any, server: Any, make_client: Any, painter: Any
) -> None:
    server.default = FOUR  # the visual judge expects slides
    with pytest.raises(JudgeError, match="expected slides"):
        DualJudge(make_client(), painter).judge("Add.", lab.base, with_boxes(lab, 1))


def test_renderer_failure_is_an_error(lab: Any, server: Any, make_client: Any) -> None:
    class FailingRenderer:
        def render(self, deck: bytes) -> tuple[bytes, ...]:
            raise HostError("no paint")

    class EmptyRenderer:
        def render(self, deck: bytes) -> tuple[bytes, ...]:
            return ()

    server.default = FOUR
    for renderer, message in ((FailingRenderer(), "no paint"), (EmptyRenderer(), "got 0")):
        with pytest.raises(JudgeError, match=message):
            DualJudge(make_client(), renderer).judge("Add.", lab.base, with_boxes(lab, 1))


@pytest.mark.parametrize(
    ("adherence", "appearance", "score", "published"),
    [(5, 5, 1, 1), (0, 5, 0, 0.5), (5, 0, 0.5, 0.5), (5, None, 1, 1), (3, 4, 0.54, 0.7)],
)
def test_scores_of_both_judges_are_combined(
    adherence: float, appearance: float | None, score: float, published: float
) -> None:
    visual = None if appearance is None else VisualRating(appearance, ())
    verdict = DualVerdict(Verdict(adherence, "x"), visual)
    assert verdict.score == pytest.approx(score)
    assert verdict.published_score == pytest.approx(published)


def score_leaf(lab: Any, client: Any, renderer: Any, edited: bytes) -> Any:
    """Score a deck with a rubric of one leaf that the dual judge scores."""
    args = {"instruction": "Add a box.", "style": "A box at the top."}
    root = {"name": "edit", "check": "edit_judge", "args": args}
    rubric = load_rubric({"version": 1, "root": root})
    dual = DualJudge(client, renderer)
    judge = RubricJudge(client, lab.base, edited, renderer, edits=dual)
    return score(rubric, lab.original, read_deck(edited), None, judge)


def test_dual_judge_scores_rubric_leaf(
    lab: Any, server: Any, make_client: Any, painter: Any, tools: Any
) -> None:
    server.script = [FOUR, tools.rate_all(3), tools.rate_all(3)]
    edited = with_boxes(lab, *range(1, 7))
    node = score_leaf(lab, make_client(), painter, edited)
    assert node.score == pytest.approx(0.8 * (1 + 0.6) / 2)
    assert node.reason == "instruction 4 of 5: almost; looks 3.0 of 5, slide 1: seen"
    assert len(server.requests) == 3, "five slides go into one request"
    assert [len(tools.judged_slides(request)) for request in server.requests[1:]] == [5, 1]
    assert all("A box at the top." in json.dumps(each) for each in server.requests)


@pytest.mark.slow
def test_leaf_without_both_ratings_has_no_score(
    lab: Any, server: Any, make_client: Any, painter: Any
) -> None:
    class FailingRenderer:
        def render(self, deck: bytes) -> tuple[bytes, ...]:
            raise HostError("nothing can be drawn")

    server.default = FOUR
    for renderer, reason in (
        (painter, "no valid answer"),
        (FailingRenderer(), "nothing can be drawn"),
    ):
        node = score_leaf(lab, make_client(), renderer, with_boxes(lab, 1))
        assert node.score is None
        assert reason in node.reason
    server.default = {"status": 500, "text": "no"}
    unreachable = make_client(transport_retries=0, cache=False)
    assert score_leaf(lab, unreachable, painter, with_boxes(lab, 1)).score is None
    rubric_judge = RubricJudge(make_client(), lab.base, lab.base, painter)
    with pytest.raises(JudgeError, match="no judge of entire edits"):
        rubric_judge.judge_edit(EditQuestion("Add a box."))


@pytest.mark.parametrize("evidence", ["no-diffs", "no-pictures", "single", "pictures"])
def test_evidence_option_selects_the_input(
    lab: Any, server: Any, make_client: Any, painter: Any, tools: Any, evidence: Any
) -> None:
    slides = '{"slides": [{"slide": "1", "score": 3, "reason": "plain"}]}'
    both = '{"instruction": 4, "visual": 3, "reason": "almost"}'
    is_single = evidence in ("single", "pictures")
    server.script = [both] if is_single else [FOUR, slides]
    judge = DualJudge(make_client(), painter, evidence=evidence)
    verdict = judge.judge("Add a box.", lab.base, with_boxes(lab, 1))
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


def test_model_writes_style_target(lab: Any, server: Any, make_client: Any) -> None:
    server.script = ['{"target": ""}', '{"target": "A box at the top."}']
    target = style_target(make_client(), "Add a box.", lab.base, with_boxes(lab, 1))
    assert target == "A box at the top."
    assert len(server.requests) == 2  # the empty answer was sent back
    content = server.requests[0]["messages"][1]["content"]
    assert "Add a box." in content
    assert "<<<BEFORE" in content
    assert "<<<REFERENCE_CHANGES" in content
    server.script = ['{"target": "A box."}']
    style_target(make_client(), "Add a box.", lab.base)
    assert "REFERENCE" not in server.requests[-1]["messages"][1]["content"]
