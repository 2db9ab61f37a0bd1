"""Attachments of a deck, and the task's own file, under a substitution."""

from decimal import Decimal
from io import BytesIO
from zipfile import ZipFile

import pytest

from pptarena.tasks.edition import Substitution
from pptarena.tasks.edition.files import file_texts, rewritten_file
from pptarena.tasks.edition.task_text import rewritten_task
from pptarena.tasks.task_files import packaged_file

BY = Substitution(
    {"Surgery": "Urology", "Tilo": "Arne", "Track": "Rails", "Results": "Findings", "43.0": "44.5"},
    {Decimal("41.2"): "40.7", Decimal("5.8"): "6.1", Decimal(43): "44.5"},
)


@pytest.mark.parametrize(
    ("name", "gone", "there"),
    [
        ("clinic/falls.csv", "Surgery,11,9", "Urology,11,9"),
        ("field/brief.txt", "Tilo", "Arne"),
        ("harbor/costs.xlsx", "Track", "Rails"),
        ("harbor/costs.xlsx", "41.2", "40.7"),
        ("thesis/timing.ods", "Results", "Findings"),
        ("harbor/summary-en.pptx", "Line 9", "Line 6"),
    ],
)
def test_files_beside_decks_are_rewritten(name: str, gone: str, there: str) -> None:
    by = Substitution({**BY.words, "Line 9": "Line 6"}, BY.numbers)
    data = packaged_file(name)
    before, after = ("\n".join(file_texts(name, each)) for each in (data, _made(name, data, by)))
    assert gone in before
    assert there not in before
    assert gone not in after
    assert there in after


def test_the_value_of_a_cell_in_ods_is_rewritten() -> None:

    made = rewritten_file("timing.ods", packaged_file("thesis/timing.ods"), BY)
    content = ZipFile(BytesIO(made)).read("content.xml").decode()
    assert 'office:value="6.1"' in content
    assert 'office:value="5.8"' not in content


def test_pictures_stay() -> None:
    data = packaged_file("harbor/stop.png")
    assert rewritten_file("stop.png", data, BY) == data
    assert file_texts("stop.png", data) == []


def test_of_a_task_words_and_values_are_rewritten_but_not_what_the_loader_reads() -> None:
    task = {
        "id": "surgery-Tilo",
        "files": ["Tilo.csv"],
        "instruction": "Ask Tilo.",
        "slide": 43,
        "children": [
            {"check": "Tilo", "args": {"value": 43.0, "values": [41.2, 1], "Tilo": "Tilo"}}
        ],
    }
    assert rewritten_task(task, BY) == {
        "id": "surgery-Tilo",
        "files": ["Tilo.csv"],
        "instruction": "Ask Arne.",
        "slide": 43,
        "children": [
            {"check": "Tilo", "args": {"value": 44.5, "values": [40.7, 1], "Arne": "Arne"}}
        ],
    }


def _made(name: str, data: bytes, by: Substitution) -> bytes:
    made = rewritten_file(name, data, by)
    assert made == rewritten_file(name, data, by)
    return made
