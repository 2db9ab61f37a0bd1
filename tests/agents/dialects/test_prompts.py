from tests.each_case import each_case

from pptarena.agents.dialects import get_dialect
from pptarena.envs.actions import KINDS


@each_case("name", ["json", "tools"])
@each_case("kind", KINDS)
def test_prompt_describes_every_expressible_action(name: str, kind: str) -> None:
    prompt = get_dialect(name).prompt()
    assert kind in prompt.replace(":", " ").replace(",", " ").replace(".", " ").split()
