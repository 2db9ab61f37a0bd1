import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from tests.each_case import each_case

from pptarena.decks.package.names import A_NS
from pptarena.decks.read.color import hex_color, resolve_color, rgb_distance

SCHEME = {"accent1": "#4F81BD", "tx1": "#000000"}
HEX = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06X}")


def _resolve(xml: str, placeholder: str | None = None) -> tuple[str | None, int]:
    head, _, rest = xml.partition(" ")
    element = etree.fromstring(f'{head} xmlns:a="{A_NS}" {rest}')
    return resolve_color(element, SCHEME, placeholder)


@each_case(
    "xml, expected",
    [
        ('<a:srgbClr val="ff8000"/>', "#FF8000"),
        ('<a:srgbClr val="xyz"/>', None),
        ('<a:schemeClr val="accent1"/>', "#4F81BD"),
        ('<a:schemeClr val="accent9"/>', None),
        ('<a:schemeClr val="phClr"/>', "#123456"),
        ('<a:sysClr val="windowText" lastClr="010101"/>', "#010101"),
        ('<a:sysClr val="window"/>', "#FFFFFF"),
        ('<a:prstClr val="red"/>', "#FF0000"),
        ('<a:prstClr val="dkBlue"/>', "#00008B"),
        ('<a:prstClr val="darkBlue"/>', "#00008B"),
        ('<a:prstClr val="ltGoldenrodYellow"/>', "#FAFAD2"),
        ('<a:prstClr val="medSeaGreen"/>', "#3CB371"),
        ('<a:prstClr val="dodgerBlue"/>', "#1E90FF"),
        ('<a:prstClr val="nonsense"/>', "#000000"),
        ('<a:scrgbClr r="100000" g="0" b="0"/>', "#FF0000"),
        ('<a:hslClr hue="7200000" sat="100000" lum="50000"/>', "#00FF00"),
        ('<a:schemeClr val="accent1"><a:lumMod val="50000"/></a:schemeClr>', "#254061"),
        (
            '<a:schemeClr val="accent1"><a:lumMod val="40000"/>'
            '<a:lumOff val="60000"/></a:schemeClr>',
            "#B9CDE5",
        ),
        ('<a:schemeClr val="tx1"><a:tint val="0"/></a:schemeClr>', "#FFFFFF"),
        ('<a:schemeClr val="accent1"><a:shade val="0"/></a:schemeClr>', "#000000"),
        ('<a:srgbClr val="FFFFFF"><a:inv/></a:srgbClr>', "#000000"),
        # A tint scales the distance to white in linear light: 1 - 0.2 * (1 - 0.078).
        ('<a:schemeClr val="accent1"><a:tint val="20000"/></a:schemeClr>', "#E9EDF4"),
        ('<a:schemeClr val="accent1"><a:shade val="50000"/></a:schemeClr>', "#385D8A"),
        ('<a:srgbClr val="800000"><a:satMod val="50000"/></a:srgbClr>', "#602020"),
        ('<a:srgbClr val="602020"><a:sat val="100000"/></a:srgbClr>', "#800000"),
        ('<a:srgbClr val="FF0000"><a:hueOff val="7200000"/></a:srgbClr>', "#00FF00"),
        ('<a:srgbClr val="FF0000"><a:hue val="14400000"/></a:srgbClr>', "#0000FF"),
        ('<a:srgbClr val="FF0000"><a:comp/></a:srgbClr>', "#00FFFF"),
        ('<a:srgbClr val="FF8000"><a:red val="0"/></a:srgbClr>', "#008000"),
        ('<a:srgbClr val="FF8000"><a:blue val="100000"/></a:srgbClr>', "#FF80FF"),
        ('<a:srgbClr val="FFFFFF"><a:greenMod val="0"/></a:srgbClr>', "#FF00FF"),
    ],
)
def test_color_notations(xml: str, expected: str | None) -> None:
    color, opacity = _resolve(xml, "#123456")
    assert color == expected
    assert opacity == 100


@pytest.mark.parametrize(
    ("changes", "opacity"),
    [
        ('<a:alpha val="80000"/><a:alphaMod val="50000"/>', 40),
        ('<a:alpha val="40000"/>', 40),
        ('<a:alphaOff val="-30000"/>', 70),
        ('<a:alpha val="80000"/><a:alphaOff val="50000"/>', 100),
    ],
)
def test_opacity(changes: str, opacity: int) -> None:
    assert _resolve(f'<a:srgbClr val="FF0000">{changes}</a:srgbClr>') == ("#FF0000", opacity)


@given(HEX, HEX)
def test_rgb_distance_is_a_metric(first: str, second: str) -> None:
    assert rgb_distance(first, first) == 0
    assert rgb_distance(first, second) == rgb_distance(second, first)
    assert 0 <= rgb_distance(first, second) <= 441.7


@given(st.tuples(*[st.floats(-1, 2)] * 3))
def test_hex_color_clips_components(rgb: tuple[float, float, float]) -> None:
    color = hex_color(rgb)
    assert len(color) == 7
    assert 0 <= int(color[1:], 16) <= 0xFFFFFF
