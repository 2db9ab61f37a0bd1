"""Alternative wordings of instructions, from files and from texts of a copy."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pptarena.benchmarks.pptc.importing import Imported, import_sessions
from pptarena.benchmarks.pptc.labels import load_labels
from pptarena.errors import TaskError
from pptarena.tasks import Task
from pptarena.tasks.suite_loading import load_suite

LABELS = (
    "choose_title();insert_text('Tents');\ninsert_star();align_slide_left();\n\ncreate_slide()\n"
)
PLAIN = "Name it Tents.\nAdd a star. ## 0, star, slide, left\n\nAdd a slide.\n"
NOISY = (
    "Hi! Name it Tents, please.\nStars are nice, add one. ## 0, étoile, là\n\nNow add a slide.\n"
)
GERMAN = ["Nenne die Folie Zelte.", "Bleib hier.", "Füge links einen Stern ein.", "Mach ihn rot."]

ImportResult = tuple[dict[str, Task], list[Imported]]
Import = Callable[..., ImportResult]


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A copy with sessions as text files."""
    folder = tmp_path / "PPTCR" / "test" / "short"
    folder.mkdir(parents=True)
    for name, text in (("api_labels", LABELS), ("instructions", PLAIN), ("noisy", NOISY)):
        (folder / f"{name}.txt").write_text(text, "utf-8")
    return folder


@pytest.fixture
def run_import(tmp_path: Path) -> Import:
    def run(
        path: Path,
        instructions: str = "",
        form: str = "session",
        setting: str = "",
        labels: str = "",
    ) -> ImportResult:
        out = tmp_path / "out"
        outcomes = list(import_sessions(path, out, form, setting, instructions, labels))
        is_any_imported = any(not each.problem for each in outcomes)
        return {task.id: task for task in load_suite(out)} if is_any_imported else {}, outcomes

    return run


def test_copy_of_texts_is_imported(texts: Path, run_import: Import) -> None:
    tasks, outcomes = run_import(texts.parents[1])
    assert set(tasks) == {"pptc-create-0", "pptc-create-1"}
    task = tasks["pptc-create-0"]
    assert [task.instruction, task.turns[0].instruction] == ["Name it Tents.", "Add a star."]
    assert [each.made for each in outcomes] == [2, 1]
    (relation,) = load_labels(task.id, task.place)[1].relations
    assert (relation.subject, relation.relation) == ("star", "left")


def test_wording_of_copy_keeps_relations(texts: Path, run_import: Import) -> None:
    tasks, _ = run_import(texts.parents[1], "noisy", "turn", "lack")
    task = tasks["pptc-lack-noisy-create-0-turn-2"]
    assert task.instruction == "Stars are nice, add one."
    assert task.source.endswith("; setting lack; instructions noisy")
    (label,) = load_labels(task.id, task.place)
    assert (label.setting, label.wording, len(label.relations)) == ("lack", "noisy", 1)


def test_wording_relations_apply_without_original_instructions(
    texts: Path, run_import: Import
) -> None:
    (texts / "instructions.txt").unlink()
    (texts / "noisy.txt").write_text(PLAIN.replace("left", "right"), "utf-8")
    tasks, _ = run_import(texts.parents[1], "noisy")
    (relation,) = load_labels("pptc-noisy-create-0", tasks["pptc-noisy-create-0"].place)[
        1
    ].relations
    assert relation.relation == "right"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["json", "txt"])
def test_file_rewords_sessions_of_folder(pptc_copy: Path, run_import: Import, kind: str) -> None:
    file = pptc_copy.parent / f"Deutsch-2.{kind}"
    blocks = [["a"], ["a"], ["a"], GERMAN, ["a"], ["Schreib Hallo.", "Nimm die Tabelle."]]
    text = "\r\n\r\n".join("\r\n".join(lines) for lines in blocks)
    file.write_text(json.dumps({"3": GERMAN}) if kind == "json" else text, "utf-8")
    tasks, outcomes = run_import(pptc_copy, str(file))
    expected = ["pptc-deutsch2-create-3", "pptc-deutsch2-create-5"]
    assert sorted(tasks) == (expected[:1] if kind == "json" else expected)
    task = tasks["pptc-deutsch2-create-3"]
    assert [task.instruction, *(turn.instruction for turn in task.turns)] == [
        GERMAN[0],
        "\n".join(GERMAN[1:3]),
        GERMAN[3],
    ]
    labels = load_labels(task.id, task.place)
    assert [len(label.relations) for label in labels] == [0, 1, 0]
    assert not any(each.problem for each in outcomes)


def test_only_newlines_end_a_line(texts: Path, run_import: Import) -> None:
    (texts / "noisy.txt").write_text(NOISY.replace("Hi! ", "Hi!\u2028\x85\x0c"), "utf-8")
    tasks, _ = run_import(texts.parents[1], "noisy")
    assert tasks["pptc-noisy-create-0"].instruction.endswith("Name it Tents, please.")
    assert len(tasks["pptc-noisy-create-0"].turns) == 1


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("w.json", "{", "w.json: Expecting"),
        ("w.json", "[]", "expected an object such as"),
        ("w.json", "{}", "expected an object such as"),
        ("w.json", '{"x": []}', "expected numbers of sessions as keys, got 'x'"),
        ("w.json", '{"03": ["a"]}', "expected numbers of sessions as keys, got '03'"),
        ("w.json", '{"3": "a"}', "session 3: expected a list of texts"),
        ("w.json", '{"3": [1]}', "session 3: expected a list of texts"),
        ("w.json", '{"4": ["a"]}', "has no session 4"),
        ("w.json", "[" * 100_000, "w.json: "),
        ("w.txt", " \n\n", "expected one line a turn"),
        ("w.txt", "x" * 20_001, "at most 20000 characters"),
        ("w.csv", "a", "expected a file that ends in .txt or .json"),
    ],
)
def test_malformed_files_are_rejected(
    pptc_copy: Path, run_import: Import, name: str, text: str, message: str
) -> None:
    file = pptc_copy.parent / name
    file.write_text(text, "utf-8")
    with pytest.raises(TaskError, match=r"w\.(json|txt|csv)") as caught:
        run_import(pptc_copy, str(file))
    assert message in str(caught.value)


def test_unreadable_files_are_rejected(pptc_copy: Path, run_import: Import) -> None:
    for name in ("none.txt", "PPTC.txt", "latin.txt"):
        file = pptc_copy.parent / name
        if name == "PPTC.txt":
            file.mkdir()
        if name == "latin.txt":
            file.write_bytes("Füge".encode("latin-1"))
        with pytest.raises(TaskError, match=name):
            run_import(pptc_copy, str(file))


def test_wrong_turn_counts_are_rejected(pptc_copy: Path, run_import: Import) -> None:
    file = pptc_copy.parent / "w.json"
    file.write_text(json.dumps({"3": GERMAN[:3], "5": ["Schreib.", "## 0, a, b, c"]}), "utf-8")
    tasks, (short, empty) = run_import(pptc_copy, str(file))
    assert tasks == {}
    assert short.problem == "w.json: session 3: expected 4 instructions, one a turn, got 3"
    assert empty.problem == "w.json: session 5: expected texts, one is empty"


def test_file_applies_to_one_folder_of_sessions(pptc_copy: Path, run_import: Import) -> None:
    folder = pptc_copy / "PPT_test_input" / "Create_new_slides"
    other = folder.with_name("Edit_PPT_template")
    other.mkdir()
    (other / "session_3.json").write_bytes((folder / "session_3.json").read_bytes())
    file = pptc_copy.parent / "w.json"
    file.write_text(json.dumps({"3": GERMAN}), "utf-8")
    with pytest.raises(TaskError, match=r"expected one folder of sessions with w\.json"):
        run_import(pptc_copy, str(file))
    tasks, _ = run_import(folder, str(file))
    assert list(tasks) == ["pptc-w-create-3"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("robust0", "instructions found: instructions, noisy"),
        (".hidden", "expected a file or the name of one"),
        ("a b", "expected a file or the name of one"),
    ],
)
def test_unknown_wordings_are_rejected(
    texts: Path, run_import: Import, name: str, message: str
) -> None:
    with pytest.raises(TaskError) as caught:
        run_import(texts.parents[1], name)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("instructions", "One.\nTwo.\n", "expected 2 sessions as in api_labels.txt, got 1"),
        ("instructions", "One.\n\nTwo.\n", "session 0: expected 2 turns as in api_labels.txt, got"),
        ("instructions", PLAIN.replace("left", ""), "session 0: User instruction: expected '##"),
        ("noisy", "One.\n\nTwo.\n", "noisy.txt: session 0: expected 2 instructions, one a turn"),
        ("noisy", "One.\nTwo.\n", "noisy.txt: expected instructions of session 1, found none"),
    ],
)
def test_texts_that_do_not_match_labels_are_rejected(
    texts: Path, run_import: Import, name: str, text: str, message: str
) -> None:
    (texts / f"{name}.txt").write_text(text, "utf-8")
    with pytest.raises(TaskError) as caught:
        run_import(texts.parents[1], "noisy")
    assert message in str(caught.value)


def test_text_outside_the_copy_is_rejected(texts: Path, run_import: Import) -> None:
    (texts / "noisy.txt").unlink()
    (texts.parents[2] / "secret.txt").write_text(NOISY, "utf-8")
    (texts / "noisy.txt").symlink_to(texts.parents[2] / "secret.txt")
    with pytest.raises(TaskError, match="leads out of the copy"):
        run_import(texts.parents[1], "noisy")
