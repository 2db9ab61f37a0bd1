"""What is read out of answers, and which APIs are near an instruction."""

import pytest

from pptarena.agents.model.pptc.prompts import NEEDS, parse_choice, parse_code, parse_needs
from pptarena.agents.model.pptc.selection import nearest, word_vectors


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<code>\na();\nb();\n</code>", "a();\nb();"),
        ("First <code>a();</code> and then <code> b() </code>", "a();\nb()"),
        ("<think><code>no()</code></think><code>a()", "a()"),
        ("So:\n```python\na()\n```", "a()"),
        ("a()", ""),
        ("<code></code>", ""),
    ],
)
def test_code_is_extracted(text: str, code: str) -> None:
    assert parse_code(text) == code


def test_unmentioned_parts_are_needed() -> None:
    found = parse_needs("get_content(need_text=0, need_style = 1, need_chart=False)")
    assert {name for name, need in found.items() if not need} == {"need_text", "need_chart"}
    assert tuple(found) == NEEDS


@pytest.mark.parametrize(
    ("text", "index"), [("The best choice is 2", 1), ("2 of 9 ... 3", 2), ("?", None), ("99", None)]
)
def test_votes_are_parsed(text: str, index: int | None) -> None:
    assert parse_choice(text, 3) == index


def test_shared_words_raise_similarity_and_frequent_words_do_not() -> None:
    texts = ["Set the size of the text", "Set the colour of the text", "Insert the chart"]
    (*vectors, asked), tokens = word_vectors([*texts, "Change sizes"])
    assert nearest(vectors, asked, 1) == [0]
    assert tokens == 0
    (*vectors, asked), _ = word_vectors([*texts, "charts"])
    assert nearest(vectors, asked, 3) == [2, 0, 1]
