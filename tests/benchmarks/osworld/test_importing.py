"""Import of OSWorld's Impress tasks, from task files written here."""

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
ScoreDeck = Callable[[Task, bytes], "float | None"]

DESKTOP = "/home/user/Desktop"
URL = "https://files.example/libreoffice_impress"
EXAMPLES = "OSWorld/evaluation_examples/examples/libreoffice_impress"
RESULT = {"type": "vm_file", "path": f"{DESKTOP}/farm.pptx", "dest": "farm.pptx"}


def comparison(options: Any = None, **more: Any) -> dict[str, Any]:
    expected = {
        "type": "cloud_file",
        "path": f"{URL}/aa11-22/farm_Gold.pptx",
        "dest": "farm_Gold.pptx",
    }
    evaluator = {"func": "compare_pptx_files", "expected": expected, "result": RESULT, **more}
    return evaluator if options is None else {**evaluator, "options": options}


def rule_check(func: str, **rules: Any) -> dict[str, Any]:
    return {"func": func, "expected": {"type": "rule", "rules": rules}, "result": RESULT}


def import_all(home: Path) -> tuple[dict[str, Task], list[Outcome]]:
    out = home / "out"
    shutil.rmtree(out, ignore_errors=True)
    outcomes = list(import_examples(home / "OSWorld", home / "files", out))
    tasks = load_suite(out) if any(each.task for each in outcomes) else ()
    return {task.id: task for task in tasks}, outcomes


def import_one(home: Path) -> Task:
    tasks, outcomes = import_all(home)
    assert [each.problem for each in outcomes] == [""]
    (task,) = tasks.values()
    return task


def import_refused(home: Path) -> Outcome:
    (outcome,) = import_all(home)[1]
    assert outcome.task == ""
    assert not list(home.glob("out/*.json"))
    return outcome


def gold_of(task: Task) -> bytes:
    gold = task.gold_bytes()
    assert gold is not None
    return gold


@pytest.mark.slow
def test_task_scores_0_for_its_deck_and_1_for_its_gold_deck(
    write: Write, score_deck: ScoreDeck
) -> None:
    task = import_one(write())
    assert (task.id, task.file_name, task.max_steps) == ("osworld-aa11-22", "farm.pptx", STEPS)
    assert task.instruction == "Make the list red and bold."
    assert (task.edit_types, task.source.endswith("libreoffice_impress/aa11-22")) == (
        ("text",),
        True,
    )
    assert score_deck(task, task.deck_bytes()) == 0.0
    assert score_deck(task, gold_of(task)) == 1.0


@pytest.mark.slow
def test_published_verdict_is_computed(write: Write, deck: Deck) -> None:
    task = import_one(write())
    assert published_score(task.id, task.place, gold_of(task)) == (1.0, "")
    score, reason = published_score(task.id, task.place, task.deck_bytes())
    assert (score, "slide 1: shape 2" in reason) == (0.0, True)
    assert published_score(task.id, task.place, b"no deck")[0] == 0.0
    with pytest.raises(TaskError, match="expected a task of 'pptarena tasks import osworld'"):
        published_score("meridian-hide-backup", "", deck())


def test_options_apply_to_published_verdict(write: Write, deck: Deck) -> None:
    options = {"examine_font_bold": False, "examine_aligment": False}
    task = import_one(write(comparison(options)))

    def only_red(presentation: Any) -> None:
        from pptx.dml.color import RGBColor

        for paragraph in presentation.slides[0].placeholders[1].text_frame.paragraphs:
            paragraph.runs[0].font.color.rgb = RGBColor(255, 0, 0)  # type: ignore[no-untyped-call]

    assert published_score(task.id, task.place, deck(only_red))[0] == 1.0


@pytest.mark.slow
def test_any_of_several_gold_decks_matches(write: Write, deck: Deck) -> None:
    def other(presentation: Any) -> None:
        presentation.slides[0].placeholders[1].text_frame.paragraphs[0].runs[0].font.bold = True

    first = comparison()
    second = {**first["expected"], "path": f"{URL}/aa11-22/second.pptx", "dest": "second.pptx"}
    evaluator = {
        "func": ["compare_pptx_files"] * 2,
        "conj": "or",
        "expected": [first["expected"], second],
        "result": [RESULT, RESULT],
    }
    home = write(evaluator, files=(("second.pptx", deck(other)),))
    task_file = home / EXAMPLES / "aa11-22.json"
    value = json.loads(task_file.read_text("utf-8"))
    del value["config"][0]["parameters"]["files"][1]  # a gold deck is not on the desktop
    task_file.write_text(json.dumps(value), "utf-8")
    task = import_one(home)
    assert published_score(task.id, task.place, gold_of(task))[0] == 1.0
    assert published_score(task.id, task.place, deck(other))[0] == 1.0
    assert published_score(task.id, task.place, task.deck_bytes())[0] == 0.0


def test_decks_are_found_in_cache_of_benchmark(write: Write) -> None:
    home = write()
    folder = home / "files/libreoffice_impress/aa11-22"
    cache = home / "files/cache/aa11-22"
    cache.mkdir(parents=True)
    folder.rename(cache)
    cache_id = uuid.uuid5(uuid.NAMESPACE_URL, f"{URL}/aa11-22/farm.pptx")
    original = (cache / "farm.pptx").read_bytes()
    (cache / f"{cache_id}_farm.pptx").write_bytes(original)
    # In the cache, a file with the name of the deck is the result of an agent.
    (cache / "farm.pptx").write_bytes((cache / "farm_Gold.pptx").read_bytes())
    assert import_one(home).deck_bytes() == original


def test_attachments_are_placed_in_documents(write: Write) -> None:
    task = import_one(
        write(files=(("none.png", b"png"),), instruction="Add none.png on the Desktop.")
    )
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
def test_position_options_become_region_checks(
    write: Write,
    deck: Deck,
    score_deck: ScoreDeck,
    option: str,
    slide: int,
    shape: str,
    region: str,
) -> None:
    options = {"examine_shape": False, option: True}
    task = import_one(write(comparison(options), gold=deck()))
    leaf = task.rubric.root.children[0]
    assert leaf.check is not None
    assert (leaf.check.name, leaf.args["slide"], leaf.args["region"]) == (
        "shape_in_region",
        slide,
        region,
    )
    assert shape in (None, leaf.args["shape"])
    assert score_deck(task, task.deck_bytes()) == 0.0
    assert score_deck(task, gold_of(task)) == 1.0
    # The published gold deck has the shape in its old position.
    assert published_score(task.id, task.place, gold_of(task)) == (1.0, "")
    assert published_score(task.id, task.place, task.deck_bytes())[0] == 0.0


@pytest.mark.slow
def test_move_combined_with_other_changes_checks_both(write: Write, score_deck: ScoreDeck) -> None:
    options = {"examine_shape": False, "examine_top_position": True}
    task = import_one(write(comparison(options)))
    names = [each.check.name for each in task.rubric.root.children if each.check]
    assert names == ["shape_in_region", "gold_match", "nothing_else_changed"]
    assert score_deck(task, gold_of(task)) == 1.0
    score, _ = published_score(task.id, task.place, gold_of(task))
    assert score == 1.0


def test_infeasible_task_is_imported_as_infeasible(write: Write) -> None:
    task = import_one(write({"func": "infeasible"}))
    assert (task.feasible, task.gold) == (False, None)


def struck_through(presentation: Any) -> None:
    run = presentation.slides[0].placeholders[1].text_frame.paragraphs[0].runs[0]
    run.font._element.set("strike", "sngStrike")


def with_dissolve(presentation: Any) -> None:
    from lxml import etree

    namespace = "http://schemas.openxmlformats.org/presentationml/2006/main"
    element = etree.fromstring(f'<p:transition xmlns:p="{namespace}"><p:dissolve/></p:transition>')
    presentation.slides[0]._element.append(element)


def blue_background(presentation: Any) -> None:
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
        (rule_check("check_transition", slide_idx=0, transition_type="dissolve"), with_dissolve),
        (
            rule_check("evaluate_presentation_fill_to_rgb_distance", rgb=[0, 0, 255]),
            blue_background,
        ),
        (
            {
                "func": "check_image_stretch_and_center",
                "result": RESULT,
                "expected": {**comparison()["expected"], "dest": "farm_Original.pptx"},
            },
            stretched,
        ),
        (
            rule_check(
                "check_strikethrough",
                slide_index_s=[0],
                shape_index_s=[1],
                paragraph_index_s=[0],
            ),
            struck_through,
        ),
    ],
)
def test_deck_rules_become_rubrics(
    write: Write, deck: Deck, score_deck: ScoreDeck, evaluator: Any, edit: Any
) -> None:
    task = import_one(write(evaluator, gold=deck()))
    assert task.gold is None
    assert score_deck(task, task.deck_bytes()) == 0.0
    assert score_deck(task, deck(edit)) == 1.0
    assert published_score(task.id, task.place, deck(edit)) == (1.0, "")
    score, reason = published_score(task.id, task.place, task.deck_bytes())
    assert score is not None
    assert (score < 1, evaluator["func"] in reason) == (True, True)


@pytest.mark.slow
def test_portrait_rule_becomes_slide_size(write: Write, deck: Deck) -> None:
    def upright(presentation: Any) -> None:
        presentation.slide_width, presentation.slide_height = Emu(6_858_000), Emu(9_144_000)

    evaluator = {"func": "check_slide_orientation_Portrait", "result": RESULT}
    task = import_one(write(evaluator))
    assert task.rubric.root.children[0].args == {"width_emu": 6_858_000, "height_emu": 9_144_000}
    assert published_score(task.id, task.place, deck(upright)) == (1.0, "")
    assert published_score(task.id, task.place, deck())[0] == 0.0
    assert import_refused(write(evaluator, original=deck(upright))).cause == (
        "the deck meets the request already"
    )


def test_video_and_audio_are_checked_by_file(write: Write) -> None:
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
    task = import_one(write(film, files=(("film.mov", b"film"),)))
    (embedded, linked) = task.rubric.root.children[0].children
    assert (embedded.args["slide"], embedded.args["kind"]) == (1, "video")
    assert linked.args["linked"] == "file:///home/agent/Documents/film.mov"
    score, reason = published_score(task.id, task.place, task.deck_bytes())
    assert (score, reason) == (None, "contains_mp4_video is not reimplemented")
    home = write(sound, id="bb", files=(("a.mp3", b"sound"),))
    tasks, _ = import_all(home)
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
def test_evaluators_of_other_state_are_skipped(write: Write, evaluator: str, cause: str) -> None:
    outcome = import_refused(write({"func": evaluator, "result": RESULT}))
    assert (outcome.cause, outcome.expected) == (cause, True)


@pytest.mark.parametrize(
    ("evaluator", "cause", "expected"),
    [
        ({"func": "os.system"}, "unknown evaluator", False),
        ({"func": ["a", "b"], "result": [RESULT, RESULT]}, "several evaluators together", True),
        (
            comparison(result={**RESULT, "path": f"{DESKTOP}/pre.pptx"}),
            "judges a file other than the opened one",
            True,
        ),
        ({"func": []}, "malformed", False),
        ({"func": 3}, "malformed", False),
        ({"func": "compare_pptx_files", "conj": "xor"}, "malformed", False),
        ({"func": ["compare_pptx_files"], "result": RESULT}, "malformed", False),
        ({"func": "compare_pptx_files", "result": RESULT}, "malformed", False),
        ({"func": "compare_pptx_files", "result": [1]}, "malformed", False),
        ("none", "malformed", False),
        (rule_check("check_transition", slide_idx=9, transition_type="x"), "malformed", False),
        (rule_check("check_transition", slide_idx=0), "malformed", False),
        (
            rule_check("evaluate_presentation_fill_to_rgb_distance", rgb=[0, 0, 256]),
            "malformed",
            False,
        ),
        (rule_check("check_page_number_colors", color="mauve"), "malformed", False),
        (rule_check("check_page_number_colors", color="red"), "no slide shows its number", False),
        (
            comparison({"examine_right_position": True, "examine_top_position": True}),
            "the shape to move is ambiguous",
            False,
        ),
    ],
)
def test_unsupported_and_malformed_evaluators_are_rejected(
    write: Write, evaluator: Any, cause: str, expected: bool
) -> None:
    outcome = import_refused(write(evaluator))
    assert (outcome.cause, outcome.expected) == (cause, expected)


@pytest.mark.parametrize(
    ("more", "cause"),
    [
        ({"id": "../../up"}, "malformed"),
        ({"id": ".."}, "malformed"),
        ({"instruction": ""}, "malformed"),
        ({"config": 1}, "malformed"),
        ({"config": [{"type": "download", "parameters": {"files": [{}]}}]}, "malformed"),
        ({"config": [1]}, "malformed"),
        ({"config": []}, "judges a file other than the opened one"),
    ],
)
def test_malformed_task_files_are_rejected(write: Write, more: dict[str, Any], cause: str) -> None:
    home = write()
    task_file = home / EXAMPLES / "aa11-22.json"
    task_file.write_text(json.dumps({**json.loads(task_file.read_text("utf-8")), **more}), "utf-8")
    assert import_refused(home).cause == cause


def test_paths_outside_folder_are_rejected(write: Write, tmp_path: Path) -> None:
    (tmp_path / "mine.pptx").write_bytes(b"mine")
    home = write()
    task_file = home / EXAMPLES / "aa11-22.json"
    value = json.loads(task_file.read_text("utf-8"))
    for url in ("x/%2e%2e%2f%2e%2e%2fmine.pptx", "x/../../../mine.pptx"):
        value["evaluator"]["expected"] = {"type": "cloud_file", "path": url, "dest": "../mine.pptx"}
        task_file.write_text(json.dumps(value), "utf-8")
        assert import_refused(home).cause == "a deck is missing"
    link = home / "files/libreoffice_impress/aa11-22/mine.pptx"
    link.symlink_to(tmp_path / "mine.pptx")
    assert import_refused(home).cause == "a deck is missing"


def test_missing_and_broken_decks_are_reported(write: Write) -> None:
    home = write()
    folder = home / "files/libreoffice_impress/aa11-22"
    (folder / "farm_Gold.pptx").write_bytes(b"PK broken")
    assert import_refused(home).cause == "a deck cannot be read"
    (folder / "farm_Gold.pptx").unlink()
    outcome = import_refused(home)
    assert outcome.cause == "a deck is missing"
    assert "the gold deck: expected" in outcome.problem
    assert "farm_Gold.pptx in libreoffice_impress/aa11-22 or aa11-22" in outcome.problem
    with (folder / "farm.pptx").open("wb") as file:
        file.truncate(2**40)
    assert import_refused(home).cause == "a file is too large"


def test_gold_deck_without_changes_is_rejected(write: Write, deck: Deck) -> None:
    assert import_refused(write(gold=deck())).cause == "the gold deck changes nothing"


def test_broken_json_affects_only_its_task(write: Write) -> None:
    home = write()
    folder = home / EXAMPLES
    (folder / "broken.json").write_text("{", "utf-8")
    tasks, outcomes = import_all(home)
    assert list(tasks) == ["osworld-aa11-22"]
    assert [(each.name, each.cause) for each in outcomes if not each.task] == [
        ("broken", "a JSON file cannot be read")
    ]


def test_folder_of_task_files_is_accepted(write: Write) -> None:
    home = write()
    folder = home / EXAMPLES
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
def test_setup_clicks_on_slide_become_the_scene(code: str, kinds: list[str], write: Write) -> None:
    home = write()
    task_file = home / EXAMPLES / "aa11-22.json"
    value = json.loads(task_file.read_text("utf-8"))
    command = {"command": ["python", "-c", code]}
    value["config"].append({"type": "execute", "parameters": command})
    task_file.write_text(json.dumps(value), "utf-8")
    scene = import_one(home).scene
    assert [step.kind for step in scene] == kinds
    assert all(step.target == {"role": "document presentation"} for step in scene)
