"""What is read out of answers, and which APIs are near an instruction."""

import pytest

from pptarena.agents.model.pptc.prompts import NEEDS, choice_in, code_in, needs_in
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
def test_code_is_found(text: str, code: str) -> None:
    assert code_in(text) == code


def test_what_is_not_mentioned_is_needed() -> None:
    found = needs_in("get_content(need_text=0, need_style = 1, need_chart=False)")
    assert {name for name, need in found.items() if not need} == {"need_text", "need_chart"}
    assert tuple(found) == NEEDS


@pytest.mark.parametrize(
    ("text", "index"), [("The best choice is 2", 1), ("2 of 9 ... 3", 2), ("?", None), ("99", None)]
)
def test_votes(text: str, index: int | None) -> None:
    assert choice_in(text, 3) == index


def test_shared_words_are_near_and_frequent_ones_do_not_count() -> None:
    texts = ["Set the size of the text", "Set the colour of the text", "Insert the chart"]
    (*vectors, asked), tokens = word_vectors([*texts, "Change sizes"])
    assert nearest(vectors, asked, 1) == [0]
    assert tokens == 0
    (*vectors, asked), _ = word_vectors([*texts, "charts"])
    assert nearest(vectors, asked, 3) == [2, 0, 1]
