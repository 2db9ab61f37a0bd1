"""Benchmark settings: available APIs, labels that seek help, and evaluation."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pptarena.benchmarks.pptc import APIS, Executor, load_sessions, parse_calls
from pptarena.benchmarks.pptc.importing import Imported, import_sessions
from pptarena.benchmarks.pptc.labels import Conduct, judge_session, judge_turn, load_labels
from pptarena.benchmarks.pptc.settings import LACK_APIS, SEEK, SETTINGS, get_setting
from pptarena.benchmarks.pptc.update_apis import UPDATE_APIS
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.document import PPTArenaDocEnv, ToolCall, doc_env
from pptarena.envs.document.toolbox import toolbox
from pptarena.errors import TaskError
from pptarena.tasks import Task
from pptarena.tasks.suite_loading import load_suite

SOUGHT_HELP, MISUSED_API = Conduct(asked_for_help=True), Conduct(corrupted=True)


@pytest.fixture(autouse=True)
def doc_baselines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the user's baselines untouched."""
    monkeypatch.setattr(doc_env, "_BASELINES", BaselineStore(tmp_path / "baselines"))


def import_copy(
    copy: Path, form: str = "turn", setting: str = "lack"
) -> tuple[dict[str, Task], list[Imported]]:
    out = copy.parent / f"{setting}-{form}"
    outcomes = list(import_sessions(copy, out, form, setting))
    return {task.id: task for task in load_suite(out)}, outcomes


def test_settings_have_published_api_counts() -> None:
    assert len(set(LACK_APIS)) == 25
    assert len(UPDATE_APIS) == 97
    assert set(LACK_APIS) < set(APIS)
    assert not set(UPDATE_APIS) & set(APIS)
    names = {name: set(toolbox((name,))) for name in ("pptc", "pptc-lack", "pptc-update")}
    assert names["pptc"] - names["pptc-lack"] == set(APIS) - set(LACK_APIS)
    assert names["pptc-lack"] - names["pptc"] == {SEEK}
    assert names["pptc-update"] - names["pptc"] == set(UPDATE_APIS)


@pytest.mark.parametrize("name", ["magic", "Lack", " lack", "pptc-lack", "x" * 999])
def test_unknown_setting_is_rejected(name: str, pptc_copy: Path) -> None:
    with pytest.raises(TaskError, match="setting: expected plain, lack or update"):
        list(import_sessions(pptc_copy, pptc_copy.parent / "x", setting=name))
    assert get_setting("plain") is get_setting("") is SETTINGS[""]


def test_labels_seek_help_for_missing_apis(pptc_copy: Path) -> None:
    folder = pptc_copy / "PPT_test_input" / "Create_new_slides"
    session = SETTINGS["lack"].with_help_requests(load_sessions(folder)[0])
    assert [[call.text for call in turn.calls] for turn in session.turns] == [
        ["choose_title()", "insert_text('Tents')"],
        ["move_to_slide(0)"],
        ["seek_assistance()", "seek_assistance()"],
        ["seek_assistance()"],
    ]
    for name in ("", "update"):
        assert (
            SETTINGS[name].with_help_requests(load_sessions(folder)[0]) == load_sessions(folder)[0]
        )


@pytest.mark.parametrize(
    ("setting", "text", "invalidates"),
    [
        ("lack", "insert_star()", True),
        ("lack", "fly()", True),
        ("lack", "insert_textbox()", False),  # it contains insert_text
        ("lack", "seek_assistance()", False),
        ("lack", "choose_title()", False),
        ("update", "hide_slide()", True),
        ("update", "insert_star()", False),
        ("update", "fly()", False),
        ("", "hide_slide()", False),
    ],
)
def test_calls_that_invalidate_the_deck(setting: str, text: str, invalidates: bool) -> None:
    (call,) = parse_calls(text)
    assert SETTINGS[setting].corrupts(call) is invalidates


def test_turns_that_only_seek_help_are_infeasible(pptc_copy: Path) -> None:
    tasks, outcomes = import_copy(pptc_copy)
    assert {name: task.feasible for name, task in tasks.items()} == {
        "pptc-lack-create-3-turn-1": True,
        "pptc-lack-create-3-turn-2": False,
        "pptc-lack-create-3-turn-3": False,
        "pptc-lack-create-5-turn-1": True,
    }
    joined = tasks["pptc-lack-create-3-turn-2"]
    assert joined.instruction == "Stay here, please.\nAdd a star on the left."
    assert joined.gold is None
    last = tasks["pptc-lack-create-3-turn-3"].dialogue[-1]
    assert last.assistant == "move_to_slide(0);\nseek_assistance();\nseek_assistance()"
    assert "; setting lack" in joined.source
    first, other = outcomes
    assert (first.seeks, first.impossible, first.joined, first.left_out) == (2, 2, 1, 0)
    assert (other.seeks, other.impossible, other.left_out) == (0, 0, 1)


@pytest.mark.slow
def test_decks_of_setting_are_read_from_copy(pptc_copy: Path) -> None:
    path = pptc_copy / "PPT_test_input" / "Create_new_slides" / "session_5.json"
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    lines[0]["API Lack Label File"] = "lack/own.pptx"
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    label = Executor()
    label.run(parse_calls("choose_title();insert_text('Other')"))
    (pptc_copy / "lack").mkdir()
    (pptc_copy / "lack" / "own.pptx").write_bytes(label.to_bytes())
    assert import_copy(pptc_copy)[0]["pptc-lack-create-5-turn-1"].gold_bytes() == label.to_bytes()
    plain = import_copy(pptc_copy, setting="update")[0]["pptc-update-create-5-turn-1"]
    assert plain.gold_bytes() != label.to_bytes()


@pytest.mark.parametrize("deck_path", ["../out.pptx", "/etc/hostname", "broken.pptx", "link.pptx"])
def test_outside_and_broken_decks_are_rejected(pptc_copy: Path, deck_path: str) -> None:
    path = pptc_copy / "PPT_test_input" / "Create_new_slides" / "session_5.json"
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    lines[0]["API Lack Label File"] = deck_path
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    (pptc_copy.parent / "out.pptx").write_bytes(Executor().to_bytes())
    (pptc_copy / "broken.pptx").write_bytes(b"PK nothing")
    (pptc_copy / "link.pptx").symlink_to(pptc_copy.parent / "out.pptx")
    tasks, (accepted, rejected) = import_copy(pptc_copy)
    assert not accepted.problem
    assert "leads out of the copy" in rejected.problem or "cannot be read" in rejected.problem
    assert not any("create-5" in name for name in tasks)


@pytest.mark.parametrize("key", ["API Lack Base File", "API Lack Label File"])
def test_missing_fields_of_setting_are_reported(pptc_copy: Path, key: str) -> None:
    path = pptc_copy / "PPT_test_input" / "Create_new_slides" / "session_5.json"
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    del lines[1][key]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    with pytest.raises(TaskError, match=f"session_5.json: line 2: {key}: expected a text"):
        import_copy(pptc_copy)


@pytest.mark.slow
def test_help_is_expected_if_the_label_seeks_it(pptc_copy: Path) -> None:
    tasks, _ = import_copy(pptc_copy, "session")
    task = tasks["pptc-lack-create-3"]
    title, star, red = labels = load_labels(task.id, task.place)
    assert [label.seeks for label in labels] == [False, True, True]
    # Unchanged decks: the benchmark accepts labels without relations, the strict checker none.
    assert judge_turn(red.base, red).published.verdict == "match"
    assert judge_turn(red.base, red).strict.verdict == "mismatch"
    assert [each.attribute for each in judge_turn(red.base, red).strict.mismatches] == ["help"]
    assert judge_turn(red.base, red, SOUGHT_HELP).strict.verdict == "match"
    # The star cannot be inserted, but the benchmark still requires its relation.
    star_result = judge_turn(star.gold, star, SOUGHT_HELP)
    assert (star_result.published.verdict, star_result.strict.verdict) == ("mismatch", "match")
    # Seeking unneeded help differs from the label.
    assert judge_turn(title.gold, title).strict.verdict == "match"
    assert judge_turn(title.gold, title, SOUGHT_HELP).strict.verdict == "mismatch"
    misuse_result = judge_turn(title.gold, title, MISUSED_API)
    assert (misuse_result.published.verdict, misuse_result.strict.verdict) == ("mismatch", "match")
    conducts = (Conduct(), SOUGHT_HELP, SOUGHT_HELP)
    assert judge_session(red.gold, labels, conducts).strict.verdict == "match"
    assert (
        judge_session(red.gold, labels, (SOUGHT_HELP, *conducts[1:])).strict.verdict == "mismatch"
    )
    assert judge_session(red.gold, labels).strict.verdict == "mismatch"


def test_calls_of_added_apis_fail_both_checkers(pptc_copy: Path) -> None:
    tasks, _ = import_copy(pptc_copy, setting="update")
    task = tasks["pptc-update-create-3-turn-1"]
    (label,) = load_labels(task.id, task.place)
    for conduct, verdict in (
        (Conduct(), "match"),
        (SOUGHT_HELP, "match"),
        (MISUSED_API, "mismatch"),
    ):
        result = judge_turn(label.gold, label, conduct)
        assert (result.published.verdict, result.strict.verdict) == (verdict, verdict)


@pytest.mark.parametrize("value", ['{"asked": [], "setting": "magic"}', "[]", "{}", '"x"', "{"])
def test_malformed_labels_are_rejected(pptc_copy: Path, value: str) -> None:
    tasks, _ = import_copy(pptc_copy)
    task = tasks["pptc-lack-create-5-turn-1"]
    (Path(task.place).parent / "decks" / "pptc-lack-create-5" / "labels.json").write_text(value)
    with pytest.raises(TaskError, match="expected"):
        load_labels(task.id, task.place)


@pytest.fixture
def env_without_apis(pptc_copy: Path) -> Iterator[PPTArenaDocEnv]:
    task = import_copy(pptc_copy)[0]["pptc-lack-create-3-turn-3"]
    with closing(make_env(task, "pptc-lack")) as env:
        yield env


def make_env(task: Task, family: str) -> PPTArenaDocEnv:
    env = PPTArenaDocEnv(task=task, judge=None, tools=(family,), view="pptc")
    env.reset(seed=0)
    return env


def call(env: PPTArenaDocEnv, tool: str, /, **arguments: Any) -> dict[str, Any]:
    *_, info = env.step(ToolCall(tool, arguments))
    return info


def test_missing_apis_cannot_be_called(env_without_apis: PPTArenaDocEnv) -> None:
    before = env_without_apis.deck_bytes()
    assert "not found" in str(call(env_without_apis, "insert_star")["action_error"])
    text = "choose_title();insert_star();set_fill_color('red');insert_note('x');align_slide_left()"
    info = call(env_without_apis, "run_calls", calls=text)
    assert info["result"].count("passed over: ") == 4
    assert "there is no API 'insert_star'" in info["result"]
    # The call is recorded because the benchmark penalizes it, but it has no effect.
    info = call(env_without_apis, "run_calls", calls="insert_star()")
    assert info["action_error"] is None
    assert info["command"]["arguments"] == {"calls": "insert_star()"}
    assert env_without_apis.deck_bytes() == before


def test_seeking_help_changes_nothing_and_fail_scores_1(env_without_apis: PPTArenaDocEnv) -> None:
    before = env_without_apis.deck_bytes()
    assert call(env_without_apis, SEEK)["action_error"] is None
    info = call(env_without_apis, "run_calls", calls="seek_assistance();seek_assistance()")
    assert (info["action_error"], info["score"]) == (None, 0.0)
    assert (
        call(env_without_apis, "run_calls", calls="seek_assistance(1)")["action_error"] is not None
    )
    assert env_without_apis.deck_bytes() == before
    assert call(env_without_apis, "fail")["score"] == 1.0


@pytest.mark.slow
@pytest.mark.parametrize(("end", "first"), [("done", SEEK), ("fail", "create_slide")])
def test_wrong_ending_or_damage_scores_0(
    env_without_apis: PPTArenaDocEnv, end: str, first: str
) -> None:
    call(env_without_apis, first)
    assert call(env_without_apis, end)["score"] == 0.0


@pytest.mark.slow
def test_added_apis_have_no_effect_and_report_it(pptc_copy: Path) -> None:
    task = import_copy(pptc_copy, setting="update")[0]["pptc-update-create-3-turn-3"]
    with closing(make_env(task, "pptc-update")) as env:
        before = env.deck_bytes()
        info = call(env, "group_shapes", shape_ids=["a", 2])
        assert info["result"] == "group_shapes has no effect here: no instruction needs it"
        assert (info["action_error"], info["document"]["revision"]) == (None, 0)
        assert "group_shapes.shape_ids" in str(call(env, "group_shapes")["action_error"])
        info = call(env, "run_calls", calls="hide_slide('what', 1, x=[2]);choose_shape('star')")
        assert info["result"].startswith("passed over: hide_slide has no effect here")
        assert env.deck_bytes() == before
        call(env, "set_fill_color", color="red")
        assert call(env, "done")["score"] == 1.0
