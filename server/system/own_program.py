"""Runs modules of our own program in another process, independent of its working directory."""

import sys
from pathlib import Path

STATUS_IN_USE = 75
"""Exit status of a server whose folder another one holds (EX_TEMPFAIL: a retry may succeed)."""
STATUS_BAD_SETTINGS = 78
"""Exit status of a server whose settings cannot be used (EX_CONFIG: a retry fails as well)."""

_ROOT = str(Path(__file__).resolve().parents[2])


def command_of(code: str, *arguments: str) -> list[str]:
    """
    Return the command that runs code of our program in a child process.

    Python with `-c` or `-m` looks for modules in the working directory first, so the command
    switches that off (`-P`). The working directory is untrusted: a player's folder with a `server`
    in it, or a pack from a stranger, must not replace a part of the program.
    """
    start = f"import sys; sys.path.insert(0, {_ROOT!r}); {code}"
    return [sys.executable, "-P", "-c", start, *arguments]
