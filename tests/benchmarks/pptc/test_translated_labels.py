"""Instructions in other languages use labels of the same language."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pptarena.benchmarks.pptc.importing import Imported, import_sessions
from pptarena.benchmarks.pptc.labels import load_labels
from pptarena.benchmarks.pptc.translated_labels import find_labels
from pptarena.cli import app
from pptarena.decks import read_deck
from pptarena.errors import TaskError
from pptarena.tasks import Task
from pptarena.tasks.suite_loading import load_suite

LABELS = "choose_title();insert_text('Tents for sale');\ninsert_star();\n\ncreate_slide()\n"
PLAIN = 'Name it "Tents for sale".\nAdd a star.\n\nAdd a slide.\n'
NOISY = 'Hi! Do name it "Tents for sale", will you?\nAnd a star!\n\nAdd a slide, please.\n'
FRENCH = (
    "Nommez-la \u00ab Tentes \u00e0 vendre \u00bb.\nAjoutez une \u00e9toile.\n\n"
    "Ajoutez une diapositive.\n"
)
FRENCH_LABELS = (
    "choose_title();insert_text('Tentes \u00e0 vendre');\ninsert_star();\n\ncreate_slide()\n"
)
CHINESE = (
    "\u5c06\u5176\u547d\u540d\u4e3a\u201c\u5e10\u7bf7\u51fa\u552e\u201d\u3002\n"
    "\u6dfb\u52a0\u661f\u661f\u3002\n\n\u6dfb\u52a0\u5e7b\u706f\u7247\u3002\n"
)
CHINESE_LABELS = (
    "choose_title();insert_text('\u5e10\u7bf7\u51fa\u552e');\ninsert_star();\n\ncreate_slide()\n"
)

LABEL_FILES = [
    *("french_api_labels.txt", "french_labels.txt", "api_labels_french.txt", "labels-French.txt"),
    *("labels/french.txt", "api_labels/french.txt", "../labels/french.txt", "french.label.txt"),
]


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "PPTCR" / "test" / "short"
    folder.mkdir(parents=True)
    files = {"api_labels": LABELS, "instructions": PLAIN, "noisy": NOISY, "french": FRENCH}
    for name, text in (*files.items(), ("chinese", CHINESE)):
        (folder / f"{name}.txt").write_text(text, "utf-8")
    return folder


def _import(path: Path, out: Path, *names: str) -> tuple[dict[str, Task], list[Imported]]:
    outcomes = list(import_sessions(path, out, "session", "", *names))
    return {task.id: task for task in load_suite(out)}, outcomes


def _title(task: Task) -> str:
    label = load_labels(task.id, task.place)[0]
    assert isinstance(label.gold, Path)
    return read_deck(label.gold).slides[0].title


@pytest.mark.parametrize("label_file", LABEL_FILES)
def test_labels_of_the_language_are_used(texts: Path, tmp_path: Path, label_file: str) -> None:
    file = texts / label_file
    file.parent.mkdir(exist_ok=True)
    file.write_text(FRENCH_LABELS, "utf-8")
    tasks, outcomes = _import(texts.parents[1], tmp_path / "out", "french")
    task = tasks["pptc-french-create-0"]
    assert (_title(task), task.instruction[:6]) == ("Tentes \u00e0 vendre", "Nommez")
    assert not any(each.foreign or each.problem for each in outcomes)


def test_labels_in_chinese_are_used(texts: Path, tmp_path: Path) -> None:
    (texts / "chinese_api_labels.txt").write_text(CHINESE_LABELS, "utf-8")
    tasks, outcomes = _import(texts.parents[1], tmp_path / "out", "chinese")
    assert _title(tasks["pptc-chinese-create-0"]) == "\u5e10\u7bf7\u51fa\u552e"
    assert not any(each.foreign for each in outcomes)


@pytest.mark.parametrize("name", ["french", "chinese"])
def test_labels_in_another_language_are_reported(texts: Path, tmp_path: Path, name: str) -> None:
    tasks, outcomes = _import(texts.parents[1], tmp_path / "out", name)
    assert _title(tasks[f"pptc-{name}-create-0"]) == "Tents for sale"
    # Labels without text match any language.
    assert [each.foreign for each in outcomes] == [True, False]


@pytest.mark.parametrize("name", ["", "noisy"])
def test_original_language_uses_original_labels(texts: Path, tmp_path: Path, name: str) -> None:
    (texts / "french_api_labels.txt").write_text(FRENCH_LABELS, "utf-8")
    tasks, outcomes = _import(texts.parents[1], tmp_path / "out", name)
    assert {_title(task) for task in tasks.values()} >= {"Tents for sale"}
    assert not any(each.foreign for each in outcomes)


def test_labels_can_be_named(texts: Path, tmp_path: Path) -> None:
    (texts / "etiquettes.txt").write_text(FRENCH_LABELS, "utf-8")
    tasks, outcomes = _import(texts.parents[1], tmp_path / "out", "french", "etiquettes")
    assert _title(tasks["pptc-french-create-0"]) == "Tentes \u00e0 vendre"
    assert not any(each.foreign for each in outcomes)
    with pytest.raises(TaskError, match="both as files or both as names"):
        _import(texts.parents[1], tmp_path / "other", "french", "etiquettes.txt")


def test_labels_without_instructions_are_rejected(pptc_copy: Path, tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"labels: .*--instructions"):
        _import(pptc_copy, tmp_path / "out", "", "french_api_labels")


@pytest.mark.parametrize("kind", ["json", "txt"])
@pytest.mark.parametrize("is_named", [False, True])
def test_instruction_file_uses_its_labels(
    pptc_copy: Path, tmp_path: Path, kind: str, is_named: bool
) -> None:
    folder = pptc_copy / "PPT_test_input" / "Create_new_slides"
    for each in folder.glob("*.json"):
        each.unlink()
    files = {"Base File": "", "API Lack Base File": "", "API Lack Label File": ""}
    lines = [
        {"Turn": 0, "User instruction": PLAIN.split("\n")[0], "Label File": "label.pptx"},
        {"Turn": 1, "User instruction": "Add a star.", "Label File": ""},
    ]
    calls = LABELS.split("\n")
    text = "\n".join(
        json.dumps({**files, **line, "Feasible API sequence": call})
        for line, call in zip(lines, calls[:2], strict=True)
    )
    (folder / "session_0.json").write_text(text, "utf-8")
    # A deck of the English label, which must not be used.
    (pptc_copy / "label.pptx").write_bytes(b"no deck")
    instructions, labels = FRENCH.split("\n")[:2], FRENCH_LABELS.split("\n")[:2]
    translations = tmp_path / "mine"
    translations.mkdir()
    for name, texts in (("french", instructions), ("x" if is_named else "french_labels", labels)):
        content = json.dumps({"0": texts}) if kind == "json" else "\n".join(texts)
        (translations / f"{name}.{kind}").write_text(content, "utf-8")
    names = [
        str(translations / f"french.{kind}"),
        *([str(translations / f"x.{kind}")] if is_named else []),
    ]
    tasks, outcomes = _import(pptc_copy, tmp_path / "out", *names)
    assert _title(tasks["pptc-french-create-0"]) == "Tentes \u00e0 vendre"
    assert [(each.foreign, each.made, each.problem) for each in outcomes] == [(False, 2, "")]


def test_several_label_files_are_rejected(texts: Path, tmp_path: Path) -> None:
    for name in ("french_labels.txt", "labels_french.txt"):
        (texts / name).write_text(FRENCH_LABELS, "utf-8")
    with pytest.raises(TaskError, match=r"french_labels\.txt, .*labels_french\.txt; .*--labels"):
        _import(texts.parents[1], tmp_path / "out", "french")


def test_files_outside_the_copy_are_not_found(texts: Path, tmp_path: Path) -> None:
    outside = tmp_path / "labels"
    outside.mkdir()
    (outside / "french.txt").write_text(FRENCH_LABELS, "utf-8")
    (texts / "labels").symlink_to(outside)
    assert find_labels(texts.parents[1], "test/short/french.txt") is None


def test_labels_with_wrong_turn_count_are_rejected(texts: Path, tmp_path: Path) -> None:
    (texts / "french_labels.txt").write_text("create_slide()\n\ncreate_slide()\n", "utf-8")
    with pytest.raises(TaskError, match=r"session 0: expected 2 labels, one a turn, got 1"):
        _import(texts.parents[1], tmp_path / "out", "french")


def test_command_warns_about_other_languages(texts: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    command = [
        "tasks",
        "import",
        "pptc",
        str(texts.parents[1]),
        "--instructions",
        "french",
        "--out",
        out,
    ]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0
    assert (
        "in 1 of 2 sessions, such as pptc-french-create-0, labels and instructions are"
        in result.stderr
    )
    assert "--labels" in result.stderr
