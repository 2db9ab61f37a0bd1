"""OSWorld's Impress tasks, in its form and made here, become tasks with their gold decks."""

import json
import shutil
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx.util import Emu

from pptarena.benchmarks.osworld.importing import STEPS, import_examples
from pptarena.benchmarks.osworld.published import published_score
from pptarena.benchmarks.outcome import Outcome
from pptarena.errors import TaskError
from pptarena.tasks import Task
from pptarena.tasks.suite_loading import load_suite

Deck = Callable[..., bytes]
Write = Callable[..., Path]
Played = Callable[[Task, bytes], "float | None"]

DESKTOP = "/home/user/Desktop"
URL = "https://files.example/libreoffice_impress"
RESULT = {"type": "vm_file", "path": f"{DESKTOP}/farm.pptx", "dest": "farm.pptx"}


def compared(options: Any = None, **more: Any) -> dict[str, Any]:
    expected = {
        "type": "cloud_file",
        "path": f"{URL}/aa11-22/farm_Gold.pptx",
        "dest": "farm_Gold.pptx",
    }
    found = {"func": "compare_pptx_files", "expected": expected, "result": RESULT, **more}
    return found if options is None else {**found, "options": options}


def ruled(func: str, **rules: Any) -> dict[str, Any]:
    return {"func": func, "expected": {"type": "rule", "rules": rules}, "result": RESULT}


def imported(home: Path) -> tuple[dict[str, Task], list[Outcome]]:
    out = home / "out"
    shutil.rmtree(out, ignore_errors=True)
    found = list(import_examples(home / "OSWorld", home / "files", out))
    tasks = load_suite(out) if any(each.task for each in found) else ()
    return {task.id: task for task in tasks}, found


def one(home: Path) -> Task:
    tasks, found = imported(home)
    assert [each.problem for each in found] == [""]
    (task,) = tasks.values()
    return task


def refused(home: Path) -> Outcome:
    (found,) = imported(home)[1]
    assert found.task == ""
    assert not list(home.glob("out/*.json"))
    return found


def gold_of(task: Task) -> bytes:
    found = task.gold_bytes()
    assert found is not None
    return found


@pytest.mark.slow
def test_a_task_is_played_from_its_deck_to_its_gold(write: Write, played: Played) -> None:
    task = one(write())
    assert (task.id, task.file_name, task.max_steps) == ("osworld-aa11-22", "farm.pptx", STEPS)
    assert task.instruction == "Make the list red and bold."
    assert (task.edit_types, task.source.endswith("libreoffice_impress/aa11-22")) == (
        ("text",),
        True,
    )
    assert played(task, task.deck_bytes()) == 0.0
    assert played(task, gold_of(task)) == 1.0


def test_the_published_verdict_stands_beside_it(write: Write, deck: Deck) -> None:
    task = one(write())
    assert published_score(task.id, task.place, gold_of(task)) == (1.0, "")
    score, reason = published_score(task.id, task.place, task.deck_bytes())
    assert (score, "slide 1: shape 2" in reason) == (0.0, True)
    assert published_score(task.id, task.place, b"no deck")[0] == 0.0
    with pytest.raises(TaskError, match="expected a task of 'pptarena tasks import osworld'"):
        published_score("meridian-hide-backup", "", deck())


def test_options_reach_the_published_verdict(write: Write, deck: Deck) -> None:
    options = {"examine_font_bold": False, "examine_aligment": False}
    task = one(write(compared(options)))

    def only_red(presentation: Any) -> None:
        from pptx.dml.color import RGBColor

        for paragraph in presentation.slides[0].placeholders[1].text_frame.paragraphs:
            paragraph.runs[0].font.color.rgb = RGBColor(255, 0, 0)  # type: ignore[no-untyped-call]

    assert published_score(task.id, task.place, deck(only_red))[0] == 1.0


@pytest.mark.slow
def test_of_several_golds_one_is_enough(write: Write, deck: Deck) -> None:
    def other(presentation: Any) -> None:
        presentation.slides[0].placeholders[1].text_frame.paragraphs[0].runs[0].font.bold = True

    one_of = compared()
    second = {**one_of["expected"], "path": f"{URL}/aa11-22/second.pptx", "dest": "second.pptx"}
    evaluator = {
        "func": ["compare_pptx_files"] * 2,
        "conj": "or",
        "expected": [one_of["expected"], second],
        "result": [RESULT, RESULT],
    }
    home = write(evaluator, files=(("second.pptx", deck(other)),))
    task_file = home / "OSWorld/evaluation_examples/examples/libreoffice_impress/aa11-22.json"
    value = json.loads(task_file.read_text("utf-8"))
    del value["config"][0]["parameters"]["files"][1]  # a gold is nothing that lies on the desktop
    task_file.write_text(json.dumps(value), "utf-8")
    task = one(home)
    assert published_score(task.id, task.place, gold_of(task))[0] == 1.0
    assert published_score(task.id, task.place, deck(other))[0] == 1.0
    assert published_score(task.id, task.place, task.deck_bytes())[0] == 0.0


def test_decks_are_found_as_the_benchmark_caches_them(write: Write) -> None:
    home = write()
    place = home / "files/libreoffice_impress/aa11-22"
    cache = home / "files/cache/aa11-22"
    cache.mkdir(parents=True)
    place.rename(cache)
    known = uuid.uuid5(uuid.NAMESPACE_URL, f"{URL}/aa11-22/farm.pptx")
    start = (cache / "farm.pptx").read_bytes()
    (cache / f"{known}_farm.pptx").write_bytes(start)
    # There, a file of the deck's own name is what some agent has left.
    (cache / "farm.pptx").write_bytes((cache / "farm_Gold.pptx").read_bytes())
    assert one(home).deck_bytes() == start


def test_files_beside_the_deck_lie_in_documents(write: Write) -> None:
    task = one(write(files=(("none.png", b"png"),), instruction="Add none.png on the Desktop."))
    assert task.instruction == "Add none.png in Documents."
    assert task.files_bytes() == {"none.png": b"png"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "slide", "shape", "region"),
    [
        ("examine_title_bottom_position", 2, "@title", "bottom"),
        ("examine_table_bottom_position", 3, None, "bottom"),
        ("examine_right_position", 2, None, "right"),
        ("examine_top_position", 2, None, "top"),
    ],
)
def test_what_is_to_be_moved_goes_to_its_side(
    write: Write, deck: Deck, played: Played, option: str, slide: int, shape: str, region: str
) -> None:
    options = {"examine_shape": False, option: True}
    task = one(write(compared(options), gold=deck()))
    leaf = task.rubric.root.children[0]
    assert leaf.check is not None
    assert (leaf.check.name, leaf.args["slide"], leaf.args["region"]) == (
        "shape_in_region",
        slide,
        region,
    )
    assert shape in (None, leaf.args["shape"])
    assert played(task, task.deck_bytes()) == 0.0
    assert played(task, gold_of(task)) == 1.0
    # The deck that is compared with holds the place before.
    assert published_score(task.id, task.place, gold_of(task)) == (1.0, "")
    assert published_score(task.id, task.place, task.deck_bytes())[0] == 0.0


@pytest.mark.slow
def test_a_move_and_more_are_both_asked_for(write: Write, played: Played) -> None:
    options = {"examine_shape": False, "examine_top_position": True}
    task = one(write(compared(options)))
    names = [each.check.name for each in task.rubric.root.children if each.check]
    assert names == ["shape_in_region", "gold_match", "nothing_else_changed"]
    assert played(task, gold_of(task)) == 1.0
    score, _ = published_score(task.id, task.place, gold_of(task))
    assert score == 1.0


def test_what_cannot_be_done_is_infeasible(write: Write) -> None:
    task = one(write({"func": "infeasible"}))
    assert (task.feasible, task.gold) == (False, None)


def struck(presentation: Any) -> None:
    run = presentation.slides[0].placeholders[1].text_frame.paragraphs[0].runs[0]
    run.font._element.set("strike", "sngStrike")


def dissolved(presentation: Any) -> None:
    from lxml import etree

    space = "http://schemas.openxmlformats.org/presentationml/2006/main"
    element = etree.fromstring(f'<p:transition xmlns:p="{space}"><p:dissolve/></p:transition>')
    presentation.slides[0]._element.append(element)


def blue(presentation: Any) -> None:
    from pptx.dml.color import RGBColor

    for slide in presentation.slides:
        slide.background.fill.solid()
        slide.background.fill.fore_color.rgb = RGBColor(0, 0, 255)  # type: ignore[no-untyped-call]


def stretched(presentation: Any) -> None:
    picture = presentation.slides[0].shapes[2]
    picture.left = picture.top = Emu(0)
    picture.width, picture.height = presentation.slide_width, presentation.slide_height


@pytest.mark.slow
@pytest.mark.parametrize(
    ("evaluator", "edit"),
    [
        (ruled("check_transition", slide_idx=0, transition_type="dissolve"), dissolved),
        (ruled("evaluate_presentation_fill_to_rgb_distance", rgb=[0, 0, 255]), blue),
        (
            {
                "func": "check_image_stretch_and_center",
                "result": RESULT,
                "expected": {**compared()["expected"], "dest": "farm_Original.pptx"},
            },
            stretched,
        ),
        (
            ruled(
                "check_strikethrough",
                slide_index_s=[0],
                shape_index_s=[1],
                paragraph_index_s=[0],
            ),
            struck,
        ),
    ],
)
def test_rules_of_decks_become_rubrics(
    write: Write, deck: Deck, played: Played, evaluator: Any, edit: Any
) -> None:
    task = one(write(evaluator, gold=deck()))
    assert task.gold is None
    assert played(task, task.deck_bytes()) == 0.0
    assert played(task, deck(edit)) == 1.0
    assert published_score(task.id, task.place, deck(edit)) == (1.0, "")
    score, reason = published_score(task.id, task.place, task.deck_bytes())
    assert score is not None
    assert (score < 1, evaluator["func"] in reason) == (True, True)


def test_upright_slides_are_turned(write: Write, deck: Deck) -> None:
    def upright(presentation: Any) -> None:
        presentation.slide_width, presentation.slide_height = Emu(6_858_000), Emu(9_144_000)

    evaluator = {"func": "check_slide_orientation_Portrait", "result": RESULT}
    task = one(write(evaluator))
    assert task.rubric.root.children[0].args == {"width_emu": 6_858_000, "height_emu": 9_144_000}
    assert published_score(task.id, task.place, deck(upright)) == (1.0, "")
    assert published_score(task.id, task.place, deck())[0] == 0.0
    assert refused(write(evaluator, original=deck(upright))).cause == (
        "the deck has what is asked for"
    )


def test_films_and_sounds_are_asked_for_by_their_file(write: Write) -> None:
    film = {"func": "contains_mp4_video", "result": RESULT}
    sound = {
        "func": "compare_audios",
        "result": {
            "type": "audio_in_slide",
            "ppt_file_path": f"{DESKTOP}/farm.pptx",
            "slide_index": 1,
            "dest": "a.mp3",
        },
        "expected": {"type": "vm_file", "path": f"{DESKTOP}/a.mp3", "dest": "b.mp3"},
    }
    task = one(write(film, files=(("film.mov", b"film"),)))
    (embedded, linked) = task.rubric.root.children[0].children
    assert (embedded.args["slide"], embedded.args["kind"]) == (1, "video")
    assert linked.args["linked"] == "file:///home/agent/Documents/film.mov"
    score, reason = published_score(task.id, task.place, task.deck_bytes())
    assert (score, reason) == (None, "contains_mp4_video has no twin")
    home = write(sound, id="bb", files=(("a.mp3", b"sound"),))
    tasks, _ = imported(home)
    (embedded, _) = tasks["osworld-bb"].rubric.root.children[0].children
    assert (embedded.args["slide"], embedded.args["kind"]) == (2, "audio")


@pytest.mark.parametrize(
    ("evaluator", "cause"),
    [
        ("check_presenter_console_disable", "judges a setting of the application, not the deck"),
        ("check_auto_saving_time", "judges a setting of the application, not the deck"),
        ("check_left_panel", "judges the application's window, not the deck"),
        ("compare_images", "judges an exported picture, not the deck"),
    ],
)
def test_what_no_deck_tells_is_left_out(write: Write, evaluator: str, cause: str) -> None:
    found = refused(write({"func": evaluator, "result": RESULT}))
    assert (found.cause, found.expected) == (cause, True)


@pytest.mark.parametrize(
    ("evaluator", "cause", "expected"),
    [
        ({"func": "os.system"}, "unknown evaluator", False),
        ({"func": ["a", "b"], "result": [RESULT, RESULT]}, "several evaluators together", True),
        (
            compared(result={**RESULT, "path": f"{DESKTOP}/pre.pptx"}),
            "judges another file than the one that is opened",
            True,
        ),
        ({"func": []}, "malformed", False),
        ({"func": 3}, "malformed", False),
        ({"func": "compare_pptx_files", "conj": "xor"}, "malformed", False),
        ({"func": ["compare_pptx_files"], "result": RESULT}, "malformed", False),
        ({"func": "compare_pptx_files", "result": RESULT}, "malformed", False),
        ({"func": "compare_pptx_files", "result": [1]}, "malformed", False),
        ("none", "malformed", False),
        (ruled("check_transition", slide_idx=9, transition_type="x"), "malformed", False),
        (ruled("check_transition", slide_idx=0), "malformed", False),
        (ruled("evaluate_presentation_fill_to_rgb_distance", rgb=[0, 0, 256]), "malformed", False),
        (ruled("check_page_number_colors", color="mauve"), "malformed", False),
        (ruled("check_page_number_colors", color="red"), "no slide shows its number", False),
        (
            compared({"examine_right_position": True, "examine_top_position": True}),
            "what is to be moved is not plain",
            False,
        ),
    ],
)
def test_evaluators_that_are_none_of_ours_are_refused(
    write: Write, evaluator: Any, cause: str, expected: bool
) -> None:
    found = refused(write(evaluator))
    assert (found.cause, found.expected) == (cause, expected)


@pytest.mark.parametrize(
    ("more", "cause"),
    [
        ({"id": "../../up"}, "malformed"),
        ({"id": ".."}, "malformed"),
        ({"instruction": ""}, "malformed"),
        ({"config": 1}, "malformed"),
        ({"config": [{"type": "download", "parameters": {"files": [{}]}}]}, "malformed"),
        ({"config": [1]}, "malformed"),
        ({"config": []}, "judges another file than the one that is opened"),
    ],
)
def test_task_files_that_are_none_are_refused(
    write: Write, more: dict[str, Any], cause: str
) -> None:
    home = write()
    place = home / "OSWorld/evaluation_examples/examples/libreoffice_impress/aa11-22.json"
    place.write_text(json.dumps({**json.loads(place.read_text("utf-8")), **more}), "utf-8")
    assert refused(home).cause == cause


def test_names_do_not_lead_out_of_the_folder(write: Write, tmp_path: Path) -> None:
    (tmp_path / "mine.pptx").write_bytes(b"mine")
    home = write()
    place = home / "OSWorld/evaluation_examples/examples/libreoffice_impress/aa11-22.json"
    value = json.loads(place.read_text("utf-8"))
    for url in ("x/%2e%2e%2f%2e%2e%2fmine.pptx", "x/../../../mine.pptx"):
        value["evaluator"]["expected"] = {"type": "cloud_file", "path": url, "dest": "../mine.pptx"}
        place.write_text(json.dumps(value), "utf-8")
        assert refused(home).cause == "a deck is missing"
    link = home / "files/libreoffice_impress/aa11-22/mine.pptx"
    link.symlink_to(tmp_path / "mine.pptx")
    assert refused(home).cause == "a deck is missing"


def test_missing_and_broken_decks_are_named(write: Write) -> None:
    home = write()
    place = home / "files/libreoffice_impress/aa11-22"
    (place / "farm_Gold.pptx").write_bytes(b"PK broken")
    assert refused(home).cause == "a deck cannot be read"
    (place / "farm_Gold.pptx").unlink()
    found = refused(home)
    assert found.cause == "a deck is missing"
    assert "the gold deck: expected" in found.problem
    assert "farm_Gold.pptx in libreoffice_impress/aa11-22 or aa11-22" in found.problem
    with (place / "farm.pptx").open("wb") as file:
        file.truncate(2**40)
    assert refused(home).cause == "a file is too large"


def test_a_gold_that_is_the_deck_is_no_goal(write: Write, deck: Deck) -> None:
    assert refused(write(gold=deck())).cause == "the gold deck changes nothing"


def test_broken_json_costs_its_own_task_only(write: Write) -> None:
    home = write()
    place = home / "OSWorld/evaluation_examples/examples/libreoffice_impress"
    (place / "broken.json").write_text("{", "utf-8")
    tasks, found = imported(home)
    assert list(tasks) == ["osworld-aa11-22"]
    assert [(each.name, each.cause) for each in found if not each.task] == [
        ("broken", "a JSON file cannot be read")
    ]


def test_a_folder_of_task_files_alone_will_do(write: Write) -> None:
    home = write()
    folder = home / "OSWorld/evaluation_examples/examples/libreoffice_impress"
    assert [each.task for each in import_examples(folder, home / "files", home / "out")] == [
        "osworld-aa11-22"
    ]
    with pytest.raises(TaskError, match="expected task files in it"):
        list(import_examples(home / "files", home / "files", home / "out2"))


@pytest.mark.parametrize(
    ("code", "kinds"),
    [
        ("import pyautogui; import time; pyautogui.click(960, 540); time.sleep(0.5);", ["click"]),
        (
            "import pyautogui; time.sleep(4); pyautogui.doubleClick(x=960, y=540); "
            "pyautogui.mouseDown(); pyautogui.mouseUp();",
            ["double_click"],
        ),
        ("import pyautogui; pyautogui.doubleClick(x=200, y=650)", []),
        ("import pyautogui; pyautogui.click(960, 540); pyautogui.press('f10')", []),
        ("pyautogui.click(960, 540", []),
    ],
)
def test_setup_clicks_on_the_slide_are_the_scene(code: str, kinds: list[str], write: Write) -> None:
    home = write()
    task_file = home / "OSWorld/evaluation_examples/examples/libreoffice_impress/aa11-22.json"
    value = json.loads(task_file.read_text("utf-8"))
    command = {"command": ["python", "-c", code]}
    value["config"].append({"type": "execute", "parameters": command})
    task_file.write_text(json.dumps(value), "utf-8")
    scene = one(home).scene
    assert [step.kind for step in scene] == kinds
    assert all(step.target == {"role": "document presentation"} for step in scene)
