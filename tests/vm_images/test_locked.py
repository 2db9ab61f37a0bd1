"""The read-only layer of the application's registry."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from pptarena.vm_images.locked import locked_layer
from pptarena.vm_images.recipe import load_recipe, recipe_lines

OOR = "{http://openoffice.org/2001/registry}"
FOLDER = Path(__file__).parents[2] / "vm_images/recipe"


def component(layer: str, name: str) -> ElementTree.Element:
    parts = [
        part
        for part in ElementTree.fromstring(layer)
        if f"{part.get(f'{OOR}package')}.{part.get(f'{OOR}name')}" == name
    ]
    assert len(parts) == 1
    return parts[0]


def test_setting_is_final_and_has_its_value() -> None:
    layer = locked_layer(["/org.openoffice.Office.Common/Security/Scripting Off a < b"], [])
    path = f"./node[@{OOR}name='Security']/node[@{OOR}name='Scripting']/prop"
    prop = component(layer, "org.openoffice.Office.Common").find(path)
    assert prop is not None
    assert prop.get(f"{OOR}name") == "Off"
    assert prop.get(f"{OOR}finalized") == "true"
    assert prop.findtext("value") == "a < b"


def test_setting_without_a_value_is_empty() -> None:
    layer = locked_layer(["/org.openoffice.Setup/Office Url"], [])
    prop = component(layer, "org.openoffice.Setup").find(".//prop")
    assert prop is not None
    assert prop.findtext("value") == ""


def test_commands_are_disabled_in_a_final_set() -> None:
    layer = locked_layer([], ["RunMacro", "Print"])
    disabled = component(layer, "org.openoffice.Office.Commands").find("./node/node")
    assert disabled is not None
    assert disabled.get(f"{OOR}finalized") == "true"
    assert [value.text for value in disabled.iter("value")] == ["RunMacro", "Print"]


@pytest.mark.parametrize("line", ["", "/path", "path name value"])
def test_malformed_line_is_rejected(line: str) -> None:
    with pytest.raises(ValueError, match="expected '/path property value'"):
        locked_layer([line], [])


def test_recipe_has_no_duplicates() -> None:
    for name in ("settings.txt", "commands.txt", "exclude.txt"):
        lines = [line.split()[:2] for line in recipe_lines(FOLDER / name)]
        assert not [line for line in lines if lines.count(line) > 1], name


def test_image_recipe_contains_settings_and_commands() -> None:
    locked = load_recipe().locked
    assert "DisableMacrosExecution" in locked
    assert "<value>BasicIDEAppear</value>" in locked
