"""Sample parts of generated tasks on a deck: single edits and compositions."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from pptarena.tasks.generator.deck_context import DeckContext, Target
from pptarena.tasks.generator.draft import Edit, Item
from pptarena.tasks.generator.operator import Operator
from pptarena.tasks.generator.parts import Part, may_share_target
from pptarena.tasks.generator.references import quotable
from pptarena.tasks.generator.slots import TEXT
from pptarena.tasks.generator.wording import ALSO, NEXT, OTHERWISE, Template, sample_template

__all__ = ["COPY_PREFIX", "KINDS", "Composer"]

COPY_PREFIX = "the text of "
"""Text before the name of a shape whose text is to be copied."""

_TRIES = 8
_NOUN_BEFORE_TEXT = re.compile(r"\b(words?|text|line) \{text\}")  # "the text the text of the title"
_MAX_EDITS_PER_TARGET = 3


class Composer:
    """Samples parts of tasks on one deck.

    Args:
        context: The deck context.
        operators: Operators to sample from.
    """

    def __init__(self, context: DeckContext, operators: Sequence[Operator]) -> None:
        self.context = context
        self.references = context.references
        self.targets: dict[str, list[Target]] = {}
        for operator in operators:
            nameable = [target for target in operator.targets(context) if self._has_name(target)]
            if nameable:
                self.targets[operator.name] = nameable
        self.operators = {
            operator.name: operator for operator in operators if operator.name in self.targets
        }

    def sample_part(
        self, kind: str, names: Sequence[str], rng: Random, *, held_out_wording: bool, plain: bool
    ) -> Part | None:
        """Sample a part; return None if the sampled choices do not fit.

        Args:
            kind: One of `KINDS`.
            names: Names of the operators to sample from.
            rng: Random generator.
            held_out_wording: Whether to use a held-out wording.
            plain: Whether slides are named only by position, because titles changed.
        """
        return KINDS[kind](_PartSampler(self, names, rng, held_out_wording, plain))

    def sample_edit(
        self, operator: Operator, rng: Random, target: Target | None = None
    ) -> Edit | None:
        """Return an edit of a target, by default a sampled one; None if no edit fits it."""
        target = rng.choice(self.targets[operator.name]) if target is None else target
        params = operator.params(target, rng)
        if params is None:
            return None
        values = operator.slot_values(target, params)
        fits = all(operator.slots[key].fits(value) for key, value in values.items())
        return Edit(operator, target, params) if fits else None

    def reference_values(
        self, target: Target, template: Template, rng: Random, *, plain: bool
    ) -> dict[str, str]:
        """Return the values of a template that name a target."""
        if target.slide_index is None:
            return {}
        slide_names = self.references.slide_names[target.slide_index]
        slide_name = rng.choice([name for name in slide_names if not plain or '"' not in name])
        if target.shape_index is None:
            return {"it": slide_name}
        shape_name = rng.choice(self.references.shape_names[target.slide_index][target.shape_index])
        if template.prefix:
            return {"it": shape_name, "slide": slide_name}
        standalone_names = self.references.standalone_names.get(
            (target.slide_index, target.shape_index), ()
        )
        return {
            "it": rng.choice((self.references.qualify(shape_name, slide_name), *standalone_names))
        }

    def _has_name(self, target: Target) -> bool:
        if target.slide_index is None:
            return True
        if target.shape_index is None:
            return target.slide_index in self.references.slide_names
        is_named = target.shape_index in self.references.shape_names[target.slide_index]
        return is_named and bool(target.spec)


class _PartSampler:
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

    def sample_operator(
        self, fits: Callable[[Operator], bool] = lambda each: True
    ) -> Operator | None:
        available = [self.composer.operators[name] for name in self.names]
        eligible = [each for each in available if fits(each)]
        if not eligible:
            return None
        # Sample the edit type first, because some types have more operators than others.
        kind = self.rng.choice(sorted({each.edit_type for each in eligible}))
        return self.rng.choice([each for each in eligible if each.edit_type == kind])

    def sample_template(
        self, operator: Operator, *, prefix: bool = True, wish: bool = True
    ) -> Template | None:
        return sample_template(operator, self.rng, held_out=self.held_out, prefix=prefix, wish=wish)

    def make_item(
        self,
        edit: Edit,
        template: Template | None,
        overrides: dict[str, str] | None = None,
        joiner: str = NEXT,
    ) -> Item | None:
        """Return the wording of an edit; `overrides` replace its own names and values."""
        if template is None:
            return None
        operator, target = edit.operator, edit.target
        values = operator.slot_values(target, edit.params)
        wordings = {key: operator.slots[key].format(value) for key, value in values.items()}
        wordings |= self.composer.reference_values(target, template, self.rng, plain=self.plain) | (
            overrides or {}
        )
        prefix, phrase = template.fill(wordings)
        location = ((target.slide_index, target.shape_index),)
        meaning = location, tuple(sorted(values.items()))
        name = operator.name, template.id
        return Item(prefix, phrase, template.is_wish, name, meaning, joiner)


def _sample_one(sampler: _PartSampler) -> Part | None:
    operator = sampler.sample_operator()
    edit = operator and sampler.composer.sample_edit(operator, sampler.rng)
    item = edit and sampler.make_item(edit, sampler.sample_template(edit.operator))
    if not edit or not item:
        return None
    return Part("one", edit.to_json(), (edit,), (item,), (edit.operator.name,), 1)


def _sample_both(sampler: _PartSampler) -> Part | None:
    """Two or three edits of one target; the later ones refer to it as ``it``."""
    composer, rng = sampler.composer, sampler.rng
    first = sampler.sample_operator(lambda each: each.target_kind != "deck" and not each.deck_wide)
    edit = first and composer.sample_edit(first, rng)
    if not edit:
        return None
    location = edit.target.slide_index, edit.target.shape_index
    target_kind = edit.operator.target_kind
    edits = [edit]
    for _ in range(_TRIES):
        if len(edits) == _MAX_EDITS_PER_TARGET or (len(edits) > 1 and rng.random() < 0.6):
            break
        other = sampler.sample_operator(lambda each: each.target_kind == target_kind)
        targets = composer.targets[other.name] if other else []
        candidates = [
            target for target in targets if (target.slide_index, target.shape_index) == location
        ]
        candidate = (
            composer.sample_edit(other, rng, rng.choice(candidates))
            if other and candidates
            else None
        )
        if candidate and all(may_share_target(each, candidate) for each in edits):
            edits.append(candidate)
    if len(edits) < 2:
        return None
    items = [sampler.make_item(edit, sampler.sample_template(edit.operator, wish=False))]
    for each in edits[1:]:
        template = sampler.sample_template(each.operator, prefix=False, wish=False)
        items.append(sampler.make_item(each, template, {"it": "it"}, joiner=ALSO))
    complete_items = tuple(item for item in items if item is not None)
    if len(complete_items) < len(edits):
        return None
    tree = {"both": [each.to_json() for each in edits]}
    return Part(
        "both",
        tree,
        tuple(edits),
        complete_items,
        tuple(e.operator.name for e in edits),
        len(edits),
    )


def _sample_for_each(sampler: _PartSampler) -> Part | None:
    """One edit of several slides, or of one shape on each of them."""
    composer, rng = sampler.composer, sampler.rng
    operator = sampler.sample_operator(
        lambda each: each.target_kind != "deck" and not each.deck_wide
    )
    if operator is None:
        return None
    targets = {(s.slide_index, s.shape_index): s for s in composer.targets[operator.name]}
    eligible = [
        name
        for name, members in sampler.references.domains.items()
        if all(member in targets and not targets[member].detail for member in members)
        and (not operator.once_per_slide or len({slide for slide, _ in members}) == len(members))
    ]
    if not eligible:
        return None
    name = rng.choice(eligible)
    members = sampler.references.domains[name]
    first = composer.sample_edit(operator, rng, targets[members[0]])
    item = first and sampler.make_item(
        first, sampler.sample_template(operator, prefix=False), {"it": name}
    )
    if not first or not item:
        return None
    edits = tuple(Edit(operator, targets[member], first.params) for member in members)
    tree = {"for_each": name, "edits": [edit.to_json() for edit in edits]}
    item = replace(item, meaning=(tuple(members), item.meaning[1]))
    return Part("for_each", tree, edits, (item,), (operator.name,), 2)


def _sample_if(sampler: _PartSampler) -> Part | None:
    """One of two edits, depending on a condition about the deck."""
    composer, rng = sampler.composer, sampler.rng
    condition = rng.choice(sorted(sampler.references.conditions))
    is_true = sampler.references.conditions[condition]
    items: list[Item] = []
    edits: list[Edit] = []
    for joiner in (NEXT, OTHERWISE):
        operator = sampler.sample_operator(lambda each: not each.deck_wide)
        edit = operator and composer.sample_edit(operator, rng)
        item = edit and sampler.make_item(
            edit, sampler.sample_template(edit.operator, prefix=False, wish=False), joiner=joiner
        )
        if not edit or not item:
            return None
        edits.append(edit)
        items.append(item)
    if edits[0].operator is edits[1].operator:
        return None
    items[0] = replace(items[0], prefix=f"if {condition}, then ")
    tree = {"if": condition, "then": edits[0].to_json(), "else": edits[1].to_json()}
    names = tuple(edit.operator.name for edit in edits)
    return Part("if", tree, (edits[0 if is_true else 1],), tuple(items), names, 3)


def _sample_copy_of(sampler: _PartSampler) -> Part | None:
    """An edit whose text is copied from elsewhere in the deck."""
    rng = sampler.rng
    operator = sampler.sample_operator(
        lambda each: each.slots.get("text") is TEXT and not each.deck_wide
    )
    edit = operator and sampler.composer.sample_edit(operator, rng)
    if not edit:
        return None
    sources = [
        (name, location)
        for name, location in sorted(sampler.references.locations.items())
        if '"' not in name
        and location[0] != edit.target.slide_index
        and quotable(sampler.composer.context.deck.slides[location[0]].shapes[location[1]].text)
    ]
    if not sources:
        return None
    name, (slide, shape) = rng.choice(sources)
    text = sampler.composer.context.deck.slides[slide].shapes[shape].text
    edit = replace(edit, params={**edit.params, "text": text})
    template = sampler.sample_template(edit.operator)
    if template and not _can_copy(template, name):
        return None
    item = sampler.make_item(edit, template, {"text": f"{COPY_PREFIX}{name}"})
    if item is None:
        return None
    tree = {"copy_of": {"slide": slide + 1, "name": name}, **edit.to_json()}
    return Part("copy_of", tree, (edit,), (item,), (edit.operator.name,), 2)


def _can_copy(template: Template, name: str) -> bool:
    """Return whether a template reads well with the name of a shape instead of a quotation."""
    if " on " in name and "{text} on " in template.text:  # "on" would be ambiguous
        return False
    return _NOUN_BEFORE_TEXT.search(template.text) is None


KINDS: dict[str, Callable[[_PartSampler], Part | None]] = {
    "one": _sample_one,
    "both": _sample_both,
    "for_each": _sample_for_each,
    "if": _sample_if,
    "copy_of": _sample_copy_of,
}
"""Part kinds by name."""
