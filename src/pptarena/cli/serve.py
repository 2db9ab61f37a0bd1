"""``pptarena serve``: the document environment over the network, as OpenEnv has it."""

from typing import Annotated

import typer

from pptarena.cli.output import stderr
from pptarena.errors import missing_package

__all__ = ["serve"]


def serve(
    suite: Annotated[
        str, typer.Option(help="Tasks to serve: a suite's name, a folder or a .jsonl file.")
    ] = "starter",
    host: Annotated[
        str, typer.Option(help="Address to listen at; 0.0.0.0 for other computers, too.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port.", min=1, max=65535)] = 8000,
    sessions: Annotated[int, typer.Option(help="Clients at once.", min=1)] = 16,
    tools: Annotated[
        str, typer.Option(help="Families of tools, with commas between: edit, program, xml.")
    ] = "edit",
    max_steps: Annotated[
        int | None, typer.Option(help="Step budget.", show_default="each task's own", min=1)
    ] = None,
) -> None:
    """Serve the document environment to clients of OpenEnv, each with episodes of its own.

    There is no password: whoever reaches the port may play. Let only a network you trust reach it.

    Example: pptarena serve --suite office --port 8000
    """
    try:
        import uvicorn

        from pptarena.rollouts.trainers.openenv import make_app
    except ImportError as error:
        raise missing_package("serve", "openenv-core", "openenv") from error
    families = tuple(name for name in tools.split(",") if name)
    app = make_app(suite, sessions, tools=families, max_steps=max_steps)
    stderr().print(f"serving {suite} at ws://{host}:{port}/ws", markup=False, highlight=False)
    uvicorn.run(app, host=host, port=port, log_level="warning")
