"""Shared facts are immutable but otherwise behave like plain values."""

import json
import pickle
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.decks import read_deck
from pptarena.decks.frozen import freeze
from pptarena.decks.outline import slide_facts, slide_list
from pptarena.tasks.deck_files import read_deck_file

PLAIN = {"a": [1, {"b": "c"}], "d": {"e": None}}


@pytest.mark.parametrize("make_copy", [deepcopy, lambda v: pickle.loads(pickle.dumps(v))])
def test_copies_of_frozen_values_are_plain(make_copy: Callable[[Any], Any]) -> None:
    frozen = freeze({**PLAIN, "a": (1, {"b": "c"})})
    assert frozen == PLAIN
    assert json.dumps(frozen) == json.dumps(PLAIN)
    copy = make_copy(frozen)
    assert copy == PLAIN
    assert {type(copy), type(copy["d"]), type(copy["a"][1])} == {dict}
    assert type(copy["a"]) is list
    copy["a"][1]["b"] = "x"
    assert frozen == PLAIN


CHANGES: tuple[Callable[[Any], object], ...] = (
    lambda v: v.update(d=2),
    lambda v: v.pop("a"),
    lambda v: v.popitem(),
    lambda v: v.clear(),
    lambda v: v.setdefault("z", 1),
    lambda v: v.__setitem__("a", 1),
    lambda v: v.__delitem__("a"),
    lambda v: v.__ior__({"a": 1}),
    *(
        lambda v, name=name, args=args: getattr(v["a"], name)(*args)
        for name, args in {
            "append": (1,), "extend": ([1],), "insert": (0, 1), "pop": (), "remove": (1,),
            "clear": (), "reverse": (), "sort": (), "__setitem__": (0, 1), "__delitem__": (0,),
            "__iadd__": ([1],), "__imul__": (2,),
        }.items()
    ),
)  # fmt: skip


@each_case("change", CHANGES)
def test_frozen_values_reject_changes(change: Callable[[Any], object]) -> None:
    frozen = freeze(PLAIN)
    with pytest.raises(TypeError, match="shared between steps"):
        change(frozen)
    assert frozen == PLAIN


def test_slide_list_matches_its_json() -> None:
    slides = read_deck(read_deck_file("meridian")).slides
    listed = slide_list(slides, 10**6)
    assert listed == [json.loads(json.dumps(slide_facts(each))) for each in slides]
    assert slide_list(slides, 10**6)[0] is listed[0]
    with pytest.raises(TypeError, match=r"copy\.deepcopy"):
        listed[0]["hidden"] = True
