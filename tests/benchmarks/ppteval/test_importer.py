"""Import of rubrics and registries in the format of PPT-Eval."""

import io
import json
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from tests.each_case import each_case

from pptarena.benchmarks.ppteval.importer import import_rubric, load_registry
from pptarena.envs.programs.runner import PythonLeaves
from pptarena.errors import RubricError, TaskError
from pptarena.tasks.scorer import Scorer, Services

ADDED_SLIDE = """
def compute_score() -> tuple[str, float]:
    from pptx import Presentation
    slides = list(Presentation(modified_ppt_path).slides)
    if len(slides) < 2 or slides[1].shapes.title is None:
        return "there is no second slide with a title", 0.0
    title = slides[1].shapes.title.text.strip().lower()
    return f"the second slide is called {title!r}", 1.0 if title == "contents" else 0.0
"""
BULLETS = """
```python
def compute_score() -> tuple[str, float]:
    from pptx import Presentation
    wanted = ["causes", "treatment"]
    for slide in Presentation(modified_ppt_path).slides:
        if slide.shapes.title is not None and slide.shapes.title.text.lower() == "contents":
            lines = [p.text.strip().lower() for s in slide.placeholders if s.has_text_frame
                     for p in s.text_frame.paragraphs]
            found = [line for line in wanted if line in lines]
            return f"{len(found)} of {len(wanted)} points are there", len(found) / len(wanted)
    return "there is no such slide", 0.0
```
"""
UNCHANGED = """
def compute_score() -> tuple[str, float]:
    try:
        changed = ppt_diff.modified_slides + ppt_diff.removed_slides
        return f"{len(changed)} other slides changed", 0.0 if changed else 1.0
    except Exception as error:
        return f"cannot tell: {error}", 0.5
"""
VISUAL_CHECK = """
def compute_score() -> tuple[str, float]:
    answer = vlm_call("Is it tidy?", [modified_ppt_screenshots[1].image_path])
    return answer, 1.0
"""


def _leaf(name: str, code: str, critical: bool = True, **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "description": f"about {name}",
        "is_critical": critical,
        "metadata": {},
        "scorer": {"type": "function", "function_code": code},
        **more,
    }


def _parent(name: str, *children: Any, critical: bool = True) -> dict[str, Any]:
    return {
        "name": name,
        "description": "",
        "is_critical": critical,
        "metadata": {"critical_node_weight": 0.9, "compute_strategy": "mind2web2"},
        "children": list(children),
        "score": 0.25,
        "reason": "of an earlier run",
    }


def _rubric(*more: Any) -> dict[str, Any]:
    slide = _parent(
        "slide",
        _leaf("added", ADDED_SLIDE, score=0.0, reason="old"),
        _leaf("points", BULLETS),
    )
    root = _parent("contents slide", slide, _leaf("rest", UNCHANGED, critical=False), *more)
    return {"root": root, "metadata": {"task": "Add contents.", "non_critical_weight": 0.3}}


def _deck(*slides: tuple[str, str]) -> bytes:
    presentation = Presentation()
    for title, text in slides:
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = text
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def _with_contents(text: str, first: str = "Health") -> bytes:
    """Return the deck with a contents slide, added last and moved to second place."""
    presentation = Presentation(io.BytesIO(ORIGINAL))
    presentation.slides[0].shapes.title.text = first
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    slide.shapes.title.text = "Contents"
    slide.placeholders[1].text = text
    ids = presentation.slides._sldIdLst
    ids.insert(1, ids[-1])
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


ORIGINAL = _deck(("Health", "An overview"), ("Causes", "Many"), ("Treatment", "Some"))


def test_rubric_is_converted() -> None:
    rubric = import_rubric(_rubric())
    assert rubric.strategy == "weighted"
    slide, rest = rubric.root.children
    assert (slide.critical, rest.critical, rest.description) == (True, False, "about rest")
    assert [leaf.check.name for leaf in (*slide.children, rest) if leaf.check] == ["python"] * 3
    assert rest.raw_args == {"code": UNCHANGED, "pictures": False}
    assert "score" not in json.dumps(rubric.to_json()).replace("compute_score", "")


def test_strategy_can_be_chosen() -> None:
    assert import_rubric(_rubric(), "ai_rubric_gate").strategy == "ai_rubric_gate"
    with pytest.raises(RubricError, match="strategy"):
        import_rubric(_rubric(), "best")


def test_nodes_are_not_critical_by_default() -> None:
    rubric = _rubric()
    del rubric["root"]["children"][0]["is_critical"]
    assert import_rubric(rubric).root.children[0].critical is False


def test_siblings_with_equal_names_are_numbered() -> None:
    leaves = [_leaf("same", ADDED_SLIDE) for _ in range(3)] + [_leaf("same (2)", ADDED_SLIDE)]
    names = [child.name for child in import_rubric({"root": _parent("r", *leaves)}).root.children]
    assert names == ["same", "same (2)", "same (3)", "same (2) (2)"]


def test_visual_leaf_enables_pictures_for_all_leaves() -> None:
    rubric = import_rubric(_rubric(_leaf("looks", VISUAL_CHECK)))
    arguments = [child.raw_args for child in rubric.root.children if child.raw_args]
    assert [leaf_arguments["pictures"] for leaf_arguments in arguments] == [True, True]


LEAF_PATH = "root/children/1"


@each_case(
    "change, message",
    [
        (lambda r: r.clear(), "rubric: expected an object with 'root'"),
        (lambda r: r.update(root=[]), "root: expected an object"),
        (
            lambda r: r["root"].pop("children"),
            "root: expected either 'children' or 'scorer'",
        ),
        (
            lambda r: r["root"].update(scorer={"type": "function", "function_code": "x"}),
            "root: expected either 'children' or 'scorer'",
        ),
        (
            lambda r: r["root"].update(children=[]),
            "root/children: expected a list that is not",
        ),
        (
            lambda r: r["root"].update(children={}),
            "root/children: expected a list that is not",
        ),
        (
            lambda r: r["root"]["children"].append(3),
            "root/children/2: expected an object, got 3",
        ),
        (lambda r: r["root"].pop("name"), "root/name: expected str, got None"),
        (lambda r: r["root"].update(name=" "), "root/name: expected a non-empty text"),
        (
            lambda r: r["root"].update(is_critical="yes"),
            "root/is_critical: expected bool",
        ),
        (lambda r: r["root"].update(weight=2), "root: unknown key 'weight'"),
        (
            lambda r: r["root"]["children"][1].update(scorer="code"),
            f"{LEAF_PATH}/scorer: expected an object",
        ),
        (
            lambda r: r["root"]["children"][1]["scorer"].update(type="llm"),
            f"{LEAF_PATH}/scorer/type: expected 'function', got 'llm'",
        ),
        (
            lambda r: r["root"]["children"][1]["scorer"].pop("function_code"),
            f"{LEAF_PATH}/scorer/function_code: expected str, got None",
        ),
        (
            lambda r: r["root"]["children"][1]["scorer"].update(function_code=" "),
            f"{LEAF_PATH}/scorer/function_code: expected code",
        ),
    ],
)
def test_error_names_the_location(change: Any, message: str) -> None:
    rubric = _rubric()
    change(rubric)
    with pytest.raises(RubricError) as caught:
        import_rubric(rubric)
    assert str(caught.value).startswith(message)


def test_tree_depth_is_limited() -> None:
    node = _leaf("a", ADDED_SLIDE)
    for _ in range(50):
        node = _parent("p", node)
    with pytest.raises(RubricError, match="levels"):
        import_rubric({"root": node})


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    """A registry of two tasks, in the folders of PPT-Eval."""
    rubrics = tmp_path / "task_registry" / "rubrics"
    decks = tmp_path / "data" / "files" / "PowerPoint"
    rubrics.mkdir(parents=True)
    decks.mkdir(parents=True)
    (decks / "Health.pptx").write_bytes(ORIGINAL)
    (rubrics / "Health-001.json").write_text(json.dumps(_rubric()))
    (rubrics / "Health-002.json").write_text(json.dumps(_rubric(_leaf("looks", VISUAL_CHECK))))
    tasks = {
        f"Health-00{number}": {
            "goal": "Add a slide of contents.",
            "rubric_path": f"task_registry/rubrics/Health-00{number}.json",
            "tags": ["powerpoint"],
            "misc": {"difficulty": "Medium"},
            "file_path": f"data/files/PowerPoint/{'Health' if number == 1 else 'Missing'}.pptx",
        }
        for number in (1, 2)
    }
    file = tmp_path / "task_registry" / "tasks.json"
    file.write_text(json.dumps(tasks))
    return file


def _edit_first_task(file: Path, **changes: Any) -> None:
    tasks = json.loads(file.read_text())
    tasks["Health-001"].update(changes)
    file.write_text(json.dumps(tasks))


def test_registry_is_loaded(registry: Path) -> None:
    first, second = load_registry(registry)
    assert (first.id, first.goal, first.difficulty) == (
        "Health-001",
        "Add a slide of contents.",
        "medium",
    )
    assert (first.rubric_goal, first.tags, first.needs_model) == (
        "Add contents.",
        ("powerpoint",),
        False,
    )
    assert second.needs_model
    assert first.deck_bytes() == ORIGINAL
    with pytest.raises(TaskError, match="Health-002: the deck cannot be read"):
        second.deck_bytes()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"goal": 3}, "Health-001/goal: expected"),
        ({"rubric_path": "../../etc/passwd"}, "Health-001/rubric_path: expected a path below"),
        ({"file_path": "/etc/passwd"}, "Health-001/file_path: expected a path below"),
        ({"rubric_path": "task_registry/rubrics/x.json"}, "Health-001: x.json cannot be read"),
        ({"rubric_path": "task_registry/tasks.json"}, "Health-001: tasks.json: rubric: expected"),
        ({"misc": 1}, "Health-001/misc: expected"),
        ({"tags": "a"}, "Health-001/tags: expected a list"),
    ],
)
def test_registry_error_names_the_task(
    registry: Path, changes: dict[str, Any], message: str
) -> None:
    _edit_first_task(registry, **changes)
    with pytest.raises(TaskError) as caught:
        load_registry(registry)
    assert str(caught.value).startswith(message)


def test_malformed_registry_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / "tasks.json"
    for text, message in (("[]", "expected an object of tasks"), ("{", "cannot be read")):
        file.write_text(text)
        with pytest.raises(TaskError, match=message):
            load_registry(file)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is missing")
@pytest.mark.parametrize(
    ("edited", "expected"),
    [
        (ORIGINAL, 0.0),
        (_with_contents("Causes\nTreatment"), 1.0),
        (_with_contents("Causes"), 0.75),
        (_with_contents("Causes\nTreatment", first="Other"), 0.7),
    ],
)
def test_imported_task_is_scored(registry: Path, edited: bytes, expected: float) -> None:
    task = load_registry(registry)[0]
    for quirks in (False, True):
        services = Services(programs=partial(PythonLeaves, quirks=quirks))
        scorer = Scorer(None, services, original=task.deck_bytes(), rubric=task.rubric)
        tree = scorer.score(edited)
        assert tree.score == pytest.approx(expected), tree.reason
