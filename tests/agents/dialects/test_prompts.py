import pytest

from pptarena.agents.dialects import get_dialect
from pptarena.envs.actions import KINDS


@pytest.mark.parametrize("name", ["json", "tools"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_prompt_describes_every_action_that_can_be_expressed(name: str, kind: str) -> None:
    prompt = get_dialect(name).prompt()
    assert kind in prompt.replace(":", " ").replace(",", " ").replace(".", " ").split()
