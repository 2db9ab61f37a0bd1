"""Substitution in attachments and task files."""

from decimal import Decimal
from io import BytesIO
from zipfile import ZipFile

import pytest

from pptarena.tasks.edition import Substitution
from pptarena.tasks.edition.files import file_texts, rewrite_file
from pptarena.tasks.edition.task_text import rewrite_task
from pptarena.tasks.task_files import packaged_file

SUBSTITUTION = Substitution(
    {"Surgery": "Urology", "Tilo": "Arne", "Track": "Rails", "Results": "Findings", "43.0": "44.5"},
    {Decimal("41.2"): "40.7", Decimal("5.8"): "6.1", Decimal(43): "44.5"},
)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("clinic/falls.csv", "Surgery,11,9", "Urology,11,9"),
        ("field/brief.txt", "Tilo", "Arne"),
        ("harbor/costs.xlsx", "Track", "Rails"),
        ("harbor/costs.xlsx", "41.2", "40.7"),
        ("thesis/timing.ods", "Results", "Findings"),
        ("harbor/summary-en.pptx", "Line 9", "Line 6"),
    ],
)
def test_attachments_are_rewritten_reproducibly(name: str, old: str, new: str) -> None:
    substitution = Substitution({**SUBSTITUTION.words, "Line 9": "Line 6"}, SUBSTITUTION.numbers)
    data = packaged_file(name)
    rewritten = rewrite_file(name, data, substitution)
    assert rewritten == rewrite_file(name, data, substitution)
    before, after = ("\n".join(file_texts(name, each)) for each in (data, rewritten))
    assert old in before
    assert new not in before
    assert old not in after
    assert new in after


def test_cell_values_in_ods_are_rewritten() -> None:
    data = rewrite_file("timing.ods", packaged_file("thesis/timing.ods"), SUBSTITUTION)
    content = ZipFile(BytesIO(data)).read("content.xml").decode()
    assert 'office:value="6.1"' in content
    assert 'office:value="5.8"' not in content


def test_pictures_are_not_rewritten() -> None:
    data = packaged_file("harbor/stop.png")
    assert rewrite_file("stop.png", data, SUBSTITUTION) == data
    assert file_texts("stop.png", data) == []


def test_task_texts_and_values_are_rewritten_but_not_structural_fields() -> None:
    task = {
        "id": "surgery-Tilo",
        "files": ["Tilo.csv"],
        "instruction": "Ask Tilo.",
        "slide": 43,
        "children": [
            {"check": "Tilo", "args": {"value": 43.0, "values": [41.2, 1], "Tilo": "Tilo"}}
        ],
    }
    assert rewrite_task(task, SUBSTITUTION) == {
        "id": "surgery-Tilo",
        "files": ["Tilo.csv"],
        "instruction": "Ask Arne.",
        "slide": 43,
        "children": [
            {"check": "Tilo", "args": {"value": 44.5, "values": [40.7, 1], "Arne": "Arne"}}
        ],
    }
