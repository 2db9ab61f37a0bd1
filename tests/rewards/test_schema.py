import copy
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.each_case import each_case

from pptarena.errors import RubricError
from pptarena.rewards import check_names, load_rubric
from pptarena.rewards.checks import ALIASES
from pptarena.rewards.rubric import STRATEGIES
from pptarena.rewards.schema import rubric_schema, rubric_structure_schema
from pptarena.tasks import get_task, list_tasks

pytestmark = pytest.mark.slow

STRUCTURE = jsonschema.Draft202012Validator(rubric_structure_schema())
COMPLETE = jsonschema.Draft202012Validator(rubric_schema())

NAMES = st.text(min_size=1, max_size=8).filter(lambda name: name.strip() != "")
EXTRAS = st.fixed_dictionaries(
    {}, optional={"critical": st.booleans(), "description": st.text(max_size=5)}
)
FILES = st.fixed_dictionaries({}, optional={"file": st.just("report.pptx")})
LEAVES = st.builds(
    lambda name, extras, text, file: {
        "name": name, "check": "title_is", "args": {"slide": 1, "text": text}, **extras, **file
    },
    NAMES, EXTRAS, st.text(max_size=5), FILES,
)  # fmt: skip


def _parents(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(
        lambda name, extras, below: {"name": name, "children": below, **extras},
        NAMES, EXTRAS, st.lists(children, min_size=1, max_size=3, unique_by=lambda c: c["name"]),
    )  # fmt: skip


NODES = st.recursive(LEAVES, _parents, max_leaves=6)
RUBRICS = st.builds(
    lambda root, strategy: {"version": 1, "strategy": strategy, "root": root},
    NODES, st.sampled_from(STRATEGIES),
)  # fmt: skip

JUNK = st.sampled_from([None, True, 0, 1, 1.5, "", " ", "x", [], ["x"], {}, {"x": 1}])
KEYS = ["name", "critical", "description", "children", "check", "args", "file",
        "version", "strategy", "root", "score", "blob"]  # fmt: skip


def _objects(obj: Any) -> Iterator[dict[str, Any]]:
    """Yield the rubric and its nodes, but not the arguments of checks."""
    yield obj
    nodes = [obj.get("root")]
    while nodes:
        node = nodes.pop()
        if isinstance(node, dict):
            yield node
            below = node.get("children")
            nodes += below if isinstance(below, list) else []


def _load_error(obj: Any) -> str | None:
    try:
        load_rubric(obj)
    except RubricError as error:
        return str(error)
    return None


def test_schemas_are_valid_json_schemas() -> None:
    jsonschema.Draft202012Validator.check_schema(rubric_structure_schema())
    jsonschema.Draft202012Validator.check_schema(rubric_schema())


def test_schema_lists_all_strategies_and_checks() -> None:
    assert tuple(rubric_structure_schema()["properties"]["strategy"]["enum"]) == STRATEGIES
    schema = rubric_schema()
    assert tuple(schema["$defs"]["leaf"]["properties"]["check"]["enum"]) == (
        *check_names(),
        *ALIASES,
    )
    assert all(f"args_of_{name}" in schema["$defs"] for name in check_names())


@pytest.mark.parametrize(
    ("leaf", "fits"),
    [
        ({"check": "file_exists", "args": {}, "file": "report.pptx"}, True),
        ({"check": "file_exists", "args": {}}, False),
        ({"check": "judge", "args": {"slide": 1, "question": "Tidy?"}}, True),
        (
            {"check": "judge", "args": {"slide": 1, "question": "Tidy?"}, "file": "report.pptx"},
            False,
        ),
    ],
)
def test_file_checks_require_a_file_and_deck_checks_forbid_it(
    leaf: dict[str, Any], fits: bool
) -> None:
    rubric = {"version": 1, "root": {"name": "file", **leaf}}
    assert (_load_error(rubric) is None) == fits
    assert COMPLETE.is_valid(rubric) == fits


@given(RUBRICS)
def test_valid_rubrics_load_and_serialize_to_valid_json(obj: dict[str, Any]) -> None:
    assert _load_error(obj) is None
    COMPLETE.validate(obj)
    COMPLETE.validate(load_rubric(obj).to_json())


@given(RUBRICS, st.integers(0, 30), st.sampled_from(KEYS), JUNK, st.booleans())
def test_schema_and_loader_reject_the_same_rubrics(
    obj: dict[str, Any], position: int, key: str, junk: Any, remove: bool
) -> None:
    broken = copy.deepcopy(obj)
    objects = list(_objects(broken))
    target = objects[position % len(objects)]
    if remove:
        target.pop(key, None)
    else:
        target[key] = junk
    error = _load_error(broken)
    if error is not None and "is used twice" in error:
        return  # a JSON schema cannot express it
    schema_errors = list(COMPLETE.iter_errors(broken))
    assert bool(schema_errors) == (error is not None), (
        error,
        [each.message for each in schema_errors],
    )


@given(RUBRICS, st.integers(0, 30), JUNK)
def test_schema_and_loader_report_the_same_location(
    obj: dict[str, Any], position: int, junk: Any
) -> None:
    broken = copy.deepcopy(obj)
    nodes = list(_objects(broken))[1:]
    nodes[position % len(nodes)]["critical"] = junk
    error = _load_error(broken)
    if error is None:
        assert isinstance(junk, bool)
        return
    (schema_error,) = STRUCTURE.iter_errors(broken)
    assert error.startswith("/".join(map(str, schema_error.absolute_path)) + ":")


@each_case("id", [task.id for task in list_tasks("starter")])
def test_starter_rubrics_match_the_schemas(id: str) -> None:
    obj = get_task(id).rubric.to_json()
    STRUCTURE.validate(obj)
    COMPLETE.validate(obj)


@each_case(
    "check, args",
    [
        ("titel_is", {}),
        ("title_is", {"slide": 1}),
        ("title_is", {"slide": "x", "text": "a"}),
        ("title_is", {"slide": True, "text": "a"}),
        ("title_is", {"slides": [1, "2"], "text": "a"}),
        ("title_is", {"slides": "every", "text": "a"}),
        ("title_is", {"slide": 1, "text": "a", "blob": 1}),
        ("title_is", None),
        ("python", {"code": 1}),
        ("paragraph_level", {"slide": 1, "shape": "a", "level": 9}),
        ("theme_colors_are", {"colors": [["accent1"]]}),
    ],
)
def test_invalid_arguments_fail_schema_and_loader(check: str, args: Any) -> None:
    leaf = {"name": "a", "check": check} | ({} if args is None else {"args": args})
    obj = {"version": 1, "root": leaf}
    assert _load_error(obj) is not None
    assert not COMPLETE.is_valid(obj)
    STRUCTURE.validate(obj)  # the structure is valid
