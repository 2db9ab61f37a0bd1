"""Attacks derived from a task's target deck: an extra change, hidden work, or half of the work.

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
from pptarena.tasks.goals.editing import open_deck
from pptarena.tasks.quality.attacks.attack import Attack, AttackedDeck
from pptarena.tasks.quality.attacks.changed_objects import ChangedObject, changed_objects
from pptarena.tasks.quality.attacks.extra import EXTRAS, Extra, ObjectContext
from pptarena.tasks.quality.attacks.kinds import KINDS
from pptarena.tasks.quality.attacks.material import Material, shape_elements, shape_id
from pptarena.tasks.quality.attacks.uncompressed import edit_uncompressed
from pptarena.tasks.targets import deck_facts

__all__ = ["derive"]

_HALF_COUNT = 2


def derive(material: Material, seed: int = 0) -> tuple[Attack, ...]:
    """Return the attacks derived from a task's target deck, in random order.

    Args:
        material: The task and its decks.
        seed: Seed of the order and of the attacks' random choices.

    Raises:
        DeckError: If a deck cannot be read.
    """
    rng = Random(f"{material.task.id} {seed}")
    objects = changed_objects(material.original, material.goal)
    by_kind: dict[str, list[Attack]] = {kind: [] for kind in KINDS}
    for changed in objects:
        for extra in EXTRAS:
            if extra.fits(changed):
                by_kind[extra.kind].append(_attack(extra, changed, objects, seed))
    by_kind["half"] += _halves(objects)
    for attacks in by_kind.values():
        rng.shuffle(attacks)
        _interleave_extras(attacks)
    rounds = zip_longest(*by_kind.values())
    return tuple(
        each for attacks_of_round in rounds for each in attacks_of_round if each is not None
    )


def _interleave_extras(attacks: list[Attack]) -> None:
    """Sort attacks such that each extra occurs once before any repeats."""
    counts: dict[str, int] = {}
    rank = {}
    for each in attacks:
        extra = each.name.partition(":")[0]
        rank[each.name] = counts[extra] = counts.get(extra, 0) + 1
    attacks.sort(key=lambda each: rank[each.name])


def _attack(
    extra: Extra, changed: ChangedObject, objects: Sequence[ChangedObject], seed: int
) -> Attack:
    name = f"goal and {extra.name}: {changed.place}"

    def make(material: Material) -> AttackedDeck | None:
        results = []

        def edit(deck: Any) -> None:
            changed_shapes = frozenset(o.shape for o in objects if o.slide == changed.slide)
            rng = Random(f"{material.task.id} {name} {seed}")
            context = ObjectContext(
                deck, changed, rng, _background(material, changed), changed_shapes
            )
            results.append(extra.edit(context))

        deck = edit_uncompressed(material.goal, edit)
        worth = KINDS[extra.kind].worth(_answer_count(objects))
        return AttackedDeck(deck, material.goal, worth) if all(results) else None

    return Attack(name, extra.summary, make, extra.kind)


def _answer_count(objects: Sequence[ChangedObject]) -> int:
    """Return the number of answers in a task: lines set by the target, and other changes."""
    count = 0
    for each in objects:
        before = set() if each.before is None else set(each.before.all_text.split("\n"))
        lines = [] if each.after is None else each.after.all_text.split("\n")
        new = sum(bool(line.strip()) and line not in before for line in lines)
        count += max(new, bool(each.aspects))
    return count


def _background(material: Material, changed: ChangedObject) -> str:
    goal = deck_facts(material.goal)
    if changed.slide < 0 or changed.type == "stamp":
        paint = goal.masters[0].background if goal.masters else None
    else:
        paint = goal.slides[changed.slide].background
    return ((paint and paint.color) or "#FFFFFF").lstrip("#")


def _halves(objects: Sequence[ChangedObject]) -> Iterator[Attack]:
    """Yield attacks that revert every second object, starting with the first or the second."""
    shapes = [each for each in objects if each.shape >= 0 and each.type != "stamp"]
    if len(shapes) < _HALF_COUNT:
        return
    for first, name in enumerate(("every second object", "the other half of the objects")):
        reverted = [(each.slide, each.shape) for each in shapes[first::_HALF_COUNT]]

        def make(
            material: Material, reverted: Sequence[tuple[int, int]] = tuple(reverted)
        ) -> AttackedDeck | None:
            return _reverted(material, reverted)

        yield Attack(f"goal without {name}", "A half of the work is missing.", make, "half")


def _reverted(material: Material, back: Sequence[tuple[int, int]]) -> AttackedDeck | None:
    """Return the target deck with some objects reverted; new objects are removed."""
    before = {slide.slide_id: slide for slide in open_deck(material.original).slides}
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

    deck = edit_uncompressed(material.goal, edit)
    return AttackedDeck(deck, material.goal, KINDS["half"].deserved) if done else None


def _has_parts(element: Any) -> bool:
    """Return whether a shape references other parts of the file, such as a chart or a picture."""
    names = (qn("r:id"), qn("r:embed"), qn("r:link"))
    return any(each.get(name) for each in element.iter() for name in names)
