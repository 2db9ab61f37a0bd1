"""Sample parts of generated tasks on a deck: single edits and compositions."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from pptarena.tasks.grow.draft import Edit, Item
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.operator import Operator
from pptarena.tasks.grow.parts import Part, may_share_place
from pptarena.tasks.grow.references import quotable
from pptarena.tasks.grow.slots import TEXT
from pptarena.tasks.grow.wording import ALSO, NEXT, OTHERWISE, Frame, pick_frame

__all__ = ["COPIED", "KINDS", "Composer"]

COPIED = "the text of "
"""Text before the name of a shape whose text is to be copied."""

_TRIES = 8
_NOUN_BEFORE = re.compile(r"\b(words?|text|line) \{text\}")  # "the text the text of the title"
_MOST_AT_PLACE = 3


class Composer:
    """Samples parts of tasks on one deck.

    Args:
        ground: The deck context.
        operators: Operators to sample from.
    """

    def __init__(self, ground: Ground, operators: Sequence[Operator]) -> None:
        self.ground = ground
        self.references = ground.references
        self.sites: dict[str, list[Site]] = {}
        for operator in operators:
            found = [site for site in operator.sites(ground) if self._can_be_named(site)]
            if found:
                self.sites[operator.name] = found
        self.operators = {each.name: each for each in operators if each.name in self.sites}

    def part(
        self, kind: str, names: Sequence[str], rng: Random, *, held_out_words: bool, plain: bool
    ) -> Part | None:
        """Sample a part; return None if the sampled choices do not fit.

        Args:
            kind: One of `KINDS`.
            names: Names of the operators to sample from.
            rng: Random generator.
            held_out_words: Whether to use a held-out wording.
            plain: Whether slides are named only by position, because titles changed.
        """
        return KINDS[kind](_Drawing(self, names, rng, held_out_words, plain))

    def edit(self, operator: Operator, rng: Random, site: Site | None = None) -> Edit | None:
        """Return an edit at a site, or at a sampled one."""
        site = rng.choice(self.sites[operator.name]) if site is None else site
        params = operator.params(site, rng)
        if params is None:
            return None
        values = operator.values(site, params)
        fits = all(operator.slots[key].fits(value) for key, value in values.items())
        return Edit(operator, site, params) if fits else None

    def words(self, site: Site, frame: Frame, rng: Random, *, plain: bool) -> dict[str, str]:
        """Return the template values that name a site."""
        if site.slide_index is None:
            return {}
        known = self.references.slide_names[site.slide_index]
        slide = rng.choice([name for name in known if not plain or '"' not in name])
        if site.shape_index is None:
            return {"it": slide}
        local = rng.choice(self.references.shape_names[site.slide_index][site.shape_index])
        if frame.front:
            return {"it": local, "slide": slide}
        lone = self.references.lone.get((site.slide_index, site.shape_index), ())
        return {"it": rng.choice((self.references.of(local, slide), *lone))}

    def _can_be_named(self, site: Site) -> bool:
        if site.slide_index is None:
            return True
        if site.shape_index is None:
            return site.slide_index in self.references.slide_names
        named = site.shape_index in self.references.shape_names[site.slide_index]
        return named and bool(site.spec)


class _Drawing:
    """State shared by all steps of sampling one part."""

    def __init__(
        self, composer: Composer, names: Sequence[str], rng: Random, held_out: bool, plain: bool
    ) -> None:
        self.composer = composer
        self.references = composer.references
        self.names = names
        self.rng = rng
        self.held_out = held_out
        self.plain = plain

    def operator(self, fits: Callable[[Operator], bool] = lambda each: True) -> Operator | None:
        known = [self.composer.operators[name] for name in self.names]
        fitting = [each for each in known if fits(each)]
        if not fitting:
            return None
        # Sample the edit type first, because some types have more operators than others.
        kind = self.rng.choice(sorted({each.edit_type for each in fitting}))
        return self.rng.choice([each for each in fitting if each.edit_type == kind])

    def frame(self, operator: Operator, *, front: bool = True, wish: bool = True) -> Frame | None:
        return pick_frame(operator, self.rng, held_out=self.held_out, front=front, wish=wish)

    def item(
        self,
        edit: Edit,
        frame: Frame | None,
        words: dict[str, str] | None = None,
        joiner: str = NEXT,
    ) -> Item | None:
        """Return the wording of an edit; `words` override its own names and values."""
        if frame is None:
            return None
        operator, site = edit.operator, edit.site
        values = operator.values(site, edit.params)
        said = {key: operator.slots[key].say(value) for key, value in values.items()}
        said |= self.composer.words(site, frame, self.rng, plain=self.plain) | (words or {})
        front, phrase = frame.said(said)
        place = ((site.slide_index, site.shape_index),)
        meaning = place, tuple(sorted(values.items()))
        name = operator.name, frame.id
        return Item(front, phrase, frame.is_wish, name, meaning, joiner)


def _one(drawing: _Drawing) -> Part | None:
    operator = drawing.operator()
    edit = operator and drawing.composer.edit(operator, drawing.rng)
    item = edit and drawing.item(edit, drawing.frame(edit.operator))
    if not edit or not item:
        return None
    return Part("one", edit.to_json(), (edit,), (item,), (edit.operator.name,), 1)


def _both(drawing: _Drawing) -> Part | None:
    """Two or three edits of one site; the later ones refer to it as ``it``."""
    composer, rng = drawing.composer, drawing.rng
    first = drawing.operator(lambda each: each.target != "deck" and not each.whole)
    edit = first and composer.edit(first, rng)
    if not edit:
        return None
    place, target = (edit.site.slide_index, edit.site.shape_index), edit.operator.target
    edits = [edit]
    for _ in range(_TRIES):
        if len(edits) == _MOST_AT_PLACE or (len(edits) > 1 and rng.random() < 0.6):
            break
        other = drawing.operator(lambda each: each.target == target)
        sites = composer.sites[other.name] if other else []
        here = [site for site in sites if (site.slide_index, site.shape_index) == place]
        more = composer.edit(other, rng, rng.choice(here)) if other and here else None
        if more and all(may_share_place(each, more) for each in edits):
            edits.append(more)
    if len(edits) < 2:
        return None
    items = [drawing.item(edit, drawing.frame(edit.operator, wish=False))]
    for each in edits[1:]:
        frame = drawing.frame(each.operator, front=False, wish=False)
        items.append(drawing.item(each, frame, {"it": "it"}, joiner=ALSO))
    known = tuple(item for item in items if item is not None)
    if len(known) < len(edits):
        return None
    tree = {"both": [each.to_json() for each in edits]}
    return Part(
        "both", tree, tuple(edits), known, tuple(e.operator.name for e in edits), len(edits)
    )


def _for_each(drawing: _Drawing) -> Part | None:
    """One edit of several slides, or of one shape on each of them."""
    composer, rng = drawing.composer, drawing.rng
    operator = drawing.operator(lambda each: each.target != "deck" and not each.whole)
    if operator is None:
        return None
    sites = {(s.slide_index, s.shape_index): s for s in composer.sites[operator.name]}
    fitting = [
        name
        for name, members in drawing.references.domains.items()
        if all(member in sites and not sites[member].detail for member in members)
        and (not operator.alone or len({slide for slide, _ in members}) == len(members))
    ]
    if not fitting:
        return None
    name = rng.choice(fitting)
    members = drawing.references.domains[name]
    first = composer.edit(operator, rng, sites[members[0]])
    item = first and drawing.item(first, drawing.frame(operator, front=False), {"it": name})
    if not first or not item:
        return None
    edits = tuple(Edit(operator, sites[member], first.params) for member in members)
    tree = {"for_each": name, "edits": [edit.to_json() for edit in edits]}
    item = replace(item, meaning=(tuple(members), item.meaning[1]))
    return Part("for_each", tree, edits, (item,), (operator.name,), 2)


def _if(drawing: _Drawing) -> Part | None:
    """One of two edits, depending on a condition about the deck."""
    composer, rng = drawing.composer, drawing.rng
    condition = rng.choice(sorted(drawing.references.conditions))
    is_so = drawing.references.conditions[condition]
    items: list[Item] = []
    edits: list[Edit] = []
    for joiner in (NEXT, OTHERWISE):
        operator = drawing.operator(lambda each: not each.whole)
        edit = operator and composer.edit(operator, rng)
        item = edit and drawing.item(
            edit, drawing.frame(edit.operator, front=False, wish=False), joiner=joiner
        )
        if not edit or not item:
            return None
        edits.append(edit)
        items.append(item)
    if edits[0].operator is edits[1].operator:
        return None
    items[0] = replace(items[0], front=f"if {condition}, then ")
    tree = {"if": condition, "then": edits[0].to_json(), "else": edits[1].to_json()}
    names = tuple(edit.operator.name for edit in edits)
    return Part("if", tree, (edits[0 if is_so else 1],), tuple(items), names, 3)


def _copy_of(drawing: _Drawing) -> Part | None:
    """An edit whose text is copied from elsewhere in the deck."""
    rng = drawing.rng
    operator = drawing.operator(lambda each: each.slots.get("text") is TEXT and not each.whole)
    edit = operator and drawing.composer.edit(operator, rng)
    if not edit:
        return None
    sources = [
        (name, place)
        for name, place in sorted(drawing.references.places.items())
        if '"' not in name
        and place[0] != edit.site.slide_index
        and quotable(drawing.composer.ground.deck.slides[place[0]].shapes[place[1]].text)
    ]
    if not sources:
        return None
    name, (slide, shape) = rng.choice(sources)
    text = drawing.composer.ground.deck.slides[slide].shapes[shape].text
    edit = replace(edit, params={**edit.params, "text": text})
    frame = drawing.frame(edit.operator)
    if frame and not _can_copy(frame, name):
        return None
    item = drawing.item(edit, frame, {"text": f"{COPIED}{name}"})
    if item is None:
        return None
    tree = {"copy_of": {"slide": slide + 1, "name": name}, **edit.to_json()}
    return Part("copy_of", tree, (edit,), (item,), (edit.operator.name,), 2)


def _can_copy(frame: Frame, name: str) -> bool:
    """Return whether a template reads well with a place name instead of a quotation."""
    if " on " in name and "{text} on " in frame.text:  # ambiguous nesting of places
        return False
    return _NOUN_BEFORE.search(frame.text) is None


KINDS: dict[str, Callable[[_Drawing], Part | None]] = {
    "one": _one,
    "both": _both,
    "for_each": _for_each,
    "if": _if,
    "copy_of": _copy_of,
}
"""Part kinds by name."""
