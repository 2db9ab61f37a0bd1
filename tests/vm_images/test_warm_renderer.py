"""The renderer that stays open: started ahead, and by whom."""

import threading
from io import BytesIO

import pptx
import pytest

from pptarena.errors import ConfigError
from pptarena.vm_images.warm_renderer import WarmRenderer


def deck() -> bytes:
    made, file = pptx.Presentation(), BytesIO()
    made.slides.add_slide(made.slide_layouts[0])
    made.save(file)
    return file.getvalue()


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(ConfigError, match="above 0"):
        WarmRenderer(width_px=0)


@pytest.mark.image
def test_one_started_ahead_outlives_the_thread_that_started_it() -> None:
    with WarmRenderer() as renderer:

        def start_and_use() -> None:
            renderer.start()
            assert len(renderer.render(deck())) == 1

        thread = threading.Thread(target=start_and_use)
        thread.start()
        thread.join()
        process = renderer._process
        renderer.start()
        assert len(renderer.render(deck())) == 1
        assert renderer._process is process, "it had to be started again"
    assert process is not None
    assert process.poll() is not None
