"""Determine which typeface of a run its characters use: Latin, East Asian or complex script.

A run has one typeface for each (``a:latin``, ``a:ea``, ``a:cs``; ECMA-376 Part 1, 21.1.2.3). The
assignment follows LibreOffice's ``i18nutil`` (``scriptclass.cxx``): strong characters by their
Unicode block, and weak ones, such as spaces and dashes, like the text before them.
"""

import re
import unicodedata
from collections.abc import Mapping
from typing import Final, Literal, cast

from lxml.etree import _Element

from pptarena.decks.package.names import A, local_name

__all__ = ["Script", "font_script", "script_spans", "set_typeface"]

Script = Literal["latin", "ea", "cs"]

_EAST_ASIAN = (
    "\u1100-\u11ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef"
    "\U00016fe0-\U00018dff\U0001b000-\U0001b2ff\U0001f200-\U0001f2ff\U00020000-\U0003ffff"
)
_COMPLEX = (
    "\u0590-\u109f\u1200-\u139f\u1780-\u18af\u1900-\u1aff\u1b00-\u1c7f\u1cd0-\u1cff\ua800-\ua95f"
    "\ua980-\uaaff\uabc0-\uabff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U00011000-\U00011aff"
)
_WEAK = (
    "\t-\r \u00a0\u00b2\u00b3\u00b9\u02c7\u02ca\u02cb\u02d9\u2000-\u2bff\ue000-\uf8ff\ufe00-\ufe0f"
    "\ufe50-\ufe6f\ufeff\ufff0-\uffff\U0001f000-\U0001f1ff\U0001f300-\U0001faff\U000e0000-\U0010ffff"
)
_PIECE: Final = re.compile(
    f"(?P<ea>[{_EAST_ASIAN}]+)|(?P<cs>[{_COMPLEX}]+)|(?P<weak>[{_WEAK}]+)"
    f"|(?P<latin>[^{_EAST_ASIAN}{_COMPLEX}{_WEAK}]+)"
)
_NOT_LATIN: Final = re.compile(f"[{_EAST_ASIAN}{_COMPLEX}]")
# First word of the Unicode character name, and the script tag used by themes (ISO 15924).
_SCRIPT_TAGS: Final[Mapping[str, str]] = {
    "HANGUL": "Hang", "HIRAGANA": "Jpan", "KATAKANA": "Jpan", "ARABIC": "Arab", "HEBREW": "Hebr",
    "THAI": "Thai", "ETHIOPIC": "Ethi", "BENGALI": "Beng", "GUJARATI": "Gujr", "KHMER": "Khmr",
    "KANNADA": "Knda", "GURMUKHI": "Guru", "TIBETAN": "Tibt", "THAANA": "Thaa",
    "DEVANAGARI": "Deva", "TELUGU": "Telu", "TAMIL": "Taml", "SYRIAC": "Syrc", "ORIYA": "Orya",
    "MALAYALAM": "Mlym", "LAO": "Laoo", "SINHALA": "Sinh", "MONGOLIAN": "Mong", "YI": "Yiii",
    "MYANMAR": "Mymr", "NKO": "Nkoo", "JAVANESE": "Java",
}  # fmt: skip
_TRADITIONAL: Final = frozenset(("tw", "hk", "mo", "hant"))
# Children of run properties from the typefaces to the end (CT_TextCharacterProperties).
_ORDER: Final = ("latin", "ea", "cs", "sym", "hlinkClick", "hlinkMouseOver", "rtl", "extLst")


def script_spans(text: str) -> list[tuple[Script, int, int]]:
    """Return the ranges of a text by script: script, start and end.

    Args:
        text: Text of a paragraph. Weak characters take the script of the text before them; at the
            start, that of the text after them; without other text, they are Latin.
    """
    if text.isascii() or _NOT_LATIN.search(text) is None:
        return [("latin", 0, len(text))] if text else []
    spans: list[tuple[Script, int, int]] = []
    start = 0
    for match in _PIECE.finditer(text):
        script = cast(Script, match.lastgroup)
        if match["weak"] or (spans and spans[-1][0] == script):
            if spans:
                spans[-1] = (spans[-1][0], spans[-1][1], match.end())
            continue
        spans.append((script, start if not spans else match.start(), match.end()))
    return spans or [("latin", 0, len(text))]


def font_script(text: str, language: str = "") -> str:
    """Return the script tag under which a theme lists a typeface, such as ``Jpan`` or ``Arab``.

    Source of the tags: ``a:font script`` of a theme's fonts (ECMA-376 Part 1, 20.1.4.1.16).

    Args:
        text: Text of one East Asian or complex script.
        language: Language of the text, such as ``zh-TW``, used if the characters are ambiguous.

    Returns:
        The tag; ``Hans`` for Chinese characters of unknown language; empty for other scripts.
    """
    names = {unicodedata.name(each, "").partition(" ")[0] for each in text}
    for name, script in _SCRIPT_TAGS.items():
        if name in names:
            return script
    if "CJK" not in names:
        return ""
    main, *subtags = language.lower().split("-")
    if main in ("ja", "ko"):
        return "Jpan" if main == "ja" else "Hang"
    return "Hant" if _TRADITIONAL.intersection(subtags) else "Hans"


def set_typeface(properties: _Element, text: str, font: str) -> None:
    """Set the typefaces that a text uses; the Latin typeface is always set.

    Args:
        properties: Run properties of the text, such as ``a:rPr``.
        text: The text.
        font: Name of the typeface.
    """
    scripts: dict[Script, None] = {"latin": None}
    scripts |= dict.fromkeys(script for script, _, _ in script_spans(text))
    for script in scripts:
        for old in properties.findall(f"{A}{script}"):
            properties.remove(old)
        later_names = _ORDER[_ORDER.index(script) + 1 :]
        positions = (
            position
            for position, child in enumerate(properties)
            if local_name(child) in later_names
        )
        index = next(positions, len(properties))
        properties.insert(index, properties.makeelement(f"{A}{script}", typeface=font))
