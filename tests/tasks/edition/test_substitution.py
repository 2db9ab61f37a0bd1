"""Substitution of words and numbers in texts."""

from decimal import Decimal

from tests.each_case import each_case

from pptarena.tasks.edition import Substitution


@each_case(
    "words, text, expected",
    [
        ({"Hall": "Berg"}, "Hall, town Hallander, hall", "Berg, town Hallander, hall"),
        ({"Lund": "Ronneby", "Ronneby": "Lund"}, "Lund and Ronneby", "Ronneby and Lund"),
        (
            {"Ines": "Amina", "Ines Okafor": "Zuri Mensah"},
            "Ines Okafor, Ines",
            "Zuri Mensah, Amina",
        ),
        ({"Maria": "Marta"}, "Maria's, MARIA, Marias", "Marta's, MARIA, Marias"),
        ({"東京": "大阪"}, "東京都は東京です", "大阪都は大阪です"),
        ({"Hafen": "Markt"}, "Hafenviertel, Hafen.", "Hafenviertel, Markt."),
        ({"1 December": "3 December"}, "1 December, 11 December", "3 December, 11 December"),
        ({"62.0": "62.5"}, "62.0. 162.0 62.05 62.0%", "62.5. 162.0 62.05 62.5%"),
        ({"410": "450"}, "410, 1,410 and 410,000; €410", "450, 1,410 and 410,000; €450"),
        ({"norrvik": "brevik"}, "people@norrvik.example", "people@brevik.example"),
        ({}, "Nothing", "Nothing"),
    ],
)
def test_only_complete_words_are_replaced(words: dict[str, str], text: str, expected: str) -> None:
    assert Substitution(words).text(text) == expected


def test_stored_numbers_are_replaced_by_value() -> None:
    substitution = Substitution({}, {Decimal("1180"): "1175"})
    assert [substitution.number(text) for text in ("1180.0", "1180", "180", "none")] == [
        "1175",
        "1175",
        "180",
        "none",
    ]


def test_leftovers_are_names_only() -> None:
    substitution = Substitution({"Oslo": "Turku", "410": "450"})
    assert substitution.leftovers("410 in Oslo") == ["Oslo"]
