"""The office application: started, watched, and asked over UNO for what no pixel shows.

Every UNO call has a deadline, because a call into a busy application waits for ever. Nothing here
changes what the user sees, except `load` and `save(commit=True)`.
"""

import contextlib
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, TypeVar, cast

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.lang import DisposedException, IndexOutOfBoundsException

from pptarena.vm_images.guest.errors import (
    CommandError,
    DeckUnreadableError,
    OfficeLostError,
    OfficeTimeoutError,
    OverloadError,
)
from pptarena.vm_images.guest.exact_rest import ExactRest
from pptarena.vm_images.guest.observer import Observer
from pptarena.vm_images.guest.office_callbacks import Job, Refuser
from pptarena.vm_images.guest.peers import open_sockets, peer_pids
from pptarena.vm_images.guest.programs import Program, Programs
from pptarena.vm_images.guest.protocol import DocumentState
from pptarena.vm_images.guest.quiet import busy_seconds
from pptarena.vm_images.guest.session import fresh_home
from pptarena.vm_images.guest.task_document import TaskDocument
from pptarena.vm_images.guest.text_edit import end_text_edit, refresh_texts, text_edit_open

__all__ = ["Office"]

_PROGRAM = "/usr/lib/libreoffice/program/soffice.bin"
_WANTS_RESTART = 81  # exit code after changes to its profile; its own launcher obeys it too
_PIPE = "pptarena"
_PPTX_FILTER = "Impress MS PowerPoint 2007 XML"
_GONE_SEC = 10.0  # how long the application may take to end after it has hung up
_LOOK_SEC = 0.2  # how often a waiting call looks whether the application still lives
_Result = TypeVar("_Result")


class Office:
    """One running application with at most one task document.

    Args:
        environment: Environment variables of the application, those of its clock among them.
        programs: Starts it.
        observer: What watches inside it, where the image has that.
    """

    def __init__(
        self, environment: dict[str, str], programs: Programs, observer: Observer | None = None
    ) -> None:
        self._environment = environment
        self._programs = programs
        self._observer = observer
        self.rest: ExactRest | None = None  # lets the application have time while it is waited for
        self._process: Program | None = None
        self._context: Any = None
        self._desktop: Any = None
        self._callbacks: Any = None
        self._posting = ThreadPoolExecutor(1)
        self._task = TaskDocument()

    def start(self, deadline: float, *arguments: str) -> None:
        """Start the application and connect to it.

        Raises:
            OfficeLostError: If it exits at once.
            OfficeTimeoutError: If it is not there by `deadline` (`time.monotonic`).
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
                self._context = resolver.resolve(url)
                self._require_itself(peer_pids(before))
                break
            except OfficeLostError:
                raise
            except Exception as error:
                if time.monotonic() > deadline:
                    raise OfficeTimeoutError(f"the application did not come up: {error}") from error
                self._pause(0.02)  # the pipe appears without any event to wait for
        services = self._context.ServiceManager
        self._desktop = services.createInstanceWithContext(
            "com.sun.star.frame.Desktop", self._context
        )
        self._callbacks = services.createInstanceWithContext(
            "com.sun.star.awt.AsyncCallback", self._context
        )
        self._posting = ThreadPoolExecutor(1)  # that of an application before may wait for ever

    def _launch(self, arguments: tuple[str, ...]) -> None:
        command = [
            *(_PROGRAM, "--norestore", "--nologo", "--nolockcheck", "--nofirststartwizard"),
            f"--accept=pipe,name={_PIPE};urp",
            *arguments,
        ]
        if self._observer is None:
            self._process = self._programs.start(command, self._environment, alone=True)
            return
        with self._observer.handed_over() as (descriptor, module):
            environment = self._environment | module
            self._process = self._programs.start(command, environment, descriptor, alone=True)

    def _pause(self, span_sec: float) -> None:
        if self.rest is None:
            time.sleep(span_sec)
        else:
            end = time.monotonic() + span_sec
            self.rest.drive(lambda: False, end)
            time.sleep(max(0.0, end - time.monotonic()))

    def _require_itself(self, peers: set[int]) -> None:
        """Raise if another program answers in the application's place.

        Raises:
            OfficeLostError: If one does.
        """
        if peers != {self.pid}:
            raise OfficeLostError(f"expected process {self.pid} to answer, {sorted(peers)} did")

    def require_alive(self) -> None:
        """Raise if the application was killed or crashed.

        Raises:
            OfficeLostError: If it ended with a signal or an error.
        """
        code = None if self._process is None else self._process.poll()
        if code not in (None, 0, _WANTS_RESTART):
            raise OfficeLostError(f"the application ended with code {code}")

    @property
    def pid(self) -> int:
        """Process id of the application, 0 if it was never started."""
        return 0 if self._process is None else self._process.pid

    @property
    def running(self) -> bool:
        """Whether the application runs; False after the user left it by its own menu."""
        return self._process is not None and self._process.poll() is None

    @property
    def path(self) -> Path:
        """The file that the task's document was opened from or saved to last."""
        return self._task.path

    def busy_seconds(self) -> float:
        """Return how long the application has been busy since it was started."""
        return busy_seconds(self._process.pid) if self._process is not None else 0.0

    def _ask(self, question: Callable[[], _Result], timeout_sec: float) -> _Result:
        """Run UNO calls in the application's main thread, with a deadline.

        Calls from elsewhere run in a thread of the application's own, where anything that waits
        for the desktop (a look at the clipboard, say) can block it for ever. Calls made from
        inside a callback run in the thread that called back.
        """
        job = Job(question)
        deadline = time.monotonic() + timeout_sec
        posted = self._posting.submit(self._post, job)
        while not self._done(job, posted, min(deadline, time.monotonic() + _LOOK_SEC)):
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

    def _done(self, job: Job, posted: Future[None], deadline: float) -> bool:
        """Wait for an answer; only once the question is put may time be let pass for it."""
        if self.rest is not None:
            wait([posted], max(0.0, deadline - time.monotonic()))
            if posted.done():
                self.rest.drive(job.done.is_set, deadline)
        return job.done.wait(max(0.0, deadline - time.monotonic()))

    def _post(self, job: Job) -> None:
        """Put a question; an application that is frozen as a whole does not even take it."""
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

    def _ask_if_open(self, question: Callable[[], _Result], timeout_sec: float) -> _Result | None:
        """Ask; None if the user has left the application, perhaps just now.

        Raises:
            OfficeLostError: If it was killed or crashed.
        """
        self.require_alive()
        if self.running:
            try:
                return self._ask(question, timeout_sec)
            except OfficeLostError:
                self._wait_gone()
                if self.running:
                    raise
        return None

    def load(self, path: Path, timeout_sec: float) -> None:
        """Open a deck in the window that is there and start to watch it.

        Raises:
            DeckUnreadableError: If the application refuses it.
        """
        self._ask(lambda: self._load(path), timeout_sec)

    def _load(self, path: Path) -> None:
        options = (
            _property("UpdateDocMode", 0),
            _property("FilterName", _PPTX_FILTER),  # no guessing: a broken deck is no text file
            _property("InteractionHandler", Refuser()),
            _property("PickListEntry", False),  # no episode finds the deck of another
        )
        url = uno.systemPathToFileUrl(str(path))
        frame = self._desktop.getCurrentFrame()
        try:
            self._put_away()
            self._task.lies_at(path)
            if frame is None:
                document = self._desktop.loadComponentFromURL(url, "_default", 0, options)
            else:
                document = frame.loadComponentFromURL(url, "_self", 0, options)
        except DisposedException:
            raise
        except Exception as error:
            raise DeckUnreadableError(f"the application cannot open the deck: {error}") from error
        if document is None or not document.supportsService(
            "com.sun.star.presentation.PresentationDocument"
        ):
            raise DeckUnreadableError("the application does not read this file as a presentation")
        self._task.opened(document)
        self._configuration().flush()  # the host compares the files of the profile

    def _put_away(self) -> None:
        """Give up the edits of the last document, so that nobody is asked about them."""
        document = self._task.model
        if document is None:
            return
        with contextlib.suppress(DisposedException):  # the user closed it already
            controller = document.getCurrentController()
            if controller is not None and text_edit_open(self._context, controller):
                end_text_edit(self._context, controller)
            document.setModified(False)

    def state(self, timeout_sec: float) -> DocumentState:
        """Return what is known of the document."""
        known = self._ask_if_open(self._state, timeout_sec)
        if known is None:
            self._task.closed()
            return DocumentState(revision=self._task.changes)
        return known

    def _state(self) -> DocumentState:
        document = self._task.find(self._desktop)
        if document is None:
            return DocumentState(revision=self._task.changes)
        controller = document.getCurrentController()
        page = getattr(controller, "CurrentPage", None)  # None in the slide sorter
        slide = int(page.Number) if page is not None and hasattr(page, "Number") else 0
        self._task.visited.add(slide)
        return DocumentState(
            open=True,
            revision=self._task.changes,
            editing=text_edit_open(self._context, controller),
            slide=slide,
            slide_count=document.getDrawPages().getCount(),
        )

    def save(self, target: Path, commit: bool, timeout_sec: float) -> bool:
        """Save a copy as .pptx; return False if the user has closed the document.

        Args:
            target: Where to write.
            commit: End an open text edit first.
            timeout_sec: Longest wait in seconds.

        Raises:
            CommandError: If a text edit is open and `commit` is not set.
            OverloadError: If the application cannot save it.
        """
        return bool(self._ask_if_open(lambda: self._save(target, commit), timeout_sec))

    def _save(self, target: Path, commit: bool) -> bool:
        document = self._task.find(self._desktop)
        if document is None:
            return False
        controller = document.getCurrentController()
        if text_edit_open(self._context, controller):
            if not commit:
                # Not only would this file hold half a text: the export's view of the text
                # would be kept, and later files would be cut off at today's length.
                raise CommandError("a text edit is open; end it first or save with commit")
            end_text_edit(self._context, controller)
        for slide in self._task.visited:
            with contextlib.suppress(IndexOutOfBoundsException):
                refresh_texts(document.getDrawPages().getByIndex(slide - 1))
        self._task.visited.clear()
        url = uno.systemPathToFileUrl(str(target))
        try:
            document.storeToURL(url, (_property("FilterName", _PPTX_FILTER),))
        except DisposedException:
            raise
        except Exception as error:
            raise OverloadError(f"the application cannot save the deck: {error}") from error
        return True

    def reopen(self, deadline: float) -> None:
        """Bring the task's deck back: start the application again, or open the deck again.

        Raises:
            DeckUnreadableError: If the file is gone, or is no deck any more.
        """
        known = self._ask_if_open(self._state, 5)
        if known is None:
            # What the last one was made to write must not steer the next one.
            fresh_home(Path(self._environment["HOME"]))
            self.start(deadline)
        if known is None or not known.open:
            self.load(self.path, max(1.0, deadline - time.monotonic()))

    def stop(self) -> None:
        """Kill the application."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    @property
    def version(self) -> str:
        """Version of the application, such as ``"LibreOffice 25.2.3.2"``."""
        node = self._configuration().createInstanceWithArguments(
            "com.sun.star.configuration.ConfigurationAccess",
            (_property("nodepath", "/org.openoffice.Setup/Product"),),
        )
        return f"{node.ooName} {node.ooSetupVersionAboutBox}"

    def _configuration(self) -> Any:
        return self._context.ServiceManager.createInstanceWithContext(
            "com.sun.star.configuration.ConfigurationProvider", self._context
        )


def _property(name: str, value: Any) -> Any:
    made = PropertyValue()
    made.Name, made.Value = name, value
    return made
