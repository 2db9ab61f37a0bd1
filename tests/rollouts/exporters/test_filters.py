from dataclasses import replace

import pytest
from tests.each_case import each_case

from pptarena.errors import ConfigError
from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.exporters import parse_filter

META = EpisodeMeta(
    agent="ui-tars--json", task="one", suite="tests", difficulty="easy", level="L1",
    edit_types=("text", "slides"), feasible=True, instruction="", seed=3, attempt=1, score=0.9,
    total_reward=0.9, steps=12, end="done", infra_error=None, agent_error=None, started_at="",
    reset_sec=1.0, run_sec=2.0, agent_sec=0.5, machine="fake", application="", screen=(640, 360),
    reward="dense", max_steps=20, versions={},
)  # fmt: skip


@each_case(
    "expression, kept",
    [
        ("", True),
        ("score>=0.9", True),
        ("score > 0.9", False),
        ("score>=0.9, steps<=12", True),
        ("score>=0.9,steps<12", False),
        ("seed==3", True),
        ("seconds<3", False),
        ("helped=0", True),
        ("helped=1", False),
        ("agent=ui-tars*", True),
        ("agent!=ui-tars*", False),
        ("agent=ui", False),
        ("edit_type=slides", True),
        ("edit_type!=slides", False),
        ("end!=budget,difficulty=e?sy", True),
        ("reward<=inf", True),
    ],
)
def test_what_a_filter_keeps(expression: str, kept: bool) -> None:
    assert parse_filter(expression)(META) is kept


def test_without_a_score_no_bound_holds() -> None:
    meta = replace(META, score=None)
    assert not any(parse_filter(each)(meta) for each in ("score>=0", "score<1", "score!=1"))


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("score", "expected a filter such as"),
        ("score>=0.5,", "expected a filter such as"),
        ("score>=high", "score: expected a number after >=, got 'high'"),
        ("steps<=nan", "steps: expected a number"),
        ("agent>=a", "agent: expected = or !="),
        ("model=x", "a filter has the fields score, steps, .*; got 'model'"),
        ("__import__('os')=1", "expected a filter such as"),
    ],
)
def test_what_is_no_filter(expression: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        parse_filter(expression)
