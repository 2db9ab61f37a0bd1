"""The option ``--env-option`` of ``run`` and ``collect``."""

from typing import Annotated

import typer

__all__ = ["EnvOptions"]

EnvOptions = Annotated[
    list[str],
    typer.Option(
        "--env-option",
        help="An argument of the environment or a setting of its machine, as JSON: width_px=1920, "
        "score_when=end, look=never, reward=sparse, memory_limit_bytes=4294967296 ...; may be "
        "repeated.",
        metavar="KEY=VALUE",
    ),
]
