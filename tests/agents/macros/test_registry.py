import inspect

from tests.each_case import each_case

from pptarena.agents.macros import MACRO_FUNCTIONS
from pptarena.tasks.macro_words import MACROS


def test_there_is_a_function_for_every_macro_and_no_other() -> None:
    assert set(MACRO_FUNCTIONS) == set(MACROS)


@each_case("name", sorted(MACROS))
def test_a_function_takes_what_task_files_tell_it(name: str) -> None:
    told = MACROS[name].arguments
    _, *takes = inspect.signature(MACRO_FUNCTIONS[name]).parameters.values()
    assert [each.name for each in takes] == list(told)
    required = [each.name for each in takes if each.default is inspect.Parameter.empty]
    assert required == [key for key, argument in told.items() if argument.required]
