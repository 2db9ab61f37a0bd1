"""Links in README and docs lead to existing files and headings; generated parts are current."""

import re
from functools import cache
from pathlib import Path

from tests.docs.blocks import PAGES, ROOT
from tests.each_case import each_case

from tools.site_pages import GENERATORS, fill_page, update_page

_CODE = re.compile(r"^ *```.*?^ *```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_MARK = re.compile(r"<!-- generated: (\w+)")
_SITE = [page for page in PAGES if page.startswith("docs/")]


@cache
def anchors(path: Path) -> frozenset[str]:
    """Return the anchors of a page's headings, as GitHub and the site make them."""
    text = re.sub(r"^ *```.*?^ *```$", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles)


@each_case("page", PAGES)
def test_links_lead_to_files_and_headings(page: str) -> None:
    text = _CODE.sub("", (ROOT / page).read_text("utf-8"))
    broken = []
    for target in _LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (ROOT / page).parent / path if path else ROOT / page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(target)
    assert broken == []


@each_case("page", _SITE)
def test_page_is_in_navigation_and_loads_no_external_files(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    index = (ROOT / "docs/index.md").read_text("utf-8")
    name = page.removeprefix("docs/").removesuffix(".md")
    assert name == "index" or f"\n{name}\n" in index
    assert not re.search(r"!\[[^\]]*\]\(https?:|<(?:img|script|link)\b", text)


@each_case("page", _SITE)
def test_placeholders_of_generated_parts_are_replaced(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert {*_MARK.findall(text)} <= {*GENERATORS, "file", "names"}
    output = fill_page(text, ROOT / page)
    assert "generated" not in "".join(re.findall(r"<!--.*?-->", output))
    assert text.split("\n<!-- generated")[0] in output or text.startswith("<!-- generated")


@each_case("page", _SITE)
def test_committed_generated_parts_are_current(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert update_page(text) == text, "to update them, run python -m tools.site_pages"
