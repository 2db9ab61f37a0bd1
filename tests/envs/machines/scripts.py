"""Texts in the scripts of the world, and in the characters that break text handling."""

__all__ = ["SCRIPTS"]

SCRIPTS = {
    "Latin": "Straße, naïve, ﬁnal, Ậ",
    "decomposed Latin": "e\u0301a\u0323\u0302 A\u030a",
    "Greek and Cyrillic": "Ὀδυσσεύς, Ѫ",
    "Armenian and Georgian": "Հայ, ქართ",
    "Hebrew": "שָׁלוֹם",
    "Hebrew presentation forms": "\ufb2a\ufb1d",
    "Arabic": "العَرَبِيَّة",
    "Arabic presentation forms": "\ufefb\ufdfa",
    "Syriac and Thaana": "ܣܘܪܝܝܐ, ދިވެހި",
    "Devanagari and Tamil": "हिन्दी, தமிழ்",
    "Thai and Lao": "ภาษาไทย, ລາວ",
    "Burmese and Khmer": "မြန်မာ, ភាសាខ្មែរ",
    "Tibetan and Mongolian": "བོད་ཡིག, ᠮᠣᠩᠭᠣᠯ",
    "Ethiopic and Cherokee": "አማርኛ, ᏣᎳᎩ",
    "Hangul": "한국어 \u1112\u1161\u11ab",
    "Han": "漢字, \u9fff",
    "Han, extension A": "\u3400\u4dbf",
    "Han, extensions B and G": "𠮷田 \U00030000",
    "Han, compatibility": "\uf900 \U0002f800",
    "Han, variation sequence": "葛\U000e0100",
    "Yi, Vai, N'Ko": "ꆈꌠ, ꕙ, ߒߞߏ",
    "old scripts": "𐎀𒀀𓀀𐌰",
    "mathematics and music": "\N{MATHEMATICAL SCRIPT CAPITAL A}∑∭ 𝄞",
    "emoji of several characters": "👩\u200d👩\u200d👧\u200d👦 👍🏽 🇯🇵 ❤\ufe0f 1\ufe0f\u20e3",
    "a flag of tags": "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "separators": "a\u2028b\u2029c\ufeffd",
    "invisible characters": "a\u00adb\u200bc\u200ed\u200fe\u2060f\u034fg",
    "direction marks": "a\u202bb\u202cc \u2067d\u2069e",
    "spaces": "a\u00a0b\u2009c\u202fd\u3000e",
    "private use": "\ue000 \uf0b7 \U000f0000 \U0010fffd",
    "unassigned": "\u0378 \U00050000",
}
"""A text of each kind; none begins or ends with a space."""
