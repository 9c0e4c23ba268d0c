"""
A command of ours that writes down every secret it draws: `recorded DRAWS COMMAND ARGUMENT...`.

What is drawn here is random and used once, so that wherever it is found it was leaked to.
"""

import os
import secrets
import sys
from collections.abc import Callable
from pathlib import Path

LEAST_BYTES = 16
"""Shorter ones name drafts of files, and could be found by chance."""


def recording(draw: Callable[[int | None], bytes], path: Path) -> Callable[[int | None], bytes]:
    """Return a source of randomness that writes down in a file what it gives."""

    def drawn(count: int | None = None) -> bytes:
        value = draw(count)
        if len(value) >= LEAST_BYTES:
            with path.open("a") as file:
                file.write(f"{value.hex()}\n")
        return value

    return drawn


if __name__ == "__main__":
    os.umask(0)
    secrets.token_bytes = recording(secrets.token_bytes, Path(sys.argv[1]))
    from commands.main import main

    sys.exit(main(sys.argv[2:]))
