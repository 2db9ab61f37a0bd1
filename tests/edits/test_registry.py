"""Every edit describes itself: docstring, types, schema and its row of the reference."""

import inspect
import runpy
from pathlib import Path

from pptarena.edits import EDITS
from pptarena.edits.open_deck import OpenDeck

ROOT = Path(__file__).parents[2]


def test_every_edit_is_typed_and_described() -> None:
    for name, edit in EDITS.items():
        first, *others = inspect.signature(edit.function).parameters.values()
        assert (first.name, first.annotation) == ("deck", OpenDeck), name
        assert [each.name for each in others] == list(edit.signature.notes), name
        assert edit.signature.description.endswith("."), name
        assert all(edit.signature.notes.values()), name


def test_every_edit_has_a_schema() -> None:
    for name, edit in EDITS.items():
        schema = edit.signature.to_json()
        assert schema["name"] == name
        properties = schema["parameters"]["properties"]
        assert set(properties) == {each.name for each in edit.signature.parameters}, name
        assert all(each["description"] for each in properties.values()), name


def test_address_parameter_describes_its_syntax() -> None:
    properties = EDITS["set_text"].signature.to_json()["parameters"]["properties"]
    assert properties["slide"]["description"] == (
        'The slide: position from 1, "last", "id:257" or title'
    )


def test_reference_page_is_current() -> None:
    tool = runpy.run_path(str(ROOT / "tools/edits_reference.py"))
    command = "python tools/edits_reference.py > docs/reference/edits.md"
    page = (ROOT / "docs/reference/edits.md").read_text("utf-8")
    assert page == tool["edits_reference"](), f"to update it, run: {command}"
