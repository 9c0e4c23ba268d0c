"""Commands where the woods are installed, forked from a warm process together with their servers.

`test_commands` and `test_installed` start programs as people do.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.games.woods.test_commands import MANSE, PATIENCE_SECONDS
from tests.games.woods.test_installed import INSTALLED
from tests.kit import warm
from tests.kit.compiled import with_packs

# The first finds the game before anything looks for games.
IMPORTS = ("tests.games.woods.preinstalled", *warm.COMMANDS)
CODE = (
    "from server.commands import child; from tests.kit import warm;"
    "child.subprocess = warm.with_servers();" + MANSE
)
"""`manse`, whose servers are forked, too."""


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
