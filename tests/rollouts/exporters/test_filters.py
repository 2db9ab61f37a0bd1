from dataclasses import replace

import pytest
from tests.each_case import each_case
from tests.rollouts.playing import episode_meta

from pptarena.errors import ConfigError
from pptarena.rollouts.exporters import parse_filter

META = episode_meta(
    agent="ui-tars--json", edit_types=("text", "slides"), seed=3, score=0.9, steps=12
)


@each_case(
    "expression, matches",
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
def test_filter_matches(expression: str, matches: bool) -> None:
    assert parse_filter(expression)(META) is matches


def test_unscored_episode_matches_no_bound() -> None:
    meta = replace(META, score=None)
    assert not any(parse_filter(each)(meta) for each in ("score>=0", "score<1", "score!=1"))


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("score", "expected a filter such as"),
        ("score>=0.5,", "expected a filter such as"),
        ("score>=high", "score: expected a number after >=, got 'high'"),
        ("steps<=nan", "steps: expected a number"),
        ("agent>=a", "agent is a text, which compares by = or !="),
        ("model=x", "unknown field 'model': a filter has the fields score, steps, "),
        ("__import__('os')=1", "expected a filter such as"),
    ],
)
def test_invalid_filter_is_rejected(expression: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_filter(expression)
