"""The check of the prose finds every word to avoid."""

import subprocess
from pathlib import Path

import pytest
from tests.each_case import each_case

from tools.prose_check import MOST_WORDS, WORDS, check, findings_in

# A text for every pattern, so that a pattern that finds nothing fails.
EXAMPLES = {
    "mend(?:s|ed|ing)?": ("mend", "mends", "mended", "mending"),
    "dear(?:er)?": ("dear", "dearer"),
    "comes? up": ("come up", "comes up"),
    "sorts? of": ("sort of", "sorts of"),
}
BAD = sorted(text for word in WORDS for text in EXAMPLES.get(word, (word,)))
LONG = " ".join(["word"] * (MOST_WORDS + 1))


@each_case("text", BAD)
@each_case(
    "path, frame",
    [
        ("a.py", '"""It says {} here."""\n'),
        ("a.py", 'x = 1\n"""It says {} here."""\n'),
        ("a.py", "def f():\n    # It says {} here.\n    return 1\n"),
        ("a.py", 'x = option(help="It says {} here.")\n'),
        ("a.md", "It says {} here.\n"),
        ("a.md", "| It says | {} |\n"),
    ],
)
def test_every_word_is_found_where_people_read(path: str, frame: str, text: str) -> None:
    for said in (text, text.capitalize()):
        (found,) = findings_in(path, frame.format(said))
        assert said in found.message


def test_the_line_is_the_one_of_the_word() -> None:
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
def test_words_are_found_across_lines(path: str, text: str) -> None:
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
def test_code_and_other_words_are_no_finding(path: str, text: str) -> None:
    assert findings_in(path, text) == []


@pytest.mark.parametrize("frame", ["{}.\n", "- {}.\n", "Short. {}. Short.\n", "> {}.\n"])
def test_a_long_sentence_of_a_page_is_found(frame: str) -> None:
    (found,) = findings_in("a.md", frame.format(LONG.capitalize()))
    assert f"{MOST_WORDS + 1} words" in found.message
    assert findings_in("a.md", frame.format(LONG.capitalize().removesuffix(" word"))) == []


@pytest.mark.parametrize("text", [f"| {LONG} |\n", f"```\n{LONG}\n```\n", f"`{LONG}`\n"])
def test_tables_and_code_have_no_sentences(text: str) -> None:
    assert findings_in("a.md", text) == []


def test_python_files_have_no_limit_of_words() -> None:
    assert findings_in("a.py", f'"""{LONG}."""\n# anewer\n') == []


def test_the_files_that_git_would_track_are_checked(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("built/\n")
    (tmp_path / "built").mkdir()
    for name in ("new.py", "built/new.py"):
        (tmp_path / name).write_text("x = 1  # anew\n")
    subprocess.run(("git", "init", "-q"), cwd=tmp_path, check=True)
    assert check(tmp_path) == ["new.py:1: avoid 'anew': write 'again'"]
