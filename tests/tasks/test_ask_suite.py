"""``ask``: tasks whose instruction omits something that only an answer of the user supplies."""

import json

import pytest
from tests.each_case import each_case

from pptarena.rewards import read_deck
from pptarena.tasks import Task, list_tasks
from pptarena.tasks.answers import NO_ANSWER, answer_to

pytestmark = pytest.mark.slow

TASKS = list_tasks("all#ask")
QUESTIONS = {
    "aurora-ask-color": "What is the hex value of the new brand color?",
    "clinic-ask-icu": "How many incidents did the ICU have in each year?",
    "field-ask-successor": "Who looks after the photos now?",
    "harbor-ask-alt": "Wie soll der Alternativtext lauten?",
    "kanto-ask-date": "Which date should be on the cover?",
    "ledger-ask-erlen": "What are the corrected loans of Erlen?",
    "meridian-ask-title": "Which title did you agree on with marketing?",
    "negev-ask-price": "How much does a valve cost now?",
    "onboard-ask-wednesday": "What should I write for Wednesday afternoon?",
    "townhall-ask-hide": "Which slide should I hide?",
}
# Required by the rubric, and contained only in the answer.
SECRETS = {
    "aurora-ask-color": "2E6F57",
    "clinic-ask-icu": "8 incidents in 2024, 9 in 2025 and 7 in 2026",
    "field-ask-successor": "Ruth Kessel",
    "harbor-ask-alt": "Kreuzung am Hafen, von oben gesehen",
    "kanto-ask-date": "2026年11月4日",
    "ledger-ask-erlen": "134.9",
    "meridian-ask-title": "Tents carry the quarter",
    "negev-ask-price": "90",
    "onboard-ask-wednesday": "Visit to the paint shop",
    "townhall-ask-hide": "Won and lost",
}


def test_suite_is_disjoint_from_bench() -> None:
    assert len(TASKS) >= 8
    assert {task.id for task in TASKS} == set(QUESTIONS) == set(SECRETS)
    assert not {task.id for task in TASKS} & {task.id for task in list_tasks("bench")}


@each_case("task", TASKS, ids=lambda task: task.id)
def test_only_the_answer_contains_the_secret(task: Task) -> None:
    secret = SECRETS[task.id]
    assert secret in answer_to(QUESTIONS[task.id], task.answers)
    assert answer_to("Shall I begin?", task.answers) == NO_ANSWER
    assert all(secret not in each for each in (task.instruction, *task.paraphrases))
    rubric = json.dumps(task.rubric.to_json(), ensure_ascii=False)
    if task.id == "clinic-ask-icu":
        assert '"8", "9", "7"' in rubric
    elif task.id == "townhall-ask-hide":
        assert read_deck(task.deck_bytes()).slides[39].title == secret
    else:
        assert secret in rubric
