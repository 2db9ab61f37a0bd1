"""Additional layouts of a corporate template: quote, comparison, picture, table, chart, blank."""

from tools.decks.placeholders import Box, placeholder_xml

__all__ = ["EXTRA_LAYOUTS", "extra_layouts"]

EXTRA_LAYOUTS = ("quote", "compare", "picture", "table", "chart", "blank")
"""Their names in a deck's text."""

_GAP = 1.0
_HEADING_HEIGHT = 1.4


def extra_layouts(body: Box) -> list[tuple[str, str, list[str]]]:
    """Return type, name and placeholders of each layout, in the order of `EXTRA_LAYOUTS`.

    Args:
        body: Box of the master's body text.
    """
    left, top, width, height = body
    half = (width - _GAP) / 2
    right = left + half + _GAP
    title = placeholder_xml("title", "", "Title", None)
    quote = placeholder_xml(
        "body",
        'idx="1"',
        "Quotation",
        (left + 2.0, top + 1.0, width - 4.0, height - 4.0),
        size=32,
        anchor="ctr",
        bullet=False,
        more_text='i="1"',
        align="ctr",
    )
    lower = (top + _HEADING_HEIGHT + 0.3, half, height - _HEADING_HEIGHT - 0.3)
    comparison = [
        _heading(1, "Heading Left", (left, top, half, _HEADING_HEIGHT)),
        _content(2, "Content Left", (left, *lower)),
        _heading(3, "Heading Right", (right, top, half, _HEADING_HEIGHT)),
        _content(4, "Content Right", (right, *lower)),
    ]
    picture_height = height - 3.0
    picture = [
        placeholder_xml("pic", 'idx="1"', "Picture", (left, top, width, picture_height)),
        placeholder_xml(
            "body",
            'sz="half" idx="2"',
            "Caption",
            (left, top + picture_height + 0.3, width, 2.4),
            size=20,
            bullet=False,
        ),
    ]
    return [
        ("", "Quote", [title, quote]),
        ("twoTxTwoObj", "Comparison", [title, *comparison]),
        ("picTx", "Picture with Caption", [title, *picture]),
        ("tbl", "Title and Table", [title, placeholder_xml("tbl", 'idx="1"', "Table", body)]),
        ("chart", "Title and Chart", [title, placeholder_xml("chart", 'idx="1"', "Chart", body)]),
        ("blank", "Blank", []),
    ]


def _heading(number: int, name: str, box: Box) -> str:
    style = {"size": 24, "bullet": False, "more_text": 'b="1"', "anchor": "b"}
    return placeholder_xml("body", f'idx="{number}"', name, box, **style)  # type: ignore[arg-type]


def _content(number: int, name: str, box: Box) -> str:
    return placeholder_xml("", f'sz="half" idx="{number}"', name, box)
