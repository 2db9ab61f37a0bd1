from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field
from tests.each_case import each_case

from pptarena.rewards.judges.protocol import Verdict
from pptarena.rewards.judges.replies import (
    ReplyError,
    Share,
    read_json,
    slides_parser,
    verdict_parser,
)

Stars = Annotated[int, Field(ge=0, le=5)]
SHARE = verdict_parser(Share)
STARS = verdict_parser(Stars)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ('{"score": 0.5, "reason": "half"}', 0.5),
        ('  {"score": 1, "reason": "half"}\n', 1.0),
        ('```json\n{"score": 0, "reason": "half"}\n```', 0.0),
        ('```\n{"score": 0.25, "reason": " half\\n "}\n```', 0.25),
    ],
)
def test_valid_replies_are_parsed(text: str, score: float) -> None:
    assert read_json(text, SHARE) == Verdict(score, "half")


@each_case(
    "text, message",
    [
        ("", "not one JSON object"),
        ("The score is 1.", "not one JSON object"),
        ('{"score": 1, "reason": "x"} I hope this helps', "not one JSON object"),
        ('Sure: {"score": 1, "reason": "x"}', "not one JSON object"),
        ('{"score": 0, "score": 1, "reason": "x"}', "twice"),
        ('{"score": NaN, "reason": "x"}', "not a JSON number"),
        ('{"score": 1e999, "reason": "x"}', "score: expected at most 1.0"),
        ('{"score": 1}', "'reason' is missing"),
        (
            '{"score": 1, "reason": "x", "note": 1}',
            "unknown argument 'note'",
        ),
        ("[1]", "expected an object"),
        ('{"score": "1", "reason": "x"}', "expected float, got '1'"),
        ('{"score": true, "reason": "x"}', "expected float, got True"),
        ('{"score": null, "reason": "x"}', "expected float, got None"),
        ('{"score": 85, "reason": "x"}', "at most 1.0, got 85"),
        ('{"score": -0.1, "reason": "x"}', "at least 0.0, got -0.1"),
        ('{"score": 1, "reason": " "}', "a reason must not be empty"),
        ('{"score": 1, "reason": 3}', "reason: expected str, got 3"),
        ("[" * 100_000, "not one JSON object"),
    ],
)
def test_invalid_replies_are_rejected(text: str, message: str) -> None:
    with pytest.raises(ReplyError, match=message):
        read_json(text, SHARE)


@pytest.mark.parametrize("score", ["4.5", "6", "-1", "0.8"])
def test_stars_are_integers_from_0_to_5(score: str) -> None:
    assert read_json('{"score": 4, "reason": "x"}', STARS).score == 4
    with pytest.raises(ReplyError, match=r"score: expected (int|at most 5|at least 0), got"):
        read_json(f'{{"score": {score}, "reason": "x"}}', STARS)


def test_every_slide_must_be_rated_once() -> None:
    parse = slides_parser(["1", "2"], Stars)
    item = '{"slide": "%s", "score": 3, "reason": "x"}'

    def reply(*labels: str) -> str:
        return f'{{"slides": [{", ".join(item % label for label in labels)}]}}'

    assert set(read_json(reply("2", "1"), parse)) == {"1", "2"}
    for invalid, message in [
        (reply("1"), "each of .* once, got \\['1'\\]"),
        (reply("1", "1"), "once"),
        (reply("1", "2", "3"), "once"),
        ('{"slides": 3}', "slides: expected a list"),
        ('{"slides": [3]}', "slides/0: expected an object"),
        ('{"slides": [{"slide": [], "score": 3, "reason": "x"}]}', "slides/0/slide: expected str"),
    ]:
        with pytest.raises(ReplyError, match=message):
            read_json(invalid, parse)


def test_reason_is_cleaned_and_shortened() -> None:
    verdict = read_json(
        '{"score": 1, "reason": "a\\u001b[31m\\n b\\u0000' + "x" * 2000 + '"}', SHARE
    )
    assert verdict.reason.startswith("a[31m bxxx")
    assert len(verdict.reason) == 600


@pytest.mark.slow
@given(st.text())
def test_any_text_gives_a_score_or_an_error(text: str) -> None:
    try:
        verdict = read_json(text, SHARE)
    except ReplyError:
        return
    assert 0 <= verdict.score <= 1
