from pathlib import Path

import pytest

from pptarena.errors import RubricError
from pptarena.rewards.checking.registry import deck_check
from pptarena.rewards.checking.view import View
from pptarena.rewards.checks import CheckResult, check_names, get_check


def test_every_check_has_a_table_of_cases() -> None:
    tables = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [name for name in check_names() if f'"{name}"' not in tables] == []


def test_an_unknown_check_names_near_ones() -> None:
    with pytest.raises(RubricError, match=r"root/check: check 'title_si' not found.*'title_is'"):
        get_check("title_si", "root/check")


def test_a_name_is_given_once() -> None:
    def title_is(view: View) -> CheckResult:
        return CheckResult(0.0, "never")

    with pytest.raises(ValueError, match="title_is"):
        deck_check()(title_is)
