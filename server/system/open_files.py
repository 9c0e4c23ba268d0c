"""Open files: each connection is one, and the system limits their number per process."""

import contextlib
from typing import Final, Protocol

SPARE: Final = 200
"""Open files besides the connections: the database, the reactor's own, a child process."""


class FileLimits(Protocol):
    """The functions of the module `resource` used in this module."""

    RLIMIT_NOFILE: int
    RLIM_INFINITY: int

    def getrlimit(self, which: int, /) -> tuple[int, int]:
        """Return the current limit and its maximum."""

    def setrlimit(self, which: int, limits: tuple[int, int], /) -> None:
        """Set the current limit and its maximum."""


def limits_of_this_process() -> FileLimits | None:
    """Return the module `resource`; None on systems without such limits, such as Windows."""
    try:
        import resource  # noqa: PLC0415 (not on every system)
    except ImportError:
        return None
    return resource


def allow_open_files(wanted: int, system: FileLimits | None) -> int:
    """
    Raise the limit of open files of this process, up to the maximum of the system.

    Args:
        wanted: number of files.
        system: sets the limit; None on systems without limits.

    Returns:
        The number of files that the process may have open.
    """
    if system is None:
        return wanted
    soft, hard = system.getrlimit(system.RLIMIT_NOFILE)
    if soft != system.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == system.RLIM_INFINITY else min(wanted, hard)
        # macOS says that there is no bound, and has one.
        with contextlib.suppress(ValueError, OSError):
            system.setrlimit(system.RLIMIT_NOFILE, (most, hard))
        soft, _ = system.getrlimit(system.RLIMIT_NOFILE)
    return wanted if soft == system.RLIM_INFINITY else min(soft, wanted)
