"""Tasks of several decks are mixed evenly, and in one order."""

import io
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import pytest
from pptx import Presentation
from tests.each_case import each_case

from pptarena.tasks.deck_files import deck_names, read_deck_file
from pptarena.tasks.grow import DeckFile, DeckGrower, Grown, Harvest, grow_tasks
from pptarena.tasks.grow.mixing import Job, mix

pytestmark = pytest.mark.slow

# Tasks per block of a deck; the last number repeats.
RICH, POOR, EMPTY = (9,), (1, 0, 0, 1, 0), (0,)
ONE, FEW, LATE = (1, 0), (4, 2, 0), (0, 0, 0, 0, 7)


def given(
    decks: dict[str, tuple[int, ...]],
    count: int,
    harvest: Harvest | None = None,
    refused: Sequence[str] = (),
) -> list[str]:
    """Return the tasks of decks that give these numbers of tasks per block."""

    def run(jobs: Sequence[Job]) -> Iterator[Grown | str]:
        for deck, block in jobs:
            if deck.label in refused:
                yield "it is broken"
                continue
            sizes = decks[deck.label]
            size = sizes[min(block, len(sizes) - 1)]
            keys = [f"{deck.label}-{block}-{number}" for number in range(size)]
            rows = tuple((key, {"id": key, "deck": deck.label}) for key in keys)
            yield Grown(rows, Counter({("bold-text", "why not"): 1}))

    files = [DeckFile(label, label.encode()) for label in decks]
    harvest = Harvest() if harvest is None else harvest
    return [row["id"] for row, _ in mix(files, count, run, harvest)]


def by_deck(ids: Sequence[str]) -> dict[str, int]:
    return dict(Counter(id.partition("-")[0] for id in ids))


@each_case(
    "decks, count, expected",
    [
        ({"a": RICH}, 30, {"a": 30}),
        ({"a": RICH, "b": RICH}, 30, {"a": 15, "b": 15}),
        ({"a": RICH, "b": RICH}, 31, {"a": 16, "b": 15}),
        ({"a": RICH, "b": RICH, "c": RICH}, 100, {"a": 34, "b": 33, "c": 33}),
        ({"a": RICH, "b": RICH, "c": RICH}, 2, {"a": 1, "b": 1}),
        ({"a": RICH, "b": POOR}, 30, {"a": 28, "b": 2}),
        ({"a": POOR, "b": RICH}, 30, {"a": 2, "b": 28}),
        ({"a": EMPTY, "b": RICH}, 30, {"b": 30}),
        ({"a": ONE, "b": ONE, "c": RICH}, 30, {"a": 1, "b": 1, "c": 28}),
        ({"a": FEW, "b": FEW}, 30, {"a": 6, "b": 6}),
        ({"a": LATE, "b": RICH}, 30, {"a": 15, "b": 15}),
        ({f"d{n}": RICH for n in range(12)}, 100, {f"d{n}": 8 + (n < 4) for n in range(12)}),
        ({"a": EMPTY}, 30, {}),
        ({}, 30, {}),
    ],
)
def test_each_deck_gives_an_even_share_as_long_as_it_can(
    decks: dict[str, tuple[int, ...]], count: int, expected: dict[str, int]
) -> None:
    harvest = Harvest()
    ids = given(decks, count, harvest)
    assert by_deck(ids) == expected
    assert len(set(ids)) == len(ids)
    assert harvest.by_deck == {label: expected.get(label, 0) for label in decks}


@pytest.mark.parametrize("decks", [{"a": RICH, "b": POOR}, {"a": FEW, "b": LATE, "c": RICH}])
def test_fewer_tasks_are_the_first_of_more(decks: dict[str, tuple[int, ...]]) -> None:
    whole = given(decks, 60)
    for count in range(1, 60, 7):
        assert given(decks, count) == whole[:count]


def test_a_deck_that_gives_few_or_none_is_named_with_the_reason() -> None:
    harvest = Harvest()
    given({"a": RICH, "b": POOR, "c": RICH}, 30, harvest, refused="c")
    assert harvest.skipped == {"c": "it is broken"}
    assert list(harvest.used_up) == ["b"]
    assert "nothing new; drafts were rejected: why not" in harvest.used_up["b"]


def own_deck(word: str, slides: int = 4) -> bytes:
    presentation = Presentation()
    for number in range(1, slides + 1):
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = f"{word} {number}"
        slide.placeholders[1].text_frame.text = f"{word} grows\nin year {number}"
    stream = io.BytesIO()
    presentation.save(stream)
    return stream.getvalue()


def without_entry(presentation: object) -> None:
    entries = presentation.slides._sldIdLst  # type: ignore[attr-defined]
    entries.remove(entries[1])


def test_two_decks_of_ones_own_give_half_each() -> None:
    decks = [DeckFile(word, own_deck(word)) for word in ("Rye", "Oats")]
    harvest = Harvest()
    rows = list(grow_tasks(decks, 30, harvest=harvest))
    assert Counter(row["deck"] for row in rows) == {"Rye": 15, "Oats": 15} == harvest.by_deck


def test_mixed_tasks_are_the_same_in_any_number_of_processes() -> None:
    decks = [DeckFile(word, own_deck(word)) for word in ("Rye", "Oats", "Peas")]
    one, three = Harvest(), Harvest()
    assert list(grow_tasks(decks, 20, seed=5, harvest=one)) == list(
        grow_tasks(decks, 20, seed=5, harvest=three, processes=3)
    )
    assert one == three


def test_the_packaged_decks_all_give_tasks_and_held_out_ones_are_among_them() -> None:
    decks = [DeckFile(name, read_deck_file(name)) for name in deck_names()]
    rows = list(grow_tasks(decks, len(decks)))
    assert Counter(row["deck"] for row in rows) == dict.fromkeys(deck_names(), 1)
    assert "test-deck" in {row["grown"]["split"] for row in rows}


def test_a_copy_of_a_deck_is_left_out() -> None:
    file, harvest = own_deck("Rye"), Harvest()
    decks = [DeckFile("a.pptx", file), DeckFile("b.pptx", file)]
    rows = list(grow_tasks(decks, 4, harvest=harvest))
    assert {row["deck"] for row in rows} == {"a.pptx"}
    assert harvest.skipped == {"b.pptx": "the deck is the same as a.pptx"}


def edited(file: bytes, edit: Callable[[object], None]) -> bytes:
    presentation = Presentation(io.BytesIO(file))
    edit(presentation)
    stream = io.BytesIO()
    presentation.save(stream)
    return stream.getvalue()


def test_a_deck_with_an_orphan_slide_gives_tasks_as_any_other() -> None:
    file = edited(own_deck("Rye", 6), without_entry)
    grown = DeckGrower(file, "rye").grow(0, 0)
    assert len(grown.rows) > 8
    assert not [why for _, why in grown.rejected if "cannot be" in why]


def test_a_deck_that_cannot_be_edited_is_left_out_with_the_reason() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(own_deck("Rye"))) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            usual = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
            iso = b"http://purl.oclc.org/ooxml/officeDocument/relationships"
            new.writestr(name, old.read(name).replace(usual, iso))
    harvest = Harvest()
    decks = [DeckFile("strict", stream.getvalue()), DeckFile("usual", own_deck("Oats"))]
    rows = list(grow_tasks(decks, 6, harvest=harvest))
    assert {row["deck"] for row in rows} == {"usual"}
    assert "Strict Open XML" in harvest.skipped["strict"]
    assert harvest.by_deck == {"strict": 0, "usual": 6}
