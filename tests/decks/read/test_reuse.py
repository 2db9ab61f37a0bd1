"""Reused facts equal those of a fresh read."""

import io
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from functools import cache
from typing import Any

import pytest
from pptx import Presentation
from tests.decks.packing import pack, unpack
from tests.each_case import each_case

from pptarena.decks import Link
from pptarena.decks.package import budget
from pptarena.decks.read import reader
from pptarena.decks.read.caches import LruCache
from pptarena.errors import DeckError
from pptarena.rewards import Deck, read_deck

pytestmark = pytest.mark.slow

SLIDE = "ppt/slides/slide5.xml"


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    reader.clear_cache()
    yield
    reader.clear_cache()


def _facts(data: bytes) -> dict[str, Any] | str:
    """Return all facts of a deck by name, or the message of the error."""
    try:
        deck = read_deck(data)
    except DeckError as error:
        return str(error)
    return {field.name: getattr(deck, field.name) for field in fields(Deck)}


def _check_same_as_fresh(base: bytes, changed: bytes) -> tuple[Any, Any]:
    """Check that a deck has the same facts whether or not its base was read before."""
    reader.clear_cache()
    fresh = _facts(changed)
    reader.clear_cache()
    before = _facts(base)
    assert _facts(changed) == fresh
    assert _facts(base) == before
    return before, fresh


@cache
def _rich_deck(lab: Any) -> bytes:
    """Return the base deck with links between slides, a second picture and a background."""
    deck = Presentation(io.BytesIO(lab.base))
    source, target = deck.slides[0], deck.slides[4]
    source.shapes.title.click_action.target_slide = target
    run = target.shapes[-1].text_frame.paragraphs[0].runs[0]
    run.hyperlink.address = "http://example.org/"
    picture = io.BytesIO(lab.picture_bytes("blue"))
    deck.slides[5].shapes.add_picture(picture, 0, 0)
    deck.slides[5].background.fill.solid()
    return lab.save(deck)  # type: ignore[no-any-return]


def test_unchanged_slides_are_reused(lab: Any) -> None:
    before = read_deck(lab.base)
    changed = lab.edited_bytes(lambda deck: setattr(deck.slides[0].shapes.title, "text", "New"))
    after = read_deck(changed)
    reused = [a.shapes is b.shapes for a, b in zip(before.slides, after.slides, strict=True)]
    assert reused == [False, True, True, True, True, True]
    assert before.masters[0] is after.masters[0]


def test_adding_a_slide_reuses_the_others(lab: Any) -> None:
    before = read_deck(lab.base)
    after = read_deck(lab.edited_bytes(lambda deck: deck.slides.add_slide(deck.slide_layouts[1])))
    assert all(a.shapes is b.shapes for a, b in zip(before.slides, after.slides, strict=False))
    assert [slide.index for slide in after.slides] == list(range(7))


@each_case(
    "part, old, new",
    [
        ("ppt/theme/theme1.xml", 'val="1F497D"', 'val="FF0000"'),
        ("ppt/theme/theme1.xml", 'typeface="Calibri"', 'typeface="Comic Sans MS"'),
        ("ppt/slideMasters/slideMaster1.xml", 'sz="4400"', 'sz="4000"'),
        ("ppt/slideMasters/slideMaster1.xml", 'bg1="lt1"', 'bg1="dk1"'),
        ("ppt/slideLayouts/slideLayout6.xml", 'name="Title Only"', 'name="Only a title"'),
        (
            "ppt/slideLayouts/slideLayout6.xml",
            "<p:spPr/>",
            '<p:spPr><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></p:spPr>',
        ),
        ("ppt/notesSlides/notesSlide1.xml", "Say thanks", "Say no thanks"),
        ("ppt/presentation.xml", 'sz="1800"', 'sz="3600"'),
        ("ppt/slides/_rels/slide5.xml.rels", "slideLayout6", "slideLayout2"),
        ("ppt/slideLayouts/_rels/slideLayout6.xml.rels", "slideMaster1", "slideMaster9"),
        ("ppt/slideMasters/_rels/slideMaster1.xml.rels", "theme1", "theme9"),
    ],
)
def test_changed_inherited_values_are_read_again(forge: Any, part: str, old: str, new: str) -> None:
    text = forge.part(part)
    assert old in text
    before, after = _check_same_as_fresh(
        forge.base, forge.with_parts({part: text.replace(old, new)})
    )
    assert before != after


def test_changed_chart_or_picture_is_read_again(forge: Any) -> None:
    for prefix, old, new in (
        ("ppt/charts/chart", b"Revenue", b"Profit"),
        ("ppt/media/", b"", b"x"),
    ):

        def change(
            name: str, data: bytes, prefix: str = prefix, old: bytes = old, new: bytes = new
        ) -> bytes:
            if not name.startswith(prefix):
                return data
            return data.replace(old, new) if old else data + new

        before, after = _check_same_as_fresh(forge.base, forge.rewrite(change))
        assert before != after


def test_links_follow_moved_slides(lab: Any) -> None:
    base = _rich_deck(lab)
    deck = Presentation(io.BytesIO(base))
    lab.move_slide(deck, 4, 2)
    before, after = _check_same_as_fresh(base, lab.save(deck))
    assert before["slides"][0].shapes[0].link == Link(slide=5)
    assert after["slides"][0].shapes[0].link == Link(slide=3)


def test_missing_or_swapped_parts_read_as_in_a_fresh_deck(lab: Any) -> None:
    """Remove every part, and replace it with the content of another one."""
    base = _rich_deck(lab)
    parts = unpack(base)
    rng = random.Random(5)
    for name in parts:
        others = [each for each in parts if each.rpartition(".")[2] == name.rpartition(".")[2]]
        for content in (None, parts[rng.choice(others)]):
            _check_same_as_fresh(base, pack({**parts, name: content}))


@pytest.mark.parametrize("seed", range(60))
def test_changed_attributes_read_as_in_a_fresh_deck(lab: Any, seed: int) -> None:
    base = _rich_deck(lab)
    rng = random.Random(seed)
    parts = unpack(base)
    for name in rng.sample(sorted(parts), 3):
        pieces = parts[name].split(b'"')
        if name.endswith((".xml", ".rels")) and len(pieces) > 3:
            at, other = (2 * rng.randrange(len(pieces) // 2) + 1 for _ in "ab")
            pieces[at] = pieces[other]
            parts[name] = b'"'.join(pieces)
    _check_same_as_fresh(base, pack(parts))


def test_limits_do_not_depend_on_the_cache(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    base = _rich_deck(lab)
    changed = lab.edited_bytes(lambda deck: setattr(deck.slides[0].shapes.title, "text", "New"))
    costs = []
    check = budget.Budget.check

    def record_cost(self: Any) -> None:
        costs.append(self._cost)
        check(self)

    monkeypatch.setattr(budget.Budget, "check", record_cost)
    totals = []
    for files in ((changed,), (base, changed), (changed, changed)):
        reader.clear_cache()
        for data in files:
            read_deck(data)
        totals.append(costs[-1])
    assert totals[0] > 1_000
    assert totals == totals[:1] * 3
    monkeypatch.setattr(budget, "MAX_COST", totals[0] - 1)
    for _ in range(2):
        with pytest.raises(DeckError, match="tags and attributes"):
            read_deck(changed)


def test_threads_read_the_right_facts(lab: Any) -> None:
    decks = [
        lab.edited_bytes(lambda deck, n=n: setattr(deck.slides[n].shapes.title, "text", f"T {n}"))
        for n in range(6)
    ]
    expected = [_facts(data) for data in decks]
    order = [random.Random(seed).randrange(6) for seed in range(60)]
    reader.clear_cache()
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda n: _facts(decks[n]), order))
    assert results == [expected[n] for n in order]


def test_least_recently_used_item_is_evicted() -> None:
    lru: LruCache[str, int] = LruCache(100)
    for number, name in enumerate("abcd"):
        lru.put(name, number, 25)
    assert lru.get("a") == 0
    lru.put("e", 4, 25)
    assert [lru.get(name) for name in "abcde"] == [0, None, 2, 3, 4]
    lru.put("big", 9, 26)
    assert lru.get("big") is None
    lru.put("a", 7, 1)
    assert lru.get("a") == 7
    lru.clear()
    assert lru.get("a") is None


def test_random_field_ids_are_ignored(forge: Any) -> None:
    """LibreOffice gives slide number fields a new id at every save."""

    def with_field(digit: str) -> bytes:
        mark = f"{{{8 * digit}-1111-4111-8111-111111111111}}"
        field = f'<a:fld id="{mark}" type="slidenum"><a:t>5</a:t></a:fld>'
        return forge.with_xml(SLIDE, "<a:r>", field)  # type: ignore[no-any-return]

    before, after = read_deck(with_field("1")), read_deck(with_field("2"))
    assert before.slides[4].shapes is after.slides[4].shapes
    assert "5" in before.slides[4].text or "[" in before.slides[4].text
