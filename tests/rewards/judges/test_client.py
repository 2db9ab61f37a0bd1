import json
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pptarena.errors import ConfigError, JudgeBudgetError, JudgeError
from pptarena.rewards.judges import Budget, JudgeClient, JudgeConfig
from pptarena.rewards.judges.protocol import Prompt
from pptarena.rewards.judges.replies import Share, verdict_parser

pytestmark = pytest.mark.slow

SHARE = verdict_parser(Share)
GOOD = '{"score": 0.75, "reason": "three of four"}'


def test_valid_answer_is_returned_and_counted(
    server: Any, make_client: Any, prompt: Prompt, tools: Any
) -> None:
    server.default = GOOD
    client = make_client()
    verdict = client.ask(prompt, SHARE)
    assert (verdict.score, verdict.reason) == (0.75, "three of four")
    (request,) = server.requests
    assert request["path"] == "/v1/chat/completions"
    assert (request["model"], request["temperature"]) == ("test-model", 0)
    assert request["max_tokens"] == 1024
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert server.keys == [f"Bearer {server.key}"]
    assert (client.budget.calls, client.budget.tokens) == (1, 100)


def test_settings_are_sent_to_the_endpoint(server: Any, make_client: Any, prompt: Prompt) -> None:
    make_client(
        temperature=None,
        max_output_tokens=50,
        token_limit_field="max_completion_tokens",
        json_mode=True,
    ).ask(prompt, SHARE)
    (request,) = server.requests
    assert "temperature" not in request
    assert "max_tokens" not in request
    assert request["max_completion_tokens"] == 50
    assert request["response_format"] == {"type": "json_object"}


def test_malformed_answer_is_sent_back(server: Any, make_client: Any, prompt: Prompt) -> None:
    server.script = ["I would say 1", GOOD]
    assert make_client().ask(prompt, SHARE).score == 0.75
    first, second = server.requests
    assert second["messages"][:2] == first["messages"]
    assert second["messages"][2] == {"role": "assistant", "content": "I would say 1"}
    assert "not one JSON object" in second["messages"][3]["content"]


def test_wrong_scale_is_sent_back_and_never_rescaled(
    server: Any, make_client: Any, prompt: Prompt
) -> None:
    server.script = ['{"score": 75, "reason": "percent"}', GOOD]
    assert make_client().ask(prompt, SHARE).score == 0.75
    assert "expected at most 1.0, got 75" in server.requests[1]["messages"][3]["content"]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("no JSON", "not one JSON object"),
        ({"text": GOOD, "finish": "length"}, "cut off"),
        ({"text": None}, "empty"),
    ],
)
def test_repeated_malformed_answers_raise(
    server: Any, make_client: Any, prompt: Prompt, home: Path, answer: Any, message: str
) -> None:
    server.default = answer
    with pytest.raises(JudgeError, match=rf"3 tries.*{message}"):
        make_client(repair_retries=2).ask(prompt, SHARE)
    assert len(server.requests) == 3
    assert not list(home.rglob("*.json"))


@pytest.mark.parametrize(
    "failure",
    [
        {"status": 429, "body": "{}", "headers": {"Retry-After": "0.1"}},
        {"status": 500, "body": "oh no"},
        {"status": 503, "body": '{"error": {"message": "loading"}}'},
        {"hang_up": True},
        {"text": GOOD, "stop_after": 20},
        {"body": "<html>a proxy</html>"},
        {"body": '{"choices": []}'},
    ],
    ids=["429", "500", "503", "hangs up", "breaks off", "no JSON", "no choice"],
)
def test_transport_failures_are_retried(
    server: Any, make_client: Any, prompt: Prompt, failure: dict[str, Any]
) -> None:
    server.script = [failure, failure, GOOD]
    client = make_client()
    assert client.ask(prompt, SHARE).score == 0.75
    assert len(server.requests) == client.budget.calls == 3


def test_retries_are_limited(server: Any, make_client: Any, prompt: Prompt) -> None:
    server.default = {"status": 500, "body": "oh no"}
    with pytest.raises(JudgeError, match=r"3 tries.*status 500"):
        make_client(transport_retries=2).ask(prompt, SHARE)
    assert len(server.requests) == 3


def test_retry_after_is_honored(server: Any, make_client: Any, prompt: Prompt) -> None:
    server.script = [{"status": 429, "body": "{}", "headers": {"Retry-After": "0.4"}}, GOOD]
    started = time.monotonic()
    make_client().ask(prompt, SHARE)
    assert time.monotonic() - started >= 0.4


def test_refused_request_is_not_retried(
    server: Any, make_client: Any, prompt: Prompt, tools: Any
) -> None:
    body = json.dumps({"error": {"message": f"wrong key {server.key}"}})
    server.default = {"status": 401, "body": body}
    with pytest.raises(JudgeError, match=r"refused.*401") as excinfo:
        make_client().ask(prompt, SHARE)
    assert len(server.requests) == 1
    assert server.key not in str(excinfo.value)


@pytest.mark.parametrize(
    "slow", [{"text": GOOD, "sleep_sec": 300}, {"text": GOOD + " " * 6_000, "drip": True}]
)
def test_slow_answers_time_out(
    server: Any, make_client: Any, prompt: Prompt, slow: dict[str, Any]
) -> None:
    server.script = [slow, slow, GOOD]
    started = time.monotonic()
    with pytest.raises(JudgeError, match=r"within 0\.3 s"):
        make_client(timeout_sec=0.3, transport_retries=1).ask(prompt, SHARE)
    assert time.monotonic() - started < 60
    assert make_client(timeout_sec=60).ask(prompt, SHARE).score == 0.75


def test_unreachable_endpoint_raises(prompt: Prompt) -> None:
    config = JudgeConfig(
        model="m", base_url="http://127.0.0.1:9/v1", transport_retries=1, backoff_sec=0
    )
    with JudgeClient(config) as client, pytest.raises(JudgeError, match="2 tries"):
        client.ask(prompt, SHARE)


def test_call_budget_is_enforced(server: Any, make_client: Any) -> None:
    client = make_client(max_calls=2)
    for number in range(2):
        client.ask(Prompt("s", (str(number),)), SHARE)
    with pytest.raises(JudgeBudgetError, match="2 calls"):
        client.ask(Prompt("s", ("2",)), SHARE)
    assert client.ask(Prompt("s", ("1",)), SHARE).score == 1  # cached answers are free
    assert len(server.requests) == 2


def test_retries_count_toward_the_budget(server: Any, make_client: Any, prompt: Prompt) -> None:
    server.default = {"status": 500, "body": ""}
    with pytest.raises(JudgeBudgetError):
        make_client(max_calls=2, transport_retries=9).ask(prompt, SHARE)
    assert len(server.requests) == 2


def test_token_budget_is_enforced(server: Any, make_client: Any) -> None:
    server.usage = {"total_tokens": 900}
    client = make_client(max_tokens=1500, max_output_tokens=500)
    client.ask(Prompt("s", ("1",)), SHARE)
    with pytest.raises(JudgeBudgetError, match=r"1500 tokens.*900 are used"):
        client.ask(Prompt("s", ("2" * 400,)), SHARE)
    assert len(server.requests) == 1


def test_missing_token_usage_is_estimated(server: Any, make_client: Any, prompt: Prompt) -> None:
    server.usage = None
    client = make_client(max_output_tokens=500)
    client.ask(prompt, SHARE)
    assert client.budget.tokens == prompt.estimated_tokens() + 500


def test_threads_share_the_budget(server: Any, make_client: Any) -> None:
    budget = Budget(max_calls=5, max_tokens=10**6)
    client = JudgeClient(make_client().config, budget)
    errors = []

    def work(number: int) -> None:
        try:
            client.ask(Prompt("s", (str(number),)), SHARE)
        except JudgeBudgetError as error:
            errors.append(error)

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(work, range(12)))
    client.close()
    assert len(server.requests) == 5
    assert len(errors) == 7


def test_answers_are_cached_on_disk(server: Any, make_client: Any, prompt: Prompt) -> None:
    server.script = [GOOD]
    assert make_client().ask(prompt, SHARE) == make_client().ask(prompt, SHARE)
    assert len(server.requests) == 1
    make_client().ask(Prompt(prompt.system, (*prompt.parts, "more")), SHARE)
    make_client(model="other").ask(prompt, SHARE)
    make_client(cache=False).ask(prompt, SHARE)
    assert len(server.requests) == 4


@pytest.mark.parametrize("damage", ["", "{", "{}", '{"key": 1}'])
def test_damaged_cache_file_is_ignored(
    server: Any, make_client: Any, prompt: Prompt, home: Path, damage: str
) -> None:
    make_client().ask(prompt, SHARE)
    (file,) = home.rglob("*.json")
    file.write_text(damage)
    assert make_client().ask(prompt, SHARE).score == 1
    assert len(server.requests) == 2


def test_concurrent_identical_questions_are_asked_once(
    server: Any, make_client: Any, prompt: Prompt
) -> None:
    server.default = {"text": GOOD, "sleep_sec": 0.2}
    client = make_client()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(client.ask, [prompt] * 4, [SHARE] * 4))
    assert len(server.requests) == 1


def test_key_is_neither_stored_nor_logged(
    server: Any,
    make_client: Any,
    prompt: Prompt,
    tools: Any,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    server.script = [
        {"status": 500, "body": json.dumps({"error": {"message": f"{server.key}?"}})},
        json.dumps({"score": 1, "reason": f"your key is {server.key}"}),
    ]
    client = make_client(mode="record", records=tmp_path / "r.jsonl")
    verdict = client.ask(prompt, SHARE)
    assert verdict.reason == "your key is [key]"
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert len(files) == 2
    assert not any(server.key in file.read_text() for file in files)
    assert server.key not in caplog.text
    assert server.key not in repr(client.config)


def test_records_replay_without_network(
    server: Any, make_client: Any, prompt: Prompt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script = ["not yet", GOOD]
    records = tmp_path / "deep" / "r.jsonl"
    recorded = make_client(mode="record", records=records).ask(prompt, SHARE)
    # Cached answers are recorded too, so a record is complete.
    again = tmp_path / "again.jsonl"
    make_client(mode="record", records=again).ask(prompt, SHARE)
    assert again.read_text() == records.read_text()
    assert len(server.requests) == 2
    monkeypatch.delenv("OPENAI_API_KEY")
    replay = JudgeClient(JudgeConfig(model="test-model", mode="replay", records=records))
    assert replay.ask(prompt, SHARE) == recorded
    assert replay.budget.calls == 0
    with pytest.raises(JudgeError, match=r"no record of question .*r\.jsonl.*record again"):
        replay.ask(Prompt("another", ("question",)), SHARE)


def test_unreadable_records_are_reported(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    config = JudgeConfig(model="m", mode="replay", records=file)
    with pytest.raises(ConfigError, match="cannot read"):
        JudgeClient(config)
    good = '{"key": "k", "model": "m", "reply": "r", "tokens": 1}\n'
    file.write_text(good + "\n" + "{}\n")
    with pytest.raises(ConfigError, match="line 3: expected key"):
        JudgeClient(config)
    file.write_text(good + "no")
    with pytest.raises(ConfigError, match="line 2"):
        JudgeClient(config)


def test_lone_surrogate_is_sent(server: Any, make_client: Any) -> None:
    assert make_client().ask(Prompt("s", ("\ud800",)), SHARE).score == 1


def provider_body(provider: str, text: str, stop_reason: str) -> str:
    if provider == "anthropic":
        content: Any = [{"type": "text", "text": text}]
        usage = {"input_tokens": 90, "output_tokens": 10}
        return json.dumps({"type": "message", "content": content, "stop_reason": stop_reason,
                           "usage": usage})  # fmt: skip
    content = {"role": "model", "parts": [{"text": text}]}
    counts = {"promptTokenCount": 90, "candidatesTokenCount": 10}
    candidate = {"content": content, "finishReason": stop_reason.upper()}
    return json.dumps({"candidates": [candidate], "usageMetadata": counts})


@pytest.mark.parametrize("provider", ["anthropic", "gemini"])
def test_other_providers_judge(
    server: Any, make_client: Any, home: Path, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"{provider.upper()}_API_KEY", server.key)
    url = server.url.removesuffix("/v1")
    replies = ("I would say 1", "stop"), (GOOD, "max_tokens"), (GOOD, "stop")
    server.script = [{"body": provider_body(provider, *reply)} for reply in replies]
    prompt = Prompt("You judge.", ("Is it neat?", b"old", "and", b"new"))
    client = make_client(provider=provider, base_url=url)
    assert client.ask(prompt, SHARE).score == 0.75
    assert (client.budget.calls, client.budget.tokens) == (3, 300)
    first, second, third = (json.dumps(request) for request in server.requests)
    assert first.index("Is it neat?") < first.index("b2xk") < first.index("bmV3")  # old, new
    assert '"temperature": 0' in first
    assert "I would say 1" in second
    assert "not one JSON object" in second
    assert "cut off" in third
    (file,) = home.rglob("*.json")
    make_client(base_url=server.url).ask(prompt, SHARE)  # another provider, so another answer
    assert len(list(home.rglob("*.json"))) == 2
    assert json.loads(file.read_text())["tokens"] == 300
