"""The running office application: starting, connecting, and calls in its main thread.

Every call has a deadline, because a call into a busy application waits forever.
"""

import contextlib
import os
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, TypeVar, cast

import uno
from com.sun.star.lang import DisposedException

from pptarena.vm_images.guest.errors import OfficeLostError, OfficeTimeoutError
from pptarena.vm_images.guest.exact_rest import ExactRest
from pptarena.vm_images.guest.observer import Observer
from pptarena.vm_images.guest.office_callbacks import Job
from pptarena.vm_images.guest.peers import open_sockets, peer_pids
from pptarena.vm_images.guest.programs import Program, Programs
from pptarena.vm_images.guest.user import desktop_user

__all__ = ["OfficeProcess"]

_PROGRAM = "/usr/lib/libreoffice/program/soffice.bin"
_WANTS_RESTART = 81  # exit code after changes to its profile; its own launcher then restarts it
_PIPE = "pptarena"
_GONE_SEC = 10.0  # timeout of the exit after a disconnect
_LOOK_SEC = 0.2  # interval at which a waiting call checks the application
_SOCKETS = Path("/tmp")  # LibreOffice, sal/osl/unx/pipe.cxx: OSL_PIPE_<user>_<name>
_Result = TypeVar("_Result")


class OfficeProcess:
    """One running application.

    Args:
        environment: Environment variables of the application, including those of its clock.
        programs: Starts it.
        observer: The observer inside it.
        rest: Lets virtual time pass during waits for the application.
    """

    def __init__(
        self,
        environment: dict[str, str],
        programs: Programs,
        observer: Observer,
        rest: ExactRest,
    ) -> None:
        self.environment = environment
        self.context: Any = None
        self._rest = rest
        self._programs = programs
        self._observer = observer
        self._process: Program | None = None
        self._callbacks: Any = None
        self._posting = ThreadPoolExecutor(1)

    def start(self, deadline: float, *arguments: str) -> None:
        """Start the application and connect to it.

        Raises:
            OfficeLostError: If it exits immediately.
            OfficeTimeoutError: If it does not start by `deadline` (`time.monotonic`).
        """
        self._launch(arguments)
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext(
            "com.sun.star.bridge.UnoUrlResolver", local
        )
        url = f"uno:pipe,name={_PIPE};urp;StarOffice.ComponentContext"
        while True:
            if self._process is not None and self._process.poll() == _WANTS_RESTART:
                self._launch(arguments)
            self.require_alive()
            before = open_sockets()
            try:
                _find_pipe()
                self.context = resolver.resolve(url)
                self._require_itself(peer_pids(before))
                break
            except OfficeLostError:
                raise
            except Exception as error:
                if time.monotonic() > deadline:
                    raise OfficeTimeoutError(f"the application did not come up: {error}") from error
                self._pause(0.02)  # the pipe appears without any event to wait for
        self._callbacks = self.service("com.sun.star.awt.AsyncCallback")
        self._posting = ThreadPoolExecutor(1)  # a previous one may be blocked forever

    def service(self, name: str) -> Any:
        """Return a new instance of one of the application's services."""
        return self.context.ServiceManager.createInstanceWithContext(name, self.context)

    def _launch(self, arguments: tuple[str, ...]) -> None:
        command = [
            *(_PROGRAM, "--norestore", "--nologo", "--nolockcheck", "--nofirststartwizard"),
            f"--accept=pipe,name={_PIPE};urp",
            *arguments,
        ]
        with self._observer.handed_over() as (descriptor, module):
            environment = self.environment | module
            self._process = self._programs.start(command, environment, descriptor, alone=True)

    def _pause(self, span_sec: float) -> None:
        end = time.monotonic() + span_sec
        if not _listens():
            self._rest.drive(_listens, end)
        if not _listens():
            time.sleep(max(0.0, end - time.monotonic()))

    def _require_itself(self, peers: set[int]) -> None:
        """Verify that the connection leads to the application and not to another program.

        Raises:
            OfficeLostError: If it leads to another program.
        """
        if peers != {self.pid}:
            raise OfficeLostError(f"expected process {self.pid} to answer, {sorted(peers)} did")

    def require_alive(self) -> None:
        """Raise if the application was killed or crashed.

        Raises:
            OfficeLostError: If it ended with a signal or an error, or its observer is detached.
        """
        process = self._process
        if process is not None and process.poll() is None and not self._observer.attached:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_GONE_SEC)  # it may be exiting
            if process.poll() is None:
                raise OfficeLostError(
                    f"nothing watches inside the application any more: {self._observer.reason}"
                )
        code = None if process is None else process.poll()
        if code not in (None, 0, _WANTS_RESTART):
            raise OfficeLostError(f"the application ended with code {code}")

    @property
    def pid(self) -> int:
        """Process id of the application, 0 if it was never started."""
        return 0 if self._process is None else self._process.pid

    @property
    def running(self) -> bool:
        """Whether the application runs; False after the user has quit it."""
        return self._process is not None and self._process.poll() is None

    def ask(
        self,
        question: Callable[[], _Result],
        timeout_sec: float,
        unblock: Callable[[], bool] = lambda: False,
    ) -> _Result:
        """Run UNO calls in the application's main thread, with a deadline.

        Calls from outside run in another thread of the application, which can block forever if they
        wait for the desktop, for example for the clipboard. Calls made inside a callback run in the
        thread that called back.

        Args:
            question: Makes the calls.
            timeout_sec: Longest wait in seconds.
            unblock: As in `ExactRest.drive`.

        Returns:
            The result of `question`; its exceptions are raised again.

        Raises:
            OfficeLostError: If the application has ended.
            OfficeTimeoutError: If it does not answer in time.
        """
        job = Job(question)
        deadline = time.monotonic() + timeout_sec
        posted = self._posting.submit(self._post, job)
        while not self._done(job, posted, min(deadline, time.monotonic() + _LOOK_SEC), unblock):
            self.require_alive()
            if not self.running:
                raise OfficeLostError("the application was closed")
            if time.monotonic() >= deadline:
                raise OfficeTimeoutError(f"the application did not answer within {timeout_sec:g} s")
        if isinstance(job.error, DisposedException):
            self._wait_gone()
            raise OfficeLostError("the application closed its connection") from job.error
        if job.error is not None:
            raise job.error
        return cast(_Result, job.result)

    def ask_if_open(self, question: Callable[[], _Result], timeout_sec: float) -> _Result | None:
        """Call `ask`; return None if the user has quit the application, possibly during the call.

        Raises:
            OfficeLostError: If it was killed or crashed.
        """
        self.require_alive()
        if self.running:
            try:
                return self.ask(question, timeout_sec)
            except OfficeLostError:
                self._wait_gone()
                if self.running:
                    raise
        return None

    def _done(
        self, job: Job, posted: Future[None], deadline: float, unblock: Callable[[], bool]
    ) -> bool:
        """Wait for an answer; virtual time may pass only after the call was posted."""
        wait([posted], max(0.0, deadline - time.monotonic()))
        if posted.done():
            self._rest.drive(job.done.is_set, deadline, unblock)
        return job.done.wait(max(0.0, deadline - time.monotonic()))

    def _post(self, job: Job) -> None:
        """Post a call; a frozen application does not even accept it."""
        try:
            self._callbacks.addCallback(job, None)
        except Exception as error:  # noqa: BLE001 - raised again where the question was put
            job.error = error
            job.done.set()

    def _wait_gone(self) -> None:
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_GONE_SEC)
        self.require_alive()


def _listens() -> bool:
    """Return whether the application's pipe exists; then it needs no more virtual time."""
    return any(path.exists() for path in _SOCKETS.glob(f"OSL_PIPE_*_{_PIPE}"))


def _find_pipe() -> None:
    """Link the application's pipe where this process's user looks for it."""
    user = desktop_user()
    if user is not None:
        with contextlib.suppress(FileExistsError):
            _pipe_of(os.getuid()).symlink_to(_pipe_of(user))


def _pipe_of(user: int) -> Path:
    return _SOCKETS / f"OSL_PIPE_{user}_{_PIPE}"
