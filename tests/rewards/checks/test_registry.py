import pytest

from pptarena.errors import RubricError
from pptarena.rewards import load_rubric
from pptarena.rewards.checking.registry import deck_check
from pptarena.rewards.checking.view import View
from pptarena.rewards.checks import ALIASES, CheckResult, check_names, get_check


def test_a_former_name_is_a_check_with_the_arguments_of_the_present_one() -> None:
    for name, alias in ALIASES.items():
        assert name not in check_names()
        spec = get_check(name, "check")
        assert spec.name == name
        assert spec.function is get_check(alias.check, "check").function
        known = {argument.name for argument in spec.arguments}
        assert {now for _, now in alias.renamed} | {now for now, _ in alias.implied} <= known


def test_a_rubric_keeps_the_former_name_it_was_written_with() -> None:
    leaf = {"name": "a", "critical": True, "check": "line_spacing"}
    leaf["args"] = {"slide": 1, "shape": "@body", "percent": 120}
    written = {"version": 1, "strategy": "weighted", "root": leaf}
    rubric = load_rubric(written)
    assert rubric.root.args["line_spacing_pct"] == 120
    assert rubric.to_json() == written
    leaf["args"] = {"slide": 1, "shape": "@body"}
    with pytest.raises(RubricError, match="at least one of align, level"):
        load_rubric(written)


def test_an_unknown_check_names_near_ones() -> None:
    with pytest.raises(RubricError, match=r"root/check: check 'title_si' not found.*'title_is'"):
        get_check("title_si", "root/check")


def test_a_name_is_given_once() -> None:
    def title_is(view: View) -> CheckResult:
        return CheckResult(0.0, "never")

    with pytest.raises(ValueError, match="title_is"):
        deck_check()(title_is)
