import threading
import time

import pytest

from pptarena.vm_images.guest.errors import OfficeLostError, OfficeTimeoutError
from pptarena.vm_images.windows.com_calls import ComCalls, is_gone, is_turned_away

ComError = type[Exception]


def never() -> None:
    raise AssertionError("the application was killed")


def test_a_result_is_passed_on_and_no_timer_stays() -> None:
    before = threading.active_count()
    assert ComCalls(never, 5.0).run(lambda: 7, 1.0) == 7
    deadline = time.monotonic() + 2
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() == before


def test_other_errors_pass(com_error: ComError) -> None:
    def refuse() -> None:
        raise com_error(-2147188160)

    with pytest.raises(com_error):
        ComCalls(never, 5.0).run(refuse, 1.0)


def test_which_errors_are_which(com_error: ComError) -> None:
    assert is_turned_away(com_error(-2147418111))
    assert is_turned_away(com_error(-2147417846))
    assert is_gone(com_error(-2147023174))
    assert not is_gone(com_error(-2147418111))
    assert not is_turned_away(ValueError("x"))


def test_a_gone_application_is_lost(com_error: ComError) -> None:
    def gone() -> None:
        raise com_error(-2147023174)

    with pytest.raises(OfficeLostError):
        ComCalls(never, 5.0).run(gone, 1.0)


def test_a_hanging_call_is_broken_off_by_ending_the_application(com_error: ComError) -> None:
    killed = threading.Event()

    def hang() -> None:
        assert killed.wait(300)
        raise com_error(-2147023170)  # what a call sees when its server dies

    started = time.monotonic()
    with pytest.raises(OfficeTimeoutError, match="hung and was ended"):
        ComCalls(killed.set, 0.2).run(hang, 0.1)
    assert 0.2 <= time.monotonic() - started < 60
