"""Tasks of several decks are mixed evenly and in a reproducible order."""

import io
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from pptx import Presentation
from tests.conftest import save
from tests.each_case import each_case

from pptarena.tasks.deck_files import deck_names, read_deck_file
from pptarena.tasks.generator import (
    DeckFile,
    DeckGenerator,
    GeneratedBlock,
    GenerationReport,
    generate_tasks,
)
from pptarena.tasks.generator.mixing import Job, mix
from pptarena.tasks.goals.editing import edit_deck

pytestmark = pytest.mark.slow

# Tasks per block of a deck; the last number repeats.
RICH, POOR, EMPTY = (9,), (1, 0, 0, 1, 0), (0,)
ONE, FEW, LATE = (1, 0), (4, 2, 0), (0, 0, 0, 0, 7)


def mixed_ids(
    decks: dict[str, tuple[int, ...]],
    count: int,
    report: GenerationReport | None = None,
    refused: Sequence[str] = (),
) -> list[str]:
    """Return the ids of mixed tasks of decks with the given numbers of tasks per block."""

    def run(jobs: Sequence[Job]) -> Iterator[GeneratedBlock | str]:
        for deck, block in jobs:
            if deck.label in refused:
                yield "it is broken"
                continue
            sizes = decks[deck.label]
            size = sizes[min(block, len(sizes) - 1)]
            keys = [f"{deck.label}-{block}-{number}" for number in range(size)]
            rows = tuple((key, {"id": key, "deck": deck.label}) for key in keys)
            yield GeneratedBlock(rows, Counter({("bold-text", "why not"): 1}))

    files = [DeckFile(label, label.encode()) for label in decks]
    report = GenerationReport() if report is None else report
    return [row["id"] for row, _ in mix(files, count, run, report)]


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
def test_decks_contribute_evenly_until_exhausted(
    decks: dict[str, tuple[int, ...]], count: int, expected: dict[str, int]
) -> None:
    report = GenerationReport()
    ids = mixed_ids(decks, count, report)
    assert by_deck(ids) == expected
    assert len(set(ids)) == len(ids)
    assert report.by_deck == {label: expected.get(label, 0) for label in decks}


@pytest.mark.parametrize("decks", [{"a": RICH, "b": POOR}, {"a": FEW, "b": LATE, "c": RICH}])
def test_fewer_tasks_are_a_prefix_of_more(decks: dict[str, tuple[int, ...]]) -> None:
    all_ids = mixed_ids(decks, 60)
    for count in range(1, 60, 7):
        assert mixed_ids(decks, count) == all_ids[:count]


def test_skipped_and_exhausted_decks_are_reported_with_the_reason() -> None:
    report = GenerationReport()
    mixed_ids({"a": RICH, "b": POOR, "c": RICH}, 30, report, refused="c")
    assert report.skipped == {"c": "it is broken"}
    assert list(report.exhausted) == ["b"]
    assert "no new tasks; drafts were rejected: why not" in report.exhausted["b"]


def own_deck(word: str, slides: int = 4) -> bytes:
    presentation = Presentation()
    for number in range(1, slides + 1):
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = f"{word} {number}"
        slide.placeholders[1].text_frame.text = f"{word} grows\nin year {number}"
    return save(presentation)


def remove_entry(presentation: Any) -> None:
    entries = presentation.slides._sldIdLst
    entries.remove(entries[1])


def test_two_own_decks_contribute_half_each() -> None:
    decks = [DeckFile(word, own_deck(word)) for word in ("Rye", "Oats")]
    report = GenerationReport()
    rows = list(generate_tasks(decks, 30, report=report))
    assert Counter(row["deck"] for row in rows) == {"Rye": 15, "Oats": 15} == report.by_deck


def test_mixing_does_not_depend_on_the_number_of_processes() -> None:
    decks = [DeckFile(word, own_deck(word)) for word in ("Rye", "Oats", "Peas")]
    single, parallel = GenerationReport(), GenerationReport()
    assert list(generate_tasks(decks, 20, seed=5, report=single)) == list(
        generate_tasks(decks, 20, seed=5, report=parallel, processes=3)
    )
    assert single == parallel


def test_all_packaged_decks_contribute_including_held_out_ones() -> None:
    decks = [DeckFile(name, read_deck_file(name)) for name in deck_names()]
    rows = list(generate_tasks(decks, len(decks)))
    assert Counter(row["deck"] for row in rows) == dict.fromkeys(deck_names(), 1)
    assert "test-deck" in {row["grown"]["split"] for row in rows}


def test_copy_of_a_deck_is_skipped() -> None:
    file, report = own_deck("Rye"), GenerationReport()
    decks = [DeckFile("a.pptx", file), DeckFile("b.pptx", file)]
    rows = list(generate_tasks(decks, 4, report=report))
    assert {row["deck"] for row in rows} == {"a.pptx"}
    assert report.skipped == {"b.pptx": "the deck is identical to a.pptx"}


def test_deck_with_an_orphan_slide_contributes() -> None:
    file = edit_deck(own_deck("Rye", 6), remove_entry)
    block = DeckGenerator(file, "rye").generate(0, 0)
    assert len(block.rows) > 8
    assert not [why for _, why in block.rejected if "cannot be" in why]


def test_uneditable_deck_is_skipped_with_the_reason() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(own_deck("Rye"))) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            usual = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
            iso = b"http://purl.oclc.org/ooxml/officeDocument/relationships"
            new.writestr(name, old.read(name).replace(usual, iso))
    report = GenerationReport()
    decks = [DeckFile("strict", stream.getvalue()), DeckFile("usual", own_deck("Oats"))]
    rows = list(generate_tasks(decks, 6, report=report))
    assert {row["deck"] for row in rows} == {"usual"}
    assert "Strict Open XML" in report.skipped["strict"]
    assert report.by_deck == {"strict": 0, "usual": 6}
