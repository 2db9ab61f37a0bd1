"""The runner of Python leaves: one sandbox per rubric, one process per leaf."""

import json
import shutil
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from pptarena.closeable import Closeable
from pptarena.decks import read_deck
from pptarena.envs.programs.inside import channel
from pptarena.envs.programs.limits import LeafLimits
from pptarena.envs.programs.pptdiff import diff_presentations
from pptarena.envs.programs.process import LeafProcess, ProcessGoneError
from pptarena.envs.programs.reports import read_question, read_report
from pptarena.envs.programs.sandbox import DECKS_INSIDE
from pptarena.errors import DeckError, LeafError, PPTArenaError, UnscoredError
from pptarena.rewards.judges.protocol import PythonLeaf, SlideRenderer, TextModel, Verdict
from pptarena.rewards.judges.rubric_judge import render_deck

__all__ = ["PythonLeaves"]

_MAX_PICTURES = 64
_MAX_PICTURE_BYTES = 32 * 2**20
_NO_PICTURES: Mapping[str, list[dict[str, Any]]] = {"original": [], "modified": []}


class _NotRunError(LeafError):
    """No sandbox could be started; the leaf is not at fault."""


class _SandboxEndedError(Exception):
    """The sandbox exited while a leaf ran in it."""


class PythonLeaves(Closeable):
    """Runs the Python leaves of an imported rubric on one pair of decks.

    The code has no access to network, files, environment or other processes: see `sandbox_command`
    and the module ``inside.confine``. Each leaf runs in its own process and cannot affect other
    leaves. A leaf without a valid result is unscored. Thread-safe; leaves run one at a time. Use it
    as a context manager, or call `close`.

    Args:
        original: The original .pptx file, as the application saves it unchanged.
        current: The current .pptx file.
        model: Answers ``llm_call`` and ``vlm_call``; if None, leaves that call them are unscored.
        renderer: Renders slides; if None, leaves that need slide images are unscored.
        limits: Resource limits of a leaf.
        quirks: Whether to reproduce the published faults: those of ``ppt_diff``, and that functions
            of a leaf do not see its top-level names.

    Attributes:
        failures: Failures of leaves through their own fault, in the order of their runs.

    Example::

        with PythonLeaves(before, after) as leaves:
            tree = score(rubric, read_deck(before), read_deck(after), leaves=leaves)
    """

    def __init__(
        self,
        original: bytes,
        current: bytes,
        *,
        model: TextModel | None = None,
        renderer: SlideRenderer | None = None,
        limits: LeafLimits | None = None,
        quirks: bool = False,
    ) -> None:
        self.failures: list[str] = []
        self._files = {"original": bytes(original), "modified": bytes(current)}
        self._model = model
        self._renderer = renderer
        self._limits = limits or LeafLimits()
        self._quirks = quirks
        self._process: LeafProcess | None = None
        self._lock = threading.Lock()

    def close(self) -> None:
        """Stop the sandbox and remove its copies of the decks."""
        with self._lock:
            self._stop()
            folder = self.__dict__.pop("_folder", None)
            self.__dict__.pop("_pictures", None)
            if folder is not None:
                shutil.rmtree(folder, ignore_errors=True)
            control = self.__dict__.pop("_control", None)
            if control is not None:
                control.close()

    def run_leaf(self, leaf: PythonLeaf) -> Verdict:
        """Return the verdict of a leaf; 0 if it fails on the current deck but not on the original.

        Otherwise an agent could disable a leaf by making it fail.

        Raises:
            LeafError: If the leaf raised or exceeded a limit on both decks, or could not be run.
            UnscoredError: If the leaf needs a model or slide images and there are none.
        """
        with self._lock:
            try:
                return self._run(leaf)
            except _NotRunError:
                raise
            except LeafError as error:
                if self._control is None or not self._control._succeeds(leaf):
                    raise
                return Verdict(0.0, f"{error}; on the original it does not fail")

    def _succeeds(self, leaf: PythonLeaf) -> bool:
        try:
            self._run(leaf)
        except UnscoredError:
            return False
        return True

    def _run(self, leaf: PythonLeaf) -> Verdict:
        """Run a leaf; if the sandbox exits meanwhile, retry once in a fresh sandbox."""
        try:
            return self._run_once(leaf)
        except _SandboxEndedError:
            try:
                return self._run_once(leaf)
            except _SandboxEndedError as error:
                raise self._failed(f"it ended its sandbox: {error}") from error

    def _run_once(self, leaf: PythonLeaf) -> Verdict:
        pictures = self._pictures if _needs_pictures(leaf) else _NO_PICTURES
        request = {"code": leaf.code, "pictures": pictures, "published": self._quirks}
        process = self._send_request(request)
        try:
            report = self._serve(process)
        except BaseException:
            self._stop()  # late messages must not be attributed to the next leaf
            raise
        if report.get("retire"):
            self._stop()
        try:
            return read_report(report, self._limits)
        except LeafError as error:
            self.failures.append(str(error))
            raise

    def _send_request(self, request: dict[str, Any]) -> LeafProcess:
        """Return a worker that has accepted a request."""
        for _ in range(2):
            if self._process is None or not self._process.alive():
                self._stop()
                self._process = self._start()
            try:
                self._process.send(request)
                return self._process
            except ProcessGoneError:  # it died after the last leaf: not this leaf's fault
                self._stop()
        raise _NotRunError("the sandbox of Python leaves exited twice in a row")

    def _start(self) -> LeafProcess:
        limits = self._limits
        setup = {
            "diff": self._diff,
            **{name: f"{DECKS_INSIDE}/{name}.pptx" for name in self._files},
            "limits": {
                "cpu_sec": limits.cpu_sec,
                "memory_bytes": limits.memory_bytes,
                "file_bytes": limits.file_bytes,
            },
        }
        try:
            return LeafProcess(self._folder, setup, limits)
        except LeafError as error:
            raise _NotRunError(str(error)) from error

    def _serve(self, process: LeafProcess) -> dict[str, Any]:
        """Answer the questions of a running leaf; return the worker's final report."""
        remaining_sec, calls = self._limits.wall_sec, 0
        pictures: list[bytes] = []
        while True:
            wait_start = time.monotonic()
            try:
                kind, body = process.receive(wait_start + remaining_sec)
                remaining_sec -= time.monotonic() - wait_start  # waits for a model do not count
                if kind == channel.OTHER:
                    return dict(json.loads(body))
                if kind == channel.IMAGE:
                    self._add_picture(pictures, body)
                    continue
                calls += 1
                answer = self._answer(body, pictures, calls)
                pictures.clear()
                process.send({"text": answer})
            except ProcessGoneError as error:
                if time.monotonic() - wait_start >= remaining_sec:
                    raise self._failed(
                        f"it took longer than {self._limits.wall_sec:g} s"
                    ) from error
                raise _SandboxEndedError(str(error)) from error

    def _failed(self, reason: str) -> LeafError:
        self.failures.append(f"the leaf failed: {reason}")
        return LeafError(self.failures[-1])

    def _add_picture(self, pictures: list[bytes], picture: bytes) -> None:
        pictures.append(picture)
        if len(pictures) > _MAX_PICTURES or sum(map(len, pictures)) > _MAX_PICTURE_BYTES:
            raise self._failed(
                f"it showed a model more than {_MAX_PICTURES} pictures "
                f"or {_MAX_PICTURE_BYTES // 2**20} MB of them at once"
            )

    def _answer(self, question: bytes, pictures: Sequence[bytes], calls: int) -> str:
        """Return a model's answer to a leaf's question.

        Raises:
            UnscoredError: If there is no answer.
        """
        if calls > self._limits.max_calls:
            raise self._failed(f"it asked a model more than {self._limits.max_calls} times")
        if self._model is None:
            raise UnscoredError("the leaf asks a model, and none is configured")
        return self._model.ask_text(read_question(question, pictures))

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.stop()

    @cached_property
    def _control(self) -> "PythonLeaves | None":
        """The same leaves on the unedited deck; None if the decks are equal."""
        original, current = self._files.values()
        if original == current:
            return None
        return PythonLeaves(
            original,
            original,
            model=self._model,
            renderer=self._renderer,
            limits=self._limits,
            quirks=self._quirks,
        )

    @cached_property
    def _diff(self) -> dict[str, Any]:
        try:
            diff = diff_presentations(
                self._files["original"], self._files["modified"], quirks=self._quirks
            )
        except PPTArenaError as error:
            raise LeafError(f"the decks cannot be compared: {error}") from error
        return diff.to_dict()

    @cached_property
    def _folder(self) -> Path:
        folder = Path(tempfile.mkdtemp(prefix="pptarena-leaves-"))
        for name, data in self._files.items():
            (folder / f"{name}.pptx").write_bytes(data)
        return folder

    @cached_property
    def _pictures(self) -> dict[str, list[dict[str, Any]]]:
        if self._renderer is None:
            raise UnscoredError("the leaf needs slide images, and no renderer is configured")
        return {name: self._render_slides(name, self._renderer) for name in self._files}

    def _render_slides(self, name: str, renderer: SlideRenderer) -> list[dict[str, Any]]:
        try:
            slides = read_deck(self._files[name]).slides
            pictures = render_deck(renderer, self._files[name], len(slides))
        except UnscoredError:
            raise
        except DeckError as error:
            raise LeafError(f"the application cannot show the slides: {error}") from error
        except PPTArenaError as error:
            raise UnscoredError(f"the slides could not be rendered: {error}") from error
        (self._folder / name).mkdir(exist_ok=True)
        entries = []
        for slide, picture in zip(slides, pictures, strict=True):
            file = f"{name}/slide_{slide.index + 1:03}.png"
            (self._folder / file).write_bytes(picture)
            entries.append(
                {
                    "slide_number": slide.index + 1,
                    "image_path": f"{DECKS_INSIDE}/{file}",
                    "slide_id": str(slide.id),
                }
            )
        return entries


def _needs_pictures(leaf: PythonLeaf) -> bool:
    return leaf.pictures and ("vlm_call" in leaf.code or "_ppt_screenshots" in leaf.code)
