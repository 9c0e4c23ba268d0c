"""Commands where the woods are installed, forked from a warm process together with their servers.

`test_installed` starts programs as people do.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.games.woods.test_installed import INSTALLED
from tests.kit import warm
from tests.kit.compiled import with_packs

# The first finds the game before anything looks for games.
IMPORTS = ("tests.games.woods.preinstalled", *warm.COMMANDS)
CODE = (
    "import sys; from server.commands import child, demo; from tests.kit import warm;"
    "child.subprocess = demo.subprocess = warm.with_servers();"
    "from commands.main import main; sys.exit(main())"
)
"""`manse`, whose servers and bots are forked, too."""
PATIENCE_SECONDS = 200
"""Bound for a machine that is busy; each of these programs is done in some ten seconds."""


@contextmanager
def started(home: Path, *arguments: str) -> Iterator[warm.Piped]:
    """Start `manse`; the end of the block kills it at the latest."""
    env = {**os.environ, "PYTHONPATH": str(INSTALLED), "MANSE_HOME": str(with_packs(home))}
    process = warm.piped(IMPORTS, CODE, *arguments, env=env)
    try:
        yield process
    finally:
        process.kill()
        process.wait(PATIENCE_SECONDS)
        for file in (process.stdin, process.stdout, process.stderr):
            with suppress(BrokenPipeError):
                file.close()
