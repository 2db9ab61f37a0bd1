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
from pptarena.vm_images.guest.observer import Observer
from pptarena.vm_images.guest.office_callbacks import MainThreadCall
from pptarena.vm_images.guest.peers import open_sockets, peer_pids
from pptarena.vm_images.guest.programs import Program, Programs
from pptarena.vm_images.guest.user import desktop_user
from pptarena.vm_images.guest.virtual_time_waiter import VirtualTimeWaiter

__all__ = ["OfficeProcess"]

_PROGRAM = "/usr/lib/libreoffice/program/soffice.bin"
_RESTART_CODE = 81  # exit code after changes to its profile; its own launcher then restarts it
_PIPE = "pptarena"
_EXIT_SEC = 10.0  # timeout of the exit after a disconnect
_POLL_SEC = 0.2  # interval at which a waiting call checks the application
_SOCKETS = Path("/tmp")  # LibreOffice, sal/osl/unx/pipe.cxx: OSL_PIPE_<user>_<name>
_Result = TypeVar("_Result")


class OfficeProcess:
    """One running application.

    Args:
        environment: Environment variables of the application, including those of its clock.
        programs: Starts it.
        observer: The observer inside it.
        waiter: Lets virtual time pass during waits for the application.
    """

    def __init__(
        self,
        environment: dict[str, str],
        programs: Programs,
        observer: Observer,
        waiter: VirtualTimeWaiter,
    ) -> None:
        self.environment = environment
        self.context: Any = None
        self._waiter = waiter
        self._programs = programs
        self._observer = observer
        self._process: Program | None = None
        self._callbacks: Any = None
        self._executor = ThreadPoolExecutor(1)

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
            if self._process is not None and self._process.poll() == _RESTART_CODE:
                self._launch(arguments)
            self.require_alive()
            before = open_sockets()
            try:
                _link_pipe()
                self.context = resolver.resolve(url)
                self._verify_peers(peer_pids(before))
                break
            except OfficeLostError:
                raise
            except Exception as error:
                if time.monotonic() > deadline:
                    raise OfficeTimeoutError(f"the application did not start: {error}") from error
                self._pause(0.02)  # the pipe appears without any event to wait for
        self._callbacks = self.service("com.sun.star.awt.AsyncCallback")
        self._executor = ThreadPoolExecutor(1)  # a previous one may be blocked forever

    def service(self, name: str) -> Any:
        """Return a new instance of one of the application's services."""
        return self.context.ServiceManager.createInstanceWithContext(name, self.context)

    def _launch(self, arguments: tuple[str, ...]) -> None:
        command = [
            *(_PROGRAM, "--norestore", "--nologo", "--nolockcheck", "--nofirststartwizard"),
            f"--accept=pipe,name={_PIPE};urp",
            *arguments,
        ]
        with self._observer.new_connection() as (descriptor, observer_variables):
            environment = self.environment | observer_variables
            self._process = self._programs.start(command, environment, descriptor, alone=True)

    def _pause(self, span_sec: float) -> None:
        end = time.monotonic() + span_sec
        if not _pipe_exists():
            self._waiter.drive(_pipe_exists, end)
        if not _pipe_exists():
            time.sleep(max(0.0, end - time.monotonic()))

    def _verify_peers(self, peers: set[int]) -> None:
        """Verify that the connection was accepted by the application, not another program.

        Raises:
            OfficeLostError: If another program accepted it.
        """
        if peers != {self.pid}:
            raise OfficeLostError(f"expected an answer of process {self.pid}, not {sorted(peers)}")

    def require_alive(self) -> None:
        """Raise if the application was killed or crashed.

        Raises:
            OfficeLostError: If it ended with a signal or an error, or its observer is detached.
        """
        process = self._process
        if process is not None and process.poll() is None and not self._observer.attached:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_EXIT_SEC)  # it may be exiting
            if process.poll() is None:
                raise OfficeLostError(
                    f"the observer inside the application is detached: {self._observer.reason}"
                )
        code = None if process is None else process.poll()
        if code not in (None, 0, _RESTART_CODE):
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
        call: Callable[[], _Result],
        timeout_sec: float,
        unblock: Callable[[], bool] = lambda: False,
    ) -> _Result:
        """Run UNO calls in the application's main thread, with a deadline.

        Calls from outside run in another thread of the application, which can block forever if they
        wait for the desktop, for example for the clipboard. Calls made inside a callback run in the
        thread that called back.

        Args:
            call: Makes the calls.
            timeout_sec: Longest wait in seconds.
            unblock: As in `VirtualTimeWaiter.drive`.

        Returns:
            The result of `call`; its exceptions are raised again.

        Raises:
            OfficeLostError: If the application has ended.
            OfficeTimeoutError: If it does not answer in time.
        """
        posted_call = MainThreadCall(call)
        deadline = time.monotonic() + timeout_sec
        future = self._executor.submit(self._post, posted_call)
        while not self._wait_for_result(
            posted_call, future, min(deadline, time.monotonic() + _POLL_SEC), unblock
        ):
            self.require_alive()
            if not self.running:
                raise OfficeLostError("the application was closed")
            if time.monotonic() >= deadline:
                raise OfficeTimeoutError(f"the application did not answer within {timeout_sec:g} s")
        if isinstance(posted_call.error, DisposedException):
            self._wait_for_exit()
            raise OfficeLostError("the application closed its connection") from posted_call.error
        if posted_call.error is not None:
            raise posted_call.error
        return cast(_Result, posted_call.result)

    def ask_if_open(self, call: Callable[[], _Result], timeout_sec: float) -> _Result | None:
        """Call `ask`; return None if the user has quit the application, possibly during the call.

        Raises:
            OfficeLostError: If it was killed or crashed.
        """
        self.require_alive()
        if self.running:
            try:
                return self.ask(call, timeout_sec)
            except OfficeLostError:
                self._wait_for_exit()
                if self.running:
                    raise
        return None

    def _wait_for_result(
        self,
        call: MainThreadCall,
        future: Future[None],
        deadline: float,
        unblock: Callable[[], bool],
    ) -> bool:
        """Wait for an answer; virtual time may pass only after the call was posted."""
        wait([future], max(0.0, deadline - time.monotonic()))
        if future.done():
            self._waiter.drive(call.done.is_set, deadline, unblock)
        return call.done.wait(max(0.0, deadline - time.monotonic()))

    def _post(self, call: MainThreadCall) -> None:
        """Post a call; a frozen application does not even accept it."""
        try:
            self._callbacks.addCallback(call, None)
        except Exception as error:  # noqa: BLE001 - raised again in the caller's thread
            call.error = error
            call.done.set()

    def _wait_for_exit(self) -> None:
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_EXIT_SEC)
        self.require_alive()


def _pipe_exists() -> bool:
    """Return whether the application's pipe exists; then it needs no more virtual time."""
    return any(path.exists() for path in _SOCKETS.glob(f"OSL_PIPE_*_{_PIPE}"))


def _link_pipe() -> None:
    """Create a link to the application's pipe under the name for this process's user."""
    user = desktop_user()
    if user is not None:
        with contextlib.suppress(FileExistsError):
            _pipe_path(os.getuid()).symlink_to(_pipe_path(user))


def _pipe_path(user: int) -> Path:
    return _SOCKETS / f"OSL_PIPE_{user}_{_PIPE}"
