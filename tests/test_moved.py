"""Old names of modules lead to the new ones for one release."""

import importlib
import sys

import pytest

from pptarena.moved import MOVED


@pytest.mark.parametrize("old", MOVED)
def test_an_old_name_is_the_new_module(old: str) -> None:
    sys.modules.pop(f"pptarena.{old}", None)
    new = importlib.import_module(f"pptarena.{MOVED[old]}")
    spec = new.__spec__
    with pytest.warns(DeprecationWarning, match="is pptarena"):
        assert importlib.import_module(f"pptarena.{old}") is new
    assert new.__spec__ is spec


def test_a_reader_below_an_old_name() -> None:
    with pytest.warns(DeprecationWarning, match="is pptarena"):
        found = importlib.import_module("pptarena.rewards.deck.tables")
    assert found is importlib.import_module("pptarena.decks.read.tables")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", ["rewards.decks", "rewards.deck.nothing", "tasks.goal"])
def test_what_never_was_is_not_found(name: str) -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(f"pptarena.{name}")
