import threading
import time

import pytest

from pptarena.vm_images.guest.errors import OfficeLostError, OfficeTimeoutError
from pptarena.vm_images.windows.com_calls import ComCalls, is_disconnected, is_rejected

ComError = type[Exception]


def fail_on_kill() -> None:
    raise AssertionError("the application was killed")


def test_result_is_returned_and_the_timer_ends() -> None:
    before = threading.active_count()
    assert ComCalls(fail_on_kill, 5.0).run(lambda: 7, 1.0) == 7
    deadline = time.monotonic() + 2
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() == before


def test_other_errors_propagate(com_error: ComError) -> None:
    def refuse() -> None:
        raise com_error(-2147188160)

    with pytest.raises(com_error):
        ComCalls(fail_on_kill, 5.0).run(refuse, 1.0)


def test_errors_are_classified(com_error: ComError) -> None:
    assert is_rejected(com_error(-2147418111))
    assert is_rejected(com_error(-2147417846))
    assert is_disconnected(com_error(-2147023174))
    assert not is_disconnected(com_error(-2147418111))
    assert not is_rejected(ValueError("x"))


def test_ended_application_is_lost(com_error: ComError) -> None:
    def call_ended_application() -> None:
        raise com_error(-2147023174)

    with pytest.raises(OfficeLostError):
        ComCalls(fail_on_kill, 5.0).run(call_ended_application, 1.0)


def test_hanging_call_is_ended_with_its_application(com_error: ComError) -> None:
    killed = threading.Event()

    def hang() -> None:
        assert killed.wait(300)
        raise com_error(-2147023170)  # RPC error of a call whose server ends

    started = time.monotonic()
    with pytest.raises(OfficeTimeoutError, match="hung and was ended"):
        ComCalls(killed.set, 0.2).run(hang, 0.1)
    assert 0.2 <= time.monotonic() - started < 60
