"""Check the prose of the repository: words to avoid and sentences that are too long.

Usage: ``python tools/prose_check.py``

The check covers docstrings, comments and help texts of Python files, and Markdown pages. The length
of sentences is checked in Markdown only. Code in backticks and names of arguments are skipped.
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

__all__ = ["MAX_WORDS", "REPLACEMENTS", "Finding", "check", "findings_in", "main"]

ROOT = Path(__file__).resolve().parent.parent

MAX_WORDS = 30
"""Maximum number of words in a sentence of a Markdown page."""

REPLACEMENTS = {
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
"""Words to avoid, as patterns, with their replacements."""

_NOT_PROSE = ("CHANGELOG.md", "docs/evidence/")
_KEYWORD_CARDS = "src/pptarena/agents/knowledge/"  # cards that begin with a list of keywords
_SPACE = r"(?:\s|#|\\n)+"  # a line may end between two words, in a comment too
_ANY_WORD = re.compile(
    r"\b(?:" + "|".join(f"(?:{word.replace(' ', _SPACE)})" for word in REPLACEMENTS) + r")\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"(`+).+?\1", re.DOTALL)
_FENCE = re.compile(r"^ *(```+|~~~+).*?^ *\1[^\n]*$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_BLOCK = re.compile(r" *([-*+>]|\d+\.) +|#+ ")
_ARGUMENT = re.compile(r"^ +\w+:", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')*_]* +(?=[\"'(*_\[]*[A-Z0-9`])")


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where the prose breaks a rule.

    Attributes:
        line: Line of the file, from 1.
        message: The problem and how to fix it.
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
        plain = _blank_out(_COMMENT, _blank_out(_FENCE, text))
        findings = [*_word_findings(plain, 1)]
        findings += [] if path.startswith(_KEYWORD_CARDS) else _long_sentences(plain)
    elif _ANY_WORD.search(text) is None:  # most files; parsing them takes the time
        findings = []
    else:
        findings = [
            each for line, prose in _prose_of_python(text) for each in _word_findings(prose, line)
        ]
    return sorted(findings, key=lambda each: each.line)


def check(root: Path = ROOT) -> list[str]:
    """Return all findings of the checkout at `root`, as messages with path and line."""
    return [
        f"{path}:{each.line}: {each.message}"
        for path in _paths(root)
        for each in findings_in(path, (root / path).read_text(encoding="utf-8"))
    ]


def main() -> int:
    """Print the findings; return 1 if there are any, else 0."""
    messages = check()
    sys.stderr.writelines(f"{message}\n" for message in messages)
    return 1 if messages else 0


def _paths(root: Path) -> Iterator[str]:
    """Yield the files to check: those that git tracks or would track."""
    command = ("git", "ls-files", "-co", "--exclude-standard", "--", "*.py", "*.md")
    names = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    excluded = ("tools/prose_check.py", "tests/tools/test_prose_check.py")
    for name in sorted(set(names.splitlines())):
        if not name.startswith((*_NOT_PROSE, *excluded)) and (root / name).is_file():
            yield name


def _word_findings(text: str, line: int) -> Iterator[Finding]:
    plain = _blank_out(_CODE, text)
    for match in _ANY_WORD.finditer(plain):
        phrase = re.sub(_SPACE, " ", match[0])
        replacement = next(
            new for old, new in REPLACEMENTS.items() if re.fullmatch(old, phrase, re.IGNORECASE)
        )
        line_number = line + plain.count("\n", 0, match.start())
        yield Finding(line_number, f"avoid {phrase!r}: write {replacement!r}")


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
            comments = [comment]
            while line + len(comments) in lines:
                comments.append(lines[line + len(comments)])
            yield line, "\n".join(comments)


def _long_sentences(text: str) -> Iterator[Finding]:
    for line, block in _blocks(_blank_out(_CODE, text, "x")):
        for sentence in _SENTENCE_END.split(_LINK.sub(r"\1", block)):
            count = len(sentence.split())
            if count > MAX_WORDS:
                beginning = " ".join(sentence.split()[:5])
                yield Finding(line, f"{count} words, at most {MAX_WORDS}: {beginning!r} ...")


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs and list items of a page, each with its first line; skip tables."""
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


def _blank_out(pattern: re.Pattern[str], text: str, mark: str = "") -> str:
    """Return a text with each match replaced by `mark` and the line breaks of the match."""
    return pattern.sub(lambda match: mark + "\n" * match[0].count("\n"), text)


if __name__ == "__main__":
    sys.exit(main())
