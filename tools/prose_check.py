"""Check the prose of the repository: words to avoid and sentences that are too long.

Usage: ``python tools/prose_check.py``

Checked are docstrings, comments and help texts of Python files, and Markdown pages. Sentences are
counted in Markdown only. Code between backquotes and names of arguments are not prose.
"""

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["MOST_WORDS", "WORDS", "Finding", "check", "findings_in", "main"]

ROOT = Path(__file__).resolve().parent.parent

MOST_WORDS = 30
"""The most words of a sentence in a Markdown page."""

WORDS = {
    r"mend(?:s|ed|ing)?": "fix",
    r"whoever": "name the person or process",
    r"nobody": "name the person or process",
    r"somebody": "name the person or process",
    r"anybody": "name the person or process",
    r"beside": "next to, alongside",
    r"anew": "again",
    r"at once": "immediately, concurrently",
    r"goes on": "continues, resumes",
    r"brought up": "started",
    r"comes? up": "starts, appears",
    r"but for": "except for",
    r"wholly": "entirely",
    r"dear(?:er)?": "expensive",
    r"sorts? of": "type",
    r"let go": "released",
    r"unjudged": "unscored",
    r"this very": "the current",
    r"processor time": "CPU time",
}
"""The words to avoid, as patterns, and what to write instead."""

_NOT_PROSE = ("CHANGELOG.md", "docs/evidence/")
_NO_SENTENCES = "src/pptarena/agents/knowledge/"  # cards that begin with a list of keywords
_GAP = r"(?:\s|#|\\n)+"  # a line may end between two words, in a comment too
_ANY = re.compile(
    r"\b(?:" + "|".join(f"(?:{word.replace(' ', _GAP)})" for word in WORDS) + r")\b", re.IGNORECASE
)
_CODE = re.compile(r"(`+).+?\1", re.DOTALL)
_FENCE = re.compile(r"^ *(```+|~~~+).*?^ *\1[^\n]*$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_BLOCK = re.compile(r" *([-*+>]|\d+\.) +|#+ ")
_ARGUMENT = re.compile(r"^ +\w+:", re.MULTILINE)
_END = re.compile(r"(?<=[.!?])[\"')*_]* +(?=[\"'(*_\[]*[A-Z0-9`])")


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where the prose breaks a rule.

    Attributes:
        line: Line of the file, from 1.
        message: What is wrong and what to write instead.
    """

    line: int
    message: str


def findings_in(path: str, text: str) -> list[Finding]:
    """Return the findings in one file, in the order of their lines.

    Args:
        path: Path of the file; its suffix decides how the text is read.
        text: Contents of the file.
    """
    if path.endswith(".md"):
        plain = _blanked(_COMMENT, _blanked(_FENCE, text))
        found = [*_words(plain, 1)]
        found += [] if path.startswith(_NO_SENTENCES) else _long_sentences(plain)
    elif _ANY.search(text) is None:  # most files; parsing them takes the time
        found = []
    else:
        found = [each for line, prose in _prose_of_python(text) for each in _words(prose, line)]
    return sorted(found, key=lambda each: each.line)


def check(root: Path = ROOT) -> list[str]:
    """Return what is wrong with the prose of the checkout at `root`."""
    return [
        f"{path}:{each.line}: {each.message}"
        for path in _paths(root)
        for each in findings_in(path, (root / path).read_text(encoding="utf-8"))
    ]


def main() -> int:
    """Print what `check` finds; return 1 if there is anything, else 0."""
    messages = check()
    sys.stderr.writelines(f"{message}\n" for message in messages)
    return 1 if messages else 0


def _paths(root: Path) -> Iterator[str]:
    """Yield the files to check: those that git tracks or would track."""
    command = ("git", "ls-files", "-co", "--exclude-standard", "--", "*.py", "*.md")
    names = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    own = ("tools/prose_check.py", "tests/tools/test_prose_check.py")
    for name in sorted(set(names.splitlines())):
        if not name.startswith((*_NOT_PROSE, *own)) and (root / name).is_file():
            yield name


def _words(text: str, line: int) -> Iterator[Finding]:
    plain = _blanked(_CODE, text)
    for match in _ANY.finditer(plain):
        said = re.sub(_GAP, " ", match[0])
        instead = next(new for old, new in WORDS.items() if re.fullmatch(old, said, re.IGNORECASE))
        at = line + plain.count("\n", 0, match.start())
        yield Finding(at, f"avoid {said!r}: write {instead!r}")


def _prose_of_python(text: str) -> Iterator[tuple[int, str]]:
    """Yield docstrings, help texts and runs of comments, each with its first line."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr):
            value: ast.expr = node.value
        elif isinstance(node, ast.keyword) and node.arg == "help":
            value = node.value
        else:
            continue
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.lineno, _ARGUMENT.sub("", value.value)
    lines: dict[int, str] = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            lines[token.start[0]] = token.string
    for line, comment in lines.items():
        if line - 1 not in lines:
            run = [comment]
            while line + len(run) in lines:
                run.append(lines[line + len(run)])
            yield line, "\n".join(run)


def _long_sentences(text: str) -> Iterator[Finding]:
    for line, block in _blocks(_blanked(_CODE, text, "x")):
        for sentence in _END.split(_LINK.sub(r"\1", block)):
            count = len(sentence.split())
            if count > MOST_WORDS:
                begin = " ".join(sentence.split()[:5])
                yield Finding(line, f"{count} words, at most {MOST_WORDS}: {begin!r} ...")


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs and list items of a page, each with its first line; tables are none."""
    begin, block = 1, ""
    for number, line in enumerate([*text.split("\n"), ""], start=1):
        marker = _BLOCK.match(line)
        if marker or not line.strip() or line.lstrip().startswith("|"):
            if block:
                yield begin, block
            block = ""
        if line.lstrip().startswith("|"):
            continue
        if not block:
            begin = number
        block = f"{block} {line[marker.end() :] if marker else line}".strip()


def _blanked(pattern: re.Pattern[str], text: str, mark: str = "") -> str:
    """Return a text without what a pattern finds, with `mark` and the same number of lines."""
    return pattern.sub(lambda match: mark + "\n" * match[0].count("\n"), text)


if __name__ == "__main__":
    sys.exit(main())
