"""Drafts of tasks: edits drawn on a deck, alone and composed, with their sentence."""

from collections.abc import Sequence
from random import Random

from pptarena.tasks.grow.draft import Draft, Edit, Item
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.operator import Operator
from pptarena.tasks.grow.wording import REASONS, REGISTERS, Frame, in_register, pick_frame

__all__ = ["Composer"]


class Composer:
    """Draws drafts on one deck.

    Args:
        ground: The deck.
        operators: Those that may be drawn.
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

    def one(self, operator: Operator, rng: Random, *, held_out_words: bool) -> Draft | None:
        """Return a draft of one operator; None if what was drawn does not fit."""
        edit = self.edit(operator, rng)
        if edit is None:
            return None
        item = self.item(edit, rng, held_out_words=held_out_words)
        if item is None:
            return None
        register = rng.choice(REGISTERS)
        sentence = said([item], register, rng)
        return Draft(
            self.ground, "one", edit.to_json(), (edit,), (operator.name,), (item,), 1, register,
            sentence, "train",
        )  # fmt: skip

    def edit(self, operator: Operator, rng: Random) -> Edit | None:
        """Return an edit at a place that is drawn."""
        site = rng.choice(self.sites[operator.name])
        params = operator.params(site, rng)
        if params is None:
            return None
        edit = Edit(operator, site, params)
        values = operator.values(site, params)
        fits = all(operator.slots[key].fits(value) for key, value in values.items())
        return edit if fits else None

    def item(self, edit: Edit, rng: Random, *, held_out_words: bool) -> Item | None:
        """Return the words for an edit, in a frame that is drawn."""
        frame = pick_frame(edit.operator, rng, held_out=held_out_words)
        return self.worded(edit, frame, rng)

    def worded(self, edit: Edit, frame: Frame, rng: Random) -> Item | None:
        """Return the words for an edit in a frame; None if the place has no fitting name."""
        operator, site = edit.operator, edit.site
        values = operator.values(site, edit.params)
        words = {key: operator.slots[key].say(value) for key, value in values.items()}
        if operator.target == "slide":
            words["it"] = rng.choice(self.references.slide_names[site.number - 1])
        elif operator.target == "shape":
            assert site.slide_index is not None
            assert site.shape_index is not None
            local = rng.choice(self.references.shape_names[site.slide_index][site.shape_index])
            slide = rng.choice(self.references.slide_names[site.slide_index])
            words["slide"] = slide
            whole = self.references.of(local, slide)
            lone = self.references.lone.get((site.slide_index, site.shape_index), ())
            words["it"] = local if frame.front else rng.choice((whole, *lone))
        front, phrase = frame.said(words)
        return Item(front, phrase, frame.is_wish, ((operator.name, frame.id),))

    def _can_be_named(self, site: Site) -> bool:
        if site.slide_index is None:
            return True
        if site.shape_index is None:
            return site.slide_index in self.references.slide_names
        named = site.shape_index in self.references.shape_names[site.slide_index]
        return named and bool(site.spec)


def said(items: Sequence[Item], register: str, rng: Random) -> str:
    """Return a whole sentence."""
    parts = [(item.front, item.phrase, item.is_wish) for item in items]
    return in_register(register, rng.choice(REASONS), parts)
