"""A command of ours that records every secret it draws: `recorded DRAWS COMMAND ARGUMENT...`.

Draws are random and used once, so a draw that is found anywhere was leaked there.
"""

import os
import secrets
import sys
from pathlib import Path

LEAST_BYTES = 16
"""Minimum length of a recorded draw: shorter ones name drafts of files, and occur by chance."""


def record(path: Path) -> None:
    """Record in a file everything that is drawn from now on."""
    draw = secrets.token_bytes

    def drawn(nbytes: int | None = None) -> bytes:
        value = draw(nbytes)
        if len(value) >= LEAST_BYTES:
            with path.open("a") as file:
                file.write(f"{value.hex()}\n")
        return value

    secrets.token_bytes = drawn


if __name__ == "__main__":
    os.umask(0)
    record(Path(sys.argv[1]))
    from commands.main import main

    sys.exit(main(sys.argv[2:]))
