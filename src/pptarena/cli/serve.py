"""``pptarena image serve``: an OpenEnv server for the document environment."""

from typing import Annotated

import typer

from pptarena.cli.options import MaxSteps, Suite
from pptarena.cli.output import print_note
from pptarena.errors import missing_package

__all__ = ["serve"]


def serve(
    suite: Suite = "starter",
    host: Annotated[
        str,
        typer.Option(help="Address to listen at; 0.0.0.0 accepts other computers.", metavar="HOST"),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port.", min=1, max=65535, metavar="N")] = 8000,
    sessions: Annotated[
        int, typer.Option(help="Maximum number of concurrent clients.", min=1, metavar="N")
    ] = 16,
    tools: Annotated[
        str,
        typer.Option(
            help="Tool families, separated by commas: 'edit', 'program', 'xml'.",
            metavar="FAMILY,...",
        ),
    ] = "edit",
    max_steps: MaxSteps = None,
) -> None:
    """Serve the document environment to OpenEnv clients.

    Each client has episodes of its own. There is no password: everyone who can reach the port can
    use the server, so expose it only to a network you trust.

    Example:
      pptarena image serve --suite bench --port 8000
    """
    try:
        import uvicorn

        from pptarena.rollouts.trainers.openenv import make_app
    except ImportError as error:
        raise missing_package("serve", "openenv-core", "openenv") from error
    families = tuple(name for name in tools.split(",") if name)
    app = make_app(suite, sessions, tools=families, max_steps=max_steps)
    print_note(f"Serving {suite} at ws://{host}:{port}/ws")
    uvicorn.run(app, host=host, port=port, log_level="warning")
