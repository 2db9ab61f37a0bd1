"""The prose check reports every word to avoid."""

import subprocess
from pathlib import Path

import pytest
from tests.each_case import each_case

from tools.prose_check import MAX_WORDS, REPLACEMENTS, check, findings_in

# Texts for the patterns with several forms.
EXAMPLES = {
    "mend(?:s|ed|ing)?": ("mend", "mends", "mended", "mending"),
    "dear(?:er)?": ("dear", "dearer"),
    "comes? up": ("come up", "comes up"),
    "sorts? of": ("sort of", "sorts of"),
}
BAD = sorted(text for word in REPLACEMENTS for text in EXAMPLES.get(word, (word,)))
LONG = " ".join(["word"] * (MAX_WORDS + 1))


@each_case("text", BAD)
@each_case(
    "path, template",
    [
        ("a.py", '"""It says {} here."""\n'),
        ("a.py", 'x = 1\n"""It says {} here."""\n'),
        ("a.py", "def f():\n    # It says {} here.\n    return 1\n"),
        ("a.py", 'x = option(help="It says {} here.")\n'),
        ("a.md", "It says {} here.\n"),
        ("a.md", "| It says | {} |\n"),
    ],
)
def test_words_are_found_in_prose(path: str, template: str, text: str) -> None:
    for word in (text, text.capitalize()):
        (finding,) = findings_in(path, template.format(word))
        assert word in finding.message


def test_finding_has_line_of_word() -> None:
    lines = {each.line for each in findings_in("a.py", '"""First.\n\nIt goes on.\n"""\n# anew\n')}
    assert lines == {3, 5}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", '"""It goes\non here."""\n'),
        ("a.py", "# It goes\n# on here.\n"),
        ("a.md", "It goes\non here.\n"),
    ],
)
def test_phrases_are_found_across_lines(path: str, text: str) -> None:
    assert len(findings_in(path, text)) == 1


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", 'beside = "beside"\n'),
        ("a.py", '"""The value of ``beside`` or `anew`."""\n'),
        ("a.py", '"""It is recommended besides."""\n'),
        ("a.py", '"""Place it.\n\n    beside: Where.\n"""\n'),
        ("a.md", "The relation `beside`.\n\n```python\n# beside\n```\n<!-- beside -->\n"),
    ],
)
def test_code_and_other_words_are_ignored(path: str, text: str) -> None:
    assert findings_in(path, text) == []


@pytest.mark.parametrize("template", ["{}.\n", "- {}.\n", "Short. {}. Short.\n", "> {}.\n"])
def test_long_sentence_on_page_is_found(template: str) -> None:
    (finding,) = findings_in("a.md", template.format(LONG.capitalize()))
    assert f"{MAX_WORDS + 1} words" in finding.message
    assert findings_in("a.md", template.format(LONG.capitalize().removesuffix(" word"))) == []


@pytest.mark.parametrize("text", [f"| {LONG} |\n", f"```\n{LONG}\n```\n", f"`{LONG}`\n"])
def test_length_of_tables_and_code_is_ignored(text: str) -> None:
    assert findings_in("a.md", text) == []


def test_sentence_length_in_python_is_unlimited() -> None:
    assert findings_in("a.py", f'"""{LONG}."""\n# anewer\n') == []


def test_files_ignored_by_git_are_skipped(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("built/\n")
    (tmp_path / "built").mkdir()
    for name in ("new.py", "built/new.py"):
        (tmp_path / name).write_text("x = 1  # anew\n")
    subprocess.run(("git", "init", "-q"), cwd=tmp_path, check=True)
    assert check(tmp_path) == ["new.py:1: avoid 'anew': write 'again'"]
