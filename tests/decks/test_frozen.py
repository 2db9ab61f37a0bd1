"""Facts that are shared cannot be changed, and are like plain ones in all else."""

import json
import pickle
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.decks import read_deck
from pptarena.decks.frozen import frozen
from pptarena.decks.outline import slide_facts, slide_list
from pptarena.tasks.deck_files import read_deck_file

PLAIN = {"a": [1, {"b": "c"}], "d": {"e": None}}


@pytest.mark.parametrize("copied", [deepcopy, lambda v: pickle.loads(pickle.dumps(v))])
def test_a_copy_is_plain(copied: Callable[[Any], Any]) -> None:
    held = frozen({**PLAIN, "a": (1, {"b": "c"})})
    assert held == PLAIN
    assert json.dumps(held) == json.dumps(PLAIN)
    copy = copied(held)
    assert copy == PLAIN
    assert {type(copy), type(copy["d"]), type(copy["a"][1])} == {dict}
    assert type(copy["a"]) is list
    copy["a"][1]["b"] = "x"
    assert held == PLAIN


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
        lambda v, name=name, given=given: getattr(v["a"], name)(*given)
        for name, given in {
            "append": (1,), "extend": ([1],), "insert": (0, 1), "pop": (), "remove": (1,),
            "clear": (), "reverse": (), "sort": (), "__setitem__": (0, 1), "__delitem__": (0,),
            "__iadd__": ([1],), "__imul__": (2,),
        }.items()
    ),
)  # fmt: skip


@each_case("change", CHANGES)
def test_nobody_changes_it(change: Callable[[Any], object]) -> None:
    held = frozen(PLAIN)
    with pytest.raises(TypeError, match="shared with other steps"):
        change(held)
    assert held == PLAIN


def test_facts_of_slides_are_those_of_json() -> None:
    slides = read_deck(read_deck_file("meridian")).slides
    told = slide_list(slides, 10**6)
    assert told == [json.loads(json.dumps(slide_facts(each))) for each in slides]
    assert slide_list(slides, 10**6)[0] is told[0]
    with pytest.raises(TypeError, match=r"copy\.deepcopy"):
        told[0]["hidden"] = True
