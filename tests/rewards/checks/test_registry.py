import pytest

from pptarena.errors import RubricError
from pptarena.rewards import load_rubric
from pptarena.rewards.checking.registry import deck_check
from pptarena.rewards.checking.view import View
from pptarena.rewards.checks import ALIASES, CheckResult, check_names, get_check


def test_aliases_resolve_to_current_checks_and_arguments() -> None:
    for name, alias in ALIASES.items():
        assert name not in check_names()
        spec = get_check(name, "check")
        assert spec.name == name
        assert spec.function is get_check(alias.check, "check").function
        argument_names = {argument.name for argument in spec.arguments}
        assert {new for _, new in alias.renamed} | {
            new for new, _ in alias.implied
        } <= argument_names


def test_rubric_keeps_the_alias_it_was_written_with() -> None:
    leaf = {"name": "a", "critical": True, "check": "line_spacing"}
    leaf["args"] = {"slide": 1, "shape": "@body", "percent": 120}
    written = {"version": 1, "strategy": "weighted", "root": leaf}
    rubric = load_rubric(written)
    assert rubric.root.args["line_spacing_pct"] == 120
    assert rubric.to_json() == written
    leaf["args"] = {"slide": 1, "shape": "@body"}
    with pytest.raises(RubricError, match="at least one of align, level"):
        load_rubric(written)


def test_unknown_check_suggests_similar_names() -> None:
    with pytest.raises(RubricError, match=r"root/check: check 'title_si' not found.*'title_is'"):
        get_check("title_si", "root/check")


def test_check_names_are_unique() -> None:
    def title_is(view: View) -> CheckResult:
        return CheckResult(0.0, "never")

    with pytest.raises(ValueError, match="title_is"):
        deck_check()(title_is)
