"""Settings: which APIs there are, what labels ask for then, and how that is judged."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pptarena.benchmarks.pptc import APIS, Executor, load_sessions, parse_calls
from pptarena.benchmarks.pptc.importing import Imported, import_sessions
from pptarena.benchmarks.pptc.labels import Conduct, judge_session, judge_turn, labels_of
from pptarena.benchmarks.pptc.settings import LACK_APIS, SEEK, SETTINGS, setting_of
from pptarena.benchmarks.pptc.update_apis import UPDATE_APIS
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.document import PPTArenaDocEnv, ToolCall, doc_env
from pptarena.envs.document.toolbox import toolbox
from pptarena.errors import TaskError
from pptarena.tasks import Task
from pptarena.tasks.suite_loading import load_suite

HELPED, SPOILED = Conduct(helped=True), Conduct(spoiled=True)


@pytest.fixture(autouse=True)
def doc_baselines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep baselines away from the user's own."""
    monkeypatch.setattr(doc_env, "_BASELINES", BaselineStore(tmp_path / "baselines"))


def imported(
    copy: Path, form: str = "turn", setting: str = "lack"
) -> tuple[dict[str, Task], list[Imported]]:
    out = copy.parent / f"{setting}-{form}"
    found = list(import_sessions(copy, out, form, setting))
    return {task.id: task for task in load_suite(out)}, found


def test_the_settings_have_the_published_numbers_of_apis() -> None:
    assert len(set(LACK_APIS)) == 25
    assert len(UPDATE_APIS) == 97
    assert set(LACK_APIS) < set(APIS)
    assert not set(UPDATE_APIS) & set(APIS)
    names = {name: set(toolbox((name,))) for name in ("pptc", "pptc-lack", "pptc-update")}
    assert names["pptc"] - names["pptc-lack"] == set(APIS) - set(LACK_APIS)
    assert names["pptc-lack"] - names["pptc"] == {SEEK}
    assert names["pptc-update"] - names["pptc"] == set(UPDATE_APIS)


@pytest.mark.parametrize("name", ["magic", "Lack", " lack", "pptc-lack", "x" * 999])
def test_an_unknown_setting_is_refused(name: str, pptc_copy: Path) -> None:
    with pytest.raises(TaskError, match="setting: expected plain, lack or update"):
        list(import_sessions(pptc_copy, pptc_copy.parent / "x", setting=name))
    assert setting_of("plain") is setting_of("") is SETTINGS[""]


def test_labels_ask_for_help_where_an_api_is_missing(pptc_copy: Path) -> None:
    folder = pptc_copy / "PPT_test_input" / "Create_new_slides"
    session = SETTINGS["lack"].masked(load_sessions(folder)[0])
    assert [[call.text for call in turn.calls] for turn in session.turns] == [
        ["choose_title()", "insert_text('Tents')"],
        ["move_to_slide(0)"],
        ["seek_assistance()", "seek_assistance()"],
        ["seek_assistance()"],
    ]
    for name in ("", "update"):
        assert SETTINGS[name].masked(load_sessions(folder)[0]) == load_sessions(folder)[0]


@pytest.mark.parametrize(
    ("setting", "text", "spoils"),
    [
        ("lack", "insert_star()", True),
        ("lack", "fly()", True),
        ("lack", "insert_textbox()", False),  # it has insert_text in it
        ("lack", "seek_assistance()", False),
        ("lack", "choose_title()", False),
        ("update", "hide_slide()", True),
        ("update", "insert_star()", False),
        ("update", "fly()", False),
        ("", "hide_slide()", False),
    ],
)
def test_what_the_benchmark_spoils_the_deck_for(setting: str, text: str, spoils: bool) -> None:
    (call,) = parse_calls(text)
    assert SETTINGS[setting].spoils(call) is spoils


def test_turns_that_need_help_only_cannot_be_done(pptc_copy: Path) -> None:
    tasks, found = imported(pptc_copy)
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
    first, other = found
    assert (first.seeks, first.impossible, first.joined, first.left_out) == (2, 2, 1, 0)
    assert (other.seeks, other.impossible, other.left_out) == (0, 0, 1)


@pytest.mark.slow
def test_decks_of_the_setting_are_taken_from_the_copy(pptc_copy: Path) -> None:
    path = pptc_copy / "PPT_test_input" / "Create_new_slides" / "session_5.json"
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    lines[0]["API Lack Label File"] = "lack/own.pptx"
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    own = Executor()
    own.run(parse_calls("choose_title();insert_text('Other')"))
    (pptc_copy / "lack").mkdir()
    (pptc_copy / "lack" / "own.pptx").write_bytes(own.to_bytes())
    assert imported(pptc_copy)[0]["pptc-lack-create-5-turn-1"].gold_bytes() == own.to_bytes()
    plain = imported(pptc_copy, setting="update")[0]["pptc-update-create-5-turn-1"]
    assert plain.gold_bytes() != own.to_bytes()


@pytest.mark.parametrize("bad", ["../out.pptx", "/etc/hostname", "broken.pptx", "link.pptx"])
def test_decks_elsewhere_and_broken_ones_are_not_read(pptc_copy: Path, bad: str) -> None:
    path = pptc_copy / "PPT_test_input" / "Create_new_slides" / "session_5.json"
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    lines[0]["API Lack Label File"] = bad
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    (pptc_copy.parent / "out.pptx").write_bytes(Executor().to_bytes())
    (pptc_copy / "broken.pptx").write_bytes(b"PK nothing")
    (pptc_copy / "link.pptx").symlink_to(pptc_copy.parent / "out.pptx")
    tasks, (good, refused) = imported(pptc_copy)
    assert not good.problem
    assert "leads out of the copy" in refused.problem or "cannot be read" in refused.problem
    assert not any("create-5" in name for name in tasks)


@pytest.mark.parametrize("key", ["API Lack Base File", "API Lack Label File"])
def test_fields_of_the_setting_that_are_missing_are_named(pptc_copy: Path, key: str) -> None:
    path = pptc_copy / "PPT_test_input" / "Create_new_slides" / "session_5.json"
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    del lines[1][key]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    with pytest.raises(TaskError, match=f"session_5.json: line 2: {key}: expected a text"):
        imported(pptc_copy)


@pytest.mark.slow
def test_help_is_wanted_where_the_label_asks_for_it(pptc_copy: Path) -> None:
    tasks, _ = imported(pptc_copy, "session")
    task = tasks["pptc-lack-create-3"]
    title, star, red = labels = labels_of(task.id, task.place)
    assert [label.seeks for label in labels] == [False, True, True]
    # Nothing is done: the benchmark passes what has no relation, the strict checker nothing.
    assert judge_turn(red.base, red).published.verdict == "match"
    assert judge_turn(red.base, red).strict.verdict == "mismatch"
    assert [each.attribute for each in judge_turn(red.base, red).strict.mismatches] == ["help"]
    assert judge_turn(red.base, red, HELPED).strict.verdict == "match"
    # The relation of a star that cannot be there: the benchmark asks for it all the same.
    asked = judge_turn(star.gold, star, HELPED)
    assert (asked.published.verdict, asked.strict.verdict) == ("mismatch", "match")
    # Unneeded help is not what the label does.
    assert judge_turn(title.gold, title).strict.verdict == "match"
    assert judge_turn(title.gold, title, HELPED).strict.verdict == "mismatch"
    spoiled = judge_turn(title.gold, title, SPOILED)
    assert (spoiled.published.verdict, spoiled.strict.verdict) == ("mismatch", "match")
    right = (Conduct(), HELPED, HELPED)
    assert judge_session(red.gold, labels, right).strict.verdict == "match"
    assert judge_session(red.gold, labels, (HELPED, *right[1:])).strict.verdict == "mismatch"
    assert judge_session(red.gold, labels).strict.verdict == "mismatch"


def test_further_apis_fail_both_checkers(pptc_copy: Path) -> None:
    tasks, _ = imported(pptc_copy, setting="update")
    task = tasks["pptc-update-create-3-turn-1"]
    (label,) = labels_of(task.id, task.place)
    for conduct, verdict in ((Conduct(), "match"), (HELPED, "match"), (SPOILED, "mismatch")):
        said = judge_turn(label.gold, label, conduct)
        assert (said.published.verdict, said.strict.verdict) == (verdict, verdict)


@pytest.mark.parametrize("value", ['{"asked": [], "setting": "magic"}', "[]", "{}", '"x"', "{"])
def test_labels_that_are_malformed_are_refused(pptc_copy: Path, value: str) -> None:
    tasks, _ = imported(pptc_copy)
    task = tasks["pptc-lack-create-5-turn-1"]
    (Path(task.place).parent / "decks" / "pptc-lack-create-5" / "labels.json").write_text(value)
    with pytest.raises(TaskError, match="expected"):
        labels_of(task.id, task.place)


@pytest.fixture
def lacking(pptc_copy: Path) -> Iterator[PPTArenaDocEnv]:
    task = imported(pptc_copy)[0]["pptc-lack-create-3-turn-3"]
    with closing(make(task, "pptc-lack")) as env:
        yield env


def make(task: Task, family: str) -> PPTArenaDocEnv:
    env = PPTArenaDocEnv(task=task, judge=None, tools=(family,), view="pptc")
    env.reset(seed=0)
    return env


def call(env: PPTArenaDocEnv, tool: str, /, **arguments: Any) -> dict[str, Any]:
    *_, info = env.step(ToolCall(tool, arguments))
    return info


def test_what_is_missing_cannot_be_called(lacking: PPTArenaDocEnv) -> None:
    before = lacking.deck_bytes()
    assert "not found" in str(call(lacking, "insert_star")["action_error"])
    text = "choose_title();insert_star();set_fill_color('red');insert_note('x');align_slide_left()"
    info = call(lacking, "run_calls", calls=text)
    assert info["result"].count("passed over: ") == 4
    assert "there is no API 'insert_star'" in info["result"]
    # What the benchmark punishes is on the record though nothing of it was carried out.
    info = call(lacking, "run_calls", calls="insert_star()")
    assert info["action_error"] is None
    assert info["command"]["arguments"] == {"calls": "insert_star()"}
    assert lacking.deck_bytes() == before


def test_help_leaves_the_deck_and_fail_is_the_right_end(lacking: PPTArenaDocEnv) -> None:
    before = lacking.deck_bytes()
    assert call(lacking, SEEK)["action_error"] is None
    info = call(lacking, "run_calls", calls="seek_assistance();seek_assistance()")
    assert (info["action_error"], info["score"]) == (None, 0.0)
    assert call(lacking, "run_calls", calls="seek_assistance(1)")["action_error"] is not None
    assert lacking.deck_bytes() == before
    assert call(lacking, "fail")["score"] == 1.0


@pytest.mark.slow
@pytest.mark.parametrize(("end", "first"), [("done", SEEK), ("fail", "create_slide")])
def test_help_pays_nothing_without_saying_so_or_beside_damage(
    lacking: PPTArenaDocEnv, end: str, first: str
) -> None:
    call(lacking, first)
    assert call(lacking, end)["score"] == 0.0


@pytest.mark.slow
def test_further_apis_do_nothing_and_say_so(pptc_copy: Path) -> None:
    task = imported(pptc_copy, setting="update")[0]["pptc-update-create-3-turn-3"]
    with closing(make(task, "pptc-update")) as env:
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
