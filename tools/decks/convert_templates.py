"""Create the .pptx files of ``templates/`` from LibreOffice's templates.

    python convert_templates.py [FOLDER OF .otp FILES] [SOFFICE]

Requires LibreOffice Impress 25.2. The decks are built from the converted files, so this script runs
only to change the templates.
"""

import subprocess
import sys
from pathlib import Path

__all__ = ["main"]

TEMPLATES = (
    *("Blue_Curve", "DNA", "Focus", "Forestbird", "Lights", "Midnightblue"),
    *("Nature_Illustration", "Pencil", "Piano", "Progress"),
    "Vivid",
)
SHIPPED = Path("/usr/lib/libreoffice/share/template/common/presnt")
FILTER = "pptx:Impress MS PowerPoint 2007 XML"


def main() -> None:
    """Convert the templates."""
    shipped = Path(sys.argv[1]) if len(sys.argv) > 1 else SHIPPED
    soffice = sys.argv[2] if len(sys.argv) > 2 else "soffice"
    sources = [str(shipped / f"{name}.otp") for name in TEMPLATES]
    folder = str(Path(__file__).parent / "templates")
    command = [soffice, "--headless", "--convert-to", FILTER, "--outdir", folder, *sources]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
