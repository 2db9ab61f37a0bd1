"""Attacks derived from a task's target deck: the work plus one change, hidden work, or half of it.

Each object that the target changes yields candidates: all `EXTRAS` that fit it. The order is drawn
from the task's id and a seed. Kinds alternate, so the first few attacks cover as many kinds as
possible.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from random import Random
from typing import Any

from pptx.oxml.ns import qn

# Importing these modules registers their extras.
import pptarena.tasks.quality.attacks.extras_data
import pptarena.tasks.quality.attacks.extras_masters
import pptarena.tasks.quality.attacks.extras_shapes
import pptarena.tasks.quality.attacks.extras_slides
import pptarena.tasks.quality.attacks.extras_stuffing
import pptarena.tasks.quality.attacks.extras_text  # noqa: F401
from pptarena.tasks.goals.editing import opened
from pptarena.tasks.quality.attacks.attack import Attack, Attempt
from pptarena.tasks.quality.attacks.extra import EXTRAS, Extra, Scene
from pptarena.tasks.quality.attacks.kinds import KINDS
from pptarena.tasks.quality.attacks.material import Material, shape_elements, shape_id
from pptarena.tasks.quality.attacks.touched import Touched, touched_objects
from pptarena.tasks.quality.attacks.unpacked import edited
from pptarena.tasks.targets import deck_facts

__all__ = ["derive"]

_HALF = 2


def derive(material: Material, seed: int = 0) -> tuple[Attack, ...]:
    """Return the attacks derived from a task's target deck, in random order.

    Args:
        material: The task and its decks.
        seed: Seed of the order and of the attacks' random choices.

    Raises:
        DeckError: If a deck cannot be read.
    """
    rng = Random(f"{material.task.id} {seed}")
    objects = touched_objects(material.original, material.goal)
    by_kind: dict[str, list[Attack]] = {kind: [] for kind in KINDS}
    for touched in objects:
        for one in EXTRAS:
            if one.fits(touched):
                by_kind[one.kind].append(_attack(one, touched, objects, seed))
    by_kind["half"] += _halves(objects)
    for attacks in by_kind.values():
        rng.shuffle(attacks)
        _take_turns(attacks)
    turns = zip_longest(*by_kind.values())
    return tuple(each for turn in turns for each in turn if each is not None)


def _take_turns(attacks: list[Attack]) -> None:
    """Sort attacks such that each extra occurs once before any repeats."""
    seen: dict[str, int] = {}
    rank = {}
    for each in attacks:
        extra = each.name.partition(":")[0]
        rank[each.name] = seen[extra] = seen.get(extra, 0) + 1
    attacks.sort(key=lambda each: rank[each.name])


def _attack(extra: Extra, touched: Touched, objects: Sequence[Touched], seed: int) -> Attack:
    name = f"goal and {extra.name}: {touched.place}"

    def make(material: Material) -> Attempt | None:
        done = []

        def edit(deck: Any) -> None:
            others = frozenset(o.shape for o in objects if o.slide == touched.slide)
            rng = Random(f"{material.task.id} {name} {seed}")
            scene = Scene(deck, touched, rng, _background(material, touched), others)
            done.append(extra.edit(scene))

        deck = edited(material.goal, edit)
        worth = KINDS[extra.kind].worth(_count(objects))
        return Attempt(deck, material.goal, worth) if all(done) else None

    return Attack(name, extra.summary, make, extra.kind)


def _count(objects: Sequence[Touched]) -> int:
    """Return the number of answers in a task: lines set by the target, and other changes."""
    found = 0
    for each in objects:
        before = set() if each.before is None else set(each.before.all_text.split("\n"))
        lines = [] if each.now is None else each.now.all_text.split("\n")
        new = sum(bool(line.strip()) and line not in before for line in lines)
        found += max(new, bool(each.aspects))
    return found


def _background(material: Material, touched: Touched) -> str:
    goal = deck_facts(material.goal)
    if touched.slide < 0 or touched.type == "stamp":
        paint = goal.masters[0].background if goal.masters else None
    else:
        paint = goal.slides[touched.slide].background
    return ((paint and paint.color) or "#FFFFFF").lstrip("#")


def _halves(objects: Sequence[Touched]) -> Iterator[Attack]:
    """Yield attacks that revert every second object, starting with the first or the second."""
    whole = [each for each in objects if each.shape >= 0 and each.type != "stamp"]
    if len(whole) < _HALF:
        return
    for first, name in enumerate(("every second object", "the other half of the objects")):
        back = [(each.slide, each.shape) for each in whole[first::_HALF]]

        def make(
            material: Material, back: Sequence[tuple[int, int]] = tuple(back)
        ) -> Attempt | None:
            return _taken_back(material, back)

        yield Attack(f"goal without {name}", "A half of the work is missing.", make, "half")


def _taken_back(material: Material, back: Sequence[tuple[int, int]]) -> Attempt | None:
    """Return the target deck with some objects reverted; new objects are removed."""
    before = {slide.slide_id: slide for slide in opened(material.original).slides}
    done = []

    def edit(deck: Any) -> None:
        for index, slide in enumerate(deck.slides):
            elements = list(shape_elements(slide))
            old = before.get(slide.slide_id)
            known = {} if old is None else {shape_id(e): e for e in shape_elements(old)}
            for at in [shape for number, shape in back if number == index]:
                element = elements[at]
                same = known.get(shape_id(element))
                if same is None:
                    element.getparent().remove(element)
                elif same.tag == element.tag and not _has_parts(same):
                    element.getparent().replace(element, same)
                else:
                    continue
                done.append(at)

    deck = edited(material.goal, edit)
    return Attempt(deck, material.goal, KINDS["half"].deserved) if done else None


def _has_parts(element: Any) -> bool:
    """Return whether a shape references other parts of the file, such as a chart or a picture."""
    names = (qn("r:id"), qn("r:embed"), qn("r:link"))
    return any(each.get(name) for each in element.iter() for name in names)
