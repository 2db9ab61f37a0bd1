from tests.each_case import each_case

from pptarena.agents.dialects import get_dialect
from pptarena.envs.actions import KINDS


@each_case("name", ["json", "tools"])
@each_case("kind", KINDS)
def test_the_prompt_describes_every_action_that_can_be_expressed(name: str, kind: str) -> None:
    prompt = get_dialect(name).prompt()
    assert kind in prompt.replace(":", " ").replace(",", " ").replace(".", " ").split()
