from pathlib import Path

from pptarena.agents.dialects import dialect_names
from pptarena.agents.dialects.reference import dialects_reference


def test_reference_page_is_current() -> None:
    page = (Path(__file__).parents[3] / "docs/reference/dialects.md").read_text("utf-8")
    assert page == dialects_reference()
    assert all(f"`{name}`" in page for name in dialect_names())
