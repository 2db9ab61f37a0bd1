"""Measure the overhead of the document environment in concurrent episodes with a slow model.

python -m tools.episode_overhead --episodes 16 --answer-sec 2

A local server answers every request after a delay, like a model. Every episode is a thread that
sends requests over HTTP and executes the answers. The ideal rate is that of an environment without
any cost: episodes / seconds per answer.
"""

import argparse
import json
import resource
import sys
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pptarena.rollouts.trainers.call_text import carry_out
from pptarena.rollouts.trainers.doc_session import DocSession
from pptarena.tasks import Task, list_tasks

# The calls of an episode, in rotation: two of five change the deck and are scored.
_ANSWERS = (
    '{"name": "read_slide", "arguments": {"slide": %d}}',
    '{"name": "set_notes", "arguments": {"slide": %d, "text": "Sources: see the appendix."}}',
    '{"name": "read_slide", "arguments": {"slide": %d}}',
    '{"name": "hide_slide", "arguments": {"slide": %d}}',
    '{"name": "done"}',
)


def main() -> None:
    """Measure, and print one JSON object."""
    parser = argparse.ArgumentParser(description="Overhead of many episodes at once.")
    parser.add_argument("--episodes", type=int, default=16, help="number of concurrent episodes")
    parser.add_argument("--answer-sec", type=float, default=2.0, help="time of an answer")
    parser.add_argument("--rounds", type=int, default=3, help="episodes one after the other")
    parser.add_argument("--suite", default="starter")
    options = parser.parse_args()
    server = _server(options.answer_sec)
    tasks = list_tasks(options.suite)
    before_mb = _memory_mb()
    sessions = [DocSession(judge=None) for _ in range(options.episodes)]
    for index, session in enumerate(sessions):  # files are read once before the clock starts
        session.begin(tasks[index % len(tasks)])
    cpu, started = time.process_time(), time.perf_counter()
    with ThreadPoolExecutor(options.episodes) as pool:
        url = f"http://127.0.0.1:{server.server_port}/"
        jobs = [
            pool.submit(_play, session, tasks[index:] + tasks[:index], options.rounds, url)
            for index, session in enumerate(sessions)
        ]
        answers = sum(job.result() for job in jobs)
    wall_sec, cpu_sec = time.perf_counter() - started, time.process_time() - cpu
    server.shutdown()
    ideal = options.episodes / options.answer_sec
    found = {
        "episodes_at_once": options.episodes,
        "answers": answers,
        "answers_per_sec": round(answers / wall_sec, 2),
        "ideal_answers_per_sec": ideal,
        "share_of_ideal": round(answers / wall_sec / ideal, 3),
        "cpu_sec_per_answer": round(cpu_sec / answers, 3),
        "memory_mb_per_episode": round((_memory_mb() - before_mb) / options.episodes, 1),
    }
    sys.stdout.write(json.dumps(found) + "\n")
    for session in sessions:
        session.close()


def _play(session: DocSession, tasks: tuple[Task, ...], rounds: int, url: str) -> int:
    answers = 0
    for number in range(rounds):
        outline = session.begin(tasks[number % len(tasks)])
        slide = int(outline.partition(", id ")[2].partition(",")[0])
        for position in range(len(_ANSWERS)):
            text = _ask(url, {"answer": position, "slide": slide, "seen": outline})
            outline, _ = carry_out(session, text)
            answers += 1
            if session.over:
                break
        session.finish()
    return answers


def _ask(url: str, question: dict[str, Any]) -> str:
    request = urllib.request.Request(url, json.dumps(question).encode())
    with urllib.request.urlopen(request, timeout=60) as reply:
        return str(reply.read().decode())


def _server(answer_sec: float) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            time.sleep(answer_sec)
            answer = _ANSWERS[question["answer"]]
            text = answer % question["slide"] if "%d" in answer else answer
            self.send_response(200)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def _memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
