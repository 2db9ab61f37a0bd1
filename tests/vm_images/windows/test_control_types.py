from typing import Any

from tests.each_case import each_case

from pptarena.envs.roles import INTERACTIVE_ROLES, ROLES
from pptarena.vm_images.guest.atspi_names import ROLE_NAMES, STATE_NAMES
from pptarena.vm_images.windows.control_types import PROPERTIES, map_role, map_states

CONTROL_TYPES = range(50000, 50041)


def role(**facts: Any) -> str:
    return ROLE_NAMES[map_role(facts)]


def states(**facts: Any) -> set[str]:
    bits = map_states(facts)
    return {name for index, name in enumerate(STATE_NAMES) if bits >> index & 1}


@each_case("control_type", CONTROL_TYPES)
def test_every_control_type_has_a_role(control_type: int) -> None:
    assert role(control_type=control_type) in ROLES
    assert role(control_type=control_type) != "unknown"


@each_case("control_type", [50000, 50002, 50003, 50004, 50005, 50007, 50011, 50013, 50019])
def test_controls_have_interactive_roles(control_type: int) -> None:
    assert role(control_type=control_type) in INTERACTIVE_ROLES


@each_case("control_type", [None, 0, 50041, "50000", 1.5])
def test_other_types_are_unknown(control_type: object) -> None:
    assert role(control_type=control_type) == "unknown"


def test_properties_refine_the_role() -> None:
    assert role(control_type=50000, has_toggle=True) == "toggle button"
    assert role(control_type=50011, has_toggle=True) == "check menu item"
    assert role(control_type=50004, password=True) == "password text"
    assert role(control_type=50032, modal=True) == "dialog"
    assert role(control_type=50033, class_name="paneClassDC") == "document presentation"


def test_states_of_a_plain_button() -> None:
    button_states = states(control_type=50000, enabled=True, focusable=True)
    assert button_states == {"enabled", "sensitive", "visible", "showing", "focusable"}
    assert not {"visible", "showing"} & states(control_type=50000, offscreen=True)


@each_case(
    "facts, expected",
    [
        ({"has_toggle": True, "toggle_state": 1, "control_type": 50002}, {"checkable", "checked"}),
        (
            {"has_toggle": True, "toggle_state": 1, "control_type": 50000},
            {"checkable", "checked", "pressed"},
        ),
        ({"has_toggle": True, "toggle_state": 2}, {"checkable", "indeterminate"}),
        ({"toggle_state": 1}, set()),  # a default value: the pattern is not supported
        ({"has_expand": True, "expand_state": 0}, {"expandable", "collapsed"}),
        ({"has_expand": True, "expand_state": 1}, {"expandable", "expanded"}),
        ({"has_expand": True, "expand_state": 3}, set()),
        ({"has_selection_item": True, "selected": True}, {"selectable", "selected"}),
        ({"selected": True}, set()),
        ({"has_value": True, "value_read_only": True, "enabled": True}, {"read-only"}),
        ({"control_type": 50004, "enabled": True}, {"editable"}),
        ({"control_type": 50004}, set()),
        ({"control_type": 50032, "modal": True}, {"modal"}),
    ],
)
def test_states_follow_the_patterns(facts: dict[str, Any], expected: set[str]) -> None:
    base = {"visible", "showing", "enabled", "sensitive"}
    assert states(**facts) - base == expected


def test_property_ids_are_unique() -> None:
    ids = list(PROPERTIES.values())
    assert len(ids) == len(set(ids))
    assert all(30000 <= property_id < 30200 for property_id in ids)
