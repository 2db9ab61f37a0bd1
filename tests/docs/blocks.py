"""The fenced code blocks of README and docs.

A block runs unless a comment on the line before its fence says otherwise:
``<!-- example: parse, needs a GPU -->`` checks commands, options, imports and syntax only.
"""

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["LANGUAGES", "PAGES", "ROOT", "Block", "blocks"]

ROOT = Path(__file__).parents[2]
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "tools/meta_eval/README.md",
    "vm_images/windows/README.md",
    *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md")),
)
LANGUAGES = ("json", "python", "sh", "text", "toml", "yaml")

_BLOCK = re.compile(
    r"(?:^ *<!-- example: (?P<mode>\w+), (?P<reason>[^>]*?) -->\n)?"
    r"^(?P<indent> *)```(?P<language>[^\n`]*)\n(?P<code>.*?)^(?P=indent)```$",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block.

    Attributes:
        page: The page's path, relative to the repository.
        line: Number of the line that opens the block, from 1.
        language: The fence's info string, such as "python"; "" if there is none.
        code: The text between the fences, without the indentation of the fence.
        parse_only: Why the block is parsed but not run; None for a block that runs.
    """

    page: str
    line: int
    language: str
    code: str
    parse_only: str | None

    @property
    def where(self) -> str:
        """``page:line``, for messages."""
        return f"{self.page}:{self.line}"


def blocks(page: str, *languages: str) -> list[Block]:
    """Return a page's blocks in order, or only those of the named languages."""
    text = (ROOT / page).read_text("utf-8")
    page_blocks = []
    for match in _BLOCK.finditer(text):
        mode, indent = match["mode"], match["indent"]
        line = text.count("\n", 0, match.start("indent")) + 1
        assert mode in (None, "parse"), (
            f"{page}:{line}: unknown mode {mode!r}; the only one is 'parse'"
        )
        code = re.sub(f"^{indent}", "", match["code"], flags=re.MULTILINE)
        if not languages or match["language"] in languages:
            page_blocks.append(Block(page, line, match["language"], code, match["reason"]))
    return page_blocks
